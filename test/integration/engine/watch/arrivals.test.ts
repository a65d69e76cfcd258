import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { deskTest } from '../../../helpers/engine/desk.ts';
import {
  rulesFor,
  startStation,
  WITHOUT_EVENTS,
  watchedRows,
  watchFolder,
  whenWatched,
} from '../../../helpers/engine/watch-desk.ts';
import { sound } from '../../../torture/engine/story-files.ts';

const it = deskTest();

it.override({ speed: 10 });

const done = (count: number) => (folders: { counts: Record<string, number> }[]) =>
  folders.reduce((sum, { counts }) => sum + (counts.done ?? 0), 0) >= count;

describe('a recording that arrives in a watched folder', () => {
  it('is uploaded once when it has not changed for its quiet time', async ({ desk }) => {
    startStation(desk);
    await watchFolder(desk, desk.dir);
    await whenWatched(desk, ([folder]) => folder?.lastSweepAt !== null);
    desk.put('lecture.bin', 'moving pictures');
    await whenWatched(desk, done(1));
    const rows = await desk.rows();
    expect(rows.map(({ fileName, state }) => [fileName, state])).toEqual([['lecture.bin', 'complete']]);
    const [recent] = await watchedRows(desk, 'recent');
    expect(recent).toMatchObject({ path: 'lecture.bin', state: 'done', uploadState: 'complete', isGone: false });
    expect(recent?.verdict).toMatchObject({ kind: 'upload', ruleId: 'defaults' });
  });

  it('is found by the sweep when the system reports no change', async ({ desk }) => {
    await desk.reopen(WITHOUT_EVENTS);
    startStation(desk);
    await watchFolder(desk, desk.dir);
    await whenWatched(desk, ([folder]) => folder?.lastSweepAt !== null);
    mkdirSync(join(desk.dir, 'monday'));
    desk.put('monday/talk.bin', 'sound');
    const [folder] = await desk.engine.call('watch.list', null);
    await desk.engine.call('watch.sweepNow', { folderId: folder?.id ?? '' });
    await whenWatched(desk, done(1));
    expect((await desk.rows()).map(({ path }) => path)).toEqual([join(desk.dir, 'monday/talk.bin')]);
  });

  it('is listed as recent, and a file that existed before as skipped with that reason', async ({ desk }) => {
    startStation(desk);
    desk.put('before.bin', 'was there before');
    await watchFolder(desk, desk.dir, rulesFor(desk, { existingFiles: 'skip' }));
    await whenWatched(desk, done(1));
    desk.put('lecture.bin', 'moving pictures');
    await whenWatched(desk, done(2));
    const listed = async (filter: 'recent' | 'refused') => (await watchedRows(desk, filter)).map(({ path }) => path);
    expect(await listed('recent')).toEqual(['lecture.bin']);
    expect(await listed('refused')).toEqual(['before.bin']);
    const [before] = await watchedRows(desk, 'refused');
    expect(before).toMatchObject({ uploadId: null, verdict: { kind: 'skip', clause: { kind: 'existing' } } });
    const [folder] = await desk.engine.call('watch.list', null);
    expect(folder).toMatchObject({ counts: { done: 2 }, unsent: 1 });
  });

  it('is uploaded although its modification time is from years ago', async ({ desk }) => {
    startStation(desk);
    await watchFolder(desk, desk.dir);
    const path = desk.put('old.bin', 'recorded last year');
    utimesSync(path, 1_600_000_000, 1_600_000_000);
    await whenWatched(desk, done(1));
    expect(await desk.rows()).toHaveLength(1);
  });

  it('is uploaded under its final name when a program wrote it under a temporary one', async ({ desk }) => {
    startStation(desk);
    await watchFolder(desk, desk.dir);
    const part = desk.put('take.bin.part', 'moving');
    await whenWatched(desk, ([folder]) => folder?.counts.refused === 1);
    writeFileSync(part, 'moving pictures');
    renameSync(part, join(desk.dir, 'take.bin'));
    await whenWatched(desk, done(1));
    expect((await desk.rows()).map(({ fileName }) => fileName)).toEqual(['take.bin']);
  });

  it('is uploaded with captions that arrive while it settles', async ({ desk }) => {
    startStation(desk);
    await watchFolder(desk, desk.dir);
    desk.put('talk.wav', sound(20_000));
    await whenWatched(desk, ([folder]) => folder?.counts.settling === 1);
    desk.put('talk.en.vtt', 'WEBVTT\n\n00:00.000 --> 00:01.000\nhello\n');
    await whenWatched(desk, done(1));
    await desk.engine.whenUploadsIdle();
    const [row, ...others] = await desk.rows();
    expect(others).toEqual([]);
    expect(row?.followUps).toMatchObject([{ kind: 'captions', fileName: 'talk.en.vtt', state: 'done' }]);
  });
});
