import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openQueueStore } from '../../../../electron/engine/store/open-queue-store.ts';
import { makeFolderPrivate, makePrivate } from '../../../../electron/engine/store/private-files.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

/** The files that SQLite, this program and a crash leave in the folder of a profile. */
const OURS = /^(queue|profile)\./;

let folder: string;
let umaskBefore: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'private-files-'));
  // A folder that every user can read, and a umask that gives every user all rights.
  chmodSync(folder, 0o777);
  umaskBefore = process.umask(0);
});
afterEach(() => {
  process.umask(umaskBefore);
  rmSync(folder, { recursive: true, force: true });
});

const modes = () =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => OURS.test(name))
      .map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
  );
const open = () => openQueueStore(folder, new ManualClock());

/** Returns the modes of the files of an open queue, which include the write-ahead log and the shared memory file. */
async function whileOpen(): Promise<Record<string, string>> {
  const store = await open();
  try {
    store.database.exec('CREATE TABLE IF NOT EXISTS touched (id INTEGER); INSERT INTO touched VALUES (1)');
    return modes();
  } finally {
    store.close();
  }
}

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

describe.skipIf(process.platform === 'win32')('the folder of a profile', () => {
  test.each([
    ['is new', () => {}],
    ['has a queue', () => writeFileSync(join(folder, 'queue.db'), '')],
  ])('is made private when it %s', async (_, prepare) => {
    prepare();
    (await open()).close();
    expect(modeOf(folder)).toBe('700');
  });

  test('keeps its mode, and that of its files, on Windows, where modes say nothing', () => {
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, 'queue.db'), '', { mode: 0o644 });
    chmodSync(join(folder, 'queue.db'), 0o644);
    makeFolderPrivate(folder, '/home/ann', 'win32');
    expect(makePrivate(join(folder, 'queue.db'), 'win32')).toEqual([]);
    expect([modeOf(folder), modeOf(join(folder, 'queue.db'))]).toEqual(['755', '644']);
    makeFolderPrivate(folder, '/home/ann', 'darwin');
    expect(makePrivate(join(folder, 'queue.db'), 'darwin')).toEqual([]);
    expect([modeOf(folder), modeOf(join(folder, 'queue.db'))]).toEqual(['700', '600']);
  });

  test('keeps its mode when it has the files of something else, belongs to all users, or is the home folder', () => {
    chmodSync(folder, 0o755);
    makeFolderPrivate(folder, folder);
    expect(modeOf(folder)).toBe('755');
    writeFileSync(join(folder, 'thesis.odt'), '');
    makeFolderPrivate(folder, '/home/ann');
    expect(modeOf(folder)).toBe('755');
    writeFileSync(join(folder, 'queue.db'), '');
    chmodSync(folder, 0o1777);
    makeFolderPrivate(folder, '/home/ann');
    expect(modeOf(folder)).toBe('1777');
  });
});

describe.skipIf(process.platform === 'win32')('the queue of a profile', () => {
  test('is readable by its owner only, also with a umask of 0', async () => {
    const found = await whileOpen();
    expect(Object.keys(found)).toEqual(
      expect.arrayContaining(['profile.lock', 'queue.db', 'queue.db-wal', 'queue.db-shm']),
    );
    expect(new Set(Object.values(found))).toEqual(new Set(['600']));
  });

  test('is made private again when an earlier version left it readable', async () => {
    await whileOpen();
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o666);
    expect(new Set(Object.values(await whileOpen()))).toEqual(new Set(['600']));
  });

  test('is renamed, and readable by its owner only, when it is damaged', async () => {
    writeFileSync(join(folder, 'queue.db.damaged-2020-01-01T00-00-00-000Z-12345678'), 'private', { mode: 0o644 });
    writeFileSync(join(folder, 'queue.db.damaged-2020-01-01T00-00-00-000Z-12345678-wal'), 'private', { mode: 0o644 });
    writeFileSync(join(folder, 'queue.db'), 'this is no database, but it has private text '.repeat(100), {
      mode: 0o644,
    });
    const found = await whileOpen();
    expect(Object.keys(found).filter((name) => name.includes('.damaged-'))).toHaveLength(3);
    expect(new Set(Object.values(found))).toEqual(new Set(['600']));
  });

  test('changes no other files in the folder', async () => {
    const foreign = join(folder, 'queues.txt');
    writeFileSync(foreign, 'x', { mode: 0o644 });
    await whileOpen();
    expect(statSync(foreign).mode & 0o777).toBe(0o644);
  });
});
