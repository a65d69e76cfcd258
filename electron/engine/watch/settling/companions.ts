import { type AppErrorData, appError } from '../../../../shared/contract/app-error.ts';
import { companionKindOf } from '../../../../shared/model/pairing/pair-files.ts';
import type { RuleOutcome, UploadPlan } from '../../../../shared/model/watch/apply-rules.ts';
import { withRecordings } from '../../../../shared/model/watch/with-recordings.ts';
import type { Clock } from '../../ports/clock.ts';
import { ruleFactsOf } from '../detection/reconcile.ts';
import type { CompanionRows } from '../rows/companion-rows.ts';
import type { WatchedFileStore } from '../rows/file-store.ts';
import type { WatchedFile } from '../rows/watched-file.ts';

export interface CompanionTools {
  rows: WatchedFileStore;
  companionRows: CompanionRows;
  clock: Clock;
}

/** How long captions wait for a recording with their name. */
const RECORDING_WAIT_MS = 10 * 60_000;
/** How long a recording waits for captions that are being written. */
const SIDECAR_WAIT_MS = 6 * 60_000;
/**
 * How long captions are matched with a recording that is no longer in the folder. Later, its name may be used for another
 * recording.
 */
const LATE_SIDECAR_MS = 24 * 60 * 60_000;
/** The maximum interval between polls of a file that waits for its recording. */
const RECORDING_CHECK_MS = 30_000;
const SOON_MS = 1000;

/**
 * Returns the related files of a file, from the rows of its folder: `recording` is its recording, `candidates` are the recordings
 * to which it may belong, `companions` are the files that belong to it.
 */
export function companionsOf(row: WatchedFile, { companionRows, clock }: CompanionTools) {
  // A recording that was moved away after its upload still has an item to which captions can be added.
  const group = companionRows
    .of(row.folderId, row.path, clock.now() - LATE_SIDECAR_MS)
    .filter((each) => each.seq !== row.seq);
  const all = [row, ...group];
  const paired = withRecordings(all.map((each) => ruleFactsOf(each)));
  const [own] = paired;
  return {
    recording: group.find(({ path }) => path === own?.recording?.path) ?? null,
    candidates: (own?.candidates ?? []).flatMap(({ path }) => group.find((each) => each.path === path) ?? []),
    companions: all.filter(({ goneAt }, index) => goneAt === null && paired[index]?.recording?.path === row.path),
  };
}

/** Returns the companions that are uploaded with a recording according to its rule. */
export function takenOf(companions: readonly WatchedFile[], plan: UploadPlan): WatchedFile[] {
  return companions.filter(({ path }) => (companionKindOf(path) === 'details' ? plan.details : plan.sidecars));
}

/** Returns the companions with which a recording is queued now: those that are complete and attached. */
export function attachedTo(row: WatchedFile, plan: UploadPlan, tools: CompanionTools): WatchedFile[] {
  return takenOf(companionsOf(row, tools).companions, plan).filter(({ state }) => state === 'attached');
}

const WAITS_FOR_RECORDING = appError('watch.waits-for-recording').toData();
/** Reasons of companions that were decided before a recording with exactly their name arrived. */
const DECIDED_EARLY: ReadonlySet<string> = new Set(['watch.waits-for-recording', 'watch.pair-unclear']);
const WAITS_FOR_SIDECAR = appError('watch.waits-for-sidecar').toData();

/**
 * Returns until when (monotonic) and why a complete file waits for another file; null when it does not. Captions and files with
 * details wait for a recording with their name, and a recording waits for its companions that are not complete. `companions`: the
 * files that belong to it.
 */
export function companionWait(
  row: WatchedFile,
  outcome: RuleOutcome,
  companions: readonly WatchedFile[],
  { rows, clock }: CompanionTools,
): { dueAt: number; reason: AppErrorData } | null {
  const atMs = clock.monotonic();
  const waitedMs = clock.now() - row.unchangedSince;
  const plan = outcome.kind === 'upload' ? outcome.plan : null;
  const kind = companionKindOf(row.path);
  const waitsForRecording =
    (kind === 'captions' && plan?.sidecars !== false) || (kind === 'details' && plan?.details !== false);
  if (plan === null && outcome.clause.kind !== 'unclear') return null;
  // A recording with exactly this name may arrive next.
  if (waitsForRecording && waitedMs >= 0 && waitedMs < RECORDING_WAIT_MS) {
    const dueAt = atMs + Math.min(RECORDING_WAIT_MS - waitedMs, RECORDING_CHECK_MS);
    return { dueAt, reason: WAITS_FOR_RECORDING };
  }
  if (plan === null) return null;
  const taken = takenOf(companions, plan);
  // These companions were decided before this recording arrived, and are decided again.
  const early = taken.filter(({ reason }) => reason !== null && DECIDED_EARLY.has(reason.code));
  rows.makeDueWithoutUpload(early, atMs);
  const unsettled = taken.find((each) => each.state === 'settling') ?? early[0];
  if (unsettled === undefined || waitedMs >= SIDECAR_WAIT_MS) return null;
  return { dueAt: Math.max(unsettled.dueAt ?? 0, atMs) + SOON_MS, reason: WAITS_FOR_SIDECAR };
}
