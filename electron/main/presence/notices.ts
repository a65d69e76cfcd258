import type { ShownPlace } from '../../../shared/contract/desktop.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Clock } from '../../engine/ports/clock.ts';
import { type NotificationTexts, showNotification } from '../ports/notifications.ts';
import type { DesktopPreferenceStore } from './desktop-preferences.ts';
import { type Notice, NoticePlanner } from './notice-planner.ts';
import { noticeText } from './notice-text.ts';
import { type ProblemFacts, problemsOf, waitsForDrive } from './problems.ts';

export interface NoticesOptions {
  engine: Engine;
  clock: Clock;
  preferences: DesktopPreferenceStore;
  /** Whether the user looks at the window. */
  isFocused(): boolean;
  show(place: ShownPlace): void;
  failed(error: unknown): void;
}

/** Shows notifications about ended batches and about problems, from now on. Returns the function that ends it. */
export function startNotices(options: NoticesOptions): () => void {
  const { engine, clock, preferences, failed } = options;
  const planner = new NoticePlanner();
  let facts: ProblemFacts = {
    ...{ totals: null, edits: null, sites: [], folders: [], storeProblem: null },
    sitesWithoutDrive: [],
  };
  const rowsWithoutDrive = new Map<string, string>();
  let cancel: (() => void) | null = null;

  const tell = (notice: Notice) => {
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
      for (const notice of planner.takeDue(clock.now())) tell(notice);
      plan();
    });
  };
  const takeProblems = (part: Partial<ProblemFacts>) => {
    facts = { ...facts, ...part };
    planner.takeProblems(problemsOf(facts), clock.now());
    plan();
  };
  const readBatches = async () => planner.takeBatches(await engine.call('uploads.outline', null), clock.now());

  const ends = [
    engine.on('onDidChangeUploads', ({ batches, totals, rows, outline }) => {
      planner.takeBatches(batches, clock.now());
      if (outline) void readBatches().then(plan, failed);
      for (const row of rows) {
        if (waitsForDrive(row)) rowsWithoutDrive.set(row.id, row.siteId);
        else rowsWithoutDrive.delete(row.id);
      }
      takeProblems({ totals, sitesWithoutDrive: [...new Set(rowsWithoutDrive.values())] });
    }),
    engine.on('onDidChangeSites', (sites) => takeProblems({ sites })),
    engine.on('onDidChangeWatch', ({ folders }) => takeProblems({ folders })),
    engine.on('onDidChangeEdits', ({ totals }) => takeProblems({ edits: totals })),
    engine.on('onDidChangeStore', ({ problem }) => takeProblems({ storeProblem: problem })),
  ];
  // Batches that are open at the start are known before they end.
  void readBatches().catch(failed);
  return () => {
    for (const end of ends) end();
    cancel?.();
  };
}
