import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { chmod, open, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { directWritesWork } from './byte-writer.ts';
import { makePrivate } from './private-file.ts';
import { renameFile, syncFolder } from './replace-file.ts';

/**
 * The storage of content. A file is written under `incoming/`, made durable, and only then renamed into `stored/`:
 * every file in `stored/` is complete. Names are random and reveal nothing about the content.
 */
export interface Disk {
  /** Path for a new temporary file. */
  temporary(extension?: string): string;
  /**
   * Makes a complete temporary file durable, unless its writer already did, and moves it into `stored/`; returns its
   * stored name.
   */
  keep(temporaryPath: string, state?: 'durable'): Promise<string>;
  path(storedName: string): string;
  /** Whether large files can bypass the page cache in this directory. */
  readonly direct: boolean;
  size(storedName: string): number | undefined;
  /** Deletes a stored file: at once, or after the last `hold` has ended. */
  remove(storedName: string): Promise<void>;
  /** Keeps every stored file until the result is called, so that a copy of all of them is whole. */
  hold(): () => Promise<void>;
  /** Writes a small file and removes it again. Rejects with the error of the file system. */
  tryWrite(): Promise<void>;
  /** The space on the drive, in bytes; `freeBytes` is what this process may use. */
  space(): Promise<{ freeBytes: number; totalBytes: number }>;
  /**
   * Deletes every incomplete file and every stored file that is not in `known`, and makes the others private. Returns the number
   * of deleted files. Only for the start, when nothing else runs.
   */
  purge(known: ReadonlySet<string>): number;
}

export async function openDisk(dataDir: string): Promise<Disk> {
  const incoming = join(dataDir, 'incoming');
  const stored = join(dataDir, 'stored');
  for (const folder of [incoming, stored]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    makePrivate(folder);
  }
  await makeFolders(stored);

  function path(storedName: string): string {
    if (!/^[0-9a-f]{32}$/.test(storedName)) throw new Error('Not a stored name.');
    return join(stored, storedName.slice(0, 2), storedName);
  }

  let holds = 0;
  /** The files to delete when nothing holds them any more. After a kill, the next start deletes them. */
  const held = new Set<string>();

  const direct = await directWritesWork(join(incoming, randomBytes(16).toString('hex')));

  return {
    direct,
    temporary: (extension = '') => join(incoming, randomBytes(16).toString('hex') + extension),
    async keep(temporaryPath, state) {
      const name = randomBytes(16).toString('hex');
      if (state !== 'durable') await syncFile(temporaryPath);
      // Tools that write for the service choose their own mode.
      await chmod(temporaryPath, 0o600);
      await renameFile(temporaryPath, path(name));
      await syncFolder(join(stored, name.slice(0, 2)));
      return name;
    },
    path,
    size(storedName) {
      return statSync(path(storedName), { throwIfNoEntry: false })?.size;
    },
    async remove(storedName) {
      if (holds > 0) held.add(storedName);
      else await rm(path(storedName), { force: true });
    },
    hold() {
      holds += 1;
      let isReleased = false;
      return async () => {
        if (isReleased) return;
        isReleased = true;
        holds -= 1;
        if (holds > 0) return;
        const names = [...held];
        held.clear();
        for (const name of names) await rm(path(name), { force: true });
      };
    },
    async tryWrite() {
      const file = join(incoming, randomBytes(16).toString('hex'));
      try {
        await writeFile(file, Buffer.alloc(4096), { flag: 'wx', mode: 0o600 });
      } finally {
        await rm(file, { force: true });
      }
    },
    async space() {
      const { bsize, bavail, blocks } = await statfs(stored);
      return { freeBytes: bsize * bavail, totalBytes: bsize * blocks };
    },
    purge(known) {
      let removed = 0;
      for (const name of readdirSync(incoming)) {
        rmSync(join(incoming, name), { force: true, recursive: true });
        removed += 1;
      }
      for (const folder of readdirSync(stored)) {
        for (const name of readdirSync(join(stored, folder))) {
          if (known.has(name)) {
            makePrivate(join(stored, folder, name));
            continue;
          }
          rmSync(join(stored, folder, name), { force: true });
          removed += 1;
        }
      }
      return removed;
    },
  };
}

/** Creates the subfolders of `stored/` in advance, so that no upload has to create them. */
async function makeFolders(stored: string): Promise<void> {
  const there = new Set(readdirSync(stored));
  const missing = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0')).filter(
    (name) => !there.has(name),
  );
  for (const name of missing) mkdirSync(join(stored, name), { mode: 0o700 });
  if (missing.length > 0) await syncFolder(stored);
}

/** Waits until the bytes of a file are on disk. */
async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
