import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Volume, Volumes } from '../../../../electron/engine/ports/volumes.ts';
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

/** A computer with a removable drive: without the drive, files in its mount point are on the system's own volume. */
function pluggable(mountPoint: () => string) {
  const own = { isNetwork: false, isCertain: true, hasFileNumbers: true };
  const system: Volume = { ...own, key: 'uuid:system', name: 'this computer', mountPoint: '/' };
  const state = { at: mountPoint, isPlugged: true };
  const drive = (): Volume => ({ ...own, key: 'uuid:drive', name: 'STICK', mountPoint: state.at() });
  const isOnDrive = (path: string) => path === state.at() || path.startsWith(`${state.at()}/`);
  const volumes: Volumes = {
    of: (path) => (state.isPlugged && isOnDrive(path) ? drive() : system),
    mountPoints: (key) => (key === 'uuid:system' ? ['/'] : state.isPlugged ? [state.at()] : []),
  };
  return { state, volumes };
}

const only = async (desk: Desk): Promise<WatchedFolder> => {
  const [folder] = await desk.engine.call('watch.list', null);
  if (folder === undefined) throw new Error('No folder is watched.');
  return folder;
};

describe('a drive with a watched folder', () => {
  it('is reported as disconnected, and nothing is uploaded again when it is back', async ({ desk }) => {
    const mount = join(desk.dir, 'stick');
    const { state, volumes } = pluggable(() => mount);
    await desk.reopen({ ...WITHOUT_EVENTS, volumes });
    mkdirSync(join(mount, 'incoming'), { recursive: true });
    writeFileSync(join(mount, 'incoming/take.bin'), 'a recording');
    startStation(desk);
    const { id } = await watchFolder(desk, join(mount, 'incoming'));
    await whenWatched(desk, ([folder]) => folder?.counts.done === 1);

    renameSync(mount, join(desk.dir, 'pulled'));
    mkdirSync(mount);
    state.isPlugged = false;
    await desk.engine.call('watch.sweepNow', { folderId: id });
    await whenWatched(desk, ([folder]) => folder?.state === 'waiting-for-drive');
    expect((await only(desk)).notice).toMatchObject({ code: 'watch.drive-away', details: { drive: 'STICK' } });
    expect((await only(desk)).counts.done).toBe(1);

    rmSync(mount, { recursive: true });
    renameSync(join(desk.dir, 'pulled'), mount);
    state.isPlugged = true;
    await whenWatched(desk, ([folder]) => folder?.state === 'watching');
    await sweepNow(desk, id);
    expect((await only(desk)).counts).toMatchObject({ done: 1, settling: 0 });
    expect(await desk.rows()).toHaveLength(1);
  });

  it('is reported as moved when it is mounted elsewhere, and is watched there when the user confirms it', async ({
    desk,
  }) => {
    let mount = join(desk.dir, 'stick');
    const { volumes } = pluggable(() => mount);
    await desk.reopen({ ...WITHOUT_EVENTS, volumes });
    mkdirSync(mount);
    writeFileSync(join(mount, 'take.bin'), 'a recording');
    startStation(desk);
    const { id } = await watchFolder(desk, mount);
    await whenWatched(desk, ([folder]) => folder?.counts.done === 1);

    renameSync(mount, join(desk.dir, 'stick1'));
    mount = join(desk.dir, 'stick1');
    await desk.engine.call('watch.sweepNow', { folderId: id });
    await whenWatched(desk, ([folder]) => folder?.state === 'moved');
    expect((await only(desk)).movedTo).toBe(mount);
    await desk.engine.call('watch.confirmMoved', { folderId: id, path: mount });
    writeFileSync(join(mount, 'next.bin'), 'the next recording');
    await sweepNow(desk, id);
    await whenWatched(desk, ([folder]) => folder?.counts.done === 2);
    expect((await desk.rows()).map(({ fileName }) => fileName).sort()).toEqual(['next.bin', 'take.bin']);
  });
});

describe('a folder to watch', () => {
  it('has its existing files skipped, also renamed ones, when only new files are wanted', async ({ desk }) => {
    desk.put('in/old.bin', 'an old recording');
    startStation(desk);
    const root = join(desk.dir, 'in');
    expect(await desk.engine.call('watch.count', { path: root })).toEqual({
      files: 1,
      bytes: 16,
      isAll: true,
      isNetwork: false,
    });
    const { id } = await watchFolder(desk, root, rulesFor(desk, { existingFiles: 'skip' }));
    await whenWatched(desk, ([folder]) => folder?.lastSweepAt !== null);
    renameSync(join(root, 'old.bin'), join(root, 'renamed.bin'));
    desk.put('in/new.bin', 'a new recording');
    await sweepNow(desk, id);
    await whenWatched(desk, async () => (await desk.rows()).some(({ state }) => state === 'complete'));
    await sweepNow(desk, id);
    expect((await desk.rows()).map(({ fileName }) => fileName)).toEqual(['new.bin']);
    expect((await only(desk)).counts).toMatchObject({ done: 2, settling: 0 });
  });

  it('is counted with its manifest: how many rows match a file, match none, or are bad', async ({ desk }) => {
    const manifestOf = async (name: string) =>
      (await desk.engine.call('watch.count', { path: join(desk.dir, name) })).manifest;
    desk.put('plain/a.bin');
    expect(await manifestOf('plain')).toBeUndefined();
    for (const name of ['a.bin', 'b.bin', 'week 7/c.bin', 'twice.bin']) desk.put(`in/${name}`);
    const rows = [
      ...['a.bin;One;', 'week 7\\c.bin;Three;draft', 'later.bin;Later;', 'gone/later.bin;Later;'],
      ...['b.bin;Two;no such status', ';Nameless;', 'twice.bin;1;', 'twice.bin;2;'],
    ];
    desk.put('in/manifest.csv', `file;title;status\n${rows.join('\n')}\n`);
    const whole = {
      files: [{ path: 'manifest.csv', error: null }],
      isAll: true,
      rows: 8,
      fitting: 2,
      missing: 2,
      bad: 4,
      nearer: 0,
      uploaded: 0,
    };
    expect(await manifestOf('in')).toEqual(whole);
    desk.put('in/manifest.csv', 'Quelle;Titel\na.bin;One\n');
    const unusable = { rows: 0, fitting: 0, files: [{ error: { code: 'manifest.no-file' } }] };
    expect(await manifestOf('in')).toMatchObject(unusable);
    desk.put('damaged/manifest.xlsx', Buffer.from([0x50, 0x4b, 0x03, 0x04, 1, 2, 3]));
    expect((await manifestOf('damaged'))?.files[0]?.error?.code).toMatch(/^table\./);
  });

  it('is counted with the manifests of its sub-folders; the nearest one is used, or reported as unusable', async ({
    desk,
  }) => {
    for (const name of ['a.bin', 'week 1/b.bin', 'week 1/raw/c.bin', 'week 2/d.bin']) desk.put(`in/${name}`);
    const table = (...rows: string[]) => `file;title\n${rows.map((name) => `${name};T`).join('\n')}\n`;
    desk.put('in/manifest.csv', table('a.bin', 'week 1/b.bin', 'week 1/raw/c.bin', 'week 2/d.bin'));
    desk.put('in/week 1/manifest.csv', table('b.bin', 'raw/c.bin', 'later.bin'));
    // Of two manifests in one folder, the CSV is used and the XLSX is not read.
    desk.put('in/week 1/manifest.xlsx', 'no spreadsheet');
    desk.put('in/week 2/manifest.csv', 'Quelle;Titel\nd.bin;One\n');
    const { manifest } = await desk.engine.call('watch.count', { path: join(desk.dir, 'in') });
    expect(manifest).toMatchObject({ isAll: true, rows: 7, fitting: 3, missing: 1, bad: 0, nearer: 3, uploaded: 0 });
    expect(manifest?.files.map(({ path, error }) => [path, error?.code])).toEqual([
      ['manifest.csv', undefined],
      ['week 1/manifest.csv', undefined],
      ['week 2/manifest.csv', 'manifest.no-file'],
    ]);
  });

  it('is counted with the reason why the files of its manifest can’t be found', async ({ desk }) => {
    desk.put('in/manifest.csv', 'file;title\nlater/new.bin;New\nloop/new.bin;New\n');
    symlinkSync('loop', join(desk.dir, 'in/loop'));
    const { manifest } = await desk.engine.call('watch.count', { path: join(desk.dir, 'in') });
    expect(manifest?.files.map(({ path, error }) => [path, error?.code])).toEqual([['manifest.csv', 'file.is-link']]);
  });

  it('is listed, once it is watched, with its manifests and how many of their files were uploaded', async ({
    desk,
  }) => {
    const path = join(desk.dir, 'in');
    desk.put('in/old.bin');
    startStation(desk);
    const folder = await watchFolder(desk, path, rulesFor(desk));
    const manifests = () => desk.engine.call('watch.manifests', { folderId: folder.id });
    expect(await manifests()).toBeNull();
    await whenWatched(desk, async () => (await desk.rows()).some(({ state }) => state === 'complete'));
    desk.put('in/new/new.bin');
    desk.put('in/new/manifest.csv', 'file;title\nnew.bin;New\n');
    desk.put('in/manifest.csv', 'file;title\nold.bin;Old\n');
    expect(await manifests()).toMatchObject({ rows: 2, fitting: 1, uploaded: 1, files: { length: 2 } });
    await expect(desk.engine.call('watch.manifests', { folderId: 'none' })).rejects.toMatchObject({
      code: 'watch.unknown-folder',
    });
  });

  it('is refused when it is no folder, overlaps a watched one, or its rules move files to a watched one', async ({
    desk,
  }) => {
    const add = async (path: string, rules = rulesFor(desk)) => watchFolder(desk, path, rules);
    const file = desk.put('file.bin');
    mkdirSync(join(desk.dir, 'a/b'), { recursive: true });
    symlinkSync('loop', join(desk.dir, 'loop'));
    await expect(add(file)).rejects.toMatchObject({ code: 'watch.root-not-folder' });
    await expect(add(join(desk.dir, 'loop'))).rejects.toMatchObject({ code: 'watch.root-missing' });
    await expect(add(join(desk.dir, 'none'))).rejects.toMatchObject({ code: 'watch.root-missing' });
    await expect(add('relative')).rejects.toMatchObject({ code: 'input.invalid' });
    await add(join(desk.dir, 'a/b'));
    symlinkSync(join(desk.dir, 'a/b'), join(desk.dir, 'link'));
    for (const path of ['a/b', 'a', 'link']) {
      await expect(add(join(desk.dir, path))).rejects.toMatchObject({ code: 'watch.nested' });
    }
    mkdirSync(join(desk.dir, 'c/done'), { recursive: true });
    const moves = (folder: string) => rulesFor(desk, { settings: { source: { kind: 'move', folder } } });
    for (const folder of ['c/done', 'c', 'a/b']) {
      const rules = moves(join(desk.dir, folder));
      await expect(add(join(desk.dir, 'c'), rules)).rejects.toMatchObject({ code: 'watch.move-folder' });
    }
  });

  it('is refused with rules for an unknown account; a folder that is watched already keeps its rules', async ({
    desk,
  }) => {
    const unknown = { code: 'site.unknown', details: { siteId: 'unknown' } };
    const byDefault = rulesFor(desk, { settings: { siteId: 'unknown' } });
    const byRule = rulesFor(desk, {
      rules: [
        {
          id: 'other',
          name: 'other',
          enabled: true,
          conditions: { include: ['*.wav'], exclude: [], minSizeBytes: 0, minAgeMs: 0 },
          action: { kind: 'upload', settings: { siteId: 'unknown' } },
        },
      ],
    });
    for (const rules of [byDefault, byRule]) {
      await expect(watchFolder(desk, desk.dir, rules)).rejects.toMatchObject(unknown);
    }
    expect(await desk.engine.call('watch.list', null)).toEqual([]);
    const { id, rules: before } = await watchFolder(desk, desk.dir);
    for (const rules of [byDefault, byRule]) {
      await expect(desk.engine.call('watch.edit', { folderId: id, rules })).rejects.toMatchObject(unknown);
    }
    expect((await only(desk)).rules).toEqual(before);
  });

  it('has its pipes and links skipped with a reason', async ({ desk }) => {
    const root = join(desk.dir, 'in');
    mkdirSync(root);
    execFileSync('mkfifo', [join(root, 'pipe.bin')]);
    symlinkSync('..', join(root, 'loop'));
    startStation(desk);
    await watchFolder(desk, root);
    await whenWatched(desk, ([folder]) => folder?.counts.refused === 2);
    const rows = await watchedRows(desk, 'refused');
    expect(new Map(rows.map(({ path, reason }) => [path, reason?.code]))).toEqual(
      new Map([
        ['loop', 'watch.is-link'],
        ['pipe.bin', 'file.not-regular'],
      ]),
    );
  });
});

describe('a watched folder', () => {
  it('finds no file while it is paused, and finds all when it resumes', async ({ desk }) => {
    startStation(desk);
    const { id } = await watchFolder(desk, desk.dir);
    await whenWatched(desk, ([folder]) => folder?.lastSweepAt !== null);
    expect((await desk.engine.call('watch.pause', { folderId: id })).state).toBe('paused');
    desk.put('take.bin', 'a recording');
    await desk.engine.call('watch.sweepNow', { folderId: id });
    expect((await only(desk)).counts.settling).toBe(0);
    await desk.engine.call('watch.resume', { folderId: id });
    await whenWatched(desk, ([folder]) => folder?.counts.done === 1);
  });

  it('uses only sweeps after two sweeps found files that the system did not report', async ({ desk }) => {
    startStation(desk);
    const { id } = await watchFolder(desk, desk.dir);
    await whenWatched(desk, ([folder]) => folder?.lastSweepAt !== null);
    expect((await only(desk)).state).toBe('watching');
    // A file counts as not reported only if it changed after the previous sweep, so one sweep runs before.
    await sweepNow(desk, id);
    desk.put('first.bin', 'first');
    await sweepNow(desk, id);
    await whenWatched(desk, ([folder]) => folder?.counts.done === 1);
    expect((await only(desk)).state).toBe('watching');
    desk.put('second.bin', 'second');
    await sweepNow(desk, id);
    await whenWatched(desk, ([folder]) => folder?.state === 'sweep-only');
    expect((await only(desk)).notice?.code).toBe('watch.events-missed');
  });

  it('shows an incomplete recording, which is uploaded when the user chooses to', async ({ desk, clock }) => {
    clock.setSpeed(100);
    const header = Buffer.from('RIFF\xff\xff\xff\x7fWAVE', 'latin1');
    desk.put('take.wav', Buffer.concat([header, Buffer.alloc(5000)]));
    startStation(desk);
    await watchFolder(desk, desk.dir);
    await whenWatched(desk, ([folder]) => folder?.counts.incomplete === 1);
    const [row] = await watchedRows(desk, 'attention');
    expect(row?.reason?.code).toBe('watch.incomplete');
    // No file has the id 999, as if a file had disappeared after it was listed.
    const fileIds = [row?.id ?? '', '999'];
    expect(await desk.engine.call('watch.uploadAnyway', { fileIds })).toEqual({ changed: 1 });
    await whenWatched(desk, ([folder]) => folder?.counts.queued === 1);
    expect((await desk.rows()).map(({ fileName }) => fileName)).toEqual(['take.wav']);
    expect(await desk.engine.call('watch.uploadAnyway', { fileIds: ['999'] })).toEqual({ changed: 0 });
  });

  it('uploads each folder into a collection of its own, which is created once', async ({ desk }) => {
    const { collectionId, siteId } = desk;
    desk.put('Physics/one.bin', 'one');
    desk.put('Physics/two.bin', 'two');
    desk.put('Biology/three.bin', 'three');
    const parent = { kind: 'id', id: collectionId, name: 'desk' };
    const collection = { kind: 'by-folder', parent, levels: 'first', create: true };
    startStation(desk);
    await watchFolder(desk, desk.dir, rulesFor(desk, { settings: { collection } }));
    await whenWatched(desk, ([folder]) => folder?.counts.done === 3);
    await desk.engine.call('library.refresh', { siteId });
    const made = await desk.engine.call('library.collections', { siteId, parentId: collectionId });
    expect(made.map(({ displayName }) => displayName).sort()).toEqual(['Biology', 'Physics']);
    const rows = await desk.rows();
    expect(
      new Set(rows.map(({ fileName, collectionName }) => `${fileName}: ${collectionName.split(' / ').at(-1)}`)),
    ).toEqual(new Set(['one.bin: Physics', 'two.bin: Physics', 'three.bin: Biology']));
  });
});
