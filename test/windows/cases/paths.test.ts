// Files on drives, shares and long paths, with a real library.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Download } from '../../../shared/contract/downloads.ts';
import { type Desk, deskTest } from '../../helpers/engine/desk.ts';
import { startStation, sweepNow, WITHOUT_EVENTS, watchFolder, whenCounted } from '../../helpers/engine/watch-desk.ts';
import { clientFor } from '../../helpers/service/service-client.ts';
import { connectDrive, disconnectDrive, emptyDrive, SHARE } from '../drives.ts';

const it = deskTest();

it.override({ speed: 20 });

/** Uploads one file, and compares the bytes in the library with it. */
async function expectUploaded(desk: Desk, path: string, contents: string): Promise<void> {
  writeFileSync(path, contents);
  await desk.add([path]);
  await desk.run();
  const [row] = await desk.rows();
  expect(row).toMatchObject({ state: 'complete', path });
  expect(await desk.storedSha256(row?.fileId ?? null)).toBe(createHash('sha256').update(contents).digest('hex'));
}

describe('a file', () => {
  it('is uploaded from another drive', async ({ desk }) => {
    const drive = connectDrive(emptyDrive(), 'D:');
    await expectUploaded(desk, join(drive, 'talk.bin'), 'from a drive');
    disconnectDrive('D:');
  });

  it('is uploaded from a share by its address', async ({ desk }) => {
    await expectUploaded(desk, join(SHARE, 'talk.bin'), 'from a share');
  });

  it('is uploaded from a path of more than 260 characters, also in its long form', async ({ desk }) => {
    const folder = join(desk.dir, 'y'.repeat(120), 'z'.repeat(120));
    mkdirSync(folder, { recursive: true });
    await expectUploaded(desk, join(folder, 'talk.bin'), 'in a deep folder');
    const long = `\\\\?\\${join(folder, 'other.bin')}`;
    writeFileSync(long, 'by its long path');
    await desk.add([long]);
    await desk.run();
    expect((await desk.rows()).map(({ state }) => state)).toEqual(['complete', 'complete']);
  });

  it('with a rare character, by which the program writes bytes of other names, is found in its folder and sent', async ({
    desk,
  }) => {
    desk.put('in/take \u{10fde9}.bin', 'a take');
    await desk.add([join(desk.dir, 'in')]);
    await desk.run();
    expect(await desk.rows()).toMatchObject([{ state: 'complete', error: null }]);
  });

  it('is sent once when it is added under two paths with other capitals', async ({ desk }) => {
    const path = desk.put('Talk.bin', 'one file');
    await desk.add([path, join(desk.dir, 'TALK.BIN')]);
    await desk.run();
    expect((await desk.rows()).map(({ state, error }) => [state, error?.code ?? null])).toEqual([
      ['complete', null],
      ['skipped', 'upload.same-file'],
    ]);
  });

  it('on a drive that is gone waits for it, and is sent when the drive returns', async ({ desk }) => {
    const stick = emptyDrive();
    const drive = connectDrive(stick, 'D:');
    writeFileSync(join(drive, 'talk.bin'), 'on a stick');
    await desk.add([join(drive, 'talk.bin')]);
    disconnectDrive('D:');
    desk.engine.startUploads();
    await desk.whenRow(({ error }) => error?.code === 'file.drive-gone');
    connectDrive(stick, 'D:');
    await desk.whenRow(({ state }) => state === 'complete');
    disconnectDrive('D:');
  });

  it('is sent from another letter when its drive returns there', async ({ desk, skip }) => {
    const stick = emptyDrive();
    const drive = connectDrive(stick, 'D:');
    writeFileSync(join(drive, 'talk.bin'), 'on a stick');
    const serials = (root: string) => [root, join(root, 'talk.bin')].map((path) => statSync(path).dev);
    const before = serials(drive);
    await desk.add([join(drive, 'talk.bin')]);
    disconnectDrive('D:');
    const other = connectDrive(stick, 'E:');
    const isOne = new Set([...before, ...serials(other)]).size === 1;
    try {
      if (!isOne) skip('Wine gave the drive several serial numbers, where Windows gives it one');
      await desk.run();
      expect(await desk.rows()).toMatchObject([{ state: 'complete', path: join(other, 'talk.bin') }]);
    } finally {
      disconnectDrive('E:');
    }
  });
});

describe('a watched folder', () => {
  it.override({ speed: 200, host: WITHOUT_EVENTS });

  it('on a share is swept, and its new files are uploaded', async ({ desk }) => {
    const root = join(SHARE, 'in');
    mkdirSync(root);
    const { id } = await watchFolder(desk, root);
    startStation(desk);
    writeFileSync(join(root, 'talk.bin'), 'on the share');
    await sweepNow(desk, id);
    await whenCounted(desk, 'done', 1);
  });

  it('finds files with rare characters in their names by a sweep', async ({ desk }) => {
    const root = join(desk.dir, 'in');
    mkdirSync(root);
    const { id } = await watchFolder(desk, root);
    startStation(desk);
    writeFileSync(join(root, 'take \u{10fde9}.bin'), 'a take');
    await sweepNow(desk, id);
    await whenCounted(desk, 'done', 1);
  });

  it('is not watched twice under a path with other capitals', async ({ desk }) => {
    mkdirSync(join(desk.dir, 'In'));
    await watchFolder(desk, join(desk.dir, 'In'));
    await expect(watchFolder(desk, join(desk.dir, 'IN'))).rejects.toMatchObject({ code: 'watch.nested' });
  });
});

describe('a download', () => {
  async function foreignItem(desk: Desk, name: string): Promise<string> {
    const direct = await clientFor(desk.service);
    const item = await direct.createItem('an item', { collection_id: desk.collectionId });
    await direct.processed(await direct.upload(item, name, Buffer.from(name)));
    return item.split('/').at(-1) ?? '';
  }
  const isEnded = ({ state }: Download) => state === 'complete' || state === 'failed';

  async function download(desk: Desk, name: string, folder: string): Promise<string> {
    const mediaId = await foreignItem(desk, name);
    await desk.engine.call('downloads.start', { siteId: desk.siteId, files: [{ mediaId, fileId: null }], folder });
    const find = async () => (await desk.engine.call('downloads.list', null)).find(isEnded);
    await expect.poll(find, { timeout: 60_000 }).toBeDefined();
    const done = await find();
    await desk.engine.call('downloads.clear', null);
    expect(done).toMatchObject({ state: 'complete' });
    return done?.path ?? '';
  }

  it.for([
    ['con.txt', '_con.txt'],
    ['Lpt1 .mp4', '_Lpt1.mp4'],
    ['a:b?c*.bin', 'a_b_c_.bin'],
    ['end. . ', 'end'],
  ] as const)('of “%s” gets a name that Windows accepts: %s', async ([name, wanted], { desk }) => {
    const folder = join(desk.dir, 'out');
    mkdirSync(folder);
    await download(desk, name, folder);
    expect(readdirSync(folder)).toEqual([wanted]);
    expect(readFileSync(join(folder, wanted), 'utf8')).toBe(name);
  });

  it('whose name differs from another file in capitals only gets another name', async ({ desk }) => {
    const folder = join(desk.dir, 'out');
    mkdirSync(folder);
    await download(desk, 'Talk.bin', folder);
    await download(desk, 'TALK.BIN', folder);
    expect(readdirSync(folder).sort()).toEqual(['TALK (2).BIN', 'Talk.bin']);
  });

  it('to a folder with a path of more than 260 characters is saved there', async ({ desk }) => {
    const folder = join(desk.dir, 'y'.repeat(120), 'z'.repeat(120));
    mkdirSync(folder, { recursive: true });
    expect(readFileSync(await download(desk, 'talk.bin', folder), 'utf8')).toBe('talk.bin');
  });
});
