import type { ShownPlace } from '../../../shared/contract/desktop.ts';
import type { Batch } from '../../../shared/contract/uploads.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Clock } from '../../engine/ports/clock.ts';
import { type NotificationTexts, showNotification } from '../ports/notifications.ts';
import type { ActivityWatch } from './activity-watch.ts';
import type { DesktopPreferenceStore } from './desktop-preferences.ts';
import { type DesktopNotice, NoticePlanner } from './notice-planner.ts';
import { noticeText } from './notice-text.ts';
import { openProblems, type ProblemFacts, waitsForDrive } from './problems.ts';

export interface NoticesOptions {
  engine: Engine;
  work: ActivityWatch;
  clock: Clock;
  preferences: DesktopPreferenceStore;
  /** Whether the user looks at the window. */
  isFocused(): boolean;
  show(place: ShownPlace): void;
  failed(error: unknown): void;
}

/** Shows notifications about ended batches and about problems, also those that exist already. Returns the function that ends it. */
export function startNotices(options: NoticesOptions): () => void {
  const { engine, work, clock, preferences, failed } = options;
  const planner = new NoticePlanner();
  let sites: ProblemFacts['sites'] | null = null;
  let storeProblem: ProblemFacts['storeProblem'] = null;
  const rowsWithoutDrive = new Map<string, string>();
  let cancel: (() => void) | null = null;

  const notify = (notice: DesktopNotice) => {
    const wanted = preferences.get();
    const isOn = notice.kind === 'ended' ? wanted.notifyEnded : wanted.notifyAttention;
    if (!isOn || options.isFocused()) return;
    const { place, ...shown }: { place: ShownPlace } & NotificationTexts = noticeText(notice, wanted.notifyNames);
    showNotification(shown, () => options.show(place), failed);
  };
  const plan = () => {
    cancel?.();
    cancel = null;
    const due = planner.dueAt();
    if (due === null) return;
    cancel = clock.schedule(Math.max(0, due - clock.now()), () => {
      for (const notice of planner.takeDue(clock.now())) notify(notice);
      plan();
    });
  };
  const takeProblems = () => {
    const sitesWithoutDrive = [...new Set(rowsWithoutDrive.values())];
    const facts = { ...work.facts(), sites: sites ?? [], storeProblem, sitesWithoutDrive };
    planner.takeProblems(openProblems(facts), clock.now());
    plan();
  };
  const takeBatches = (batches: readonly Batch[]) => {
    planner.takeBatches(batches, clock.now());
    plan();
  };
  const readBatches = async () => takeBatches(await engine.call('uploads.outline', null));
  const takeSites = (now: ProblemFacts['sites']) => {
    sites = now;
    takeProblems();
  };
  const readSites = async () => {
    const first = await engine.call('sites.list', null);
    // An event in between is newer than the answer.
    if (sites === null) takeSites(first);
  };

  const ends = [
    work.onDidChange.on(takeProblems),
    engine.on('onDidChangeUploads', ({ batches, rows, outline }) => {
      takeBatches(batches);
      if (outline) void readBatches().catch(failed);
      for (const row of rows) {
        if (waitsForDrive(row)) rowsWithoutDrive.set(row.id, row.siteId);
        else rowsWithoutDrive.delete(row.id);
      }
      takeProblems();
    }),
    engine.on('onDidChangeSites', takeSites),
    engine.on('onDidChangeStore', ({ problem }) => {
      storeProblem = problem;
      takeProblems();
    }),
  ];
  // Batches that are open at the start are known before they end.
  void readBatches().catch(failed);
  void readSites().catch(failed);
  return () => {
    for (const end of ends) end();
    cancel?.();
  };
}
