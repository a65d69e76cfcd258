import { createHash } from 'node:crypto';
import { type FileHandle, lstat, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../../shared/contract/errors/error-catalog.ts';
import type { FileMover } from '../file-mover.ts';
import type { Files } from '../files.ts';
import { assertNoLinks, belowRoot, REPLACE_FILE } from './below-root.ts';
import { systemPath } from './byte-paths.ts';
import { isHeldByOther } from './held-file.ts';
import { nodeFiles } from './node-files.ts';
import { renameFile, whileHeld } from './rename-file.ts';
import { syncFolder } from './sync-folder.ts';

/** Moves one file to the trash of the system. `root`: below it no link is followed, as far as the system allows. Throws on failure. */
export type TrashCan = (path: string, root: string) => Promise<void>;

const CHUNK_BYTES = 1024 * 1024;

/** Creates the mover for the real disk. `trash` null: this computer has none. `files` reads contents, with its timeouts. */
export function createFileMover(trash: TrashCan | null, files: Files = nodeFiles): FileMover {
  return moverBelow(null, trash, files);
}

/** `root` null: links are followed. */
function moverBelow(root: string | null, trash: TrashCan | null, files: Files): FileMover {
  const below = <T>(path: string, use: (path: string | Buffer) => Promise<T>) => belowRoot(root ?? path, path, use);
  return {
    async hash(path, signal) {
      const hash = createHash('sha256');
      await eachChunk(files, path, signal, async (chunk) => void hash.update(chunk));
      return hash.digest('hex');
    },

    async rename(from, to, { replacesEmpty = false } = {}) {
      await assertNoLink(from);
      if (!(await reserve(to, replacesEmpty))) return 'taken';
      try {
        await below(from, (source) => renameFile(source, systemPath(to)));
      } catch (error) {
        await removeEmpty(to);
        if (error instanceof AppError) throw error;
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'EXDEV') return 'other-disk';
        if (code === 'ENOENT') throw appError('file.missing', { details: { path: from }, cause: error });
        throw await targetError(error, to, from);
      }
      await syncFolder(dirname(to));
      if (dirname(from) !== dirname(to)) await syncFolder(dirname(from));
      return 'done';
    },

    async copy(from, to, signal) {
      await assertNoLink(from);
      const { atime, mtime } = await below(from, (source) => lstat(source)).catch((error: unknown) => {
        throw sourceError(error, from);
      });
      let handle: FileHandle;
      try {
        handle = await open(systemPath(to), REPLACE_FILE, 0o600);
      } catch (error) {
        throw await targetError(error, to);
      }
      const write = <T>(work: Promise<T>) =>
        untilAborted(work, signal).catch(async (error: unknown) => {
          throw await targetError(error, to);
        });
      try {
        await eachChunk(files, from, signal, (chunk) => write(handle.writeFile(chunk)));
        await write(handle.utimes(atime, mtime));
        await write(handle.sync());
        await write(handle.close());
      } catch (error) {
        // Not awaited, because the disk may not answer. Leftover bytes are discarded or overwritten.
        handle.close().catch(() => {});
        throw error;
      }
    },

    async remove(path) {
      try {
        await below(path, (source) => whileHeld(() => unlink(source)));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
        throw await targetError(error, path);
      }
      await syncFolder(dirname(path));
      return true;
    },

    async trash(path) {
      if (trash === null) throw appError('trash.unavailable', { details: { path } });
      await assertNoLink(path);
      // The trash of the system accepts paths only.
      if (root !== null) await assertNoLinks(root, path, { isLast: true });
      try {
        await trash(path, root ?? path);
      } catch (error) {
        if (error instanceof AppError) throw error;
        const reason = error instanceof Error ? error.message : String(error);
        throw appError('trash.unavailable', { details: { path, reason }, cause: error });
      }
    },

    within: (chosen) => moverBelow(chosen, trash, files.within(chosen)),
  };
}

async function eachChunk(
  files: Files,
  path: string,
  signal: AbortSignal,
  use: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted();
  const opening = files.open(path);
  const file = await untilAborted(opening, signal).catch((error: unknown) => {
    void opening.then((late) => late.close()).catch(() => {});
    throw error;
  });
  try {
    const buffer = new Uint8Array(CHUNK_BYTES);
    for (let position = 0; ; ) {
      const bytesRead = await untilAborted(file.read(buffer, 0, CHUNK_BYTES, position), signal);
      if (bytesRead === 0) return;
      position += bytesRead;
      await use(buffer.subarray(0, bytesRead));
      // Hashing takes a millisecond for each chunk: other work of this thread runs in between.
      await nextTurn();
    }
  } finally {
    // Not awaited: on a disk or share that never answers, closing would never end.
    file.close().catch(() => {});
  }
}

/** Waits for `work`, or rejects with the signal's reason as soon as it is aborted. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/**
 * Reserves a name with an empty file: no system call renames without replacing, and replacing our own empty file is
 * harmless.
 */
async function reserve(path: string, replacesEmpty: boolean): Promise<boolean> {
  try {
    await (await open(systemPath(path), 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw await targetError(error, path);
    if (!replacesEmpty) return false;
    const found = await lstat(systemPath(path));
    return found.isFile() && found.size === 0;
  }
}

async function removeEmpty(path: string): Promise<void> {
  const found = await lstat(systemPath(path)).catch(() => null);
  if (found?.isFile() && found.size === 0) await unlink(systemPath(path));
}

async function assertNoLink(path: string): Promise<void> {
  const found = await lstat(systemPath(path)).catch((error: unknown) => {
    throw sourceError(error, path);
  });
  if (found.isSymbolicLink()) throw appError('source.is-link', { details: { path } });
}

function sourceError(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof AppError || code === undefined) return error;
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
  return appError(isMissing ? 'file.missing' : 'file.unreadable', { details: { path, reason: code }, cause: error });
}

const TARGET_CODES: Readonly<Record<string, ErrorCode>> = {
  ENOENT: 'source.folder-missing',
  ENOTDIR: 'source.folder-missing',
  ENOSPC: 'source.no-space',
  EDQUOT: 'source.no-space',
};

/** `from`: the file that was to be moved to `path`. */
async function targetError(error: unknown, path: string, from = path): Promise<unknown> {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof AppError || code === undefined) return error;
  const isHeld = await isHeldByOther(error, from, path);
  return appError(isHeld ? 'source.in-use' : (TARGET_CODES[code] ?? 'source.folder-unwritable'), {
    details: { ...(isHeld ? { path: from } : {}), folder: dirname(path), reason: code },
    cause: error,
  });
}
