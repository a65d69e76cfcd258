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
 * statements wait for it: so what was copied is brought to the disk all the time, and little is left for the end. Rejects with the
 * reason of `signal` when that is aborted, and with the error of the drive when the copy can't be made durable.
 */
export async function copyDatabase(db: DatabaseSync, to: string, signal?: AbortSignal): Promise<void> {
  makeDatabasePrivate(to);
  const handle = await open(to, 'r+');
  const flushing = keepFlushed(() => handle.datasync());
  try {
    await copyBetweenWrites(db, to, () => {
      signal?.throwIfAborted();
      flushing.check();
    });
    await flushing.end();
  } finally {
    await flushing.end().catch(() => {});
    await handle.close();
  }
}

interface Flushing {
  /** Throws the error that ended the flushing, if one did. */
  check(): void;
  /** Ends the flushing; rejects with the error that ended it before. */
  end(): Promise<void>;
}

/** Calls `sync` again and again, until `end` or until it fails. */
export function keepFlushed(sync: () => Promise<void>): Flushing {
  let isOver = false;
  let failure: { error: unknown } | undefined;
  async function flush(): Promise<void> {
    while (!isOver) {
      await sync();
      await sleep(FLUSH_EVERY_MS);
    }
  }
  // Handled here: the copy is still under way when this fails.
  const flushed = flush().catch((error: unknown) => {
    failure = { error };
  });
  function check(): void {
    if (failure !== undefined) throw failure.error;
  }
  return {
    check,
    async end() {
      isOver = true;
      await flushed;
      check();
    },
  };
}

/**
 * A copy whose first step meets a write transaction ends with an error without a code, so it is begun again: transactions of the
 * service are short. Later steps wait for transactions by themselves. An error that `check` throws ends the copy.
 */
async function copyBetweenWrites(db: DatabaseSync, to: string, check: () => void): Promise<void> {
  const deadline = performance.now() + BEGIN_WITHIN_MS;
  for (;;) {
    check();
    try {
      await backup(db, to, { rate: PAGES_AT_A_TIME, progress: check });
      return;
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== 0 || performance.now() > deadline) throw error;
      await sleep(1);
    }
  }
}
