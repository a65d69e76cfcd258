import type { IncompleteReason, ReadinessHistory } from './observations.ts';
import {
  GAPS,
  GIVE_UP_MS,
  INSPECT_AGAIN_MS,
  LEAST_QUIET_MS,
  LOCKED_AGAIN_MS,
  MOST_IDLE_MS,
  MOST_OPEN_MS,
  MOST_QUIET_MS,
  POLL_GROWING_MS,
  POLL_IDLE_MS,
  POLL_QUIET_MS,
} from './readiness-limits.ts';

/**
 * The decision of the readiness check. Times in milliseconds of the clock of the observations.
 *
 * - `settling`: poll again at `nextCheckAtMs`. `remainingMs`: of the quiet time, if nothing changes; null: unknown.
 * - `inspect`: the file has been unchanged for its quiet time. The caller probes it, checks its container and records that by
 *   `withInspection`, then decides again.
 * - `ready`: the file can be uploaded. - `incomplete`: the user decides; polls continue, since the writer may continue.
 * - `vanished`: no file has the path any more.
 */
export type Readiness =
  | { kind: 'settling'; reason: SettlingReason; quietTimeMs: number; remainingMs: number | null; nextCheckAtMs: number }
  | { kind: 'inspect' }
  | { kind: 'ready' }
  | { kind: 'incomplete'; reason: IncompleteReason | 'open-elsewhere'; nextCheckAtMs: number }
  | { kind: 'vanished' };

type SettlingReason =
  /** No byte yet. */
  | 'empty'
  /** The last poll found a change. */
  | 'changing'
  /** Unchanged, but not for the quiet time. */
  | 'quiet'
  /** Another process has it open for writing. */
  | 'open-elsewhere'
  /** Its container is not complete. */
  | 'unfinished';

/** Returns how long the file has to be unchanged: three times the longest gap between its writes, 10 s to 5 min. */
export function quietTimeOf({ longestGapMs }: ReadinessHistory): number {
  return Math.min(Math.max(LEAST_QUIET_MS, GAPS * longestGapMs), MOST_QUIET_MS);
}

/** Decides whether a file of a watched folder is finished. `nowMs`: of the clock of the observations. */
export function decideReadiness(history: ReadinessHistory, nowMs: number): Readiness {
  const { file, quietMs, equalLooks, hasGrown, inspection, inspectedAtMs, lastAtMs } = history;
  if (file === null) return { kind: 'vanished' };
  const quietTimeMs = quietTimeOf(history);
  const settling = (reason: SettlingReason, remainingMs: number | null, inMs: number): Readiness => {
    // A check that is late, or a clock that went back, is due now and never far ahead.
    const nextCheckAtMs = Math.max(nowMs, Math.min(lastAtMs, nowMs) + inMs);
    return { kind: 'settling', reason, quietTimeMs, remainingMs, nextCheckAtMs };
  };
  if (file.sizeBytes === 0) return settling('empty', null, quietMs < GIVE_UP_MS ? POLL_QUIET_MS : idleMs(history));
  const remainingMs = quietTimeMs - quietMs;
  // Time counts only between two equal observations, so that one alone is never enough.
  if (remainingMs > 0) {
    const everyMs = hasGrown ? POLL_GROWING_MS : POLL_QUIET_MS;
    const reason = hasGrown && equalLooks < 2 ? 'changing' : 'quiet';
    return settling(reason, remainingMs, Math.min(everyMs, remainingMs));
  }
  if (inspection === null) return { kind: 'inspect' };
  const { isOpenElsewhere, isUnfilled = false, container } = inspection;
  // A program that can't be seen, such as one on another computer, may still fill the file.
  const mayBeFilled = isUnfilled && isOpenElsewhere === null && quietMs < GIVE_UP_MS;
  if (isOpenElsewhere !== true && container.kind !== 'incomplete' && !mayBeFilled) return { kind: 'ready' };
  // The contents can't have changed since, but the file may have been closed.
  if (lastAtMs - inspectedAtMs >= INSPECT_AGAIN_MS) return { kind: 'inspect' };
  if (quietMs < GIVE_UP_MS) {
    const reason = isOpenElsewhere === true ? 'open-elsewhere' : 'unfinished';
    return settling(reason, GIVE_UP_MS - quietMs, POLL_QUIET_MS);
  }
  if (container.kind === 'incomplete') {
    return { kind: 'incomplete', reason: container.reason, nextCheckAtMs: nowMs + idleMs(history) };
  }
  return { kind: 'incomplete', reason: 'open-elsewhere', nextCheckAtMs: nowMs + openAgainMs(history) };
}

/** Returns the time until the next poll of a file that another program has open, or that can't be opened. */
export function openAgainMs(history: ReadinessHistory): number {
  return history.quietMs < GIVE_UP_MS ? LOCKED_AGAIN_MS : Math.min(idleMs(history), MOST_OPEN_MS);
}

/** The time until the next poll of a file that has not changed for `GIVE_UP_MS`. */
function idleMs({ idlePolls }: ReadinessHistory): number {
  // 2 ** 1024 is infinite, which is no less than the limit.
  return Math.min(POLL_IDLE_MS * 2 ** idlePolls, MOST_IDLE_MS);
}
