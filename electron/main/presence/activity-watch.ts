import { Emitter } from '../../engine/common/emitter.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Clock } from '../../engine/ports/clock.ts';
import { type Activity, activityOf, type WorkFacts } from './activity.ts';

/** The engine's work as the shell shows it outside of the window. */
export interface ActivityWatch {
  facts(): WorkFacts;
  activity(): Activity;
  /** At most twice a second. */
  onDidChange: Emitter<Activity>;
  close(): void;
}

const INTERVAL_MS = 500;

/** Follows the work of an engine. Resolves when the present state is known. */
export async function watchActivity(engine: Engine, clock: Clock): Promise<ActivityWatch> {
  let facts: WorkFacts = { totals: null, folders: [], edits: null, downloads: [] };
  const onDidChange = new Emitter<Activity>();
  let cancel: (() => void) | null = null;
  const take = (part: Partial<WorkFacts>) => {
    facts = { ...facts, ...part };
    cancel ??= clock.schedule(INTERVAL_MS, () => {
      cancel = null;
      onDidChange.emit(activityOf(facts));
    });
  };
  // Subscribed before the calls: an event in between is newer than their answers.
  const seen = new Set<keyof WorkFacts>();
  const follow = (part: Partial<WorkFacts>) => {
    for (const name of Object.keys(part)) seen.add(name as keyof WorkFacts);
    take(part);
  };
  const ends = [
    engine.on('onDidChangeUploads', ({ totals }) => follow({ totals })),
    engine.on('onDidChangeWatch', ({ folders }) => follow({ folders })),
    engine.on('onDidChangeEdits', ({ totals }) => follow({ edits: totals })),
    engine.on('onDidChangeDownloads', (downloads) => follow({ downloads })),
  ];
  const [totals, folders, { totals: edits }, downloads] = await Promise.all([
    engine.call('uploads.totals', null),
    engine.call('watch.list', null),
    engine.call('edits.groups', { siteId: null, isOpen: true, offset: 0, limit: 1 }),
    engine.call('downloads.list', null),
  ]);
  const first: WorkFacts = { totals, folders, edits, downloads };
  for (const name of seen) Object.assign(first, { [name]: facts[name] });
  take(first);
  return {
    facts: () => facts,
    activity: () => activityOf(facts),
    onDidChange,
    close() {
      for (const end of ends) end();
      cancel?.();
    },
  };
}
