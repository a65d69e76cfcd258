import { createHash, hash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { forEachOf } from '../storage/for-each-of.ts';

/** What was read of a file. */
export interface ReadFileFacts {
  size: number;
  sha256: string;
}

const CHUNK_BYTES = 1024 * 1024;
/**
 * Files up to this size are read while the process waits, in a tenth of the time: a backup has many of them, and its process has
 * nothing else to do.
 */
const SMALL_BYTES = 256 * 1024;
/** Many at a time: a drive makes them durable together. */
const SYNCS_AT_A_TIME = 16;
const smallBuffer = Buffer.allocUnsafe(SMALL_BYTES + 1);
/** Neither a link nor a pipe is opened. Windows has neither flag; there the check of the opened file decides. */
const READ_ONLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Whether a folder is there that is not a link to one. */
export async function isRealFolder(path: string): Promise<boolean> {
  const stats = await statOf(path);
  return stats?.isDirectory() ?? false;
}

/** Returns the facts about a path without following a link; undefined when nothing is there. */
export async function statOf(path: string) {
  return lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
}

/** Opens a file that is not a link, a folder or a device; returns undefined for anything else. */
export async function openRealFile(path: string): Promise<FileHandle | undefined> {
  const stats = await statOf(path);
  if (!stats?.isFile()) return undefined;
  const handle = await open(path, READ_ONLY).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ELOOP') return undefined;
    throw error;
  });
  if (handle === undefined || (await handle.stat()).isFile()) return handle;
  await handle.close();
  return undefined;
}

/** Returns the bytes of a small file, valid until the next call; undefined for anything else. */
function readSmall(path: string): Buffer | undefined {
  let fd: number;
  try {
    const stats = lstatSync(path);
    if (!stats.isFile() || stats.size > SMALL_BYTES) return undefined;
    fd = openSync(path, READ_ONLY);
  } catch {
    // The other way to read decides what this error means.
    return undefined;
  }
  try {
    if (!fstatSync(fd).isFile()) return undefined;
    const length = readSync(fd, smallBuffer, 0, smallBuffer.length, 0);
    return length > SMALL_BYTES ? undefined : smallBuffer.subarray(0, length);
  } finally {
    closeSync(fd);
  }
}

/**
 * Reads a file to its end and hashes it; `write` gets its bytes in order. Stops behind `maxBytes`: the size is then larger than
 * that, and the hash is of no use. Returns undefined when no such file is there.
 */
export async function readThrough(
  path: string,
  maxBytes: number,
  write?: (bytes: Buffer) => Promise<void>,
): Promise<ReadFileFacts | undefined> {
  const small = readSmall(path);
  if (small !== undefined) {
    const facts = { size: small.length, sha256: hash('sha256', small, 'hex') };
    // The next call may come before the end of this write.
    if (facts.size <= maxBytes) await write?.(Buffer.from(small));
    return facts;
  }
  const handle = await openRealFile(path);
  if (handle === undefined) return undefined;
  try {
    const hashed = createHash('sha256');
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let size = 0;
    while (size <= maxBytes) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
      if (bytesRead === 0) break;
      const bytes = chunk.subarray(0, bytesRead);
      size += bytesRead;
      hashed.update(bytes);
      if (size <= maxBytes) await write?.(bytes);
    }
    return { size, sha256: hashed.digest('hex') };
  } finally {
    await handle.close();
  }
}

/** Waits until the bytes of files are on disk. */
export async function syncFiles(paths: Iterable<string>): Promise<void> {
  await forEachOf(paths, SYNCS_AT_A_TIME, async (path) => {
    const handle = await open(path, 'r+');
    try {
      await handle.datasync();
    } finally {
      await handle.close();
    }
  });
}

/**
 * Copies a file to a new private one, whose bytes are on disk only after `syncFiles`. Returns what was copied; undefined when no such
 * file is there.
 */
export async function copyFileTo(
  from: string,
  to: string,
  maxBytes = Number.MAX_SAFE_INTEGER,
): Promise<ReadFileFacts | undefined> {
  const target = await open(to, 'wx', 0o600);
  try {
    const facts = await readThrough(from, maxBytes, async (bytes) => {
      await target.writeFile(bytes);
    });
    return facts;
  } finally {
    await target.close();
  }
}
