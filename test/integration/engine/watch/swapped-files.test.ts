import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import {
  startStation,
  sweepNow,
  WITHOUT_EVENTS,
  watchedRows,
  watchFolder,
  whenWatched,
} from '../../../helpers/engine/watch-desk.ts';

const it = deskTest();

it.override({ speed: 10, host: WITHOUT_EVENTS });

/** Queues a file of a watched folder, and keeps it from being sent. */
async function queued(desk: Desk): Promise<string> {
  await desk.engine.call('settings.set', { patch: { limitBytesPerSecond: 0 } });
  startStation(desk);
  desk.put('in/sub/rec.bin', 'a recording');
  const { id } = await watchFolder(desk, join(desk.dir, 'in'));
  await whenWatched(desk, ([folder]) => folder?.counts.queued === 1);
  return id;
}

describe('a queued file of a watched folder', () => {
  it('is not sent from elsewhere when its folder is replaced by a link, also to a file of its size and time', async ({
    desk,
  }) => {
    await queued(desk);
    const path = join(desk.dir, 'in/sub/rec.bin');
    const { mtime } = statSync(path);
    const other = desk.put('private/rec.bin', 'b recording');
    utimesSync(other, mtime, mtime);
    rmSync(join(desk.dir, 'in/sub'), { recursive: true });
    symlinkSync(join(desk.dir, 'private'), join(desk.dir, 'in/sub'));
    await desk.engine.call('settings.set', { patch: { limitBytesPerSecond: null } });
    const failed = await desk.whenRow(({ state }) => state === 'failed' || state === 'complete');
    expect(failed.error?.code).toBe('file.is-link');
  });

  it('is uploaded anew, as the file that is there now, when another file got its name', async ({ desk }) => {
    const id = await queued(desk);
    renameSync(desk.put('in/new.part', 'another recording'), join(desk.dir, 'in/sub/rec.bin'));
    await desk.engine.call('settings.set', { patch: { limitBytesPerSecond: null } });
    await desk.whenRow(({ error }) => error?.code === 'file.replaced');
    await sweepNow(desk, id);
    const sent = await desk.whenRow(({ state }) => state === 'complete');
    expect(sent.sizeBytes).toBe(17);
  });
});

describe('a file of a watched folder that waits', () => {
  it('is refused when it becomes a link before it is complete', async ({ desk }) => {
    startStation(desk);
    const path = desk.put('in/rec.bin', 'a recording');
    const { id } = await watchFolder(desk, join(desk.dir, 'in'));
    await sweepNow(desk, id);
    rmSync(path);
    mkdirSync(join(desk.dir, 'private'));
    symlinkSync(desk.put('private/rec.bin', 'private'), path);
    await sweepNow(desk, id);
    await whenWatched(desk, async () => (await watchedRows(desk, 'refused'))[0]?.reason?.code === 'watch.is-link');
    expect(await desk.rows()).toEqual([]);
  });
});
