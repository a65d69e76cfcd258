// Unusual drives, file names, clocks, rules and collections of watched folders.
import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Clock, sleep } from '../../../../electron/engine/ports/clock.ts';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { createFolderWalker } from '../../../../electron/engine/ports/system/node-folder-walker.ts';
import type { WatchRules } from '../../../../shared/contract/watch-rules.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { makeCollection } from '../../../helpers/engine/engine-host.ts';
import {
  rulesFor,
  startStation,
  sweepNow,
  WITHOUT_EVENTS,
  watchedRows,
  watchFolder,
  whenWatched,
} from '../../../helpers/engine/watch-desk.ts';
import { mayMount, mountSmallDisk } from '../../../helpers/system/small-disk.ts';
import { mayMountShare, mountShare } from '../../../helpers/system/sshfs-share.ts';
import { sound } from '../../../torture/engine/story-files.ts';

const it = deskTest();

it.override({ speed: 10 });

const CAPTIONS = 'WEBVTT\n\n00:00.000 --> 00:01.000\nhello\n';
const complete = async (desk: Desk) =>
  (await desk.rows())
    .filter(({ state }) => state === 'complete')
    .map(({ fileName }) => fileName)
    .sort();
const allDone = (files: number) => (folders: { counts: Record<string, number> }[]) =>
  folders[0]?.counts.done === files && folders[0].counts.settling === 0;
const rule = (include: string[], action: WatchRules['rules'][number]['action']): WatchRules['rules'][number] => ({
  id: include.join(),
  name: include.join(),
  enabled: true,
  action,
  conditions: { include, exclude: [], minSizeBytes: 0, minAgeMs: 0 },
});

describe.runIf(mayMount())('a drive that is disconnected during a sweep', () => {
  it('keeps the counts of its files, and has each file uploaded once when it is back', async ({ desk }) => {
    const disk = mountSmallDisk(16);
    try {
      const fill = () => {
        for (let folder = 0; folder < 30; folder += 1) {
          mkdirSync(join(disk.path, `${folder}`));
          for (let file = 0; file < 20; file += 1) writeFileSync(join(disk.path, `${folder}/${file}.log`), `${file}`);
        }
        for (const name of ['first.bin', 'second.bin']) writeFileSync(join(disk.path, name), name);
      };
      fill();
      const walker = createFolderWalker(nodeClock);
      let onBatch: (() => void) | null = null;
      await desk.reopen({
        ...WITHOUT_EVENTS,
        folderWalker: {
          ...walker,
          walk: (request, take, signal) =>
            walker.walk(
              // Without known digests of folders, a sweep reports every file, in many batches.
              { ...request, known: new Set() },
              async (batch) => {
                await take(batch);
                onBatch?.();
              },
              signal,
            ),
        },
      });
      startStation(desk);
      const { id } = await watchFolder(desk, disk.path, rulesFor(desk, { rules: [rule(['*.log'], { kind: 'skip' })] }));
      await whenWatched(desk, ([folder]) => folder?.counts.done === 2 && folder.counts.refused === 600);
      const before = (await desk.engine.call('watch.list', null))[0]?.counts;

      let batches = 0;
      onBatch = () => {
        batches += 1;
        if (batches === 2) disk.pull();
      };
      await desk.engine.call('watch.sweepNow', { folderId: id });
      await whenWatched(desk, ([folder]) => folder?.state === 'waiting-for-drive');
      expect(batches).toBeGreaterThanOrEqual(2);
      onBatch = null;
      const [away] = await desk.engine.call('watch.list', null);
      expect(away?.notice?.code).toBe('watch.drive-away');
      expect(away?.counts).toEqual(before);

      disk.mountAnew();
      fill();
      writeFileSync(join(disk.path, 'third.bin'), 'third.bin');
      await whenWatched(desk, ([folder]) => folder?.state === 'watching' && allDone(3)([folder]));
      await sweepNow(desk, id);
      expect(await complete(desk)).toEqual(['first.bin', 'second.bin', 'third.bin']);
      expect(await desk.rows()).toHaveLength(3);
    } finally {
      disk.remove();
    }
  });
});

describe.runIf(mayMountShare())('a network drive', () => {
  it('has its files found by sweeps, and each uploaded once, also when it was disconnected meanwhile', async ({
    desk,
  }) => {
    const server = join(desk.dir, 'server');
    const mountPoint = join(desk.dir, 'share');
    mkdirSync(server);
    mkdirSync(mountPoint);
    writeFileSync(join(server, 'first.bin'), 'the first recording');
    let disconnect = await mountShare(server, mountPoint);
    try {
      startStation(desk);
      await watchFolder(desk, mountPoint, undefined, 10_000);
      await whenWatched(desk, allDone(1));
      const [folder] = await desk.engine.call('watch.list', null);
      expect(folder).toMatchObject({ state: 'sweep-only', notice: { code: 'watch.network-drive' } });
      // Written on the server, as another computer would do it.
      writeFileSync(join(server, 'second.bin'), 'the second recording');
      await whenWatched(desk, allDone(2));
      await disconnect();
      await whenWatched(desk, ([shown]) => shown?.state === 'waiting-for-drive');
      writeFileSync(join(server, 'third.bin'), 'the third recording');
      disconnect = await mountShare(server, mountPoint);
      await whenWatched(desk, allDone(3));
      expect(await complete(desk)).toEqual(['first.bin', 'second.bin', 'third.bin']);
      expect(await desk.rows()).toHaveLength(3);
    } finally {
      await desk.engine.stop();
      await disconnect();
    }
  });
});

describe.runIf(process.platform === 'linux')('files whose names differ only in case or Unicode normalization', () => {
  it('are uploaded once each', async ({ desk }) => {
    const names = ['Müller.bin', 'Mu\u0308ller.bin', 'müller.bin', 'MÜLLER.BIN'];
    for (const [index, name] of names.entries()) desk.put(`in/${name}`, `contents ${index}`);
    startStation(desk);
    const { id } = await watchFolder(desk, join(desk.dir, 'in'));
    await whenWatched(desk, allDone(4));
    await sweepNow(desk, id);
    expect(await complete(desk)).toEqual([...names].sort());
    expect(new Set((await desk.rows()).map(({ sha256 }) => sha256)).size).toBe(4);
  });

  it('get a captions file once, for the recording with exactly its name', async ({ desk }) => {
    desk.put('in/M\u00fcller.wav', sound(20_000));
    desk.put('in/Mu\u0308ller.wav', sound(30_000));
    desk.put('in/M\u00fcller.vtt', CAPTIONS);
    startStation(desk);
    await watchFolder(desk, join(desk.dir, 'in'));
    await whenWatched(desk, ([folder]) => folder?.counts.done === 2);
    await desk.engine.whenUploadsIdle();
    const rows = await desk.rows();
    expect(rows).toHaveLength(2);
    const captions = rows.flatMap(({ fileName, followUps }) =>
      followUps.filter(({ kind }) => kind === 'captions').map(({ state }) => ({ fileName, state })),
    );
    expect(captions).toEqual([{ fileName: 'M\u00fcller.wav', state: 'done' }]);
  });
});

describe('a clock that is set', () => {
  /** The clock of the test, which the user can set. */
  const settable = (clock: Clock): Clock & { set(byMs: number): void } => {
    let offsetMs = 0;
    return {
      now: () => clock.now() + offsetMs,
      monotonic: () => clock.monotonic(),
      schedule: (delayMs, task) => clock.schedule(delayMs, task),
      set(byMs) {
        offsetMs += byMs;
      },
    };
  };

  const HOUR = 3_600_000;
  it.for([
    { way: 'forward', byMs: 24 * HOUR },
    { way: 'back', byMs: -24 * HOUR },
  ])(
    '$way by a day causes no early and no second upload of a file that is still written',
    async ({ byMs }, { desk, clock }) => {
      const own = settable(clock);
      await desk.reopen({ ...WITHOUT_EVENTS, clock: own });
      startStation(desk);
      const path = desk.put('in/take.bin', 'x');
      const { id } = await watchFolder(desk, join(desk.dir, 'in'), undefined, 10_000);
      await whenWatched(desk, ([folder]) => folder?.counts.settling === 1);
      for (let write = 0; write < 4; write += 1) {
        own.set(byMs);
        appendFileSync(path, 'x');
        await sleep(clock, 6000);
        expect(await desk.rows()).toEqual([]);
      }
      await whenWatched(desk, allDone(1));
      own.set(byMs);
      await sweepNow(desk, id);
      expect((await desk.rows()).map(({ sizeBytes, state }) => [sizeBytes, state])).toEqual([[5, 'complete']]);
    },
  );

  it('back by a day delays a file with a minimum age by less than three times this age', async ({ desk, clock }) => {
    const own = settable(clock);
    await desk.reopen({ ...WITHOUT_EVENTS, clock: own });
    startStation(desk);
    desk.put('in/take.bin', 'a recording');
    const rules = rulesFor(desk);
    const minAgeMs = 60_000;
    const aged = { ...rules.defaults, conditions: { ...rules.defaults.conditions, minAgeMs } };
    await watchFolder(desk, join(desk.dir, 'in'), { ...rules, defaults: aged });
    await whenWatched(desk, ([folder]) => folder?.counts.waiting === 1);
    const setAt = clock.monotonic();
    own.set(-24 * HOUR);
    await whenWatched(desk, allDone(1));
    expect(clock.monotonic() - setAt).toBeLessThan(3 * minAgeMs);
    expect(await complete(desk)).toEqual(['take.bin']);
  });
});

describe('a share whose clock is an hour ahead', () => {
  it('has its new files uploaded once, and those that existed before skipped', async ({ desk }) => {
    await desk.reopen(WITHOUT_EVENTS);
    const put = (name: string) => {
      const path = desk.put(`in/${name}`, name);
      utimesSync(path, Date.now() / 1000 + 3600, Date.now() / 1000 + 3600);
    };
    put('before.bin');
    startStation(desk);
    const { id } = await watchFolder(desk, join(desk.dir, 'in'), rulesFor(desk, { existingFiles: 'skip' }));
    await whenWatched(desk, ([folder]) => folder?.lastSweepAt !== null);
    put('after.bin');
    await sweepNow(desk, id);
    await whenWatched(desk, allDone(2));
    await sweepNow(desk, id);
    expect(await complete(desk)).toEqual(['after.bin']);
  });
});

describe('20,000 new files within seconds', () => {
  it('in one folder cause fewer than 200 listings, and the one file that is not skipped is uploaded', async ({
    desk,
    clock,
  }) => {
    const root = join(desk.dir, 'in');
    mkdirSync(join(root, 'many'), { recursive: true });
    const walker = createFolderWalker(nodeClock);
    let listings = 0;
    await desk.reopen({
      folderWalker: {
        ...walker,
        walk: (...given) => {
          listings += 1;
          return walker.walk(...given);
        },
      },
    });
    startStation(desk);
    await watchFolder(desk, root, rulesFor(desk, { rules: [rule(['*.x'], { kind: 'skip' })] }));
    await whenWatched(desk, ([folder]) => folder?.state === 'watching' && folder.lastSweepAt !== null);
    clock.setSpeed(1);
    listings = 0;
    const startedAt = performance.now();
    for (let file = 0; file < 20_000; file += 1) {
      writeFileSync(join(root, `many/${file}.${file === 10_000 ? 'bin' : 'x'}`), 'x');
    }
    const writtenMs = performance.now() - startedAt;
    await whenWatched(desk, ([folder]) => folder?.counts.refused === 19_999);
    clock.setSpeed(10);
    await whenWatched(desk, allDone(1));
    expect(await complete(desk)).toEqual(['10000.bin']);
    expect(writtenMs).toBeLessThan(20_000);
    expect(listings).toBeLessThan(200);
  }, 600_000);
});

describe('rules', () => {
  it('that match no file leave each file skipped, with this reason, until they are edited', async ({ desk }) => {
    await desk.reopen(WITHOUT_EVENTS);
    startStation(desk);
    desk.put('in/take.bin', 'a recording');
    const rules = rulesFor(desk);
    const nothing = { ...rules.defaults, conditions: { ...rules.defaults.conditions, include: ['*.nothing'] } };
    const { id } = await watchFolder(desk, join(desk.dir, 'in'), { ...rules, defaults: nothing });
    await whenWatched(desk, ([folder]) => folder?.counts.refused === 1);
    const [refused] = await watchedRows(desk, 'refused');
    expect(refused).toMatchObject({ path: 'take.bin', verdict: { kind: 'skip', clause: { kind: 'not-included' } } });
    await sweepNow(desk, id);
    expect(await desk.rows()).toEqual([]);
    await desk.engine.call('watch.edit', { folderId: id, rules });
    await whenWatched(desk, allDone(1));
    expect(await complete(desk)).toEqual(['take.bin']);
  });

  it('that match everything still skip hidden, partial and system files', async ({ desk }) => {
    await desk.reopen(WITHOUT_EVENTS);
    startStation(desk);
    const left = ['.hidden.bin', 'take.bin.part', '~$notes.docx', 'Thumbs.db', '.Trash-0/old.bin', '_UNPACK_x/a.bin'];
    for (const name of ['take.bin', 'sub/deep/take.bin', 'no extension', ...left]) desk.put(`in/${name}`, name);
    const rules = rulesFor(desk, { rules: [rule(['**', '**/*', '*'], { kind: 'upload', settings: {} })] });
    await watchFolder(desk, join(desk.dir, 'in'), rules);
    await whenWatched(desk, allDone(3));
    expect(await complete(desk)).toEqual(['no extension', 'take.bin', 'take.bin']);
    const refused = (await watchedRows(desk, 'refused')).map(({ path }) => path);
    // The contents of a hidden folder are not even listed.
    expect(refused.sort()).toEqual(left.filter((name) => name !== '.Trash-0/old.bin').sort());
  });
});

describe('a watched folder whose collection is deleted', () => {
  it('has its new uploads fail with a reason; the user can upload each file to another collection, once', async ({
    desk,
  }) => {
    await desk.reopen(WITHOUT_EVENTS);
    startStation(desk);
    const { siteId, collectionId } = desk;
    desk.put('in/first.bin', 'the first recording');
    const { id } = await watchFolder(desk, join(desk.dir, 'in'));
    await whenWatched(desk, allDone(1));
    await desk.engine.whenUploadsIdle();
    await desk.engine.call('library.deleteCollections', {
      siteId,
      collectionIds: [collectionId],
      confirmed: { collectionIds: [collectionId], items: 1 },
    });
    desk.put('in/second.bin', 'the second recording');
    await sweepNow(desk, id);
    const failed = await desk.whenRow(({ fileName, error }) => fileName === 'second.bin' && error !== null);
    expect(failed.error).toMatchObject({
      code: 'collection.unknown',
      message: 'The collection of these uploads no longer exists.',
    });
    const [row] = await watchedRows(desk, 'recent');
    expect(row).toMatchObject({ path: 'second.bin', uploadId: failed.id, uploadState: 'failed' });

    const other = await makeCollection(desk.engine, siteId, 'another');
    await desk.engine.call('watch.edit', { folderId: id, rules: rulesFor({ siteId, collectionId: other }) });
    await desk.engine.call('uploads.cancel', { kind: 'ids', ids: [failed.id] });
    await whenWatched(desk, allDone(2));
    await desk.engine.call('watch.uploadAnyway', { fileIds: [row?.id ?? ''] });
    await desk.whenRow(({ fileName, state }) => fileName === 'second.bin' && state === 'complete');
    expect(await complete(desk)).toEqual(['first.bin', 'second.bin']);
  });
});
