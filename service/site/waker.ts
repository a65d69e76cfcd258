import { outsideTransactions } from '../database/transaction-scope.ts';

/** Starts work in answer to events, one run at a time. */
export interface Waker {
  /** Starts the work; while it runs, it runs once more afterwards, because it may have looked already. */
  wake(): void;
  /** Resolves when nothing runs. */
  ended(): Promise<void>;
}

/** `work` must not reject. It runs outside of the transaction of the caller of `wake`. */
export function createWaker(work: () => Promise<void>): Waker {
  let running: Promise<void> | undefined;
  let isWanted = false;

  async function runWhileWanted(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      await work();
    }
    running = undefined;
  }

  return {
    wake() {
      isWanted = true;
      running ??= outsideTransactions(runWhileWanted);
    },
    ended: async () => await running,
  };
}
