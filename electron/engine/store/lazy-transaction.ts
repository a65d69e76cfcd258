import type { Database } from './database.ts';

/**
 * Runs `work` in a transaction that does not wait for the disk. A power cut can undo it until the next durable transaction, or
 * `whenDurable`, which makes all earlier ones durable.
 */
export function lazyTransaction<T>(database: Database, work: () => T): T {
  database.setDurable(false);
  try {
    return database.transaction(work);
  } finally {
    database.setDurable(true);
  }
}
