import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { directWritesWork } from './byte-writer.ts';

/**
 * Where the bytes are. A file is written under `incoming/`, made durable, and only then renamed into `stored/`: a name in
 * `stored/` is always a whole file. Names are random and say nothing about their content.
 */
export interface Disk {
  /** Path for a new temporary file. */
  temporary(extension?: string): string;
  /** Makes a finished temporary file durable and moves it to its place; returns its stored name. */
  keep(temporaryPath: string): Promise<string>;
  path(storedName: string): string;
  /** Whether large files can be written past the page cache here. */
  readonly direct: boolean;
  size(storedName: string): number | undefined;
  remove(storedName: string): Promise<void>;
  /** Removes every half file and every stored file that no row names. For the start, when nothing else runs. */
  purge(known: ReadonlySet<string>): number;
}

export async function openDisk(dataDir: string): Promise<Disk> {
  const incoming = join(dataDir, 'incoming');
  const stored = join(dataDir, 'stored');
  for (const folder of [incoming, stored]) mkdirSync(folder, { recursive: true, mode: 0o700 });

  function path(storedName: string): string {
    if (!/^[0-9a-f]{32}$/.test(storedName)) throw new Error('Not a stored name.');
    return join(stored, storedName.slice(0, 2), storedName);
  }

  const direct = await directWritesWork(join(incoming, randomBytes(16).toString('hex')));

  return {
    direct,
    temporary: (extension = '') => join(incoming, randomBytes(16).toString('hex') + extension),
    async keep(temporaryPath) {
      const name = randomBytes(16).toString('hex');
      const folder = join(stored, name.slice(0, 2));
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const handle = await open(temporaryPath, 'r+');
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(temporaryPath, path(name));
      syncFolder(folder);
      return name;
    },
    path,
    size(storedName) {
      return statSync(path(storedName), { throwIfNoEntry: false })?.size;
    },
    remove: (storedName) => rm(path(storedName), { force: true }),
    purge(known) {
      let removed = 0;
      for (const name of readdirSync(incoming)) {
        rmSync(join(incoming, name), { force: true, recursive: true });
        removed += 1;
      }
      for (const folder of readdirSync(stored)) {
        for (const name of readdirSync(join(stored, folder))) {
          if (known.has(name)) continue;
          rmSync(join(stored, folder, name), { force: true });
          removed += 1;
        }
      }
      return removed;
    },
  };
}

function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
