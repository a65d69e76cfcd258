/** Runs long work piece by piece: other requests are handled between two pieces, and no caller keeps the turn. */
export interface Turns {
  /**
   * Runs `work` when it is the turn of `caller`. Callers take turns; the work of one caller begins in its order. One caller has
   * three of the four places at most, so that the work of another one finds a place.
   */
  run<T>(caller: string, work: () => T): Promise<Awaited<T>>;
}

/** Work that waits for a database on a server runs beside other work; the connections are for all callers. */
const MOST_AT_ONCE = 4;
const MOST_OF_ONE_CALLER = 3;

/** `nextTurn` continues after the event loop has handled what arrived meanwhile. */
export function createTurns(nextTurn: (go: () => void) => void = setImmediate): Turns {
  /** The waiting work of each caller that has some, in the order of their next turns. */
  const waiting = new Map<string, (() => Promise<void>)[]>();
  /** How many works of each caller run, for callers with at least one. */
  const running = new Map<string, number>();
  let allRunning = 0;
  let isScheduled = false;

  /** Returns the caller whose work begins next; undefined when none may begin now. */
  function nextCaller(): string | undefined {
    if (allRunning >= MOST_AT_ONCE) return undefined;
    for (const caller of waiting.keys()) if ((running.get(caller) ?? 0) < MOST_OF_ONE_CALLER) return caller;
    return undefined;
  }

  function count(caller: string, change: 1 | -1): void {
    allRunning += change;
    const own = (running.get(caller) ?? 0) + change;
    if (own === 0) running.delete(caller);
    else running.set(caller, own);
  }

  function schedule(): void {
    if (isScheduled || nextCaller() === undefined) return;
    isScheduled = true;
    nextTurn(() => {
      isScheduled = false;
      const caller = nextCaller();
      if (caller === undefined) return;
      const queue = waiting.get(caller) ?? [];
      const work = queue.shift();
      waiting.delete(caller);
      if (queue.length > 0) waiting.set(caller, queue);
      void work?.();
      schedule();
    });
  }

  return {
    run: (caller, work) =>
      new Promise((resolve, reject) => {
        const queue = waiting.get(caller) ?? [];
        waiting.set(caller, queue);
        queue.push(async () => {
          count(caller, 1);
          try {
            resolve(await work());
          } catch (error) {
            reject(error);
          }
          count(caller, -1);
          schedule();
        });
        schedule();
      }),
  };
}
