import { mkdir, open, readdir, rm, stat, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { CacheFile, CacheFileFacts, CacheFolder } from '../cache-folder.ts';
import { renameFile, whileHeld } from './rename-file.ts';

const TEMPORARY = '.new';
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** The files below `folder`, which is created with the first one. */
export function createCacheFolder(folder: string): CacheFolder {
  let writes = 0;
  const pathOf = ({ group, name }: CacheFile) => join(folder, group, name);

  async function factsOf(file: CacheFile): Promise<CacheFileFacts | null> {
    const facts = await orNull(stat(pathOf(file)));
    if (facts === null || !facts.isFile()) return null;
    return { ...file, bytes: facts.size, writtenAt: facts.mtimeMs, usedAt: facts.atimeMs };
  }

  return {
    async list() {
      const found: CacheFileFacts[] = [];
      for (const group of await namesIn(folder)) {
        for (const name of await namesIn(join(folder, group))) {
          if (name.endsWith(TEMPORARY)) await rm(pathOf({ group, name }), { force: true });
          const facts = await factsOf({ group, name });
          if (facts !== null) found.push(facts);
        }
      }
      return found;
    },

    async read(file, now) {
      const handle = await orNull(open(pathOf(file), 'r'));
      if (handle === null) return null;
      try {
        const bytes = await handle.readFile();
        // The time of access stores the last use. Systems update it late or never by themselves. By the path: Windows refuses it for
        // a file that is open for reading only.
        await orNull(utimes(pathOf(file), now / 1000, (await handle.stat()).mtimeMs / 1000));
        return bytes;
      } finally {
        await handle.close();
      }
    },

    async write(file, bytes, now) {
      await mkdir(join(folder, file.group), { recursive: true, mode: PRIVATE_FOLDER });
      // The profile has one owner at a time; a file that an interrupted run left must not prevent the write.
      writes += 1;
      const temporary = `${pathOf(file)}.${process.pid}-${writes}${TEMPORARY}`;
      await rm(temporary, { force: true });
      try {
        const handle = await open(temporary, 'wx', PRIVATE_FILE);
        try {
          await handle.writeFile(bytes);
        } finally {
          await handle.close();
        }
        await utimes(temporary, now / 1000, now / 1000);
        await renameFile(temporary, pathOf(file));
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },

    async remove(file) {
      await orNull(whileHeld(() => unlink(pathOf(file))));
    },

    groups: () => namesIn(folder),
    removeGroup: (group) => rm(join(folder, group), { recursive: true, force: true, maxRetries: 5 }),
  };
}

async function namesIn(folder: string): Promise<string[]> {
  return (await orNull(readdir(folder))) ?? [];
}

/** Returns the result, or null for a file that does not exist: another part of the program, or a user, may have removed it. */
async function orNull<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
