// File systems that give the number 0 to all files, as some network and FAT drives do, and two drives with one device number.
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { nodeFiles } from '../../../../electron/engine/ports/system/node-files.ts';
import { createFolderWalker } from '../../../../electron/engine/ports/system/node-folder-walker.ts';
import type { Volumes } from '../../../../electron/engine/ports/volumes.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { filesWithIdentity, walkerWithoutNumbers } from '../../../helpers/engine/files-with-identity.ts';
import { startStation, WITHOUT_EVENTS, watchFolder, whenWatched } from '../../../helpers/engine/watch-desk.ts';

const it = deskTest();

const AT = new Date(2026, 10, 22, 14);

/** Writes a file with the same time as all others. */
function put(desk: Desk, name: string, contents: string): string {
  const path = desk.put(name, contents);
  utimesSync(path, AT, AT);
  return path;
}

async function outcomes(desk: Desk): Promise<string[]> {
  await desk.run();
  return (await desk.rows()).map(({ fileName, state, error }) => `${fileName}: ${error?.code ?? state}`);
}

describe('a drive without file numbers', () => {
  it.override({
    speed: 20,
    host: {
      ...WITHOUT_EVENTS,
      files: filesWithIdentity(nodeFiles, (identity) => `${identity.split(':')[0]}:0`),
      folderWalker: walkerWithoutNumbers(createFolderWalker(nodeClock)),
    },
  });

  it('loses no sub-folder of an added folder', async ({ desk }) => {
    for (const name of ['in/1.bin', 'in/a/2.bin', 'in/a/b/3.bin', 'in/c/4.bin']) put(desk, name, `contents of ${name}`);
    expect(await desk.add([join(desk.dir, 'in')])).toMatchObject({ added: 4, skippedCount: 0 });
    expect(await outcomes(desk)).toEqual(['1.bin', '2.bin', '3.bin', '4.bin'].map((name) => `${name}: complete`));
  });

  it('keeps recordings of one size and time apart, also from one that was sent before', async ({ desk }) => {
    await desk.add([put(desk, 'one.bin', 'recording 1')]);
    await outcomes(desk);
    const others = [put(desk, 'two.bin', 'recording 2'), put(desk, 'three.bin', 'recording 3')];
    expect(await desk.add(others, { duplicates: 'skip' })).toMatchObject({ added: 2, skippedCount: 0 });
    expect(await outcomes(desk)).toEqual(['one.bin: complete', 'two.bin: complete', 'three.bin: complete']);
  });

  it('sends a file that was rewritten in place, and none that is a link now', async ({ desk }) => {
    const [rewritten, swapped] = [put(desk, 'in/1.bin', 'recording'), put(desk, 'in/2.bin', 'recording 2')];
    await desk.add([join(desk.dir, 'in')]);
    writeFileSync(rewritten, 'a longer recording');
    rmSync(swapped);
    symlinkSync(put(desk, 'private/2.bin', 'recording 3'), swapped);
    expect(await outcomes(desk)).toEqual(['1.bin: complete', '2.bin: file.is-link']);
  });

  it('uploads all recordings of one size and time from a watched folder', async ({ desk }) => {
    startStation(desk);
    for (const number of [1, 2, 3]) put(desk, `in/${number}.bin`, `recording ${number}`);
    await watchFolder(desk, join(desk.dir, 'in'));
    await whenWatched(desk, ([folder]) => folder?.counts.done === 3);
    expect((await desk.rows()).map(({ state }) => state)).toEqual(['complete', 'complete', 'complete']);
  });

  it('offers no other folder when a watched one is missing', async ({ desk }) => {
    startStation(desk);
    mkdirSync(join(desk.dir, 'in'));
    mkdirSync(join(desk.dir, 'other'));
    await watchFolder(desk, join(desk.dir, 'in'));
    await whenWatched(desk, ([folder]) => folder?.lastSweepAt !== null);
    rmSync(join(desk.dir, 'in'), { recursive: true });
    await desk.reopen();
    startStation(desk);
    await whenWatched(desk, ([folder]) => folder?.notice?.code === 'watch.root-missing');
  });
});

describe('two drives with one device number and the same file numbers', () => {
  /** The drive that is mounted at each path; the first folder of the desk is the mount point. */
  const volumes: Volumes = {
    of(path) {
      const [, mountPoint = '/', name = ''] = /^(.*\/mediadesk-desk-[^/]+\/(card [ab]))/.exec(path) ?? [];
      const own = { mountPoint, name, isNetwork: false, isCertain: true, hasFileNumbers: true };
      return { ...own, key: name === '' ? 'uuid:system' : `uuid:${mounted.get(name) ?? name}` };
    },
    mountPoints: () => [],
  };
  const mounted = new Map<string, string>();

  it.override({ speed: 20, host: { volumes, files: filesWithIdentity(nodeFiles, () => '7:5') } });

  it('are both searched, and their files with one name, size and time are both sent', async ({ desk }) => {
    put(desk, 'card a/DCIM/MVI_0001.bin', 'recording 1');
    put(desk, 'card b/DCIM/MVI_0001.bin', 'recording 2');
    await desk.add([join(desk.dir, 'card a'), join(desk.dir, 'card b')]);
    expect(await outcomes(desk)).toEqual(['MVI_0001.bin: complete', 'MVI_0001.bin: complete']);
    expect(new Set((await desk.rows()).map(({ sha256 }) => sha256)).size).toBe(2);
  });

  it('never send the file of one under the title of the other: the upload waits for its drive', async ({ desk }) => {
    put(desk, 'card a/DCIM/MVI_0001.bin', 'recording 1');
    await desk.add([join(desk.dir, 'card a')]);
    renameSync(join(desk.dir, 'card a'), join(desk.dir, '.pulled'));
    mounted.set('card a', 'another');
    try {
      put(desk, 'card a/DCIM/MVI_0001.bin', 'recording 2');
      const waits = desk.whenRow(({ error }) => error?.code === 'file.drive-gone');
      desk.engine.startUploads();
      expect(await waits).toMatchObject({ state: 'waiting', attempts: 0, sentBytes: 0 });
    } finally {
      mounted.clear();
    }
  });
});
