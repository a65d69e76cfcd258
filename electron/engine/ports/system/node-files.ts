import { type BigIntStats, constants } from 'node:fs';
import { access, type FileHandle, lstat, open, readdir, readlink, stat } from 'node:fs/promises';
import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import type { FileFacts, Files, OpenFile } from '../files.ts';
import { stepsBelow } from '../rooted-files.ts';
import { assertNoLinks, belowRoot, linkError, OPEN_BELOW } from './below-root.ts';
import { pathOfBytes, systemPath } from './byte-paths.ts';
import { isOnlyInCloud } from './cloud-files.ts';

/** The real file system. */
export const nodeFiles: Files = {
  async facts(path) {
    try {
      return factsOf(await stat(systemPath(path), { bigint: true }));
    } catch (error) {
      throw await fileError(error, path);
    }
  },

  async open(path) {
    try {
      // O_NONBLOCK: otherwise opening a pipe without a writer would never return.
      const handle = await open(systemPath(path), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      return await regularFile(handle, path);
    } catch (error) {
      throw await fileError(error, path);
    }
  },

  async assertReadable(path) {
    try {
      await access(systemPath(path), constants.R_OK);
    } catch (error) {
      throw await fileError(error, path);
    }
  },

  async list(folder) {
    try {
      return await namesIn(folder);
    } catch (error) {
      throw await fileError(error, folder);
    }
  },

  within: filesWithin,
};

/** Returns the real files without links below `root`. */
function filesWithin(root: string): Files {
  const assertFree = (path: string) => assertNoLinks(root, path, { isLast: true });
  const isFree = (path: string) => stepsBelow(root, path).length === 0;
  return {
    async facts(path) {
      if (isFree(path)) return nodeFiles.facts(path);
      try {
        // One round trip: most calls are for files in a folder, of which there may be very many.
        const [stats] = await Promise.all([
          lstat(systemPath(path), { bigint: true }),
          assertNoLinks(root, path, { isLast: false }),
        ]);
        if (stats.isSymbolicLink()) throw linkError(path, path);
        return factsOf(stats);
      } catch (error) {
        throw await fileErrorBelow(error, root, path);
      }
    },

    async open(path) {
      if (isFree(path)) return nodeFiles.open(path);
      try {
        const handle = await belowRoot(
          root,
          path,
          (at) => open(at, OPEN_BELOW),
          (late) => late.close(),
        );
        return await regularFile(handle, path);
      } catch (error) {
        throw await fileErrorBelow(error, root, path);
      }
    },

    async assertReadable(path) {
      await assertFree(path);
      await nodeFiles.assertReadable(path);
    },

    async list(folder) {
      await assertFree(folder);
      const names = await nodeFiles.list(folder);
      // A folder that became a link meanwhile may have been listed instead.
      await assertFree(folder);
      return names;
    },

    within: filesWithin,
  };
}

/** Returns an open file. Closes the handle of anything else, and throws. */
async function regularFile(handle: FileHandle, path: string): Promise<OpenFile> {
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw appError('file.not-regular', { details: { path } });
    return openFile(handle, path, stats.nlink > 0n);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Read as bytes: a name on Linux need not be UTF-8, and one on Windows not be valid UTF-16. */
async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(systemPath(folder), { encoding: 'buffer' })).map(pathOfBytes);
}

/** Returns the error of a path below a root: a link on the way to it is the reason of most others. */
async function fileErrorBelow(error: unknown, root: string, path: string): Promise<unknown> {
  if (error instanceof AppError) return error;
  const link = await assertNoLinks(root, path, { isLast: true }).then(
    () => null,
    (found: unknown) => found,
  );
  return link ?? fileError(error, path);
}

/** `countsLinks`: some file systems report no link count of an open file and always return 0. */
function openFile(handle: FileHandle, path: string, countsLinks: boolean): OpenFile {
  return {
    async read(buffer, offset, length, position) {
      try {
        const { bytesRead } = await handle.read(buffer, offset, length, position);
        return bytesRead;
      } catch (error) {
        throw await fileError(error, path);
      }
    },
    async facts() {
      try {
        const stats = await handle.stat({ bigint: true });
        // The bytes of a deleted or replaced file can still be read, but it is no longer the file at this path.
        if (countsLinks && stats.nlink === 0n) throw appError('file.missing', { details: { path } });
        return factsOf(stats);
      } catch (error) {
        throw await fileError(error, path);
      }
    },
    async path() {
      if (process.platform !== 'linux') return null;
      const now = pathOfBytes(await readlink(`/proc/self/fd/${handle.fd}`, { encoding: 'buffer' }));
      // The suffix that the kernel adds for a deleted file.
      return now.endsWith(' (deleted)') ? null : now;
    },
    close: () => handle.close(),
  };
}

/** Returns facts. Only inode numbers can exceed the exact range of a float, so they stay big integers. */
function factsOf(stats: BigIntStats): FileFacts {
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
  const mtimeMs = Number(stats.mtimeNs / 1_000_000_000n) * 1000 + Number(stats.mtimeNs % 1_000_000_000n) / 1e6;
  // Some systems have no user ids.
  const isOwn = process.geteuid !== undefined && Number(stats.uid) === process.geteuid();
  const isOwnReadable = isOwn && (Number(stats.mode) & constants.S_IRUSR) !== 0;
  const sizeBytes = Number(stats.size);
  const isElsewhere = kind === 'file' && isOnlyInCloud({ sizeBytes, blocks: Number(stats.blocks) }, process.platform);
  return {
    kind,
    sizeBytes,
    mtimeMs,
    identity: `${stats.dev}:${stats.ino}`,
    isOwnReadable,
    ...(isElsewhere ? { isOnlyInCloud: true } : {}),
  };
}

/** The error codes of a disconnected drive, an unreachable share or a damaged medium. */
const DISK_FAULTS: ReadonlySet<string> = new Set([
  'EIO',
  'ESTALE',
  'ENODEV',
  'ENOTCONN',
  'ENOMEDIUM',
  'EREMOTEIO',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'ESHUTDOWN',
  // The code for many different Windows errors of network drives.
  'UNKNOWN',
]);

async function fileError(error: unknown, path: string): Promise<unknown> {
  if (error instanceof AppError) return error;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  const options = { details: { path, reason: code ?? null }, cause: error };
  switch (code) {
    case undefined:
      return error;
    case 'ENOENT':
    case 'ENOTDIR':
      return (await isDanglingLink(path)) ? appError('file.link-broken', options) : appError('file.missing', options);
    case 'ELOOP':
      return appError('file.link-broken', options);
    case 'ENXIO':
      return appError('file.not-regular', options);
    case 'EMFILE':
    case 'ENFILE':
    case 'ENOMEM':
      return appError('file.too-many-open', options);
    case 'EBUSY':
    case 'ETXTBSY':
    case 'EAGAIN':
      return appError('file.locked', options);
    default:
      return appError(DISK_FAULTS.has(code) ? 'file.disk-error' : 'file.unreadable', options);
  }
}

async function isDanglingLink(path: string): Promise<boolean> {
  try {
    return (await lstat(systemPath(path))).isSymbolicLink();
  } catch {
    // Not even a link: the path does not exist, which the caller reports.
    return false;
  }
}
