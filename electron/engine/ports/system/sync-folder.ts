import { type FileHandle, open } from 'node:fs/promises';
import { systemPath } from './byte-paths.ts';

/** Syncs a folder, which makes a new name durable. Some systems (Windows, some shares) can't sync a folder, and don't need to. */
export async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await open(systemPath(folder), 'r');
  } catch {
    // The system refuses to open a folder, or the user may write to this folder but not list it: it can't be synced.
    return;
  }
  try {
    await handle.sync();
  } catch (error) {
    if (!['EINVAL', 'EPERM', 'EISDIR', 'EBADF', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
  } finally {
    await handle.close();
  }
}
