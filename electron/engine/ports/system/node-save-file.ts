import { open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { appError } from '../../../../shared/contract/app-error.ts';
import type { SaveFile } from '../save-file.ts';
import { systemPath } from './byte-paths.ts';
import { isHeldByOther } from './held-file.ts';
import { nodeRandom } from './node-random.ts';
import { renameFile } from './rename-file.ts';

/** The real disk. */
export const nodeSaveFile: SaveFile = async (path, pieces) => {
  // Hidden, so that a watched folder ignores it. Unique for each save, and short, because the name of the file can have the
  // maximum length.
  const temporary = systemPath(join(dirname(path), `.mediadesk-${nodeRandom.uuid()}.tmp`));
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      for (const piece of pieces) await handle.writeFile(piece);
      // Some systems report a full disk only at the sync.
      await handle.sync();
    } finally {
      await handle.close();
    }
    await renameFile(temporary, systemPath(path));
  } catch (cause) {
    // An error of the removal is ignored: it has the same reason as that of the write, which is reported.
    await rm(temporary, { force: true }).catch(() => {});
    const { code = '', message } = cause as NodeJS.ErrnoException;
    const isHeld = await isHeldByOther(cause, path);
    throw appError(isHeld ? 'manifest.file-in-use' : 'manifest.not-saved', {
      details: { path, reason: code || message },
      cause,
    });
  }
};
