import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LineFiles } from '../line-files.ts';

/** Returns the files of lines in a folder, which is created with the first line. */
export function createLineFiles(folder: string): LineFiles {
  async function write(name: string, flags: 'a' | 'wx', text: string): Promise<string> {
    const path = join(folder, name);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = await open(path, flags, 0o600);
    try {
      await file.appendFile(text);
      await file.datasync();
    } finally {
      await file.close();
    }
    return path;
  }

  return {
    async append(name, line) {
      // The last line may have been cut by a power failure: a new one begins behind it.
      await write(name, 'a', `\n${line}\n`);
    },
    create: (name, text) => write(name, 'wx', text),
    async read(name) {
      try {
        const text = await readFile(join(folder, name), 'utf8');
        return text.split('\n').filter((line) => line !== '');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
    },
  };
}
