import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openDatabase, sqliteCodeOf } from '../../../../electron/engine/store/database.ts';
import { type DiskSync, SharedSync } from '../../../../electron/engine/store/wal-sync.ts';

/** A disk whose syncs complete when the test decides. */
function slowDisk() {
  const turns: { end(): void; fail(error: Error): void }[] = [];
  const disk: DiskSync = {
    sync: () => new Promise((end, fail) => void turns.push({ end, fail })),
    close: () => {},
  };
  return { disk, turns };
}

/** The current state of a promise. */
async function fateOf(promise: Promise<unknown>): Promise<'open' | 'kept' | 'broken'> {
  const fates = promise.then(
    () => 'kept' as const,
    () => 'broken' as const,
  );
  const turn = new Promise<'open'>((resolve) => setImmediate(() => resolve('open')));
  return Promise.race([fates, turn]);
}

describe('a group commit of the write-ahead log', () => {
  it('ends immediately when nothing was committed', async () => {
    const { disk, turns } = slowDisk();
    await new SharedSync(disk).whenDurable();
    expect(turns).toHaveLength(0);
  });

  it('syncs all earlier commits together', async () => {
    const { disk, turns } = slowDisk();
    const sync = new SharedSync(disk);
    sync.noteLazyCommit();
    const first = sync.whenDurable();
    const second = sync.whenDurable();
    expect(turns).toHaveLength(1);
    expect(await fateOf(second)).toBe('open');
    turns[0]?.end();
    await Promise.all([first, second]);
  });

  it('does not count a sync that began before the commit', async () => {
    const { disk, turns } = slowDisk();
    const sync = new SharedSync(disk);
    sync.noteLazyCommit();
    const first = sync.whenDurable();
    sync.noteLazyCommit();
    const second = sync.whenDurable();
    const third = sync.whenDurable();
    turns[0]?.end();
    await first;
    expect(await fateOf(second)).toBe('open');
    expect(turns).toHaveLength(2);
    turns[1]?.end();
    await Promise.all([second, third]);
    expect(turns).toHaveLength(2);
  });

  it('needs no sync when a durable commit included everything', async () => {
    const { disk, turns } = slowDisk();
    const sync = new SharedSync(disk);
    sync.noteLazyCommit();
    sync.noteDurableCommit();
    await sync.whenDurable();
    expect(turns).toHaveLength(0);
  });

  it('reports a failed sync to all waiting callers, and retries for the next', async () => {
    const { disk, turns } = slowDisk();
    const sync = new SharedSync(disk);
    sync.noteLazyCommit();
    const first = sync.whenDurable();
    turns[0]?.fail(new Error('EIO'));
    const error = await first.catch((thrown: unknown) => thrown);
    expect(sqliteCodeOf(error)).toBe(10);
    const second = sync.whenDurable();
    expect(turns).toHaveLength(2);
    turns[1]?.end();
    await second;
  });
});

/** Counts the syncs of the disk from now on; they complete normally. */
async function spyOnSyncs(folder: string) {
  const handle = await open(join(folder, 'any'), 'w');
  const syncs = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'datasync');
  await handle.close();
  return syncs;
}

describe('a database file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mediadesk-wal-'));
  afterEach(() => {
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true, force: true });
  });

  it('makes 50 lazy commits durable with two syncs, and has them all when it is opened again', async () => {
    const syncs = await spyOnSyncs(folder);
    const database = await openDatabase(join(folder, 'some.db'));
    database.exec('PRAGMA journal_mode = WAL; CREATE TABLE notes (text TEXT)');
    database.setDurable(false);
    const insert = database.prepare('INSERT INTO notes VALUES ($text)');
    const waits: Promise<void>[] = [];
    for (let index = 0; index < 50; index += 1) {
      insert.run({ text: `note ${index}` });
      waits.push(database.whenDurable());
    }
    await Promise.all(waits);
    // One sync started with the first commit, and one covers all later commits.
    expect(syncs).toHaveBeenCalledTimes(2);
    database.close();
    const again = await openDatabase(join(folder, 'some.db'));
    expect(again.prepare('SELECT count(*) AS n FROM notes').get()?.n).toBe(50);
    again.close();
  });
});
