// Files that other programs have open, and files that are read-only.
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { createFileMover } from '../../../electron/engine/ports/system/node-file-mover.ts';
import { nodeSaveFile } from '../../../electron/engine/ports/system/node-save-file.ts';
import { deskTest } from '../../helpers/engine/desk.ts';
import { startStation, sweepNow, WITHOUT_EVENTS, watchFolder, whenCounted } from '../../helpers/engine/watch-desk.ts';
import { holdFile } from '../hold-file.ts';

const it = deskTest();

it.override({ speed: 50, host: WITHOUT_EVENTS });

const mover = createFileMover(null);

describe('a file that another program has open without sharing it', () => {
  it('waits in the queue with the reason, and is sent when the program closes it', async ({ desk }) => {
    const path = desk.put('talk.bin', 'a talk');
    await desk.add();
    const release = holdFile(path);
    desk.engine.startUploads();
    await desk.whenRow(({ error }) => error?.code === 'file.locked');
    release();
    await desk.whenRow(({ state }) => state === 'complete');
  });

  it('is not uploaded from a watched folder until it is closed, and then with all of its bytes', async ({ desk }) => {
    const root = join(desk.dir, 'in');
    mkdirSync(root);
    const { id } = await watchFolder(desk, root);
    startStation(desk);
    const path = join(root, 'talk.bin');
    writeFileSync(path, 'first');
    const release = holdFile(path);
    await sweepNow(desk, id);
    await whenCounted(desk, 'settling', 1);
    await sweepNow(desk, id);
    expect(await desk.rows()).toEqual([]);
    release();
    appendFileSync(path, ' and last');
    await sweepNow(desk, id);
    await desk.whenRow(({ state }) => state === 'complete');
    expect((await desk.row('talk.bin')).sizeBytes).toBe('first and last'.length);
  });

  it('is moved when the program closes it within a second', async ({ desk }) => {
    const path = desk.put('talk.bin', 'a talk');
    const release = holdFile(path);
    const moved = mover.rename(path, join(desk.dir, 'moved.bin'));
    setTimeout(release, 300);
    expect(await moved).toBe('done');
    expect(readFileSync(join(desk.dir, 'moved.bin'), 'utf8')).toBe('a talk');
  });

  it('is not moved while the program keeps it, and the report names it', async ({ desk }) => {
    const path = desk.put('talk.bin', 'a talk');
    const release = holdFile(path);
    await expect(mover.rename(path, join(desk.dir, 'moved.bin'))).rejects.toMatchObject({
      code: 'source.in-use',
      details: { path },
    });
    release();
    expect([existsSync(path), existsSync(join(desk.dir, 'moved.bin'))]).toEqual([true, false]);
  });

  it('is replaced by an export when the program closes it within a second, and is named otherwise', async ({
    desk,
  }) => {
    const path = desk.put('list.csv', 'before');
    const release = holdFile(path);
    const saved = nodeSaveFile(path, [Buffer.from('after')]);
    setTimeout(release, 300);
    await saved;
    expect(readFileSync(path, 'utf8')).toBe('after');
    const releaseAgain = holdFile(path);
    await expect(nodeSaveFile(path, [Buffer.from('again')])).rejects.toMatchObject({ code: 'manifest.file-in-use' });
    releaseAgain();
    expect(readFileSync(path, 'utf8')).toBe('after');
  });
});

describe('a read-only file', () => {
  it('is uploaded, and moved afterwards', async ({ desk }) => {
    const path = desk.put('talk.bin', 'a talk');
    chmodSync(path, 0o444);
    const folder = join(desk.dir, 'sent');
    mkdirSync(folder);
    await desk.add([path], { source: { kind: 'move', folder } });
    await desk.run();
    expect(await desk.rows()).toMatchObject([{ state: 'complete', error: null }]);
    expect([existsSync(path), existsSync(join(folder, 'talk.bin'))]).toEqual([false, true]);
  });
});
