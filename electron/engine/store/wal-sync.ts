import { type FileHandle, open } from 'node:fs/promises';

const SQLITE_IOERR = 10;

/** The disk refused to say that it has the bytes: what was committed since the last time may be lost by a power cut. */
class SyncFailed extends Error {
  /** As SQLite's own I/O errors carry it. */
  readonly errcode = SQLITE_IOERR;
}

/** Brings something to the disk; `close` when it is not needed any more. */
export interface DiskSync {
  sync(): Promise<void>;
  close(): void;
}

/**
 * One sync of the disk for many commits: requests during a sync share the next one. SQLite itself
 * would wait at every single commit, and everything else in this process with it.
 */
export class SharedSync {
  readonly #disk: DiskSync;
  #isDirty = false;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(disk: DiskSync) {
    this.#disk = disk;
  }

  /** A commit was made that is not on the disk yet. */
  noteLazyCommit(): void {
    this.#isDirty = true;
  }

  /** A commit was made that is on the disk, and with it all before. */
  noteDurableCommit(): void {
    this.#isDirty = false;
  }

  /** Resolves when every commit before this call is on the disk; rejects with SQLite's code of a failed disk. */
  whenDurable(): Promise<void> {
    if (!this.#isDirty) return this.#running ?? Promise.resolve();
    if (this.#running === null) return this.#begin();
    // What runs began before the last commit: it takes another turn.
    this.#next ??= this.#running.catch(ignore).then(() => {
      this.#next = null;
      return this.#isDirty ? this.#begin() : undefined;
    });
    return this.#next;
  }

  close(): void {
    this.#disk.close();
  }

  #begin(): Promise<void> {
    this.#isDirty = false;
    this.#running = this.#disk
      .sync()
      .catch((cause: unknown) => {
        this.#isDirty = true;
        throw new SyncFailed('the disk did not take the write-ahead log', { cause });
      })
      .finally(() => {
        this.#running = null;
      });
    return this.#running;
  }
}

/**
 * The write-ahead log of the database at `path`. It is the file that is brought to the disk, whichever descriptor wrote
 * it; SQLite's locks are on other files, so that closing this descriptor releases none of them.
 */
export function walFile(path: string): DiskSync {
  let file: Promise<FileHandle> | null = null;
  return {
    async sync() {
      // Windows flushes only what it may write.
      file ??= open(`${path}-wal`, 'r+');
      try {
        await (await file).datasync();
      } catch (error) {
        file.then((handle) => handle.close()).catch(ignore);
        file = null;
        throw error;
      }
    },
    close: () => void file?.then((handle) => handle.close()).catch(ignore),
  };
}

/** A database in memory has nothing to bring anywhere. */
export const noDisk: DiskSync = { sync: async () => {}, close: () => {} };

/** A descriptor that was only used to sync loses nothing by a failed close; a failed sync is reported to its callers. */
function ignore(): void {}
