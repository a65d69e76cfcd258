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

describe('a watched folder', () => {
  const whenRoot = (desk: Desk, state: string) => whenWatched(desk, ([folder]) => folder?.state === state);

  it.for(['in', 'shows/in'])(
    'waits for a decision when a link to another folder replaces it, or a folder above: %s',
    async (place, { desk }) => {
      startStation(desk);
      desk.put(`${place}/rec.bin`, 'a recording');
      const { id } = await watchFolder(desk, join(desk.dir, place));
      await desk.whenRow(({ state }) => state === 'complete');
      desk.put('private/in/secret.bin', 'private');
      desk.put('private/secret.bin', 'private, too');
      const [top = ''] = place.split('/');
      renameSync(join(desk.dir, top), join(desk.dir, 'kept'));
      symlinkSync(join(desk.dir, 'private'), join(desk.dir, top));
      await desk.engine.call('watch.sweepNow', { folderId: id });
      await whenRoot(desk, 'moved');
      expect(await watchedRows(desk, 'settling')).toEqual([]);
      expect(await desk.rows()).toHaveLength(1);
    },
  );

  it('is still watched when it was moved and a link leads to it', async ({ desk }) => {
    startStation(desk);
    desk.put('in/rec.bin', 'a recording');
    const { id } = await watchFolder(desk, join(desk.dir, 'in'));
    await desk.whenRow(({ state }) => state === 'complete');
    renameSync(join(desk.dir, 'in'), join(desk.dir, 'elsewhere'));
    symlinkSync(join(desk.dir, 'elsewhere'), join(desk.dir, 'in'));
    desk.put('elsewhere/next.bin', 'the next recording');
    await sweepNow(desk, id);
    await desk.whenRow(({ path, state }) => path.endsWith('next.bin') && state === 'complete');
  });
});
