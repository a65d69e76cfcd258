import { AsyncLocalStorage } from 'node:async_hooks';

/** A transaction that is under way, with what is to be done after it. */
export interface Transaction {
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  readonly afterCommit: (() => void | Promise<void>)[];
}

/** A transaction, for the driver that ends it. */
export interface OpenTransaction {
  readonly transaction: Transaction;
  /** Lets those go on that wait for its end. */
  end(): void;
}

export function openTransaction(): OpenTransaction {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { transaction: { ended: promise, afterCommit: [] }, end: resolve };
}

const current = new AsyncLocalStorage<Transaction | undefined>();

/** Runs `work`, and everything that it starts, within a transaction. */
export function within<Result>(transaction: Transaction, work: () => Result): Result {
  return current.run(transaction, work);
}

/** Runs `work`, and everything that it starts, outside of the transaction of its caller, such as work that goes on after it. */
export function outsideTransactions<Result>(work: () => Result): Result {
  return current.run(undefined, work);
}

/** Returns the transaction in which this code was started; it may have ended. */
export function transactionNow(): Transaction | undefined {
  return current.getStore();
}

/** Does what waits for the end of a transaction, one after the other. Rejects as the first that fails, after the others. */
export async function runAfterCommit({ afterCommit }: Transaction): Promise<void> {
  const failures: unknown[] = [];
  for (const work of afterCommit) {
    try {
      await outsideTransactions(work);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
