import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, unlinkSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import type { UploadRow } from '../../../../shared/contract/uploads.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { hasAnotherDisk, makeFolderOnAnotherDisk } from '../../../helpers/system/another-disk.ts';

const it = deskTest();

/** A speed limit keeps such a file in transfer until a test removes the limit. */
const LONG_BYTES = 20_000_000;

// The backoff and the speed limit run on a clock that is twenty times as fast.
it.override('speed', 20);

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A path in a folder deep enough that the search for a moved file stays inside the desk's folder. */
function at({ dir }: Desk, name = ''): string {
  const folder = join(dir, 'year', 'month');
  mkdirSync(folder, { recursive: true });
  return join(folder, name);
}

function put(desk: Desk, name: string, word: string, sizeBytes = 300_000): { path: string; hash: string } {
  const bytes = Buffer.alloc(sizeBytes, word);
  return { path: desk.put(at(desk, name), bytes), hash: sha256(bytes) };
}

const found = async ({ engine }: Desk, text: string) =>
  (await engine.call('receipts.search', { text, limit: 10, offset: 0 })).rows.map(({ line }) => line.fileName);

async function finish(desk: Desk): Promise<UploadRow[]> {
  await desk.engine.call('settings.set', { patch: { limitBytesPerSecond: null } });
  await desk.run();
  return desk.rows();
}

/** Adds a long file and resolves with its path when its transfer runs. */
async function sendingLong(desk: Desk, name: string): Promise<string> {
  const path = desk.put(at(desk, name), LONG_BYTES);
  await desk.add([path]);
  await desk.engine.call('settings.set', { patch: { limitBytesPerSecond: 50_000 } });
  const moving = desk.whenRow(({ state, sentBytes }) => state === 'sending' && sentBytes > 0);
  desk.engine.startUploads();
  await moving;
  return path;
}

describe('a file that is renamed or moved while it is queued', () => {
  it.for([
    ['under another name', 'in/b.bin'],
    ['into a folder below', 'in/done/a.bin'],
    ['into another folder', 'out/a.bin'],
  ])(
    'is detected when it is moved %s, is uploaded once, and its row names the old path',
    async ([, target = ''], { desk }) => {
      const { path, hash } = put(desk, 'in/a.bin', 'lecture');
      await desk.add([at(desk, 'in')]);
      mkdirSync(dirname(at(desk, target)), { recursive: true });
      renameSync(path, at(desk, target));
      const rows = await finish(desk);
      expect(rows).toHaveLength(1);
      expect(rows[0]).toMatchObject({ state: 'complete', path: at(desk, target), movedFrom: path, sha256: hash });
      expect(rows[0]?.notice).toMatchObject({ code: 'file.followed', details: { from: path } });
      expect(await desk.storedSha256(rows[0]?.fileId ?? null)).toBe(hash);
    },
  );

  it('is detected when its folder was renamed', async ({ desk }) => {
    const { path, hash } = put(desk, 'Monday/a.bin', 'lecture');
    await desk.add([at(desk)]);
    renameSync(at(desk, 'Monday'), at(desk, 'Tuesday'));
    expect(await finish(desk)).toMatchObject([
      { state: 'complete', path: path.replace('Monday', 'Tuesday'), sha256: hash },
    ]);
  });

  it('is found in the receipts by its new name, and no longer by its old one', async ({ desk }) => {
    const { path } = put(desk, 'monday.bin', 'lecture');
    await desk.add([path]);
    expect(await found(desk, 'monday')).toEqual(['monday.bin']);
    renameSync(path, at(desk, 'physics.bin'));
    expect(await finish(desk)).toMatchObject([{ state: 'complete', fileName: 'physics.bin', title: 'monday' }]);
    expect(await found(desk, 'physics')).toEqual(['physics.bin']);
    expect(await found(desk, 'monday.bin')).toEqual([]);
    expect(await found(desk, 'monday')).toEqual(['physics.bin']);
  });

  it('is detected when another file got its name', async ({ desk }) => {
    const { path, hash } = put(desk, 'take.bin', 'first take');
    await desk.add([path]);
    renameSync(path, at(desk, 'take 1.bin'));
    put(desk, 'take.bin', 'the second take');
    expect(await finish(desk)).toMatchObject([{ state: 'complete', path: at(desk, 'take 1.bin'), sha256: hash }]);
  });

  it('is missing when it was moved to the trash, or deleted and its inode reused', async ({ desk }) => {
    const { path } = put(desk, 'a.bin', 'lecture');
    const other = put(desk, 'other.bin', 'lecture two');
    await desk.add([path, other.path]);
    mkdirSync(at(desk, '.Trash'));
    renameSync(path, at(desk, '.Trash/a.bin'));
    // The inode of a deleted file is often reused by the next one.
    unlinkSync(other.path);
    put(desk, 'successor.bin', 'something else');
    const rows = await finish(desk);
    expect(rows.map(({ state, error }) => error?.code ?? state)).toEqual(['file.missing', 'file.missing']);
    expect(rows.map(({ attempts }) => attempts)).toEqual([0, 0]);
  });

  it('fails as missing when it was deleted, while the others continue; a retry succeeds when it is back', async ({
    desk,
  }) => {
    const gone = put(desk, 'a.bin', 'gone');
    const there = put(desk, 'b.bin', 'there');
    await desk.add([gone.path, there.path]);
    renameSync(gone.path, join(desk.dir, 'aside.bin'));
    expect((await finish(desk)).map(({ state, error }) => error?.code ?? state)).toEqual(['file.missing', 'complete']);
    renameSync(join(desk.dir, 'aside.bin'), gone.path);
    await desk.engine.call('uploads.retry', { kind: 'failed' });
    expect((await finish(desk)).map(({ state }) => state)).toEqual(['complete', 'complete']);
  });
});

describe('a file that changes while it is sent', () => {
  it('is completed in one attempt, with its new name in the row, when it is renamed in mid-transfer', async ({
    desk,
  }) => {
    const path = await sendingLong(desk, 'a.bin');
    renameSync(path, at(desk, 'b.bin'));
    const [row] = await finish(desk);
    expect(row).toMatchObject({ state: 'complete', attempts: 0, movedFrom: path });
    // Only Linux reports the new path of an open file: on other systems, the next check finds it.
    if (process.platform === 'linux') expect(row?.path).toBe(at(desk, 'b.bin'));
    expect(await desk.storedSha256(row?.fileId ?? null)).toBe(row?.sha256);
  });

  it.for<[string, (path: string, desk: Desk) => void, string]>([
    ['grows', (path) => truncateSync(path, LONG_BYTES + 1), 'file.changed'],
    ['shrinks', (path) => truncateSync(path, 1000), 'file.changed'],
    ['gets another modification time', (path) => utimesSync(path, 1, 1), 'file.changed'],
    ['is replaced by rename', (path, desk) => renameSync(put(desk, 'new.bin', 'new').path, path), 'file.replaced'],
    ['is deleted', (path) => unlinkSync(path), 'file.missing'],
  ])('makes its attempt fail when it %s', async ([, change, code], { desk }) => {
    const path = await sendingLong(desk, 'a.bin');
    const noticed = desk.whenRow(({ state, error }) => state !== 'sending' && error !== null);
    change(path, desk);
    await desk.engine.call('settings.set', { patch: { limitBytesPerSecond: null } });
    expect((await noticed).error?.code).toBe(code);
  });
});

describe('a missing drive or folder', () => {
  it.runIf(hasAnotherDisk)(
    'delays only its own uploads, without using a retry, and they resume automatically when it is back',
    async ({ desk }) => {
      // A folder on another disk represents a drive, and a link its mount point.
      const drive = makeFolderOnAnotherDisk('drive');
      try {
        symlinkSync(drive, at(desk, 'DRIVE'));
        const names = ['a', 'b', 'c'];
        for (const name of names) put(desk, `DRIVE/day/${name}.bin`, name);
        const here = put(desk, 'here.bin', 'here');
        await desk.add([...names.map((name) => at(desk, `DRIVE/day/${name}.bin`)), here.path]);
        unlinkSync(at(desk, 'DRIVE'));
        const away = desk.whenRow(({ error }) => error?.code === 'file.drive-gone');
        const done = desk.whenRow(({ state, path }) => state === 'complete' && path === here.path);
        desk.engine.startUploads();
        expect(await away).toMatchObject({ state: 'waiting', attempts: 0, nextAttemptAt: null });
        await done;
        symlinkSync(drive, at(desk, 'DRIVE'));
        const rows = await finish(desk);
        expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual(rows.map(() => ['complete', 0]));
      } finally {
        rmSync(drive, { recursive: true, force: true });
      }
    },
  );

  it('makes uploads wait also when only their folder was moved, across a restart, until it is back', async ({
    desk,
  }) => {
    const { path, hash } = put(desk, 'day/a.bin', 'lecture');
    await desk.add([path]);
    renameSync(at(desk, 'day'), join(desk.dir, 'day'));
    const away = desk.whenRow(({ error }) => error?.code === 'file.folder-gone');
    desk.engine.startUploads();
    expect((await away).error?.details).toMatchObject({ awaited: at(desk, 'day') });
    await desk.reopen();
    desk.engine.startUploads();
    renameSync(join(desk.dir, 'day'), at(desk, 'day'));
    expect(await finish(desk)).toMatchObject([{ state: 'complete', attempts: 0, sha256: hash }]);
  });
});
