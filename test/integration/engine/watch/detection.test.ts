import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { FolderEventListeners, FolderEvents } from '../../../../electron/engine/ports/folder-events.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import { deskTest } from '../../../helpers/engine/desk.ts';
import {
  rulesFor,
  startStation,
  sweepNow,
  WITHOUT_EVENTS,
  watchFolder,
  whenWatched,
} from '../../../helpers/engine/watch-desk.ts';
import { sound } from '../../../torture/engine/story-files.ts';

const it = deskTest();

it.override({ speed: 10 });

describe('a file that is still written', () => {
  it('is uploaded once, complete, although its writer pauses longer than the shortest quiet time', async ({
    desk,
    clock,
  }) => {
    await desk.reopen(WITHOUT_EVENTS);
    startStation(desk);
    const path = desk.put('slow.bin', 'x');
    await watchFolder(desk, desk.dir, undefined, 10_000);
    // Four writes with breaks of 8 s: the quiet time grows to 24 s with the first of them.
    for (let write = 0; write < 4; write += 1) {
      await new Promise<void>((resolve) => void clock.schedule(8000, resolve));
      appendFileSync(path, 'x');
    }
    await new Promise<void>((resolve) => void clock.schedule(15_000, resolve));
    expect(await desk.rows()).toEqual([]);
    appendFileSync(path, 'the end');
    await whenWatched(desk, ([folder]) => folder?.counts.done === 1);
    expect((await desk.rows()).map(({ sizeBytes, state }) => [sizeBytes, state])).toEqual([[12, 'complete']]);
  });

  it('is uploaded under its new path when its folder “_UNPACK_…” gets the final name', async ({ desk }) => {
    startStation(desk);
    await watchFolder(desk, desk.dir);
    await whenWatched(desk, ([folder]) => folder?.state === 'watching' && folder.lastSweepAt !== null);
    mkdirSync(join(desk.dir, '_UNPACK_week'));
    writeFileSync(join(desk.dir, '_UNPACK_week/talk.bin'), 'a talk');
    await whenWatched(desk, ([folder]) => folder?.counts.refused === 1);
    renameSync(join(desk.dir, '_UNPACK_week'), join(desk.dir, 'week'));
    await whenWatched(desk, ([folder]) => folder?.counts.done === 1);
    expect((await desk.rows()).map(({ path }) => path)).toEqual([join(desk.dir, 'week/talk.bin')]);
  });
});

describe('events of the system', () => {
  it('start a poll of a file that was incomplete for hours, although its size and time are unchanged', {
    timeout: 300_000,
  }, async ({ desk, clock }) => {
    let listeners: FolderEventListeners | null = null;
    const folderEvents: FolderEvents = {
      subscribe(_root, given) {
        listeners = given;
        given.onReady();
        return async () => {};
      },
    };
    await desk.reopen({ folderEvents });
    startStation(desk);
    const complete = sound(20_000);
    const unfinished = Buffer.from(complete);
    unfinished.writeUInt32LE(0xffff_ffff, 4);
    const path = desk.put('take.wav', unfinished);
    const recordedAt = new Date(2026, 10, 22, 14);
    utimesSync(path, recordedAt, recordedAt);
    await watchFolder(desk, desk.dir);
    clock.setSpeed(600);
    await whenWatched(desk, ([folder]) => folder?.counts.incomplete === 1);
    // After three hours, its polls are an hour apart.
    clock.setSpeed(3000);
    await new Promise<void>((resolve) => void clock.schedule(3 * 3_600_000, resolve));
    // Slow, so that a slow computer needs less than the five minutes below.
    clock.setSpeed(2);
    const file = openSync(path, 'r+');
    writeSync(file, complete.subarray(0, 8));
    closeSync(file);
    utimesSync(path, recordedAt, recordedAt);
    const changedAt = clock.now();
    (listeners as FolderEventListeners | null)?.onHint({ path: 'take.wav', isFolder: false });
    await whenWatched(desk, ([folder]) => folder?.counts.done === 1);
    expect(clock.now() - changedAt).toBeLessThan(5 * 60_000);
    expect((await desk.rows()).map(({ fileName, state }) => [fileName, state])).toEqual([['take.wav', 'complete']]);
  });

  it('are replaced by one listing of their folder when 20,000 arrive at once', async ({ desk }) => {
    let listeners: FolderEventListeners | null = null;
    const events: FolderEvents = {
      subscribe(_root, given) {
        listeners = given;
        given.onReady();
        return async () => {};
      },
    };
    await desk.reopen({ folderEvents: events });
    startStation(desk);
    // The rule skips these files, so that they are known but not uploaded.
    const rules = rulesFor(desk, {
      rules: [
        {
          id: 'x',
          name: 'x',
          enabled: true,
          conditions: { include: ['*.x'], exclude: [], minSizeBytes: 0, minAgeMs: 0 },
          action: { kind: 'skip' },
        },
      ],
    });
    await watchFolder(desk, desk.dir, rules);
    // When the events are ready, a second sweep is planned; after that one, the next is minutes away.
    await whenWatched(desk, ([folder]) => {
      const { lastSweepAt = null, nextSweepAt = null, isSweeping = true } = folder ?? {};
      return !isSweeping && lastSweepAt !== null && nextSweepAt !== null && nextSweepAt > lastSweepAt + 60_000;
    });
    const [swept] = await desk.engine.call('watch.list', null);
    // Only a listing finds this file: no event names it.
    desk.put('many/unnamed.x', 'x');
    for (let file = 0; file < 20_000; file += 1) {
      (listeners as FolderEventListeners | null)?.onHint({ path: `many/${file}.x`, isFolder: false });
    }
    await whenWatched(desk, ([folder]) => folder?.counts.refused === 1);
    const [listed] = await desk.engine.call('watch.list', null);
    expect(listed?.lastSweepAt).toBe(swept?.lastSweepAt);
  });

  it('are replaced by sweeps when the system can’t watch more folders', async ({ desk }) => {
    const events: FolderEvents = {
      subscribe(_root, { onFault }) {
        onFault(appError('watch.events-limit', { details: { reason: 'ENOSPC' } }));
        return async () => {};
      },
    };
    await desk.reopen({ folderEvents: events });
    startStation(desk);
    const { id } = await watchFolder(desk, desk.dir);
    await whenWatched(desk, ([folder]) => folder?.state === 'sweep-only');
    const [folder] = await desk.engine.call('watch.list', null);
    expect(folder?.notice).toMatchObject({ code: 'watch.events-limit' });
    expect(folder?.notice?.nextStep).toContain('fs.inotify.max_user_watches');
    desk.put('take.bin', 'a recording');
    await sweepNow(desk, id);
    await whenWatched(desk, ([shown]) => shown?.counts.done === 1);
  });

  it('are used again when the limit of the system was raised and the folder is paused and resumed', async ({
    desk,
  }) => {
    let isLimited = true;
    const events: FolderEvents = {
      subscribe(_root, { onFault, onReady }) {
        if (isLimited) onFault(appError('watch.events-limit', { details: { reason: 'ENOSPC' } }));
        else onReady();
        return async () => {};
      },
    };
    await desk.reopen({ folderEvents: events });
    startStation(desk);
    const { id } = await watchFolder(desk, desk.dir);
    await whenWatched(desk, ([folder]) => folder?.state === 'sweep-only');
    const pauseAndResume = async () => {
      await desk.engine.call('watch.pause', { folderId: id });
      await desk.engine.call('watch.resume', { folderId: id });
    };
    await pauseAndResume();
    await whenWatched(desk, ([folder]) => folder?.state === 'sweep-only');
    isLimited = false;
    await pauseAndResume();
    await whenWatched(desk, ([folder]) => folder?.state === 'watching' && folder.notice === null);
  });
});
