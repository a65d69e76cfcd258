import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccessRegister } from '../../../service/access/access.ts';
import { doDueWork, restartAbandonedTimers } from '../../../service/app/due-work.ts';
import { openStore } from '../../../service/database/database.ts';
import type { Store } from '../../../service/database/store.ts';
import { serviceMetrics } from '../../../service/operate/service-metrics.ts';
import { collectionTree } from '../../../service/resources/collections/collection-tree.ts';
import { listCollections } from '../../../service/resources/collections/collections.ts';
import { countMediaList, listMedia } from '../../../service/resources/media/media-list.ts';
import { createPasswords } from '../../../service/secrets/passwords.ts';
import { seedOnce } from '../../../service/seed/seed.ts';
import { createJournal } from '../../../service/site/journal.ts';
import { DEFAULT_SETTINGS } from '../../../service/site/settings.ts';
import { type Call, checkSpace, type Site } from '../../../service/site/site.ts';
import { createTraffic } from '../../../service/site/traffic.ts';
import { createArrivals } from '../../../service/storage/arrivals.ts';
import { openDiskBlobs } from '../../../service/storage/disk-blobs.ts';
import { openScratch } from '../../../service/storage/scratch.ts';
import { REFERENCE } from '../../../service/wire/dialect.ts';
import { inOrder } from '../../../service/wire/in-order.ts';

// The benchmarks measure speed. These tests check that no list reads all items to show some of them: SQLite reports the
// plan of each statement that a list runs.

const PAGE = { perPage: 50, number: 1, offset: 0 };
let folder: string;
let store: Store;
let seen: string[] = [];
let site: Call['site'];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'library-plans-'));
  store = await openStore(join(folder, 'library.sqlite'));
  const scratch = openScratch(folder);
  const blobs = await openDiskBlobs(folder, scratch);
  // Large enough that a word and a tag are in more items than are ever sorted completely.
  const passwords = createPasswords({ cost: { N: 2, r: 8, p: 1 } });
  const account = { email_address: 'admin@library.example', password: 'x' };
  await seedOnce(store, { blobs, scratch }, 'bulk:40000:400', account, passwords, 1e12);
  const noting = (sql: string): string => {
    if (/^\s*(?:SELECT|UPDATE files|DELETE)/.test(sql)) seen.push(sql);
    return sql;
  };
  const noted: Store = {
    ...store,
    all: (sql, ...params) => store.all(noting(sql), ...params),
    get: (sql, ...params) => store.get(noting(sql), ...params),
    run: (sql, ...params) => store.run(noting(sql), ...params),
  };
  site = { store: noted, access: createAccessRegister(noted), dialect: () => REFERENCE } as Call['site'];
}, 600_000);
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

async function callOf(who: string): Promise<Call> {
  const row = await store.get<{ id: number; is_admin: number }>(
    'SELECT id, is_admin FROM users WHERE email_address = ?',
    `${who}@library.example`,
  );
  const caller = { userId: row?.id ?? 0, isAdmin: row?.is_admin === 1, clientId: '', scope: '' };
  // The access of a caller is computed once, from the whole tree, and cached: it is no part of the plans of a list.
  await site.access.of(caller);
  return { site, caller, nowOn: 1e9, effect: () => {} };
}

/** The query plans of the statements that the work runs. */
async function plansOf(work: () => Promise<unknown>): Promise<{ sql: string; steps: string[] }[]> {
  seen = [];
  await work();
  return inOrder(seen, async (sql) => ({
    sql,
    steps: (await store.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)).map(({ detail }) => detail),
  }));
}

/** A scan of the rows of a large table; a scan of a covering index does not count. */
const FULL_SCAN = /^SCAN (m|mt|t|media|media_tags|collections|files|thumbs)( |$)(?!USING (COVERING )?INDEX)/;
const SORT = /USE TEMP B-TREE FOR ORDER BY/;

const QUERIES: Record<string, string> = {
  plain: '',
  'newest first': 'sort=created_on&order=desc',
  'by title': 'sort=title',
  'by popularity': 'sort=popularity&order=desc',
  'by time of change': 'sort=modified_on&order=desc',
  'of a type': 'type=video&sort=title',
  'of a status': 'status=draft&sort=created_on',
  'created after an instant': 'created_after=2001-01-01&sort=created_on',
  'of a collection': 'collection_id=17&sort=title',
  'with a common tag': 'tag=atom&sort=created_on',
  'except some items': 'exclude_ids=5,6',
  'with a common word': 'search=harbour',
  'with a rare word': 'search=39000&sort=title',
  'with a word, best match first': 'search=harbour&sort=relevance',
  'related, best match first': 'related_to=4002&sort=relevance',
  related: 'related_to=4002',
};

describe.each(['admin', 'viewer', 'editor', 'user7', 'user130'])('for the user “%s”,', (who) => {
  test.each(Object.entries(QUERIES))('media items are listed and counted without reading all (%s)', async (_, text) => {
    const query = Object.fromEntries(new URLSearchParams(text));
    const call = await callOf(who);
    const plans = await plansOf(async () => [await listMedia(call, query, PAGE), await countMediaList(call, query)]);
    expect(plans.length).toBeGreaterThan(2);
    for (const { sql, steps } of plans) {
      for (const step of steps) expect(step, sql).not.toMatch(FULL_SCAN);
    }
  });

  test.each([
    'plain',
    'newest first',
    'by title',
    'by popularity',
    'by time of change',
    'of a type',
    'with a common tag',
    'with a common word',
  ])('media items are found in their order, without sorting (%s)', async (name) => {
    const query = Object.fromEntries(new URLSearchParams(QUERIES[name]));
    const page = (await plansOf(async () => await listMedia(await callOf(who), query, PAGE))).filter(({ sql }) =>
      sql.includes('OFFSET'),
    );
    expect(page).toHaveLength(1);
    for (const { sql, steps } of page) {
      expect(steps.join('\n'), sql).toMatch(/^SCAN m USING COVERING INDEX media_by_/);
      expect(steps.join('\n'), sql).not.toMatch(SORT);
    }
  });

  test('collections are listed, and the tree with its counts is read, without a scan of their rows', async () => {
    const call = await callOf(who);
    await store.run(`UPDATE collections SET display_name = display_name WHERE id = 1`);
    await store.run(`UPDATE media SET status = status WHERE id = 1`);
    const plans = await plansOf(async () => [
      await listCollections(call, {}, PAGE),
      await collectionTree(call, { media_count: 'all' }),
    ]);
    expect(plans.length).toBeGreaterThan(2);
    for (const { sql, steps } of plans) {
      for (const step of steps) expect(step, sql).not.toMatch(FULL_SCAN);
      expect(steps.join('\n'), sql).not.toMatch(SORT);
    }
  });
});

test('a list starts with the matches of a filter when these are few', async () => {
  for (const text of ['collection_id=17&sort=title', 'search=39000&sort=title']) {
    const query = Object.fromEntries(new URLSearchParams(text));
    const [page] = (await plansOf(async () => await listMedia(await callOf('admin'), query, PAGE))).filter(({ sql }) =>
      sql.includes('OFFSET'),
    );
    expect(page?.steps[0]).toMatch(/^SEARCH m USING/);
  }
});

test('the work of every second, the metrics and the check of free space read no large table as a whole', async () => {
  const current = () => ({ ...DEFAULT_SETTINGS, audit_days: 0 });
  const traffic = { ...createTraffic() };
  const disk = { remove: async () => {} };
  const parts = { ...site, disk, traffic, now: () => 2e12, log: () => {}, epoch: '', arrivals: createArrivals() };
  const due = {
    ...parts,
    settings: { current, refresh: async () => {} },
    webhook: { wake() {} },
    processing: { wake() {} },
    journal: createJournal(),
    space: { isKnown: () => true, hasRoomFor: () => true },
  } as unknown as Site;
  await doDueWork(due);
  const sources = { site: due, loopDelayMs: () => 0, space: undefined, droppedLogLines: () => 0 };
  const plans = await plansOf(async () => [
    await doDueWork(due).catch(() => {}),
    await restartAbandonedTimers(due),
    await serviceMetrics(sources),
    await checkSpace(due, 1),
  ]);
  const ofFiles = plans.filter(({ sql }) => / files /.test(sql));
  expect(ofFiles.length).toBeGreaterThan(4);
  for (const { sql, steps } of plans) for (const step of steps) expect(step, sql).not.toMatch(FULL_SCAN);
});
