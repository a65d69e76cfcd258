import { GIVE_UP_MS, LATE_MS, POLL_GROWING_MS } from './readiness-limits.ts';

/** The state of a file that one poll found. */
export interface Observation {
  /**
   * Milliseconds of a clock that never runs backwards while the process runs. Of a new process the clock may start anywhere:
   * a smaller time than before starts the wait again.
   */
  atMs: number;
  /** Null: no file has this path now. */
  file: ObservedFile | null;
}

/** Compared for equality only: a share may have another clock, and a copy may have the time of its original. */
export interface ObservedFile {
  sizeBytes: number;
  mtimeMs: number;
  /** The file's number on its volume; a replaced file has another one. */
  fileId: string;
  /** Allocated blocks, where the system reports them: they grow while a preallocated file is filled. */
  blocks: number | null;
  /** A hash of some of the bytes, where the caller took one. */
  sample?: string | null;
}

/** What the checks that read or probe the file found. They are valid until the file changes. */
export interface Inspection {
  /** Another process has the file open for writing. Null: this system can't tell. */
  isOpenElsewhere: boolean | null;
  /** A part of the file may be reserved and not written yet. Missing in the rows of an earlier version. */
  isUnfilled?: boolean;
  container: ContainerVerdict;
}

/**
 * Whether the contents are complete by the rules of their format. `unknown`: of no known format, or one that does not show
 * it.
 */
export type ContainerVerdict =
  | { kind: 'complete' }
  | { kind: 'incomplete'; reason: IncompleteReason }
  | { kind: 'unknown' };

export type IncompleteReason =
  /** A part of the file that the format needs is missing, such as the index of an MP4. */
  | 'part-missing'
  /** The file is shorter than its own headers say. */
  | 'shorter-than-declared'
  /** The header has no sizes yet: the program that writes it has not closed the file. */
  | 'not-closed'
  /** The end mark of the format is missing. */
  | 'end-missing';

/** What the readiness check stores about a file: a JSON value of a few hundred bytes. Times in milliseconds. */
export interface ReadinessHistory {
  file: ObservedFile | null;
  lastAtMs: number;
  /** How long the file has been seen unchanged. Time without polls, such as sleep, hardly counts. */
  quietMs: number;
  /** The number of observations of the present state. */
  equalLooks: number;
  /** The last poll was late. */
  wasLate: boolean;
  /** Time that `quietMs` does not count although the writer may have been awake in it: the gap may be longer by this. */
  uncountedMs: number;
  /** The longest time between two changes that polls have seen. */
  longestGapMs: number;
  /** The file, or its allocation, changed while it was polled. */
  hasGrown: boolean;
  /** How many polls found no change since the file was first unchanged for `GIVE_UP_MS`: later ones are rarer. */
  idlePolls: number;
  inspection: Inspection | null;
  /** When the last inspection was. */
  inspectedAtMs: number;
}

/** Returns the history of a file after one more poll. `before` null: the first poll. */
export function observe(before: ReadinessHistory | null, { atMs, file }: Observation): ReadinessHistory {
  if (before === null || file === null || before.file === null) return startedAt(atMs, file);
  const change = changeOf(before.file, file);
  const wasLate = atMs - before.lastAtMs > LATE_MS;
  const lateMs = before.wasLate ? POLL_GROWING_MS : 0;
  const passedMs = wasLate ? lateMs : Math.max(atMs - before.lastAtMs, 0);
  // The clock of a new process: what it counted before can't be compared.
  const isNewClock = atMs < before.lastAtMs;
  if (change === 'replaced') return startedAt(atMs, file);
  if (change === 'none') {
    const same = { ...before, file: merged(before.file, file), lastAtMs: atMs, wasLate };
    return isNewClock ? restarted(same) : unchanged(same, before, passedMs);
  }
  // It is not known when the file changed since the last poll: of a late poll, only the usual interval counts. A change of the
  // blocks alone is no gap between writes, because the system writes its cache long after the last write. Neither is the wait
  // for the first byte.
  const isRhythm = change === 'written' && !isNewClock && before.file.sizeBytes > 0;
  const gapMs = isRhythm ? before.quietMs + (before.uncountedMs ?? 0) + Math.min(passedMs, POLL_GROWING_MS) : 0;
  return {
    ...startedAt(atMs, file),
    wasLate,
    longestGapMs: Math.max(before.longestGapMs, gapMs),
    hasGrown: true,
  };
}

/** Returns the history with what the checks found. They must have read the state that the last observation found. */
export function withInspection(history: ReadinessHistory, inspection: Inspection): ReadinessHistory {
  return { ...history, inspection, inspectedAtMs: history.lastAtMs };
}

/** The history after a poll of the same process that found no change. `passedMs`: what counts of the time since the last one. */
function unchanged(same: ReadinessHistory, before: ReadinessHistory, passedMs: number): ReadinessHistory {
  // Histories that an earlier version stored lack two of the fields.
  const { uncountedMs = 0, idlePolls = 0 } = before;
  return {
    ...same,
    quietMs: before.quietMs + passedMs,
    equalLooks: before.equalLooks + 1,
    uncountedMs: same.wasLate && !before.wasLate ? uncountedMs + LATE_MS : uncountedMs,
    idlePolls: before.quietMs < GIVE_UP_MS ? 0 : idlePolls + 1,
  };
}

/** The history after the first poll of a new process that found no change: it keeps the longest gap. */
function restarted(same: ReadinessHistory): ReadinessHistory {
  return { ...same, quietMs: 0, equalLooks: 1, uncountedMs: 0, idlePolls: 0, inspection: null };
}

function startedAt(atMs: number, file: ObservedFile | null): ReadinessHistory {
  return {
    file,
    lastAtMs: atMs,
    quietMs: 0,
    equalLooks: 1,
    wasLate: false,
    uncountedMs: 0,
    longestGapMs: 0,
    hasGrown: false,
    idlePolls: 0,
    inspection: null,
    inspectedAtMs: 0,
  };
}

function changeOf(one: ObservedFile, other: ObservedFile): 'none' | 'replaced' | 'written' | 'allocated' {
  if (one.fileId !== other.fileId) return 'replaced';
  const isOtherSample = one.sample != null && other.sample != null && one.sample !== other.sample;
  if (one.sizeBytes !== other.sizeBytes || one.mtimeMs !== other.mtimeMs || isOtherSample) return 'written';
  return one.blocks !== null && other.blocks !== null && one.blocks !== other.blocks ? 'allocated' : 'none';
}

/** A poll without a sample keeps the last one. */
function merged(before: ObservedFile, now: ObservedFile): ObservedFile {
  return { ...now, sample: now.sample ?? before.sample ?? null };
}
