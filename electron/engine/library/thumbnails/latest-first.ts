/** Runs tasks, a limited number at a time, the latest request first. */
export interface LatestFirst {
  /**
   * Runs a task when its turn comes. Rejects with the reason of `signal` when that is aborted, and with `Dropped` when too many
   * later tasks wait. A running task gets the same signal.
   */
  run<T>(task: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** The task was not started, because later tasks replaced it. */
export class Dropped extends Error {
  override readonly name = 'Dropped';
}

interface Waiting {
  start(): void;
  drop(reason: unknown): void;
}

export function createLatestFirst({ running, waiting }: { running: number; waiting: number }): LatestFirst {
  let inFlight = 0;
  const stack: Waiting[] = [];

  function startNext(): void {
    while (inFlight < running) {
      const next = stack.pop();
      if (next === undefined) return;
      inFlight += 1;
      next.start();
    }
  }

  /** Resolves when it is this task's turn. */
  function turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = () => signal.removeEventListener('abort', onAbort);
      const entry: Waiting = {
        start() {
          end();
          resolve();
        },
        drop(reason) {
          end();
          reject(reason);
        },
      };
      const onAbort = () => {
        const at = stack.indexOf(entry);
        if (at >= 0) stack.splice(at, 1);
        entry.drop(signal.reason);
      };
      signal.addEventListener('abort', onAbort);
      stack.push(entry);
      if (stack.length > waiting) stack.shift()?.drop(new Dropped());
      startNext();
    });
  }

  return {
    async run(task, signal) {
      signal.throwIfAborted();
      await turn(signal);
      try {
        signal.throwIfAborted();
        return await task(signal);
      } finally {
        inFlight -= 1;
        startNext();
      }
    },
  };
}
