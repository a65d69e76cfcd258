import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../../service/database/database.ts';
import type { Store } from '../../../service/database/store.ts';
import { feedOf } from '../../../service/feeds/feed-of-collection.ts';
import { keptFeed } from '../../../service/feeds/kept-feeds.ts';
import type { CollectionRow } from '../../../service/resources/collections/collection-row.ts';

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'library-feeds-'));
  store = await openStore(join(folder, 'library.sqlite'));
  await store.run(`INSERT INTO collections (id, slug, display_name, description, description_plain, inherit_memberships, is_podcast,
    autotranscribe_enabled, autotranscribe_subcollections, created_on, modified_on)
    VALUES (1, 'podcast', 'Podcast', '', '', 0, 1, 0, 0, 0, 0)`);
  await addItem(1);
  await addFile(1);
  await store.run("INSERT INTO tags (id, display_name) VALUES (1, 'tag')");
  await store.run('INSERT INTO media_tags VALUES (1, 1)');
  await store.run("INSERT INTO podcast_details (collection_id, copyright) VALUES (1, 'c')");
  await store.run("INSERT INTO thumbs VALUES (1, 'collections', 1, NULL, 1, 1, 'image/png', 'stored', 0)");
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

async function addItem(id: number): Promise<void> {
  await store.run(
    `INSERT INTO media (id, collection_id, type, status, title, description, description_plain, publish_on, created_on, modified_on)
     VALUES (?, 1, 'audio', 'published', 'Item', '', '', ?, 0, 0)`,
    id,
    id,
  );
}

async function addFile(mediaId: number, { status = 'complete', type = 'audio' } = {}): Promise<void> {
  await store.run(
    `INSERT INTO files (media_id, source, type, container, status, display_name, declared_size, size, stored_name,
     created_on, modified_on, created_at, activity_at) VALUES (?, 'upload', ?, 'mp3', ?, 'a', 1, 1, 'stored', 0, 0, 0, 0)`,
    mediaId,
    type,
    status,
  );
}

test('a feed lists the newest 500 items with a recording, however many newer ones have none', async () => {
  await store.transaction(async () => {
    for (let id = 2; id <= 502; id += 1) await addItem(id);
    for (const options of [{ status: 'processing' }, { type: 'captions' }]) await addFile(502, options);
  });
  const collection = (await store.get<CollectionRow>('SELECT * FROM collections')) as CollectionRow;
  const episodes = async () => (await feedOf({ store, baseUrl: 'http://x' }, collection)).episodes;
  expect((await episodes()).map(({ guid }) => guid)).toEqual(['media:1:0']);
  await store.transaction(async () => {
    for (let id = 2; id <= 502; id += 1) await addFile(id);
  });
  expect([(await episodes()).length, (await episodes())[0]?.guid, (await episodes()).at(-1)?.guid]).toEqual([
    500,
    'media:502:0',
    'media:3:0',
  ]);
});

describe('a feed that was made is kept', () => {
  let made = 0;
  const feed = () => keptFeed(store, 1, async () => `made ${++made} times`);

  test('while nothing changes that it contains', async () => {
    const first = await feed();
    await store.run('UPDATE files SET activity_at = 9');
    await store.run('UPDATE media SET views_count = 9');
    await store.run("INSERT INTO meta VALUES ('a', 'b')");
    expect(await feed()).toBe(first);
  });

  test.each([
    "UPDATE media SET status = 'draft'",
    "UPDATE media SET title = 'Other'",
    'UPDATE media SET publish_on = 9',
    'DELETE FROM media',
    "UPDATE files SET status = 'error'",
    'DELETE FROM files',
    "UPDATE tags SET display_name = 'Other'",
    'DELETE FROM media_tags',
    "UPDATE collections SET display_name = 'Other'",
    "UPDATE podcast_details SET copyright = 'Other'",
    'DELETE FROM thumbs',
  ])('until %s', async (sql) => {
    const first = await feed();
    await store.run(sql);
    const second = await feed();
    expect(second.etag).not.toBe(first.etag);
    expect(second.body.toString()).toBe(`made ${made} times`);
    expect(await feed()).toBe(second);
  });

  test('for at most 50 collections', async () => {
    const first = await feed();
    for (let id = 2; id <= 50; id += 1) await keptFeed(store, id, async () => String(id));
    expect(await feed()).toBe(first);
    await keptFeed(store, 51, async () => '51');
    expect(await feed()).not.toBe(first);
  });
});
