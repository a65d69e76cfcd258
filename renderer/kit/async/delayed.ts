export interface Delayed {
  /** Runs the work after the delay. Further calls until then have no effect, so that many events cause one run. */
  schedule(): void;
  /** Runs the work when the delay has passed since the last call, such as when a user stops typing. */
  postpone(): void;
  /** Runs the work immediately and drops a scheduled run. */
  runNow(): void;
  /** Drops a scheduled run. */
  cancel(): void;
}

/** Returns controls for work that runs `delayMs` milliseconds later, once for all calls of `schedule` until then. */
export function delayed(work: () => void, delayMs: number): Delayed {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const cancel = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const runNow = () => {
    cancel();
    work();
  };
  return {
    schedule() {
      timer ??= setTimeout(runNow, delayMs);
    },
    postpone() {
      cancel();
      timer = setTimeout(runNow, delayMs);
    },
    runNow,
    cancel,
  };
}
