import { fstatSync, read } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { backup, type DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { makeDatabasePrivate } from '../storage/private-file.ts';

const readAt = promisify(read);

const CHUNK_BYTES = 1024 * 1024;
/** What is brought to the drive at a time: a commit that comes meanwhile waits for no more than this. */
const FLUSH_BYTES = 2 * CHUNK_BYTES;
/** The page at this byte is in no database: the locks are on it, and some systems let nobody else read it. */
const LOCKS_AT = 0x40000000;
/** `wal_autocheckpoint` in pages, as SQLite has it. */
const CHECKPOINT_PAGES = 1000;
/** Of an idle database: nothing waits for a step. */
const PAGES_AT_A_TIME = 10_000;
const BEGIN_WITHIN_MS = 60_000;

/** Copies a database that nothing else uses to a new file. When this resolves, the copy is on the drive. */
export async function copyIdleDatabase(db: DatabaseSync, to: string): Promise<void> {
  makeDatabasePrivate(to);
  await backup(db, to, { rate: PAGES_AT_A_TIME });
}

/**
 * Copies a database as it is at one moment to a new file, while it is in use. It must have a write-ahead log and no other connection;
 * `fd` is open on its file. All pages are first brought from the log into the file. Then changes go to the log only, and the file is
 * copied as it is. Meanwhile the log grows by what is written. The database must stay open until this has ended. Rejects with the
 * reason of `signal` when that is aborted, and with the error of the drive.
 */
export async function copyOpenDatabase(db: DatabaseSync, fd: number, to: string, signal?: AbortSignal): Promise<void> {
  makeDatabasePrivate(to);
  const target = await open(to, 'r+');
  try {
    db.exec('PRAGMA wal_autocheckpoint = 0');
    await emptyLog(db, signal);
    const pageBytes = Number(db.prepare('PRAGMA page_size').get()?.page_size);
    await copyFile(fd, target, rangesOf(fstatSync(fd).size, pageBytes), signal);
  } finally {
    if (db.isOpen) db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    await target.close();
  }
}

/** Brings all pages from the log into the file. A transaction that is open, or a statement that is being read, prevents it for a moment. */
async function emptyLog(db: DatabaseSync, signal?: AbortSignal): Promise<void> {
  const deadline = performance.now() + BEGIN_WITHIN_MS;
  for (;;) {
    signal?.throwIfAborted();
    if (!db.isTransaction) {
      const { busy, log, checkpointed } = db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get() ?? {};
      if (busy === 0 && log === checkpointed && Number(log) >= 0) return;
    }
    if (performance.now() > deadline) throw new Error('The write-ahead log could not be emptied.');
    await sleep(1);
  }
}

interface Range {
  at: number;
  length: number;
}

/** Returns the parts of a database file to copy, in order: all of it but the page of the locks. */
export function* rangesOf(bytes: number, pageBytes: number): Generator<Range> {
  for (let begin = 0; begin < bytes; begin += CHUNK_BYTES) {
    const at = begin === LOCKS_AT ? begin + pageBytes : begin;
    const length = Math.min(bytes, begin + CHUNK_BYTES) - at;
    if (length > 0) yield { at, length };
  }
}

async function copyFile(fd: number, target: FileHandle, ranges: Iterable<Range>, signal?: AbortSignal): Promise<void> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let unflushed = 0;
  for (const { at, length } of ranges) {
    signal?.throwIfAborted();
    const { bytesRead } = await readAt(fd, chunk, 0, length, at);
    if (bytesRead !== length) throw new Error('The file of the database is shorter than it was.');
    await writeAll(target, chunk.subarray(0, length), at);
    unflushed += length;
    if (unflushed < FLUSH_BYTES) continue;
    await target.datasync();
    unflushed = 0;
  }
  await target.datasync();
}

/** A drive that is almost full takes a part of the bytes, and refuses the rest. */
async function writeAll(target: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await target.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
  }
}
