import { constants, lstat, open, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import type { PartFiles } from '../part-files.ts';
import { systemPath } from './byte-paths.ts';
import { whileHeld } from './rename-file.ts';

// Windows has neither flag; links need a privilege there.
const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
const CREATES = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
const APPENDS = O_WRONLY | O_NOFOLLOW | O_NONBLOCK;

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
      const found = await lstat(systemPath(path));
      return isOwn(found) ? found.size : null;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw savingError(error, path);
    }
  },

  async open(path, keepBytes) {
    try {
      // Not readable for other users: a recording may be confidential.
      const handle = await open(systemPath(path), keepBytes > 0 ? APPENDS : CREATES, 0o600);
      let position = keepBytes;
      let isOpen = true;
      const close = async () => {
        if (!isOpen) return;
        isOpen = false;
        await handle.close();
      };
      try {
        // Another file may have got the name since its size was read.
        if (!isOwn(await handle.stat()))
          throw Object.assign(new Error('another file has the name'), { code: 'EEXIST' });
        await handle.truncate(keepBytes);
      } catch (error) {
        await close();
        throw error;
      }
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
      await whileHeld(() => unlink(systemPath(path)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw savingError(error, path);
    }
  },
};

/** Returns whether only this program's user wrote the file, and under no second name. */
function isOwn(found: Awaited<ReturnType<typeof lstat>>): boolean {
  const isOfUser = process.geteuid === undefined || found.uid === process.geteuid();
  // Some file systems don't count names and report 0.
  return found.isFile() && found.nlink <= 1 && isOfUser;
}

function savingError(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof AppError || code === undefined) return error;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  return appError(isFull ? 'download.no-space' : 'download.not-saved', {
    details: { folder: dirname(path), reason: code },
    cause: error,
  });
}
