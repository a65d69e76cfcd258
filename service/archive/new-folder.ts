import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ArchiveError } from './archive-error.ts';

/**
 * Creates a folder that only its owner can read. Throws `ArchiveError` with what the operator can do when its parent is not there or
 * not writable, and every other error as it is (such as EEXIST).
 */
export async function makeNewFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const parent = dirname(folder);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      const message = `The folder ${parent} does not exist. Create it for the user of the service, then run the command again.`;
      throw new ArchiveError('folder.no-parent', message);
    }
    if (code === 'EACCES') {
      const message = `The user of this command can’t create a folder in ${parent}. Give that folder to the user of the service, or choose another one.`;
      throw new ArchiveError('folder.not-writable', message);
    }
    throw error;
  }
}
