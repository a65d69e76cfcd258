import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { WatchedFolder } from '../../../../shared/contract/watch.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import {
  rulesFor,
  startStation,
  sweepNow,
  WITHOUT_EVENTS,
  watchedRows,
  watchFolder,
  whenWatched,
} from '../../../helpers/engine/watch-desk.ts';

const it = deskTest();

it.override({ speed: 10, host: WITHOUT_EVENTS });

const names = async (desk: Desk) => (await desk.rows()).map(({ fileName }) => fileName).sort();
/** Resolves when `done` files are done, and none is settling or queued. */
const settled = (desk: Desk, done: number) =>
  whenWatched(desk, ([folder]) => folder?.counts.done === done && folder.counts.settling + folder.counts.queued === 0);

describe('known contents', () => {
  it('are not uploaded again when the file is renamed, touched, copied or moved into a sub-folder', async ({
    desk,
  }) => {
    startStation(desk);
    for (const name of ['renamed', 'touched', 'copied', 'moved']) desk.put(`${name}.bin`, `contents of ${name}`);
    const { id } = await watchFolder(desk, desk.dir);
    await settled(desk, 4);
    const at = (name: string) => join(desk.dir, name);
    renameSync(at('renamed.bin'), at('another name.bin'));
    utimesSync(at('touched.bin'), 1_700_000_000, 1_700_000_000);
    copyFileSync(at('copied.bin'), at('copy.bin'));
    mkdirSync(at('sub'));
    renameSync(at('moved.bin'), at('sub/moved.bin'));
    await sweepNow(desk, id);
    await whenWatched(desk, ([folder]) => folder?.counts.settling === 0);
    await sweepNow(desk, id);
    expect(await names(desk)).toEqual(['copied.bin', 'moved.bin', 'renamed.bin', 'touched.bin']);
  });

  it('that are older than the watched folder are not uploaded when a rename changes the number of their file', async ({
    desk,
  }) => {
    const at = (name: string) => join(desk.dir, name);
    const recordedAt = new Date(2026, 10, 22, 14);
    desk.put('old.bin', 'a recording');
    utimesSync(at('old.bin'), recordedAt, recordedAt);
    startStation(desk);
    const { id } = await watchFolder(desk, desk.dir, rulesFor(desk, { existingFiles: 'skip' }));
    await settled(desk, 1);
    // As on a drive without lasting file numbers, after a rename on another computer: same contents and time, another number.
    copyFileSync(at('old.bin'), at('new name.bin'));
    utimesSync(at('new name.bin'), recordedAt, recordedAt);
    rmSync(at('old.bin'));
    // Equal in size only.
    desk.put('new.bin', 'new content');
    await sweepNow(desk, id);
    await settled(desk, 2);
    expect(await names(desk)).toEqual(['new.bin']);
  });

  it('are distinguished from contents of the same length with the same beginning and end', async ({ desk }) => {
    startStation(desk);
    const ends = Buffer.alloc(70_000, 1);
    const recording = (middle: string) => Buffer.concat([ends, Buffer.from(middle), ends]);
    desk.put('first.bin', recording('one'));
    const { id } = await watchFolder(desk, desk.dir);
    await settled(desk, 1);
    desk.put('second.bin', recording('two'));
    writeFileSync(join(desk.dir, 'first.bin'), recording('six'));
    await sweepNow(desk, id);
    await settled(desk, 2);
    expect(await names(desk)).toEqual(['first.bin', 'first.bin', 'second.bin']);
    expect(new Set((await desk.rows()).map(({ sha256 }) => sha256)).size).toBe(3);
  });

  it('are not uploaded again when the file leaves the folder and returns', async ({ desk }) => {
    startStation(desk);
    desk.put('in/take.bin', 'a recording');
    const { id } = await watchFolder(desk, join(desk.dir, 'in'));
    await settled(desk, 1);
    renameSync(join(desk.dir, 'in/take.bin'), join(desk.dir, 'take.bin'));
    await sweepNow(desk, id);
    expect((await watchedRows(desk, 'recent'))[0]).toMatchObject({ isGone: true });
    // A copy has another file number and another time.
    copyFileSync(join(desk.dir, 'take.bin'), join(desk.dir, 'in/take.bin'));
    await sweepNow(desk, id);
    await whenWatched(desk, ([folder]) => folder?.counts.settling === 0);
    expect(await names(desk)).toEqual(['take.bin']);
  });

  it('are moved away after the upload when the rules require it, and the next file of that name is uploaded', async ({
    desk,
  }) => {
    startStation(desk);
    mkdirSync(join(desk.dir, 'sent'));
    desk.put('in/take.bin', 'a recording');
    const source = { kind: 'move', folder: join(desk.dir, 'sent') };
    const { id } = await watchFolder(desk, join(desk.dir, 'in'), rulesFor(desk, { settings: { source } }));
    await settled(desk, 1);
    await desk.engine.whenUploadsIdle();
    await sweepNow(desk, id);
    desk.put('in/take.bin', 'another recording');
    await sweepNow(desk, id);
    await whenWatched(desk, async () => (await desk.rows()).filter(({ state }) => state === 'complete').length === 2);
    await desk.engine.whenUploadsIdle();
    expect((await desk.rows()).map(({ followUps }) => followUps[0]?.state)).toEqual(['done', 'done']);
  });
});

describe('another file of equal size and time', () => {
  const sha256s = async (desk: Desk) => new Set((await desk.rows()).map(({ sha256 }) => sha256)).size;
  const recordedAt = new Date(2026, 10, 22, 14);
  function put(desk: Desk, name: string, contents: string): string {
    const path = desk.put(name, contents);
    utimesSync(path, recordedAt, recordedAt);
    return path;
  }

  it('is uploaded when it replaced an uploaded file, and the same contents are not', async ({ desk }) => {
    startStation(desk);
    for (const name of ['a.bin', 'b.bin']) put(desk, `in/${name}`, `the first ${name}`);
    const { id } = await watchFolder(desk, join(desk.dir, 'in'));
    await settled(desk, 2);
    renameSync(put(desk, 'other.bin', 'the other a.bin'), join(desk.dir, 'in/a.bin'));
    // As after a new mount: the same contents with another number.
    renameSync(put(desk, 'copy.bin', 'the first b.bin'), join(desk.dir, 'in/b.bin'));
    await sweepNow(desk, id);
    await whenWatched(desk, async () => (await desk.rows()).length === 3);
    await settled(desk, 2);
    expect(await names(desk)).toEqual(['a.bin', 'a.bin', 'b.bin']);
    expect(await sha256s(desk)).toBe(3);
    const rows = await watchedRows(desk, 'recent');
    expect(rows.map(({ path, uploadState }) => [path, uploadState]).sort()).toEqual([
      ['a.bin', 'complete'],
      ['b.bin', 'complete'],
    ]);
  });

  it('is uploaded when it replaced the file while that was uploaded', async ({ desk }) => {
    startStation(desk);
    put(desk, 'in/a.bin', 'the first contents');
    await watchFolder(desk, join(desk.dir, 'in'), undefined, 10_000);
    await desk.whenRow(({ state }) => state === 'processing' || state === 'complete');
    renameSync(put(desk, 'other.bin', 'the other contents'), join(desk.dir, 'in/a.bin'));
    await whenWatched(desk, async ([folder]) => folder?.counts.done === 1 && (await desk.rows()).length === 2);
    expect(await sha256s(desk)).toBe(2);
  });
});

describe.runIf(process.platform === 'linux')('other contents in place, with the size and time restored', () => {
  const recordedAt = new Date(2026, 10, 22, 14);
  function put(desk: Desk, name: string, contents: string): string {
    const path = desk.put(name, contents);
    utimesSync(path, recordedAt, recordedAt);
    return path;
  }
  const sha256s = async (desk: Desk) => new Set((await desk.rows()).map(({ sha256 }) => sha256)).size;

  it('are uploaded, and no file that was linked, renamed or given other permissions', async ({ desk }) => {
    startStation(desk);
    const [taken, linked, shared, renamed] = ['a', 'b', 'c', 'd'].map((name) =>
      put(desk, `in/${name}.bin`, `first ${name}`),
    );
    const { id } = await watchFolder(desk, join(desk.dir, 'in'));
    await settled(desk, 4);
    put(desk, 'in/a.bin', 'other a');
    linkSync(linked as string, join(desk.dir, 'link.bin'));
    chmodSync(shared as string, 0o640);
    renameSync(renamed as string, join(desk.dir, 'in/e.bin'));
    await sweepNow(desk, id);
    const allSent = async () => (await desk.rows()).filter(({ state }) => state === 'complete').length === 5;
    const isIdle = async (folders: WatchedFolder[]) => folders[0]?.counts.settling === 0 && (await allSent());
    await whenWatched(desk, isIdle);
    expect(await names(desk)).toEqual(['a.bin', 'a.bin', 'b.bin', 'c.bin', 'd.bin']);
    expect(await sha256s(desk)).toBe(5);
    // Each change is compared once, also by the sweep of the next process.
    await desk.reopen();
    startStation(desk);
    await sweepNow(desk, id);
    await whenWatched(desk, isIdle);
    expect(await names(desk)).toHaveLength(5);
    expect(statSync(taken as string).mtimeMs).toBe(recordedAt.getTime());
  });

  it('are uploaded when they were written while the first ones were uploaded', async ({ desk }) => {
    startStation(desk);
    put(desk, 'in/a.bin', 'the first contents');
    await watchFolder(desk, join(desk.dir, 'in'), undefined, 10_000);
    await desk.whenRow(({ state }) => state === 'processing' || state === 'complete');
    put(desk, 'in/a.bin', 'the other contents');
    await whenWatched(desk, async ([folder]) => folder?.counts.done === 1 && (await desk.rows()).length === 2);
    expect(await sha256s(desk)).toBe(2);
  });
});

describe('a sub-folder that gets other capitals', () => {
  it('has one row and one upload for each file, also with “upload duplicates”', async ({ desk }) => {
    startStation(desk);
    desk.put('Raw/done.bin', 'the first contents');
    const rules = rulesFor(desk, { settings: { duplicates: 'upload' } });
    const { id } = await watchFolder(desk, desk.dir, rules);
    await settled(desk, 1);
    desk.put('Raw/new.bin', 'new contents');
    await sweepNow(desk, id);
    renameSync(join(desk.dir, 'Raw'), join(desk.dir, 'raw'));
    await sweepNow(desk, id);
    await settled(desk, 2);
    expect(await names(desk)).toEqual(['done.bin', 'new.bin']);
    const rows = await watchedRows(desk, 'recent');
    expect(rows.map(({ path, isGone }) => [path, isGone]).sort()).toEqual([
      ['raw/done.bin', false],
      ['raw/new.bin', false],
    ]);
  });
});

describe('a file that changes', () => {
  it('is uploaded again with its new contents when it changed after it was sent', async ({ desk }) => {
    startStation(desk);
    const path = desk.put('take.bin', 'a recording');
    await watchFolder(desk, desk.dir);
    await desk.whenRow(({ state }) => state === 'processing' || state === 'complete');
    appendFileSync(path, ', continued');
    await whenWatched(desk, async ([folder]) => folder?.counts.done === 1 && (await desk.rows()).length === 2);
    expect((await desk.rows()).map(({ sizeBytes, state }) => [sizeBytes, state])).toEqual([
      [11, 'complete'],
      [22, 'complete'],
    ]);
  });
});

describe('a sweep', () => {
  it.skipIf(process.getuid?.() === 0)(
    'does not record files as gone when their folder can’t be listed',
    async ({ desk }) => {
      startStation(desk);
      desk.put('sub/take.bin', 'a recording');
      const { id } = await watchFolder(desk, desk.dir);
      await settled(desk, 1);
      chmodSync(join(desk.dir, 'sub'), 0);
      await sweepNow(desk, id);
      chmodSync(join(desk.dir, 'sub'), 0o700);
      expect((await watchedRows(desk, 'recent'))[0]).toMatchObject({ isGone: false });
    },
  );

  it('of a missing folder makes it wait, and only new contents are uploaded when it is back', async ({ desk }) => {
    startStation(desk);
    desk.put('in/take.bin', 'a recording');
    const root = join(desk.dir, 'in');
    const { id } = await watchFolder(desk, root);
    await settled(desk, 1);
    rmSync(root, { recursive: true });
    await desk.engine.call('watch.sweepNow', { folderId: id });
    await whenWatched(desk, ([folder]) => folder?.state === 'waiting-for-drive');
    desk.put('in/take.bin', 'a recording');
    desk.put('in/next.bin', 'the next recording');
    await whenWatched(desk, ([folder]) => folder?.counts.done === 2 && folder.counts.settling === 0);
    expect(await names(desk)).toEqual(['next.bin', 'take.bin']);
  });
});
