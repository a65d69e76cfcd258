// The kept JSON of items in lists: after any change, it is what the rows say.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccessRegister } from '../../../service/access/access.ts';
import { openStore } from '../../../service/database/database.ts';
import { keepItemTexts } from '../../../service/database/item-texts.ts';
import type { Store } from '../../../service/database/store.ts';
import { keptPage } from '../../../service/resources/media/kept-pages.ts';
import { joinMedia } from '../../../service/resources/media/media-joins.ts';
import { listMedia, listMediaJson } from '../../../service/resources/media/media-list.ts';
import { createPasswords } from '../../../service/secrets/passwords.ts';
import { seedOnce } from '../../../service/seed/seed.ts';
import type { Call } from '../../../service/site/site.ts';
import { openDiskBlobs } from '../../../service/storage/disk-blobs.ts';
import { openScratch } from '../../../service/storage/scratch.ts';
import { REFERENCE } from '../../../service/wire/dialect.ts';
import { inOrder } from '../../../service/wire/in-order.ts';

let folder: string;
let store: Store;
let call: Call;
let asked: string[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'library-texts-'));
  store = await openStore(join(folder, 'library.sqlite'));
  const passwords = createPasswords({ cost: { N: 2, r: 8, p: 1 } });
  const account = { email_address: 'admin@library.example', password: 'x' };
  const scratch = openScratch(folder);
  const blobs = await openDiskBlobs(folder, scratch);
  await seedOnce(store, { blobs, scratch }, 'bulk:60:5', account, passwords, 1e12);
  const noted: Store = {
    ...store,
    async all(sql, ...params) {
      asked.push(sql);
      return await store.all(sql, ...params);
    },
  };
  const site = {
    store: noted,
    access: createAccessRegister(noted),
    dialect: () => REFERENCE,
  } as unknown as Call['site'];
  const caller = { userId: 1, isAdmin: true, clientId: '', scope: '' };
  call = { site, caller, nowOn: 1e9, effect: () => {} };
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

const parsed = (json: Buffer) => JSON.parse(json.toString());

const PAGE = { perPage: 40, number: 1, offset: 0 };

async function expectSame(): Promise<void> {
  for (const query of [{}, { sort: 'title' }]) {
    const { rows, links } = await listMedia(call, query, PAGE);
    const items = await inOrder(rows, (row) => joinMedia(call.site, row, new Set(), async () => []));
    expect(parsed(await listMediaJson(call, query, PAGE))).toEqual(JSON.parse(JSON.stringify({ items, links })));
  }
}

/** Changes of what an item shows, as the resources, the processing and cascades make them. `?` is an id. */
const CHANGES = [
  `UPDATE media SET title = title || '.' WHERE id = ?`,
  'UPDATE media SET views_count = views_count + 1 WHERE id = ?',
  `UPDATE media SET status = 'published', publish_on = 1000 + id WHERE id = ?`,
  `UPDATE media SET collection_id = 1 WHERE id = ?`,
  'DELETE FROM media WHERE id = ?',
  'DELETE FROM media_tags WHERE media_id = ?',
  'INSERT OR IGNORE INTO media_tags (media_id, tag_id) SELECT ?, min(id) FROM tags WHERE EXISTS (SELECT 1 FROM media WHERE id = 5)',
  `UPDATE tags SET display_name = display_name || 'x' WHERE id = ?`,
  'DELETE FROM tags WHERE id = ?',
  `INSERT INTO media (collection_id, status, title, description, description_plain, created_on, modified_on)
     VALUES (1, 'draft', 'New ' || ?, '', '', 1, 1)`,
  'UPDATE OR IGNORE media_tags SET media_id = 7 WHERE media_id = ? AND EXISTS (SELECT 1 FROM media WHERE id = 7)',
] as const;

test('a list is what the rows say, after any change of items and tags, and after one that was undone', async () => {
  const change = fc.record({
    sql: fc.constantFrom(...CHANGES),
    id: fc.integer({ min: 1, max: 60 }),
    end: fc.constantFrom('kept', 'kept', 'undone'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
      await expectSame();
      for (const { sql, id, end } of changes) {
        const isMissing =
          sql.startsWith('INSERT OR') && (await store.get('SELECT 1 FROM media WHERE id = ?', id)) === undefined;
        if (isMissing) continue;
        try {
          await store.transaction(async () => {
            await store.run(sql, id);
            // A list that is read before the change is undone.
            await listMediaJson(call, {}, PAGE);
            if (end === 'undone') throw new Error('undone');
          });
        } catch (error) {
          expect((error as Error).message).toBe('undone');
        }
        await expectSame();
      }
    }),
    { numRuns: 60 },
  );
});

test('a second list reads no row again, and one after a change of an item reads that row alone', async () => {
  const id = parsed(await listMediaJson(call, {}, PAGE)).items[0].id;
  asked = [];
  await listMediaJson(call, {}, PAGE);
  expect(asked.filter((sql) => sql.includes('m.*'))).toEqual([]);
  await store.run(`UPDATE media SET title = 'Another' WHERE id = ?`, Number(id));
  asked = [];
  expect(parsed(await listMediaJson(call, {}, PAGE)).items[0].title).toBe('Another');
  expect(asked.filter((sql) => sql.includes('m.*'))).toHaveLength(1);
});

test('an equal list asks the database nothing until something changes, and is made for one user', async () => {
  const reader: Call = { ...call, caller: { userId: 7, isAdmin: false, clientId: '', scope: '' } };
  const [own, role] = [`DELETE FROM memberships WHERE user_id = 7`, `UPDATE roles SET permissions = '[]' WHERE id = ?`];
  const roleId =
    (await store.get<{ id: number }>(`SELECT id FROM roles WHERE permissions LIKE '%media-read%' ORDER BY id`))?.id ??
    0;
  await store.run(own);
  const titles = async (of: Call) =>
    parsed(await listMediaJson(of, {}, PAGE)).items.map(({ title }: { title: string }) => title);
  const before = (await titles(reader)).length;
  expect((await titles(call)).length).toBeGreaterThan(before);
  await store.run(
    'INSERT INTO memberships (user_id, collection_id, role_id, created_on, modified_on) VALUES (7, 1, ?, 1, 1)',
    roleId,
  );
  expect((await titles(reader)).length).toBeGreaterThan(before);
  asked = [];
  await titles(reader);
  expect(asked).toEqual([]);
  await store.run(role, roleId);
  expect((await titles(reader)).length).toBe(before);
});

test('kept pages need a bounded amount of memory, and are dropped one by one', async () => {
  const long = 'x'.repeat(1024 * 1024);
  let made = 0;
  const page = async (number: number) =>
    (
      await keptPage(call, {}, { ...PAGE, number }, async () => {
        made += 1;
        return `${long}${number}`;
      })
    ).subarray(-2);
  for (let number = 10; number < 40; number += 1) expect((await page(number)).toString()).toBe(String(number));
  expect([(await page(39)).toString(), made]).toEqual(['39', 30]);
  await page(30);
  expect(made).toBe(30);
  await page(10);
  expect(made).toBe(31);
});

test('texts need a bounded amount of memory', () => {
  const texts = keepItemTexts({ function: () => {}, exec: () => {} });
  const long = 'x'.repeat(1024 * 1024);
  for (let id = 1; id <= 20; id += 1) texts.keep(id, long, texts.changes());
  const kept = Array.from({ length: 20 }, (_, index) => texts.of(index + 1)).filter((text) => text !== undefined);
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.length).toBeLessThanOrEqual(8);
  expect(texts.of(20)).toBe(long);
});
