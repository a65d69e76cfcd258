import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Outbox } from '../outbox.ts';

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** The outbox below `folder`, which is created with the first file. */
export function createNodeOutbox(folder: string): Outbox {
  return {
    async put(uploadId, bytes, ending) {
      const own = join(folder, uploadId);
      await mkdir(own, { recursive: true, mode: PRIVATE_FOLDER });
      const path = join(own, `file${ending}`);
      const handle = await open(path, 'wx', PRIVATE_FILE);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      return path;
    },

    remove: (uploadId) => rm(join(folder, uploadId), { recursive: true, force: true, maxRetries: 5 }),

    async ids() {
      try {
        return await readdir(folder);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
    },
  };
}
