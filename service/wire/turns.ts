/** Runs long work piece by piece: other requests are handled between two pieces, and no caller keeps the turn. */
export interface Turns {
  /** Runs `work` when it is the turn of `caller`. Callers take turns; the work of one caller runs in its order. */
  run<T>(caller: string, work: () => T): Promise<Awaited<T>>;
}

/** Work that waits for a database on a server runs beside other work; the connections are for all callers. */
const MOST_AT_ONCE = 4;

/** `nextTurn` continues after the event loop has handled what arrived meanwhile. */
export function createTurns(nextTurn: (go: () => void) => void = setImmediate): Turns {
  /** The waiting work of each caller that has some, in the order of their next turns. */
  const waiting = new Map<string, (() => Promise<void>)[]>();
  let isScheduled = false;
  let running = 0;

  function schedule(): void {
    if (isScheduled || waiting.size === 0 || running >= MOST_AT_ONCE) return;
    isScheduled = true;
    nextTurn(() => {
      isScheduled = false;
      const [first] = waiting;
      if (first === undefined) return;
      const [caller, queue] = first;
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
          running += 1;
          try {
            resolve(await work());
          } catch (error) {
            reject(error);
          }
          running -= 1;
          schedule();
        });
        schedule();
      }),
  };
}
