/**
 * The service gives up on a placeholder after 30 minutes. Too many transfers on a slow link would all run into that, so
 * each is kept on its way to be through in 25, by running fewer at a time.
 */
export const FINISH_WITHIN_MS = 25 * 60_000;
/** More is begun only where everything would be through in this time: the gap keeps the two from taking turns. */
export const BEGIN_WITHIN_MS = 20 * 60_000;

/**
 * A transfer that would take longer than this alone is not waited for. Before anything is begun beside it, it has to
 * be further beyond hope than for going on beside it.
 */
const HOPE_WITHIN_MS = 30 * 60_000;
const HOPE_BEFORE_BEGIN_MS = 36 * 60_000;

/** A transfer whose bytes are on their way. */
export interface Runner {
  id: string;
  /** How long its placeholder has existed. */
  ageMs: number;
  remainingBytes: number;
  /** As it is now; null while nothing is known, or while it is held. */
  bytesPerSecond: number | null;
  /** Whether it has run for long enough that its speed says something about its end. */
  isSettled: boolean;
  /** Held by this very rule. What others hold is not to be listed. */
  isHeld: boolean;
}

export interface Pace {
  /** To be held, so that those before them are through in time. */
  hold: string[];
  /** Held ones that fit in again. */
  release: string[];
  /** What will not be in time even when nothing else runs. */
  tooSlow: string[];
}

/** Bytes per second of all that runs; 0 while nothing is known. */
export function linkSpeed(runners: readonly Runner[]): number {
  return runners.reduce((sum, runner) => sum + (runner.isHeld ? 0 : (runner.bytesPerSecond ?? 0)), 0);
}

/**
 * What to change so that all that runs is through in time. `runners` in the order in which they began: the newest gives
 * way. The bandwidth is taken to be shared, so that n transfers fewer make the others faster in proportion. One always
 * runs.
 */
export function paceOf(runners: readonly Runner[]): Pace {
  const running = runners.filter(({ isHeld }) => !isHeld);
  const held = runners.filter(({ isHeld }) => isHeld);
  const speed = linkSpeed(runners);
  if (running.length === 0) return { hold: [], release: held.slice(0, 1).map(({ id }) => id), tooSlow: [] };
  if (speed === 0) return { hold: [], release: [], tooSlow: [] };

  const keep = [...running];
  while (keep.length > 1 && !areInTime(keep, running.length / keep.length, speed, FINISH_WITHIN_MS)) keep.pop();
  const hold = running.slice(keep.length).map(({ id }) => id);

  const release: string[] = [];
  if (hold.length === 0) {
    const more = [...running];
    for (const runner of held) {
      more.push({ ...runner, bytesPerSecond: speed / running.length, isSettled: true });
      if (!areInTime(more, running.length / more.length, speed, BEGIN_WITHIN_MS)) break;
      release.push(runner.id);
    }
  }
  const isTooSlow = (runner: Runner) => runner.isSettled && endOf(runner, speed) > FINISH_WITHIN_MS;
  const tooSlow = running.filter(isTooSlow).map(({ id }) => id);
  return { hold, release, tooSlow };
}

/** Whether one more file may begin: it and all that runs would be through in time. */
export function mayBegin(runners: readonly Runner[], sizeBytes: number): boolean {
  if (runners.length === 0) return true;
  // What was held comes first.
  if (runners.some(({ isHeld }) => isHeld)) return false;
  const speed = linkSpeed(runners);
  if (speed === 0 || !runners.some(({ isSettled }) => isSettled)) return true;
  const more = withOneMore(runners, { id: '', sizeBytes });
  return areInTime(more, 1, speed, BEGIN_WITHIN_MS) && (sizeBytes / speed) * 1000 <= BEGIN_WITHIN_MS;
}

/** How things would stand right after one more has begun. */
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

/** Whether each is through in `withinMs` when its speed becomes `factor` times what it is. */
function areInTime(runners: readonly Runner[], factor: number, speed: number, withinMs: number): boolean {
  return runners.every((runner) => {
    // Nothing is gained by making others wait for what can't be in time anyway; and little is known of a new one.
    const hopeMs = withinMs === BEGIN_WITHIN_MS ? HOPE_BEFORE_BEGIN_MS : HOPE_WITHIN_MS;
    if (!runner.isSettled || runner.bytesPerSecond === null || endOf(runner, speed) > hopeMs) return true;
    return endOf(runner, Math.min(speed, runner.bytesPerSecond * factor)) <= withinMs;
  });
}

/** The age that its placeholder will have when it is through. */
function endOf({ ageMs, remainingBytes }: Runner, bytesPerSecond: number): number {
  return ageMs + (remainingBytes / bytesPerSecond) * 1000;
}
