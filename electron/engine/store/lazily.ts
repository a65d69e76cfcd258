import type { Database } from './database.ts';

/**
 * Runs writes that do not wait for the disk. A power cut can undo them until the next durable commit, or `whenDurable`, which makes
 * all earlier ones durable.
 */
export function lazily<T>(database: Pick<Database, 'setDurable'>, work: () => T): T {
  database.setDurable(false);
  try {
    return work();
  } finally {
    database.setDurable(true);
  }
}
