import { type AppErrorData, appError, toAppError } from '../../../../shared/contract/app-error.ts';
import { ERROR_CATALOG } from '../../../../shared/contract/errors/error-catalog.ts';
import { companionKindOf } from '../../../../shared/model/pairing/pair-files.ts';
import type { FileContents } from '../../../../shared/model/recipes/content-tokens.ts';
import { applyRules, type RuleOutcome, type UploadPlan } from '../../../../shared/model/watch/apply-rules.ts';
import type { WatchedFileFacts } from '../../../../shared/model/watch/watched-file.ts';
import type { ReadMediaFacts } from '../../media-tags/media-facts.ts';
import type { FileFacts, Files, OpenFile } from '../../ports/files.ts';
import type { FolderEntry } from '../../ports/folder-walker.ts';
import { titleNotice } from '../../uploads/adding/title-notice.ts';
import { historyOf, ruleFactsOf, rulesOf } from '../detection/reconcile.ts';
import type { FolderManifests, FoundRow, RowOfFile } from '../intake/folder-manifests.ts';
import { describedBy } from '../intake/intake.ts';
import { fullPathOf, type LateCompanion, type ReadyFile } from '../intake/ready-file.ts';
import { decideReadiness, openAgainMs, type Readiness } from '../readiness/decide-readiness.ts';
import type { Inspect } from '../readiness/inspect.ts';
import { observe, type ReadinessHistory, withInspection } from '../readiness/observations.ts';
import type { FolderRecord } from '../rows/folder-store.ts';
import { sameFingerprint, type WatchedFile } from '../rows/watched-file.ts';
import { type CompanionTools, companionsOf, companionWait, takenOf } from './companions.ts';
import { isKnownContents, type KnownContentsTools } from './known-contents.ts';
import { isSameFile } from './same-file.ts';
import { settleDetails } from './settle-details.ts';

export interface SettleFileTools extends Omit<KnownContentsTools, 'files'>, CompanionTools {
  files: Files;
  inspect: Inspect;
  manifests: FolderManifests;
  /** Reads the tags and dates inside a file, for titles. */
  mediaFacts: ReadMediaFacts;
}

/** The result of one poll of a file. */
export interface Settled {
  /** The row after the poll. */
  row: WatchedFile;
  /** The data to queue when the file is ready. */
  ready?: ReadyFile;
  /** The file belongs to a recording that was queued before. */
  late?: LateCompanion;
  /** The file is a complete manifest: its rows may describe files that were queued before. */
  isManifest?: boolean;
}

/** The maximum interval between decisions about a file that waits for a time in its rule, because the clock may be set. */
const LONGEST_WAIT_MS = 60 * 60_000;
/** How long a file waits for its row in a manifest. */
const ROW_WAIT_MS = 10 * 60_000;
/** The interval of checks for that row. */
const ROW_CHECK_MS = 10_000;
const SOON_MS = 1000;

/** Polls a file once: returns its row with the poll's result (`entry`), and whether the file is ready or what it waits for. */
export async function settleFile(
  row: WatchedFile,
  entry: FolderEntry,
  folder: FolderRecord,
  tools: SettleFileTools,
): Promise<Settled> {
  const { clock } = tools;
  const atMs = clock.monotonic();
  const isSame = sameFingerprint(row, entry) && row.kind === entry.kind;
  const now = clock.now();
  const observed: WatchedFile = isSame
    ? { ...row, ctimeMs: entry.ctimeMs }
    : {
        ...row,
        fileId: entry.fileId,
        sizeBytes: entry.sizeBytes,
        mtimeMs: entry.mtimeMs,
        kind: entry.kind,
        ctimeMs: entry.ctimeMs,
        unchangedSince: now,
        edgeHash: null,
        outcome: null,
        isForced: false,
      };
  if (entry.kind !== 'file') {
    // It replaced a file that was queued, or waited.
    const reason = appError(entry.kind === 'link' ? 'watch.is-link' : 'file.not-regular').toData();
    return { row: { ...observed, state: 'refused', history: null, dueAt: null, readyAt: null, reason } };
  }
  const { sizeBytes, mtimeMs, fileId, blocks } = entry;
  let history = observe(historyOf(row), { atMs, file: { sizeBytes, mtimeMs, fileId, blocks } });
  let readiness: Readiness = observed.isForced && isSame ? { kind: 'ready' } : decideReadiness(history, atMs);
  if (readiness.kind === 'inspect' || readiness.kind === 'ready') {
    const path = fullPathOf(folder, observed);
    let file: OpenFile;
    try {
      file = await tools.files.within(folder.root).open(path);
    } catch (error) {
      return { row: unreadable(observed, history, error, atMs) };
    }
    try {
      const facts = await file.facts();
      // The file was written or replaced after `entry` was read. The next poll notes that.
      if (!isSameFile(facts, observed)) return { row: { ...withHistory(observed, history), dueAt: atMs + SOON_MS } };
      if (readiness.kind === 'inspect') {
        const quiet = { path, identity: facts.identity, sizeBytes: observed.sizeBytes, blocks };
        history = withInspection(history, await tools.inspect(quiet, file));
        readiness = decideReadiness(history, atMs);
      }
      if (readiness.kind === 'ready') {
        return await judge({ row: withHistory(observed, history), facts, file, folder }, tools);
      }
    } catch (error) {
      return { row: unreadable(observed, history, error, atMs) };
    } finally {
      // Not awaited: a disk or share that never answers would block the slot.
      file.close().catch(() => {});
    }
  }
  return { row: waiting(withHistory(observed, history), readiness, atMs, now) };
}

/** Returns the row of a file that is not ready. */
function waiting(row: WatchedFile, readiness: Readiness, atMs: number, now: number): WatchedFile {
  switch (readiness.kind) {
    case 'settling': {
      const { remainingMs, nextCheckAtMs, reason } = readiness;
      const readyAt = remainingMs === null ? null : Math.round(now + remainingMs);
      // A file that changed after its upload keeps this reason until it is queued again.
      const keeps = row.reason?.code === 'watch.changed-after-upload' && reason !== 'open-elsewhere';
      return {
        ...row,
        state: 'settling',
        dueAt: nextCheckAtMs,
        readyAt,
        reason: keeps ? row.reason : SETTLING_REASONS[reason],
      };
    }
    case 'incomplete': {
      const code = readiness.reason === 'open-elsewhere' ? 'watch.open-elsewhere' : 'watch.incomplete';
      const reason = appError(code, { details: { reason: readiness.reason } }).toData();
      return { ...row, state: 'incomplete', dueAt: readiness.nextCheckAtMs, readyAt: null, reason };
    }
    default:
      return { ...row, state: 'settling', dueAt: atMs + SOON_MS, readyAt: null };
  }
}

const SETTLING_REASONS: Record<Extract<Readiness, { kind: 'settling' }>['reason'], AppErrorData> = {
  empty: appError('watch.empty').toData(),
  changing: appError('watch.settling').toData(),
  quiet: appError('watch.settling').toData(),
  'open-elsewhere': appError('watch.open-elsewhere').toData(),
  unfinished: appError('watch.unfinished').toData(),
};

interface Judged {
  row: WatchedFile;
  facts: FileFacts;
  file: OpenFile;
  folder: FolderRecord;
}

/** Decides about a complete file: it is queued, attached to a recording, skipped, or waits. */
async function judge({ row, facts, file, folder }: Judged, tools: SettleFileTools): Promise<Settled> {
  const { clock, rows, digests } = tools;
  const edgeHash = row.edgeHash ?? (await digests.edges(file, row.sizeBytes));
  const known = { ...tools, files: rows };
  const isHandled = !row.isForced && (await isKnownContents(row, edgeHash, file, known));
  const now = clock.now();
  const atMs = clock.monotonic();
  const { companions, recording, candidates } = companionsOf(row, tools);
  const own = {
    ...ruleFactsOf(row),
    isHandled,
    recording: recording === null ? null : ruleFactsOf(recording),
    candidates: candidates.map((each) => ruleFactsOf(each)),
  };
  const outcome = row.isForced ? forcedOutcome(folder, row, now) : applyRules(rulesOf(folder), own, now);
  const { passed, ruleId, clause, kind } = outcome;
  const judged: WatchedFile = {
    ...row,
    edgeHash,
    dueAt: null,
    readyAt: null,
    reason: null,
    outcome: { kind, ruleId, clause, passed } as WatchedFile['outcome'],
  };
  const later = (dueAt: number, reason: AppErrorData | null): Settled => ({
    row: { ...judged, state: 'waiting', dueAt, readyAt: Math.round(now + dueAt - atMs), reason },
  });
  const wait = row.isForced ? null : companionWait(row, outcome, companions, tools);
  if (wait !== null) return later(wait.dueAt, wait.reason);
  if (outcome.kind === 'skip') return skipped({ row: judged, facts, file, folder }, outcome, recording, tools);
  if (outcome.kind === 'wait') {
    if (outcome.untilMs === null) return { row: { ...judged, state: 'waiting' } };
    return later(atMs + Math.min(Math.max(outcome.untilMs - now, SOON_MS), LONGEST_WAIT_MS), null);
  }
  const description = outcome.plan.manifest ? await describe(row, folder, now, tools) : NO_DESCRIPTION;
  if (description.kind === 'wait') return later(atMs + description.waitMs, description.reason);
  const { described } = description;
  const taken = takenOf(companions, outcome.plan).filter(({ state }) => state === 'attached');
  const isTitled = { ...describedBy(taken), ...described?.fields }.title !== undefined;
  const { plan, titleNotice: notice } = await titled(outcome.plan, own, { row, folder, isTitled, now }, tools);
  const made = { kind, ruleId, clause, passed, ...(plan.needsContents ? {} : { title: plan.title }) };
  const ready = { row: { ...judged, outcome: made }, plan, titleNotice: notice, outcome, edgeHash, facts, described };
  return { row: judged, ready: { ...ready, companions: taken } };
}

/** Returns the result for a file that is not an item of its own. */
async function skipped(
  { row, facts, file, folder }: Judged,
  outcome: RuleOutcome,
  recording: WatchedFile | null,
  tools: SettleFileTools,
): Promise<Settled> {
  const { kind } = outcome.clause;
  const isDetails = kind === 'attached' && companionKindOf(row.path) === 'details';
  const after = isDetails ? await settleDetails({ row, facts, file, folder }, tools) : leftOut(row, outcome);
  const isLate = recording !== null && (recording.state === 'queued' || recording.state === 'done');
  if (after.state !== 'attached' || !isLate) return { row: after, isManifest: kind === 'manifest' };
  return { row: after, late: { row: after, recording, before: row.described } };
}

interface Titled {
  plan: UploadPlan;
  /** Why the title differs from its template; null: it does not. */
  titleNotice: AppErrorData | null;
}

/** Completes the title of a plan with the tags inside the file, unless a manifest or a file beside it gives the title. */
async function titled(
  plan: UploadPlan,
  facts: WatchedFileFacts,
  { row, folder, isTitled, now }: { row: WatchedFile; folder: FolderRecord; isTitled: boolean; now: number },
  { mediaFacts }: SettleFileTools,
): Promise<Titled> {
  if (!plan.needsContents || isTitled) return { plan, titleNotice: null };
  const contents = await mediaFacts(fullPathOf(folder, row), folder.root);
  const outcome = row.isForced
    ? forcedOutcome(folder, row, now, contents)
    : applyRules(rulesOf(folder), { ...facts, contents }, now);
  // The rules decide as before, because the contents are used only in the title.
  const complete = outcome.kind === 'upload' ? outcome.plan : plan;
  return { plan: complete, titleNotice: titleNotice(complete.titleMissing, contents.problem) };
}

type Description =
  | { kind: 'known'; described: RowOfFile | null }
  | { kind: 'wait'; waitMs: number; reason: AppErrorData };
const NO_DESCRIPTION = { kind: 'known', described: null } as const;

/** Returns the values of the manifest for a file (`described` null: none), or how long to wait for its row. */
async function describe(
  row: WatchedFile,
  folder: FolderRecord,
  now: number,
  { manifests }: SettleFileTools,
): Promise<Description> {
  const found = await manifests.rowOf(folder, row.path);
  if (found.kind === 'row') return { kind: 'known', described: found.row };
  const waitedMs = now - row.unchangedSince;
  if (row.isForced || waitedMs < 0 || waitedMs >= ROW_WAIT_MS) return NO_DESCRIPTION;
  return { kind: 'wait', waitMs: Math.min(ROW_WAIT_MS - waitedMs, ROW_CHECK_MS), reason: waitsForRow(found) };
}

function waitsForRow(found: Exclude<FoundRow, { kind: 'row' }>): AppErrorData {
  if (found.kind === 'none') return appError('watch.waits-for-row').toData();
  const message = `The manifest can’t be used for this file: ${ERROR_CATALOG[found.code].message}`;
  return appError('watch.waits-for-row', { message, details: { problem: found.code } }).toData();
}

/** Returns the row of a file that is not uploaded as an item. */
function leftOut(row: WatchedFile, outcome: RuleOutcome): WatchedFile {
  switch (outcome.clause.kind) {
    case 'handled':
      return { ...row, state: 'done', history: null, reason: appError('watch.same-contents').toData() };
    case 'existing':
      return { ...row, state: 'done', history: null };
    case 'attached':
      return { ...row, state: 'attached', history: null };
    case 'unclear': {
      const reason = appError('watch.pair-unclear', { details: { candidates: outcome.clause.recordings } }).toData();
      return { ...row, state: 'refused', history: null, reason };
    }
    default:
      return { ...row, state: 'refused', history: null };
  }
}

/**
 * Returns the plan of a file that the user wants uploaded whatever the rules are: that of the first rule that accepts the file,
 * otherwise that of the folder's defaults. `contents`: the values inside the file, if they were read.
 */
export function forcedOutcome(
  folder: FolderRecord,
  row: WatchedFile,
  now: number,
  contents?: FileContents,
): RuleOutcome {
  const rules = rulesOf(folder);
  const facts = {
    ...ruleFactsOf(row),
    isExisting: false,
    recording: null,
    ...(contents === undefined ? {} : { contents }),
  };
  const usual = applyRules(rules, facts, now);
  if (usual.kind === 'upload') return usual;
  const { defaults } = rules;
  const conditions = { include: [], exclude: [], minSizeBytes: 0, minAgeMs: 0 };
  // Some names are always ignored, such as `.name` and `~name`: the defaults are applied to the name without these characters.
  const plain = { ...facts, kind: 'file' as const, path: facts.path.replace(/(^|\/)[.~]+/g, '$1') };
  return applyRules({ ...rules, rules: [], defaults: { ...defaults, conditions } }, plain, now);
}

function unreadable(row: WatchedFile, history: ReadinessHistory, thrown: unknown, atMs: number): WatchedFile {
  const { code } = toAppError(thrown);
  const isLocked = code === 'file.locked';
  const reason = isLocked
    ? appError('watch.open-elsewhere').toData()
    : code === 'file.unreadable'
      ? appError('watch.unreadable', { details: { path: row.path } }).toData()
      : toAppError(thrown).toData();
  return { ...withHistory(row, history), state: 'settling', dueAt: atMs + openAgainMs(history), readyAt: null, reason };
}

function withHistory(row: WatchedFile, history: ReadinessHistory): WatchedFile {
  return { ...row, history: JSON.stringify(history) };
}
