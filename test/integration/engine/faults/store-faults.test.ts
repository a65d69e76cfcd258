// A real SQLite database with a full disk or a held lock, while real uploads run.
import { mkdirSync, mkdtempSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEngine } from '../../../../electron/engine/create-engine.ts';
import type { Engine } from '../../../../electron/engine/engine.ts';
import { createMemoryKeychain } from '../../../../electron/engine/ports/keychain-memory.ts';
import { nodeRandom } from '../../../../electron/engine/ports/node-random.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import { batchDefaultsSchema, type UploadTotals } from '../../../../shared/contract/uploads.ts';
import { captureLogger } from '../../../helpers/engine/capture-logger.ts';
import { allRows, makeCollection, signInEngine, signingInAs } from '../../../helpers/engine/engine-host.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { mayMount, mountSmallDisk, type SmallDisk } from '../../../helpers/system/small-disk.ts';
import { fastClock } from '../../../helpers/time/fast-clock.ts';

const SPEED = 20;
const FILES = 40;
const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;

let service: ServiceProcess;
let engine: Engine;
let siteId: string;
let collectionId: string;
let dir: string;
let profileDir: string;
const logger = captureLogger();

beforeAll(async () => {
  service = await startService();
  // Transfers are slow enough for a fault to occur between them.
  await service.control('POST', '/faults', {
    ...{ method: 'POST', path: '^/upload/', times: null },
    action: { kind: 'delay', ms: 30 },
  });
});
afterAll(() => service.stop());
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mediadesk-store-faults-'));
  profileDir = join(dir, 'profile');
});
afterEach(async () => {
  await engine.stop();
  rmSync(dir, { recursive: true, force: true });
});

async function open(): Promise<void> {
  const opener = signingInAs(service);
  engine = await createEngine({
    ...{ profileDir, version: '0.0.0-test', platform: 'test', clock: fastClock(SPEED), random: nodeRandom, logger },
    keychain: createMemoryKeychain(),
    openers: { embedded: opener, system: opener },
    presets: { baseUrl: '', clientId: '' },
    parallelTransfers: 3,
  });
  siteId = await signInEngine(engine, service);
  collectionId = await makeCollection(engine, siteId, `Store ${dir.slice(-6)}`);
}

function put(folder: string, count: number): string {
  const path = join(dir, folder);
  mkdirSync(path);
  for (let index = 0; index < count; index += 1) {
    writeFileSync(join(path, `${folder} ${index}.bin`), `${dir} ${folder} ${index} `.repeat(100));
  }
  return path;
}

const add = (path: string) =>
  engine.call('uploads.add', { siteId, collectionId, paths: [path], defaults: batchDefaultsSchema.parse({}) });

async function whenTotals(wanted: (totals: UploadTotals) => boolean): Promise<UploadTotals> {
  for (;;) {
    const totals = await engine.call('uploads.totals', null);
    if (wanted(totals)) return totals;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Checks that no upload is lost, duplicated or unfinished. */
async function expectAllThereOnce(count: number): Promise<void> {
  await engine.whenUploadsIdle();
  const rows = await allRows(engine);
  expect(rows).toHaveLength(count);
  expect(rows.map(({ state, error }) => error?.code ?? state)).toEqual(rows.map(() => 'complete'));
  expect(rows.map(({ attempts }) => attempts)).toEqual(rows.map(() => 0));
  const query = {
    ...{ siteId, collectionId, search: '', type: null, status: null },
    ...({ sort: 'created_on', order: 'desc' } as const),
  };
  const { total } = await engine.call('library.mediaWindow', { query, offset: 0, limit: 1 });
  expect(total).toBe(count);
  for (const { fileId, sha256 } of rows) {
    const stored = await service.control<{ sha256: string }>('GET', `/files/${fileId}/sha256`);
    expect(stored.sha256).toBe(sha256);
  }
  const { blockedBy } = await engine.call('uploads.totals', null);
  expect(blockedBy).toBeNull();
}

/** The connection that the engine uses for the queue: the page limit applies to this connection only. */
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
  it('is reported, stores no partial batch, and every upload completes once when there is space again', async () => {
    const connectionOf = catchConnection();
    await open();
    const connection = connectionOf();
    await add(put('lecture', FILES));
    engine.startUploads();
    await whenTotals(({ counts }) => counts.complete >= 3);
    connection.exec('PRAGMA max_page_count = 1');
    const limit = pragma(connection, 'max_page_count');
    expect(limit).toBeLessThanOrEqual(pragma(connection, 'page_count'));
    // The remaining free pages are used by a batch that does not fit.
    const before = (await allRows(engine)).length;
    await expect(add(put('more', 140))).rejects.toMatchObject({
      code: 'profile.store-failing',
      details: { sqliteCode: SQLITE_FULL },
    });
    expect(await allRows(engine)).toHaveLength(before);
    const { blockedBy, counts } = await whenTotals((totals) => totals.blockedBy !== null);
    expect(blockedBy).toMatchObject({ code: 'profile.store-failing', details: { sqliteCode: SQLITE_FULL } });
    expect(counts.complete).toBeLessThan(FILES);
    connection.exec('PRAGMA max_page_count = 1000000');
    await expectAllThereOnce(FILES);
  }, 60_000);
});

describe.runIf(mayMount())('a full disk', () => {
  let disk: SmallDisk;
  beforeEach(() => {
    disk = mountSmallDisk(12);
    profileDir = join(disk.path, 'profile');
  });
  afterEach(() => disk.remove());

  it('is reported, and every upload completes once when there is space again', async () => {
    await open();
    await add(put('lecture', FILES));
    engine.startUploads();
    await whenTotals(({ counts }) => counts.complete >= 3);
    bringLogIn();
    const filler = fill();
    const { blockedBy, counts } = await whenTotals((totals) => totals.blockedBy !== null);
    expect(blockedBy).toMatchObject({ code: 'profile.store-failing', details: { sqliteCode: SQLITE_FULL } });
    expect(counts.complete).toBeLessThan(FILES);
    await expect(add(put('more', 140))).rejects.toMatchObject({ code: 'profile.store-failing' });
    unlinkSync(filler);
    await expectAllThereOnce(FILES);
  }, 60_000);

  /** Fills the disk to the last byte; returns the path of the filler file. */
  function fill(): string {
    const filler = join(disk.path, 'filler');
    for (let bytes = 1 << 20; bytes >= 1; bytes = Math.floor(bytes / 4)) fillWith(filler, bytes);
    return filler;
  }

  /** Uses up the space in the write-ahead log that could be reused. */
  function bringLogIn(): void {
    const other = new DatabaseSync(join(profileDir, 'queue.db'));
    other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    other.close();
    expect(statSync(join(profileDir, 'queue.db-wal')).size).toBe(0);
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
  it('is reported after one timeout, and every upload completes once when the lock is released', async () => {
    const connectionOf = catchConnection();
    await open();
    const connection = connectionOf();
    const patienceMs = pragma(connection, 'busy_timeout');
    // The time for which the window is blocked.
    expect(patienceMs).toBeLessThanOrEqual(250);
    await add(put('lecture', FILES));
    engine.startUploads();
    await whenTotals(({ counts }) => counts.complete >= 3);
    const other = new DatabaseSync(join(profileDir, 'queue.db'));
    other.exec('BEGIN IMMEDIATE');
    try {
      const { blockedBy, counts } = await whenTotals((totals) => totals.blockedBy !== null);
      expect(blockedBy).toMatchObject({ code: 'profile.store-failing', details: { sqliteCode: SQLITE_BUSY } });
      expect(counts.complete).toBeLessThan(FILES);
      expect(pragma(connection, 'busy_timeout')).toBe(0);
      await expect(add(put('more', 3))).rejects.toMatchObject({
        code: 'profile.store-failing',
        details: { sqliteCode: SQLITE_BUSY },
      });
      // Longer than the engine waits before it uses the database again: it has retried in the meantime, and waits
      // again.
      await new Promise((resolve) => setTimeout(resolve, 30_000 / SPEED));
      expect((await engine.call('uploads.totals', null)).counts.complete).toBe(counts.complete);
      expect(pragma(connection, 'busy_timeout')).toBe(0);
    } finally {
      other.exec('ROLLBACK');
      other.close();
    }
    await expectAllThereOnce(FILES);
    expect(pragma(connection, 'busy_timeout')).toBe(patienceMs);
  }, 60_000);
});

afterAll(() => {
  // The cause is identified by its error code.
  const told = logger.lines.filter(({ level }) => level === 'error').map(({ fields }) => JSON.stringify(fields));
  if (told.length === 0) throw appError('internal', { details: { reason: 'nothing was logged' } });
});
