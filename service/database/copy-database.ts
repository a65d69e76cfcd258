import { open } from 'node:fs/promises';
import { backup, type DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDatabasePrivate } from '../storage/private-file.ts';

/** Pages that are read in one step, during which statements wait: below a millisecond. */
const PAGES_AT_A_TIME = 200;
const FLUSH_EVERY_MS = 10;
const BEGIN_WITHIN_MS = 60_000;

/**
 * Copies a database as it is at one moment to a new file, while it is in use. At the end SQLite makes the copy durable, and
 * statements wait for it: so what was copied is brought to the disk all the time, and little is left for the end.
 */
export async function copyDatabase(db: DatabaseSync, to: string): Promise<void> {
  makeDatabasePrivate(to);
  const handle = await open(to, 'r+');
  let isOver = false;
  async function flush(): Promise<void> {
    while (!isOver) {
      await handle.datasync();
      await sleep(FLUSH_EVERY_MS);
    }
  }
  const flushing = flush();
  try {
    await copyBetweenWrites(db, to);
  } finally {
    isOver = true;
    await flushing.finally(() => handle.close());
  }
}

/**
 * A copy whose first step meets a write transaction ends with an error without a code, so it is begun again: transactions of the
 * service are short. Later steps wait for transactions by themselves.
 */
async function copyBetweenWrites(db: DatabaseSync, to: string): Promise<void> {
  const deadline = performance.now() + BEGIN_WITHIN_MS;
  for (;;) {
    try {
      await backup(db, to, { rate: PAGES_AT_A_TIME });
      return;
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== 0 || performance.now() > deadline) throw error;
      await sleep(1);
    }
  }
}
