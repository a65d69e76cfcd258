import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openStore } from '../../../service/database/database.ts';
import { schemaSteps } from '../../../service/database/schema.ts';
import type { Bindable, Store } from '../../../service/database/store.ts';
import { subtreeUsage } from '../../../service/quotas/usage.ts';

const BYTES = `CASE WHEN status = 'uploading' THEN declared_size WHEN stored_name IS NOT NULL THEN size ELSE 0 END`;

async function within(work: (store: Store, file: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'library-usage-'));
  const file = join(folder, 'library.sqlite');
  const store = await openStore(file);
  await store.run('PRAGMA synchronous = OFF');
  try {
    await work(store, file);
  } finally {
    store.close();
    rmSync(folder, { recursive: true });
  }
}

async function addCollection(store: Pick<Store, 'run'>, parent: number | null, n: number): Promise<void> {
  await store.run(
    `INSERT INTO collections (parent_id, slug, display_name, description, description_plain, inherit_memberships, is_podcast,
       autotranscribe_enabled, autotranscribe_subcollections, created_on, modified_on) VALUES (?, ?, 'C', '', '', 1, 0, 0, 0, 1, 1)`,
    parent,
    `c-${n}`,
  );
}

const NEW_ITEM = `INSERT INTO media (collection_id, status, title, description, description_plain, created_on, modified_on)
  VALUES (?, 'draft', 'T', '', '', 1, 1)`;
const NEW_FILE = `INSERT INTO files (media_id, parent_id, source, type, status, display_name, declared_size, size, stored_name, created_by,
  created_on, modified_on, created_at, activity_at) VALUES (?, ?, 'upload', 'blob', ?, 'f', ?, ?, ?, ?, 1, 1, 1, 1)`;

/** The usage as a computation from all files says it is. */
function computed(store: Store): Promise<object[]> {
  return store.all(
    `SELECT 'site' AS scope, 0 AS id, sum(${BYTES}) AS bytes FROM files
     UNION ALL SELECT 'collection', m.collection_id, sum(${BYTES.replace('status', 'f.status')}) FROM files f
       JOIN media m ON m.id = f.media_id WHERE parent_id IS NULL GROUP BY m.collection_id
     UNION ALL SELECT 'user', created_by, sum(${BYTES}) FROM files WHERE parent_id IS NULL GROUP BY created_by ORDER BY 1, 2`,
  );
}

const number = fc.integer({ min: 1, max: 6 });
const size = fc.integer({ min: 0, max: 1000 });
const change = fc.oneof(
  fc.record({ what: fc.constant('item' as const), id: number, size }),
  fc.record({ what: fc.constant('file' as const), id: number, size }),
  fc.record({ what: fc.constant('embed' as const), id: number, size }),
  fc.record({ what: fc.constant('encoding' as const), id: number, size }),
  fc.record({
    what: fc.constantFrom('store' as const, 'complete' as const, 'fail' as const, 'abandon' as const),
    id: number,
    size,
  }),
  fc.record({
    what: fc.constantFrom('delete-file' as const, 'delete-item' as const, 'move' as const),
    id: number,
    size,
  }),
);

async function apply(
  store: Store,
  { what, id, size: bytes }: { what: string; id: number; size: number },
): Promise<void> {
  const media =
    (await store.get<{ id: number }>('SELECT id FROM media ORDER BY id LIMIT 1 OFFSET ?', id % 3))?.id ?? null;
  const file =
    (
      await store.get<{ id: number }>(
        'SELECT id FROM files WHERE parent_id IS NULL ORDER BY id LIMIT 1 OFFSET ?',
        id - 1,
      )
    )?.id ?? null;
  const user = 1 + (id % 2);
  if (what === 'item') await store.run(NEW_ITEM, 1 + (id % 4));
  if (what === 'file' && media !== null) await store.run(NEW_FILE, media, null, 'uploading', bytes, bytes, null, user);
  if (what === 'embed' && media !== null) await store.run(NEW_FILE, media, null, 'complete', bytes, bytes, null, user);
  if (what === 'encoding' && file !== null) {
    const of = (await store.get<{ media_id: number }>('SELECT media_id FROM files WHERE id = ?', file))?.media_id ?? 0;
    await store.run(NEW_FILE, of, file, 'complete', bytes, bytes, 'x', user);
  }
  if (what === 'store')
    await store.run(`UPDATE files SET stored_name = 'x' WHERE id = ? AND status = 'uploading'`, file);
  if (what === 'complete' || what === 'fail') {
    await store.run(
      `UPDATE files SET status = ? WHERE id = ? AND stored_name IS NOT NULL`,
      what === 'fail' ? 'error' : 'complete',
      file,
    );
  }
  if (what === 'abandon') {
    await store.run(
      `UPDATE files SET status = 'aborted', stored_name = NULL WHERE id = ? AND status = 'uploading'`,
      file,
    );
  }
  if (what === 'delete-file') await store.run('DELETE FROM files WHERE id = ?', file);
  if (what === 'delete-item') await store.run('DELETE FROM media WHERE id = ?', media);
  if (what === 'move') await store.run('UPDATE media SET collection_id = ? WHERE id = ?', 1 + (bytes % 4), media);
}

test('the usage is what a computation from all files says, after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 20, maxLength: 60, size: 'max' }), async (changes) => {
      await within(async (store) => {
        await addCollection(store, null, 1);
        for (const [parent, n] of [
          [1, 2],
          [2, 3],
          [1, 4],
        ] as const) {
          await addCollection(store, parent, n);
        }
        for (const collection of [1, 2, 3]) await store.run(NEW_ITEM, collection);
        for (const each of changes) await apply(store, each);
        const known = await store.all('SELECT scope, id, bytes FROM usage WHERE bytes <> 0 ORDER BY 1, 2');
        expect(known).toEqual((await computed(store)).filter((row) => (row as { bytes: number | null }).bytes));
        const of = async (id: number) =>
          (await store.get<{ bytes: number }>(`SELECT bytes FROM usage WHERE scope = 'collection' AND id = ?`, id))
            ?.bytes ?? 0;
        expect(await subtreeUsage(store, 2)).toBe((await of(2)) + (await of(3)));
        expect(await subtreeUsage(store, 1)).toBe((await of(1)) + (await of(2)) + (await of(3)) + (await of(4)));
      });
    }),
    { numRuns: 60 },
  );
});

test('a library of an earlier version gets the usage of the files that it has', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'library-usage-'));
  const file = join(folder, 'library.sqlite');
  const old = new DatabaseSync(file);
  for (const step of schemaSteps(8)) old.exec(step);
  old.exec('PRAGMA user_version = 8');
  const run = async (sql: string, ...params: Bindable[]) => {
    old.prepare(sql).run(...params);
    return { changes: 1, id: 1 };
  };
  await addCollection({ run }, null, 1);
  await run(NEW_ITEM, 1);
  await run(NEW_FILE, 1, null, 'uploading', 10, 10, null, 1);
  await run(NEW_FILE, 1, null, 'complete', 20, 20, 'a', 2);
  await run(NEW_FILE, 1, 2, 'complete', 5, 5, 'b', 2);
  await run(NEW_FILE, 1, null, 'aborted', 40, 40, null, 2);
  old.close();
  const store = await openStore(file);
  try {
    expect(await store.all('SELECT scope, id, bytes FROM usage ORDER BY 1, 2')).toEqual([
      { scope: 'collection', id: 1, bytes: 30 },
      { scope: 'site', id: 0, bytes: 35 },
      { scope: 'user', id: 1, bytes: 10 },
      { scope: 'user', id: 2, bytes: 20 },
    ]);
  } finally {
    store.close();
    rmSync(folder, { recursive: true });
  }
});
