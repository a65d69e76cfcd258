import { createHash } from 'node:crypto';
import {
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import { batchDefaultsSchema, type UploadRow } from '../../../../shared/contract/uploads.ts';
import { hasAnotherDisk, makeFolderOnAnotherDisk } from '../../../helpers/another-disk.ts';
import { allRows, openTestDesk, signInEngine, type TestProfile, whenRow } from '../../../helpers/engine-host.ts';
import { type ServiceProcess, startService } from '../../../helpers/service-process.ts';

const LONG_BYTES = 300_000_000;

let service: ServiceProcess;
let profile: TestProfile;
let engine: Engine;
let siteId: string;
let collectionId: string;
/** What a test makes; its own folder lies deep enough that nobody looks outside of it. */
let base: string;
let dir: string;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

beforeEach(async () => {
  ({ profile, engine, siteId, collectionId, dir: base } = await openTestDesk(service, 'moving'));
  dir = join(base, 'year', 'month');
  mkdirSync(dir, { recursive: true });
});
afterEach(async () => {
  await engine.stop();
  await service.control('DELETE', '/faults');
  profile.remove();
  rmSync(base, { recursive: true, force: true });
});

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function put(name: string, word: string, sizeBytes = 300_000): { path: string; hash: string } {
  const path = join(dir, name);
  const bytes = Buffer.alloc(sizeBytes, word);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  return { path, hash: sha256(bytes) };
}

/** Large enough to be changed while it is sent; it takes no room on the disk. */
function putLong(name: string): string {
  const path = join(dir, name);
  writeFileSync(path, '');
  truncateSync(path, LONG_BYTES);
  return path;
}

const found = async (text: string) =>
  (await engine.call('receipts.search', { text, limit: 10, offset: 0 })).rows.map(({ line }) => line.fileName);

async function add(paths: string[]): Promise<void> {
  const defaults = batchDefaultsSchema.parse({});
  await engine.call('uploads.add', { siteId, collectionId, paths, defaults });
}

async function finish(): Promise<UploadRow[]> {
  engine.startUploads();
  await engine.whenUploadsIdle();
  return allRows(engine);
}

const stored = async (row: UploadRow | undefined) =>
  (await service.control<{ sha256: string }>('GET', `/files/${row?.fileId}/sha256`)).sha256;

describe('a file that is renamed or moved while it is queued', () => {
  it.each([
    ['under another name', 'in/b.bin'],
    ['into a folder below', 'in/done/a.bin'],
    ['into the folder beside', 'out/a.bin'],
  ])('is followed %s, once, and the row says where it came from', async (_, target) => {
    const { path, hash } = put('in/a.bin', 'lecture');
    await add([join(dir, 'in')]);
    mkdirSync(dirname(join(dir, target)), { recursive: true });
    renameSync(path, join(dir, target));
    const rows = await finish();
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ state: 'complete', path: join(dir, target), movedFrom: path, sha256: hash });
    expect(rows[0]?.notice).toMatchObject({ code: 'file.followed', details: { from: path } });
    expect(await stored(rows[0])).toBe(hash);
  });

  it('is followed when its whole folder was renamed', async () => {
    const { path, hash } = put('Monday/a.bin', 'lecture');
    await add([dir]);
    renameSync(join(dir, 'Monday'), join(dir, 'Tuesday'));
    expect(await finish()).toMatchObject([
      { state: 'complete', path: path.replace('Monday', 'Tuesday'), sha256: hash },
    ]);
  });

  it('is found among the receipts by its new name, and by its old one no more', async () => {
    const { path } = put('monday.bin', 'lecture');
    await add([path]);
    expect(await found('monday')).toEqual(['monday.bin']);
    renameSync(path, join(dir, 'physics.bin'));
    expect(await finish()).toMatchObject([{ state: 'complete', fileName: 'physics.bin', title: 'monday' }]);
    expect(await found('physics')).toEqual(['physics.bin']);
    expect(await found('monday.bin')).toEqual([]);
    expect(await found('monday')).toEqual(['physics.bin']);
  });

  it('is followed when another file took its name', async () => {
    const { path, hash } = put('take.bin', 'first take');
    await add([path]);
    renameSync(path, join(dir, 'take 1.bin'));
    put('take.bin', 'the second take');
    expect(await finish()).toMatchObject([{ state: 'complete', path: join(dir, 'take 1.bin'), sha256: hash }]);
  });

  it('is not followed into the bin, nor mistaken for another file with its number', async () => {
    const { path } = put('a.bin', 'lecture');
    const other = put('other.bin', 'lecture two');
    await add([path, other.path]);
    mkdirSync(join(dir, '.Trash'));
    renameSync(path, join(dir, '.Trash/a.bin'));
    // The number of a deleted file is often given to the next one.
    unlinkSync(other.path);
    put('successor.bin', 'something else');
    const rows = await finish();
    expect(rows.map(({ state, error }) => error?.code ?? state)).toEqual(['file.missing', 'file.missing']);
    expect(rows.map(({ attempts }) => attempts)).toEqual([0, 0]);
  });

  it('is told as missing when it was deleted, the others go on, and a retry finds it when it is back', async () => {
    const gone = put('a.bin', 'gone');
    const there = put('b.bin', 'there');
    await add([gone.path, there.path]);
    renameSync(gone.path, join(base, 'aside.bin'));
    expect((await finish()).map(({ state, error }) => error?.code ?? state)).toEqual(['file.missing', 'complete']);
    renameSync(join(base, 'aside.bin'), gone.path);
    await engine.call('uploads.retry', { kind: 'failed' });
    expect((await finish()).map(({ state }) => state)).toEqual(['complete', 'complete']);
  });
});

describe('a file that changes while it is sent', () => {
  it('goes on when it is renamed in mid-transfer: one attempt, every byte, and the row knows the new name', async () => {
    const path = putLong('a.bin');
    await add([path]);
    const moving = whenRow(engine, ({ state, sentBytes }) => state === 'sending' && sentBytes > 0);
    engine.startUploads();
    await moving;
    renameSync(path, join(dir, 'b.bin'));
    const [row] = await finish();
    expect(row).toMatchObject({ state: 'complete', attempts: 0, movedFrom: path });
    // Elsewhere than on Linux nobody tells where an open file went: then the next look finds it.
    if (process.platform === 'linux') expect(row?.path).toBe(join(dir, 'b.bin'));
    expect(await stored(row)).toBe(row?.sha256);
  });

  it.each<[string, (path: string) => void, string]>([
    ['grows', (path) => truncateSync(path, LONG_BYTES + 1), 'file.changed'],
    ['shrinks', (path) => truncateSync(path, 1000), 'file.changed'],
    ['is written over with the same size', (path) => utimesSync(path, 1, 1), 'file.changed'],
    ['is replaced by rename', (path) => renameSync(put('new.bin', 'new').path, path), 'file.changed'],
    ['is deleted', (path) => unlinkSync(path), 'file.missing'],
  ])('has its attempt thrown away when it %s', async (_, change, code) => {
    const path = putLong('a.bin');
    await add([path]);
    const moving = whenRow(engine, ({ state, sentBytes }) => state === 'sending' && sentBytes > 0);
    engine.startUploads();
    await moving;
    const noticed = whenRow(engine, ({ state, error }) => state !== 'sending' && error !== null);
    change(path);
    expect((await noticed).error?.code).toBe(code);
  });
});

describe('a drive or folder that is away', () => {
  it.runIf(hasAnotherDisk)(
    'is waited for without an attempt, others are not delayed, and all go on by themselves when it is back',
    async () => {
      // A folder on another disk stands for a drive; a link for the place where it is mounted.
      const drive = makeFolderOnAnotherDisk('drive');
      try {
        symlinkSync(drive, join(dir, 'DRIVE'));
        const names = ['a', 'b', 'c'];
        for (const name of names) put(`DRIVE/day/${name}.bin`, name);
        const here = put('here.bin', 'here');
        await add([...names.map((name) => join(dir, `DRIVE/day/${name}.bin`)), here.path]);
        unlinkSync(join(dir, 'DRIVE'));
        const away = whenRow(engine, ({ error }) => error?.code === 'file.drive-gone');
        const done = whenRow(engine, ({ state, path }) => state === 'complete' && path === here.path);
        engine.startUploads();
        expect(await away).toMatchObject({ state: 'waiting', attempts: 0, nextAttemptAt: null });
        await done;
        symlinkSync(drive, join(dir, 'DRIVE'));
        const rows = await finish();
        expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual(rows.map(() => ['complete', 0]));
      } finally {
        rmSync(drive, { recursive: true, force: true });
      }
    },
    60_000,
  );

  it('is told apart from a folder that was taken away, which is waited for as well, over a restart', async () => {
    const { path, hash } = put('day/a.bin', 'lecture');
    await add([path]);
    renameSync(join(dir, 'day'), join(base, 'day'));
    const away = whenRow(engine, ({ error }) => error?.code === 'file.folder-gone');
    engine.startUploads();
    expect((await away).error?.details).toMatchObject({ awaited: join(dir, 'day') });
    await engine.stop();
    engine = await profile.open();
    siteId = await signInEngine(engine, service);
    engine.startUploads();
    renameSync(join(base, 'day'), join(dir, 'day'));
    expect(await finish()).toMatchObject([{ state: 'complete', attempts: 0, sha256: hash }]);
  }, 60_000);
});
