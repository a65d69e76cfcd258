export interface Delayed {
  /** Runs the work after the delay. Further calls until then have no effect, so that many events cause one run. */
  schedule(): void;
  /** Runs the work when the delay has passed since the last call, such as when a person stops typing. */
  postpone(): void;
  /** Runs the work at once, in place of a run that is scheduled. */
  runNow(): void;
}

/** Wraps work that runs later, and once for any number of calls. `delayMs` in milliseconds. */
export function delayed(work: () => void, delayMs: number): Delayed {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const runNow = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    work();
  };
  return {
    schedule() {
      timer ??= setTimeout(runNow, delayMs);
    },
    postpone() {
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(runNow, delayMs);
    },
    runNow,
  };
}
