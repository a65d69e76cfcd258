/** Lets work run beside other work, or alone in this process. */
export interface Gate {
  /** Waits while other work runs alone. Returns what ends the work. */
  beside(): Promise<() => void>;
  /** Waits until nothing else runs, in the order of the calls, and lets nothing begin meanwhile. Returns what ends the work. */
  alone(): Promise<() => void>;
}

/** `mostMs`: work alone begins after this time even if other work has not ended, which may wait for it. It is not waited for again. */
export function createGate(mostMs: number): Gate {
  const running = new Set<Promise<void>>();
  /** The end of the last work that runs alone or waits for that. */
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;

  return {
    async beside() {
      while (waiting > 0) await last;
      const { promise, resolve } = Promise.withResolvers<void>();
      running.add(promise);
      return () => {
        running.delete(promise);
        resolve();
      };
    },
    async alone() {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      waiting += 1;
      await before;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((done) => {
        timer = setTimeout(done, mostMs);
      });
      await Promise.race([Promise.all(running), late]);
      clearTimeout(timer);
      // What has not ended is not waited for again: work that waits for its end would add up.
      running.clear();
      return () => {
        waiting -= 1;
        resolve();
      };
    },
  };
}
