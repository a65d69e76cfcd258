// A real SQLite database with a full disk or a held lock, while real uploads run.
import { statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, vi } from 'vitest';
import { appError } from '../../../../shared/contract/app-error.ts';
import type { UploadTotals } from '../../../../shared/contract/uploads.ts';
import { captureLogger } from '../../../helpers/engine/capture-logger.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { mayMount, mountSmallDisk, type SmallDisk } from '../../../helpers/system/small-disk.ts';

const it = deskTest();

const SPEED = 20;
const FILES = 40;
const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;

const logger = captureLogger();
it.override({ speed: SPEED, host: { logger, parallelTransfers: 3 } });
// Transfers are slow enough for a fault to occur between them.
it.beforeEach(({ service }) =>
  service.control('POST', '/faults', {
    method: 'POST',
    path: '^/upload/',
    times: null,
    action: { kind: 'delay', ms: 30 },
  }),
);

/** Puts files into a folder and returns its path. */
function put(desk: Desk, folder: string, count: number): string {
  for (let index = 0; index < count; index += 1) {
    desk.put(join(folder, `${folder} ${index}.bin`), `${desk.dir} ${folder} ${index} `.repeat(100));
  }
  return join(desk.dir, folder);
}

async function whenTotals(desk: Desk, wanted: (totals: UploadTotals) => boolean): Promise<UploadTotals> {
  for (;;) {
    const totals = await desk.engine.call('uploads.totals', null);
    if (wanted(totals)) return totals;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Checks that no upload is lost, duplicated or unfinished. */
async function expectAllThereOnce(desk: Desk, count: number): Promise<void> {
  await desk.engine.whenUploadsIdle();
  const rows = await desk.rows();
  expect(rows).toHaveLength(count);
  expect(rows.map(({ state, error }) => error?.code ?? state)).toEqual(rows.map(() => 'complete'));
  expect(rows.map(({ attempts }) => attempts)).toEqual(rows.map(() => 0));
  const { siteId, collectionId } = desk;
  const query = {
    siteId,
    collectionId,
    search: '',
    type: null,
    status: null,
    ...({ sort: 'created_on', order: 'desc' } as const),
  };
  const { total } = await desk.engine.call('library.mediaWindow', { query, offset: 0, limit: 1 });
  expect(total).toBe(count);
  for (const { fileId, sha256 } of rows) {
    expect(await desk.storedSha256(fileId)).toBe(sha256);
  }
  const { blockedBy } = await desk.engine.call('uploads.totals', null);
  expect(blockedBy).toBeNull();
}

/**
 * Watches new connections. The returned function returns the one that the engine opened for the queue; the page limit of a test
 * applies to this connection only.
 */
function catchConnection(): () => DatabaseSync {
  const found = new Set<DatabaseSync>();
  const { exec } = DatabaseSync.prototype;
  const spy = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
    if (this.location()?.endsWith('queue.db')) found.add(this);
    return exec.call(this, sql);
  });
  return () => {
    spy.mockRestore();
    const open = [...found].filter((each) => each.isOpen);
    if (open.length !== 1) throw new Error(`${open.length} connections to the queue`);
    return open[0] as DatabaseSync;
  };
}

const pragma = (connection: DatabaseSync, name: string) =>
  Number(Object.values(connection.prepare(`PRAGMA ${name}`).get() ?? {})[0]);

describe('a queue database without free pages', () => {
  it('is reported, stores no partial batch, and every upload completes once when there is space again', async ({
    desk,
  }) => {
    const connectionOf = catchConnection();
    await desk.reopen();
    const connection = connectionOf();
    await desk.add([put(desk, 'lecture', FILES)]);
    desk.engine.startUploads();
    await whenTotals(desk, ({ counts }) => counts.complete >= 3);
    connection.exec('PRAGMA max_page_count = 1');
    const limit = pragma(connection, 'max_page_count');
    expect(limit).toBeLessThanOrEqual(pragma(connection, 'page_count'));
    // This batch is too large for the free pages that remain.
    const before = (await desk.rows()).length;
    await expect(desk.add([put(desk, 'more', 140)])).rejects.toMatchObject({
      code: 'profile.store-failing',
      details: { sqliteCode: SQLITE_FULL },
    });
    expect(await desk.rows()).toHaveLength(before);
    const { blockedBy, counts } = await whenTotals(desk, (totals) => totals.blockedBy !== null);
    expect(blockedBy).toMatchObject({ code: 'profile.store-failing', details: { sqliteCode: SQLITE_FULL } });
    expect(counts.complete).toBeLessThan(FILES);
    connection.exec('PRAGMA max_page_count = 1000000');
    await expectAllThereOnce(desk, FILES);
  }, 600_000);
});

describe.runIf(mayMount())('a full disk', () => {
  const onDisk = it.extend('disk', async ({ task: _task }, { onCleanup }) => {
    const disk = mountSmallDisk(12);
    onCleanup(() => disk.remove());
    return disk;
  });
  onDisk.override('host', ({ disk }) => ({ logger, parallelTransfers: 3, profileDir: join(disk.path, 'profile') }));

  onDisk(
    'is reported, and every upload completes once when there is space again',
    async ({ desk, disk }) => {
      await desk.add([put(desk, 'lecture', FILES)]);
      desk.engine.startUploads();
      await whenTotals(desk, ({ counts }) => counts.complete >= 3);
      bringLogIn(disk);
      const filler = fill(disk);
      const { blockedBy, counts } = await whenTotals(desk, (totals) => totals.blockedBy !== null);
      expect(blockedBy).toMatchObject({ code: 'profile.store-failing', details: { sqliteCode: SQLITE_FULL } });
      expect(counts.complete).toBeLessThan(FILES);
      await expect(desk.add([put(desk, 'more', 140)])).rejects.toMatchObject({ code: 'profile.store-failing' });
      unlinkSync(filler);
      await expectAllThereOnce(desk, FILES);
    },
    60_000,
  );

  /** Fills the disk to the last byte; returns the path of the filler file. */
  function fill(disk: SmallDisk): string {
    const filler = join(disk.path, 'filler');
    for (let bytes = 1 << 20; bytes >= 1; bytes = Math.floor(bytes / 4)) fillWith(filler, bytes);
    return filler;
  }

  /** Truncates the write-ahead log, so that the engine can't reuse its space when the disk is full. */
  function bringLogIn(disk: SmallDisk): void {
    const path = join(disk.path, 'profile', 'queue.db');
    const other = new DatabaseSync(path);
    other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    other.close();
    expect(statSync(`${path}-wal`).size).toBe(0);
  }
});

/** Appends this number of bytes at a time until the disk is full. */
function fillWith(path: string, bytes: number): void {
  const some = Buffer.alloc(bytes);
  try {
    for (;;) writeFileSync(path, some, { flag: 'a' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    expect(statSync(path).size).toBeGreaterThan(0);
  }
}

describe('another program that holds the write lock of the queue', () => {
  it('is reported after one timeout, and every upload completes once when the lock is released', async ({ desk }) => {
    const connectionOf = catchConnection();
    await desk.reopen();
    const connection = connectionOf();
    const busyTimeoutMs = pragma(connection, 'busy_timeout');
    // While it waits for the lock, the engine blocks the window.
    expect(busyTimeoutMs).toBeLessThanOrEqual(250);
    await desk.add([put(desk, 'lecture', FILES)]);
    desk.engine.startUploads();
    await whenTotals(desk, ({ counts }) => counts.complete >= 3);
    const other = new DatabaseSync(join(desk.profile.dir, 'queue.db'));
    other.exec('BEGIN IMMEDIATE');
    try {
      const { blockedBy, counts } = await whenTotals(desk, (totals) => totals.blockedBy !== null);
      expect(blockedBy).toMatchObject({ code: 'profile.store-failing', details: { sqliteCode: SQLITE_BUSY } });
      expect(counts.complete).toBeLessThan(FILES);
      expect(pragma(connection, 'busy_timeout')).toBe(0);
      await expect(desk.add([put(desk, 'more', 3)])).rejects.toMatchObject({
        code: 'profile.store-failing',
        details: { sqliteCode: SQLITE_BUSY },
      });
      // Longer than the engine waits before it uses the database again: it has retried in the meantime, and waits
      // again.
      await new Promise((resolve) => setTimeout(resolve, 30_000 / SPEED));
      expect((await desk.engine.call('uploads.totals', null)).counts.complete).toBe(counts.complete);
      expect(pragma(connection, 'busy_timeout')).toBe(0);
    } finally {
      other.exec('ROLLBACK');
      other.close();
    }
    await expectAllThereOnce(desk, FILES);
    expect(pragma(connection, 'busy_timeout')).toBe(busyTimeoutMs);
  }, 600_000);
});

afterAll(() => {
  // The faults must have been logged as errors.
  const logged = logger.lines.filter(({ level }) => level === 'error').map(({ fields }) => JSON.stringify(fields));
  if (logged.length === 0) throw appError('internal', { details: { reason: 'nothing was logged' } });
});
