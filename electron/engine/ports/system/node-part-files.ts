import { open, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import type { PartFiles } from '../part-files.ts';
import { systemPath } from './byte-paths.ts';

/** The real disk. */
export const nodePartFiles: PartFiles = {
  async sizeOf(path) {
    try {
      const folder = await stat(systemPath(dirname(path)));
      if (!folder.isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
    } catch (error) {
      throw savingError(error, path);
    }
    try {
      const found = await stat(systemPath(path));
      return found.isFile() ? found.size : 0;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
      throw savingError(error, path);
    }
  },

  async open(path, keepBytes) {
    try {
      // Not readable for other users: a recording may be confidential.
      const handle = await open(systemPath(path), keepBytes > 0 ? 'r+' : 'w', 0o600);
      await handle.truncate(keepBytes);
      let position = keepBytes;
      let isOpen = true;
      const close = async () => {
        if (!isOpen) return;
        isOpen = false;
        await handle.close();
      };
      return {
        async write(chunk) {
          try {
            for (let offset = 0; offset < chunk.length; ) {
              const { bytesWritten } = await handle.write(chunk, offset, chunk.length - offset, position);
              offset += bytesWritten;
              position += bytesWritten;
            }
          } catch (error) {
            throw savingError(error, path);
          }
        },
        async finish() {
          try {
            // Some systems report a full disk only at the sync.
            await handle.sync();
            await close();
          } catch (error) {
            throw savingError(error, path);
          }
        },
        close,
      };
    } catch (error) {
      throw savingError(error, path);
    }
  },

  async remove(path) {
    try {
      await unlink(systemPath(path));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw savingError(error, path);
    }
  },
};

function savingError(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof AppError || code === undefined) return error;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  return appError(isFull ? 'download.no-space' : 'download.not-saved', {
    details: { folder: dirname(path), reason: code },
    cause: error,
  });
}
