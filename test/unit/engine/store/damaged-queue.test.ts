import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Failpoints } from '../../../../electron/engine/ports/failpoints.ts';
import { NO_FAILPOINTS } from '../../../../electron/engine/ports/failpoints.ts';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { MIGRATIONS } from '../../../../electron/engine/store/migrations.ts';
import { openQueueStore } from '../../../../electron/engine/store/open-queue-store.ts';
import { SET_ASIDE } from '../../../../electron/engine/store/set-aside.ts';
import { BatchStore } from '../../../../electron/engine/uploads/journal/batch-store.ts';
import { UploadStore } from '../../../../electron/engine/uploads/journal/upload-store.ts';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { type FollowUp, newFollowUp } from '../../../../shared/model/uploads/follow-ups.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { UNTRIED } from '../../../../shared/model/uploads/upload-machine.ts';
import { storedRows } from '../../../helpers/data/upload-rows.ts';
import { asNobody } from '../../../helpers/system/nobody.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mediadesk-store-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const GARBAGE = 'this is no database, but it may be valuable '.repeat(100);
const codesOf = (notices: { code: string }[]) => notices.map(({ code }) => code);

const FOLLOW_UPS = [
  newFollowUp({ kind: 'captions', path: '/a.vtt', fileName: 'a.vtt' }),
  newFollowUp({ kind: 'source', path: '/a.wav', fileName: 'a.wav', source: { kind: 'move', folder: '/sent' } }),
];

function upload(number: number): Upload {
  return {
    id: `upload-${number}`,
    batchId: 'batch',
    siteId: 'site',
    collectionId: '1',
    path: `/${number}.wav`,
    fileName: `${number}.wav`,
    sizeBytes: 1,
    mtimeMs: 1,
    identity: '1:1',
    volume: '',
    title: `${number}`,
    byline: '',
    description: '',
    tags: [],
    publish: { kind: 'draft' },
    state: 'queued',
    ...UNTRIED,
    addedAt: 1,
    priority: 'normal',
    duplicates: 'ask',
    followUps: [],
  };
}

/** Creates a queue with `count` uploads, each with these follow-ups, and closes it. */
async function makeQueue(count: number, followUps: FollowUp[] = []): Promise<void> {
  const { database, close } = await openQueueStore(dir, nodeClock);
  const store = new UploadStore(database);
  const defaults = batchDefaultsSchema.parse({});
  new BatchStore(database).add({
    id: 'batch',
    siteId: 'site',
    collectionId: '1',
    collectionName: 'c',
    collectionRef: null,
    below: null,
    defaults,
    addedAt: 1,
    roots: [],
  });
  store.insert(
    Array.from({ length: count }, (_, index) => ({ ...upload(index), followUps })),
    (_, index) => index,
  );
  await store.whenDurable();
  close();
}

function change(sql: string): void {
  const connection = new DatabaseSync(join(dir, 'queue.db'));
  connection.exec(sql);
  connection.close();
}

describe('a queue that cannot be read', () => {
  it('is reported at every start until its renamed file is removed', async () => {
    writeFileSync(join(dir, 'queue.db'), GARBAGE);
    for (let start = 0; start < 2; start += 1) {
      const store = await openQueueStore(dir, nodeClock);
      expect(codesOf(store.notices)).toEqual(['profile.damaged']);
      store.close();
    }
    for (const name of readdirSync(dir)) if (name.includes('damaged')) rmSync(join(dir, name));
    const store = await openQueueStore(dir, nodeClock);
    expect(store.notices).toEqual([]);
    store.close();
  });

  it.each([1, 2])('is preserved with its last commits when the program is killed after rename %i', async (deathAt) => {
    class Death extends Error {}
    writeFileSync(join(dir, 'queue.db'), GARBAGE);
    writeFileSync(join(dir, 'queue.db-wal'), `log of ${GARBAGE}`);
    let renames = 0;
    const failpoints: Failpoints = {
      ...NO_FAILPOINTS,
      run(name, effect) {
        if (name === SET_ASIDE && ++renames === deathAt + 1) throw new Death();
        return effect();
      },
    };
    await expect(openQueueStore(dir, nodeClock, { failpoints })).rejects.toThrow(Death);
    const store = await openQueueStore(dir, nodeClock);
    expect(codesOf(store.notices)).toEqual(['profile.damaged']);
    const kept = readdirSync(dir).filter((name) => /damaged-.*(?<!-shm)$/.test(name));
    expect(kept.map((name) => readFileSync(join(dir, name), 'utf8')).sort()).toEqual(
      [`log of ${GARBAGE}`, GARBAGE].sort(),
    );
    store.close();
  });

  it('is detected from its WAL file when the database file is missing', async () => {
    writeFileSync(join(dir, 'queue.db-wal'), GARBAGE);
    const store = await openQueueStore(dir, nodeClock);
    expect(codesOf(store.notices)).toEqual(['profile.damaged']);
    store.close();
  });
});

describe('rows that are missing without an SQLite error', () => {
  it('are reported, and reported again at the next start', async () => {
    await makeQueue(5);
    rmSync(join(dir, 'queue.db'));
    for (let start = 0; start < 2; start += 1) {
      const store = await openQueueStore(dir, nodeClock);
      expect(store.notices.map(({ code, details }) => ({ code, details }))).toEqual([
        { code: 'profile.rows-missing', details: { missing: 5 } },
      ]);
      store.close();
    }
  });

  it('are not reported when the queue is complete', async () => {
    await makeQueue(5);
    const store = await openQueueStore(dir, nodeClock);
    expect(store.notices).toEqual([]);
    store.close();
  });
});

describe('an invalid row', () => {
  it.each([
    `tags = '{"torn'`,
    `publish = '[]'`,
    `error = '"x"'`,
    `destination = '{}'`,
    `tries = '7'`,
    `state = 'sendimg'`,
  ])('fails with a reason, and all other rows are unchanged: %s', async (damage) => {
    await makeQueue(3);
    change(`UPDATE uploads SET ${damage} WHERE id = 'upload-1'`);
    const { database, close } = await openQueueStore(dir, nodeClock);
    const rows = storedRows(database);
    expect(rows.map(({ id, state, error }) => [id, state, error?.code ?? null])).toEqual([
      ['upload-0', 'queued', null],
      ['upload-1', 'failed', 'profile.row-damaged'],
      ['upload-2', 'queued', null],
    ]);
    close();
  });
});

describe('a follow-up that can’t be read', () => {
  it.each([
    `UPDATE follow_ups SET kind = 'captious'`,
    `UPDATE follow_ups SET state = 'pendimg'`,
    `UPDATE follow_ups SET error = '{"torn'`,
    `UPDATE follow_ups SET error = '"x"'`,
    `UPDATE follow_ups SET tries = '7'`,
    `UPDATE follow_ups SET source = 'burn'`,
    `UPDATE follow_ups SET source_folder = NULL`,
    `UPDATE follow_ups SET position = position + 1`,
    `DELETE FROM follow_ups`,
  ])('fails its upload with a reason, and all others are unchanged: %s', async (damage) => {
    await makeQueue(3, FOLLOW_UPS);
    const which = damage.startsWith('DELETE') ? 'position = 0' : 'position = 1';
    change(`${damage} WHERE upload_seq = 2 AND ${which}`);
    const { database, close } = await openQueueStore(dir, nodeClock);
    const rows = storedRows(database);
    close();
    expect(rows.map(({ state, error, followUps }) => [state, error?.code ?? null, followUps])).toEqual([
      ['queued', null, FOLLOW_UPS],
      ['failed', 'profile.row-damaged', []],
      ['queued', null, FOLLOW_UPS],
    ]);
  });

  it('fails its upload also when the first start that detects it is interrupted', async () => {
    await makeQueue(1, FOLLOW_UPS);
    change(`UPDATE follow_ups SET kind = 'captious' WHERE position = 0`);
    class Death extends Error {}
    const failpoints: Failpoints = {
      ...NO_FAILPOINTS,
      run(name, effect) {
        if (name === 'store.delete.follow_ups') throw new Death();
        return effect();
      },
    };
    await expect(openQueueStore(dir, nodeClock, { failpoints })).rejects.toThrow(Death);
    const { database, close } = await openQueueStore(dir, nodeClock);
    expect(storedRows(database).map(({ error, followUps }) => [error?.code, followUps])).toEqual([
      ['profile.row-damaged', []],
    ]);
    close();
  });
});

describe('a profile', () => {
  it('is migrated with its rows from every older version', async () => {
    for (let version = 1; version < MIGRATIONS.length; version += 1) {
      const database = new DatabaseSync(join(dir, 'queue.db'));
      database.exec('PRAGMA synchronous = OFF');
      for (const step of MIGRATIONS.slice(0, version)) database.exec(step);
      database.exec(`PRAGMA user_version = ${version}`);
      database.exec(`INSERT INTO batches (id, site_id, collection_id, collection_name, defaults, added_at)
           VALUES ('batch', 'site', '1', 'c', '{}', 1)`);
      database.exec(
        `INSERT INTO uploads (id, batch_id, site_id, collection_id, path, file_name, size_bytes, mtime_ms, identity, title,
           tags, publish, state, attempts, added_at)
         VALUES ('old', 'batch', 'site', '1', '/a', 'a', 1, 1, '1:1', 'a', '[]', '{"kind":"draft"}', 'queued', 0, 1)`,
      );
      database.close();
      const store = await openQueueStore(dir, nodeClock);
      expect(new UploadStore(store.database).get('old')?.state).toBe('queued');
      store.close();
      rmSync(join(dir, 'queue.db'));
      rmSync(join(dir, 'queue.rows'), { force: true });
    }
    // The timeout is long because every migration step of every version is synced to the disk.
  }, 600_000);

  it('is opened when its lock file is invalid', async () => {
    writeFileSync(join(dir, 'profile.lock'), GARBAGE);
    const store = await openQueueStore(dir, nodeClock);
    await expect(openQueueStore(dir, nodeClock)).rejects.toMatchObject({ code: 'profile.in-use' });
    store.close();
  });

  it.skipIf(process.platform === 'win32')('is refused and unchanged when it is not writable', async () => {
    await makeQueue(2);
    const before = readFileSync(join(dir, 'queue.db'));
    for (const name of readdirSync(dir)) chmodSync(join(dir, name), 0o444);
    chmodSync(dir, 0o555);
    try {
      const opening = asNobody(() => openQueueStore(dir, nodeClock));
      await expect(opening).rejects.toMatchObject({ code: 'profile.unwritable' });
    } finally {
      chmodSync(dir, 0o700);
    }
    expect(readFileSync(join(dir, 'queue.db')).equals(before)).toBe(true);
    expect(existsSync(join(dir, 'queue.db-wal'))).toBe(false);
  });
});
