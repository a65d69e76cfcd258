import { describe, expect } from 'vitest';
import type { OpenFiles } from '../../../../electron/engine/ports/open-files.ts';
import type { WatchRules } from '../../../../shared/contract/watch-rules.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import {
  rulesFor,
  startStation,
  WITHOUT_EVENTS,
  watchFolder,
  whenWatched,
} from '../../../helpers/engine/watch-desk.ts';

const it = deskTest();

it.override({ speed: 10 });

/** A check for open files that answers only after `release`. `whenAsked` resolves when it is called first. */
function heldOpenFiles() {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const openFiles: OpenFiles = {
    async isOpenForWriting() {
      asked.resolve();
      await held.promise;
      return false;
    },
  };
  return { openFiles, whenAsked: asked.promise, release: held.resolve };
}

function skipAll(desk: Desk): WatchRules {
  const conditions = { include: ['*.bin'], exclude: [], minSizeBytes: 0, minAgeMs: 0 };
  return rulesFor(desk, { rules: [{ id: 'x', name: 'x', enabled: true, conditions, action: { kind: 'skip' } }] });
}

describe('a file that is being polled', () => {
  it('is decided by the rules that are saved meanwhile', async ({ desk }) => {
    const { openFiles, whenAsked, release } = heldOpenFiles();
    await desk.reopen({ ...WITHOUT_EVENTS, openFiles });
    startStation(desk);
    desk.put('take.bin', 'a recording');
    const { id } = await watchFolder(desk, desk.dir);
    await whenAsked;
    await desk.engine.call('watch.edit', { folderId: id, rules: skipAll(desk) });
    release();
    await whenWatched(desk, ([folder]) => folder?.counts.settling === 0);
    expect((await desk.engine.call('watch.list', null))[0]?.counts).toMatchObject({ refused: 1, queued: 0, done: 0 });
    expect(await desk.rows()).toEqual([]);
  });

  it('is not queued when its folder is paused meanwhile, until the folder is resumed', async ({ desk, clock }) => {
    const { openFiles, whenAsked, release } = heldOpenFiles();
    await desk.reopen({ ...WITHOUT_EVENTS, openFiles });
    startStation(desk);
    desk.put('take.bin', 'a recording');
    const { id } = await watchFolder(desk, desk.dir);
    await whenAsked;
    await desk.engine.call('watch.pause', { folderId: id });
    release();
    // Long enough for the poll to end, which would queue the file if its folder were not paused.
    await new Promise<void>((resolve) => void clock.schedule(10_000, resolve));
    expect(await desk.rows()).toEqual([]);
    await desk.engine.call('watch.resume', { folderId: id });
    await whenWatched(desk, ([folder]) => folder?.counts.done === 1);
    expect((await desk.rows()).map(({ state }) => state)).toEqual(['complete']);
  });
});
