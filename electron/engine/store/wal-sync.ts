import { type FileHandle, open } from 'node:fs/promises';

const SQLITE_IOERR = 10;

/** The disk failed to confirm a sync: commits since the last one may be lost in a power cut. */
class SyncFailed extends Error {
  /** The same property as in SQLite's I/O errors. */
  readonly errcode = SQLITE_IOERR;
}

/** Syncs a file to the disk; `close` ends its use. */
export interface DiskSync {
  sync(): Promise<void>;
  close(): void;
}

/**
 * One disk sync for many commits: requests during a sync share the next one. SQLite itself would sync, and block this
 * process, at every commit.
 */
export class SharedSync {
  readonly #disk: DiskSync;
  #isDirty = false;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(disk: DiskSync) {
    this.#disk = disk;
  }

  /** Records a commit that is not on disk yet. */
  noteLazyCommit(): void {
    this.#isDirty = true;
  }

  /** Records a commit that is on disk, with all earlier ones. */
  noteDurableCommit(): void {
    this.#isDirty = false;
  }

  /** Resolves when every commit before this call is on disk; rejects with SQLite's code of a failed disk. */
  whenDurable(): Promise<void> {
    if (!this.#isDirty) return this.#running ?? Promise.resolve();
    if (this.#running === null) return this.#begin();
    // The running sync started before the last commit: another sync is needed.
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
 * Syncs the write-ahead log of the database at `path`. A sync affects the file, whichever descriptor wrote it; SQLite's
 * locks are on other files, so closing this descriptor releases none of them.
 */
export function walFile(path: string): DiskSync {
  let file: Promise<FileHandle> | null = null;
  return {
    async sync() {
      // Windows flushes only files that are opened for writing.
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

/** A database in memory needs no sync. */
export const noDisk: DiskSync = { sync: async () => {}, close: () => {} };

/**
 * A failed close of a descriptor that was only used to sync loses nothing; a failed sync is reported to its callers.
 */
function ignore(): void {}
