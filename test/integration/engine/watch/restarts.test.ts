import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { deskTest } from '../../../helpers/engine/desk.ts';
import {
  startStation,
  sweepNow,
  WITHOUT_EVENTS,
  watchFolder,
  whenWatched,
} from '../../../helpers/engine/watch-desk.ts';

const it = deskTest();

it.override({ speed: 10, host: WITHOUT_EVENTS });

describe('a station', () => {
  it('uploads, once, a file that was settling before a restart', async ({ desk }) => {
    startStation(desk);
    desk.put('take.bin', 'a recording');
    await watchFolder(desk, desk.dir);
    await whenWatched(desk, ([folder]) => folder?.counts.settling === 1);
    await desk.reopen();
    startStation(desk);
    await whenWatched(desk, ([folder]) => folder?.counts.done === 1);
    expect((await desk.rows()).map(({ fileName, state }) => [fileName, state])).toEqual([['take.bin', 'complete']]);
  });

  it('uploads no contents again after a restart', async ({ desk }) => {
    startStation(desk);
    desk.put('take.bin', 'a recording');
    const { id } = await watchFolder(desk, desk.dir);
    await whenWatched(desk, ([folder]) => folder?.counts.done === 1);
    await desk.reopen();
    startStation(desk);
    await sweepNow(desk, id);
    const [folder] = await desk.engine.call('watch.list', null);
    expect(folder?.counts).toMatchObject({ done: 1, settling: 0 });
    expect(await desk.rows()).toHaveLength(1);
  });

  it('uploads new contents that replace those of an uploaded file', async ({ desk }) => {
    startStation(desk);
    desk.put('take.bin', 'a recording');
    const { id } = await watchFolder(desk, desk.dir);
    await whenWatched(desk, ([folder]) => folder?.counts.done === 1);
    writeFileSync(join(desk.dir, 'take.bin'), 'another recording');
    await sweepNow(desk, id);
    await whenWatched(desk, async ([folder]) => folder?.counts.done === 1 && (await desk.rows()).length === 2);
    expect((await desk.rows()).map(({ sizeBytes, state }) => [sizeBytes, state])).toEqual([
      [11, 'complete'],
      [17, 'complete'],
    ]);
  });
});
