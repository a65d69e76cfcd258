import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivate } from './private-file.ts';

/** The folder of temporary files on this computer. They are private, and the next start deletes them. */
export interface Scratch {
  /** Path for a new temporary file. */
  path(extension?: string): string;
  /** Writes a small file and removes it again. Rejects with the error of the file system. */
  tryWrite(): Promise<void>;
  /** The space on the drive. */
  space(): Promise<Space>;
  /** Deletes every temporary file; returns their number. Only for the start, when nothing else runs. */
  clear(): number;
}

/** In bytes; `freeBytes` is what this process may use. */
export interface Space {
  freeBytes: number;
  totalBytes: number;
}

export function openScratch(dataDir: string): Scratch {
  const folder = join(dataDir, 'incoming');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  makePrivate(folder);
  const path = (extension = '') => join(folder, randomBytes(16).toString('hex') + extension);
  return {
    path,
    async tryWrite() {
      const file = path();
      try {
        await writeFile(file, Buffer.alloc(4096), { flag: 'wx', mode: 0o600 });
      } finally {
        await rm(file, { force: true });
      }
    },
    async space() {
      const { bsize, bavail, blocks } = await statfs(folder);
      return { freeBytes: bsize * bavail, totalBytes: bsize * blocks };
    },
    clear() {
      const names = readdirSync(folder);
      for (const name of names) rmSync(join(folder, name), { force: true, recursive: true });
      return names.length;
    },
  };
}
