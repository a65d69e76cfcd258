/**
 * Keeps transfers within the deadline of their placeholders. The library abandons a placeholder after 30 minutes. Too
 * many parallel transfers on a slow link would all miss that deadline, so fewer run at a time and each can finish
 * within 25 minutes.
 */
export const FINISH_WITHIN_MS = 25 * 60_000;
/**
 * Another transfer starts only when all would finish within this time. It is shorter than the deadline, which prevents
 * oscillation.
 */
export const BEGIN_WITHIN_MS = 20 * 60_000;

/** The limits of a decision about transfers that run side by side. */
interface TimeLimits {
  /** Every transfer has to finish within this time. */
  withinMs: number;
  /**
   * A transfer that would take longer than this even alone does not count: it would not finish in time if others were on hold.
   */
  feasibleMs: number;
}

const TO_CONTINUE: TimeLimits = { withinMs: FINISH_WITHIN_MS, feasibleMs: 30 * 60_000 };
/**
 * `feasibleMs` is higher here: a transfer that would slightly miss the deadline keeps others from starting, but does not
 * hold those that run.
 */
const TO_BEGIN: TimeLimits = { withinMs: BEGIN_WITHIN_MS, feasibleMs: 36 * 60_000 };

/** A transfer that is sending, or on hold because of this rule. */
export interface Runner {
  id: string;
  /** The age of its placeholder. */
  ageMs: number;
  remainingBytes: number;
  /** The current speed; null: unknown, or the transfer is on hold. */
  bytesPerSecond: number | null;
  /** Whether it has run long enough to estimate its end from its speed. */
  isSettled: boolean;
  /** On hold because of this rule. Transfers that other rules hold are not in the input. */
  isHeld: boolean;
}

export interface Pace {
  /** Transfers to put on hold, so that earlier ones finish in time. */
  hold: string[];
  /** Transfers on hold that can continue. */
  release: string[];
  /** Transfers that cannot meet the deadline even alone. */
  tooSlow: string[];
}

/** Returns the bytes per second of all running transfers; 0 while unknown. */
export function linkSpeed(runners: readonly Runner[]): number {
  return runners.reduce((sum, runner) => sum + (runner.isHeld ? 0 : (runner.bytesPerSecond ?? 0)), 0);
}

/**
 * Returns which transfers to put on hold and which to continue, so that all running ones finish in time. `runners`: in
 * the order of their start; the newest is put on hold first. Assumes a shared bandwidth: with fewer transfers the
 * others get proportionally faster. At least one transfer runs.
 */
export function paceOf(runners: readonly Runner[]): Pace {
  const running = runners.filter(({ isHeld }) => !isHeld);
  const held = runners.filter(({ isHeld }) => isHeld);
  const speed = linkSpeed(runners);
  if (running.length === 0) return { hold: [], release: held.slice(0, 1).map(({ id }) => id), tooSlow: [] };
  if (speed === 0) return { hold: [], release: [], tooSlow: [] };

  const keep = [...running];
  while (keep.length > 1 && !areInTime(keep, running.length / keep.length, speed, TO_CONTINUE)) keep.pop();
  const hold = running.slice(keep.length).map(({ id }) => id);

  const release: string[] = [];
  if (hold.length === 0) {
    const more = [...running];
    for (const runner of held) {
      more.push({ ...runner, bytesPerSecond: speed / running.length, isSettled: true });
      if (!areInTime(more, running.length / more.length, speed, TO_BEGIN)) break;
      release.push(runner.id);
    }
  }
  const isTooSlow = (runner: Runner) => runner.isSettled && endOf(runner, speed) > FINISH_WITHIN_MS;
  const tooSlow = running.filter(isTooSlow).map(({ id }) => id);
  return { hold, release, tooSlow };
}

/** Returns whether one more file may start: true when it and all running transfers would finish in time. */
export function mayBegin(runners: readonly Runner[], sizeBytes: number): boolean {
  if (runners.length === 0) return true;
  // Transfers on hold continue before new ones start.
  if (runners.some(({ isHeld }) => isHeld)) return false;
  const speed = linkSpeed(runners);
  if (speed === 0 || !runners.some(({ isSettled }) => isSettled)) return true;
  const more = withOneMore(runners, { id: '', sizeBytes });
  return areInTime(more, 1, speed, TO_BEGIN) && (sizeBytes / speed) * 1000 <= BEGIN_WITHIN_MS;
}

/** Returns the list of transfers after one more start. */
export function withOneMore(
  runners: readonly Runner[],
  { id, sizeBytes }: { id: string; sizeBytes: number },
): Runner[] {
  const speed = linkSpeed(runners);
  const count = runners.length + 1;
  const slower = runners.map((runner) => ({
    ...runner,
    bytesPerSecond: runner.bytesPerSecond === null ? null : (runner.bytesPerSecond * runners.length) / count,
  }));
  const bytesPerSecond = speed === 0 ? null : speed / count;
  return [...slower, { id, ageMs: 0, remainingBytes: sizeBytes, bytesPerSecond, isSettled: true, isHeld: false }];
}

/** Returns whether each transfer finishes within the limits when its speed is multiplied by `factor`. */
function areInTime(
  runners: readonly Runner[],
  factor: number,
  speed: number,
  { withinMs, feasibleMs }: TimeLimits,
): boolean {
  return runners.every((runner) => {
    // The speed of a new transfer is still unknown.
    if (!runner.isSettled || runner.bytesPerSecond === null || endOf(runner, speed) > feasibleMs) return true;
    return endOf(runner, Math.min(speed, runner.bytesPerSecond * factor)) <= withinMs;
  });
}

/** Returns the age that the placeholder will have at the end of the transfer. */
function endOf({ ageMs, remainingBytes }: Runner, bytesPerSecond: number): number {
  return ageMs + (remainingBytes / bytesPerSecond) * 1000;
}
