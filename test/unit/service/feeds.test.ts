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

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'library-feeds-'));
  store = openStore(join(folder, 'library.sqlite'));
  store.run(`INSERT INTO collections (id, slug, display_name, description, description_plain, inherit_memberships, is_podcast,
    autotranscribe_enabled, autotranscribe_subcollections, created_on, modified_on)
    VALUES (1, 'podcast', 'Podcast', '', '', 0, 1, 0, 0, 0, 0)`);
  addItem(1);
  addFile(1);
  store.run("INSERT INTO tags (id, display_name) VALUES (1, 'tag')");
  store.run('INSERT INTO media_tags VALUES (1, 1)');
  store.run("INSERT INTO podcast_details (collection_id, copyright) VALUES (1, 'c')");
  store.run("INSERT INTO thumbs VALUES (1, 'collections', 1, NULL, 1, 1, 'image/png', 'stored', 0)");
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

function addItem(id: number): void {
  store.run(
    `INSERT INTO media (id, collection_id, type, status, title, description, description_plain, publish_on, created_on, modified_on)
     VALUES (?, 1, 'audio', 'published', 'Item', '', '', ?, 0, 0)`,
    id,
    id,
  );
}

function addFile(mediaId: number, { status = 'complete', type = 'audio' } = {}): void {
  store.run(
    `INSERT INTO files (media_id, source, type, container, status, display_name, declared_size, size, stored_name,
     created_on, modified_on, created_at, activity_at) VALUES (?, 'upload', ?, 'mp3', ?, 'a', 1, 1, 'stored', 0, 0, 0, 0)`,
    mediaId,
    type,
    status,
  );
}

test('a feed lists the newest 500 items with a recording, however many newer ones have none', () => {
  store.transaction(() => {
    for (let id = 2; id <= 502; id += 1) addItem(id);
    for (const options of [{ status: 'processing' }, { type: 'captions' }]) addFile(502, options);
  });
  const collection = store.get<CollectionRow>('SELECT * FROM collections') as CollectionRow;
  const episodes = () => feedOf({ store, baseUrl: 'http://x' }, collection).episodes;
  expect(episodes().map(({ guid }) => guid)).toEqual(['media:1:0']);
  store.transaction(() => {
    for (let id = 2; id <= 502; id += 1) addFile(id);
  });
  expect([episodes().length, episodes()[0]?.guid, episodes().at(-1)?.guid]).toEqual([500, 'media:502:0', 'media:3:0']);
});

describe('a feed that was made is kept', () => {
  let made = 0;
  const feed = () => keptFeed(store, 1, () => `made ${++made} times`);

  test('while nothing changes that it contains', () => {
    const first = feed();
    store.run('UPDATE files SET activity_at = 9');
    store.run('UPDATE media SET views_count = 9');
    store.run("INSERT INTO meta VALUES ('a', 'b')");
    expect(feed()).toBe(first);
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
  ])('until %s', (sql) => {
    const first = feed();
    store.run(sql);
    const second = feed();
    expect(second.etag).not.toBe(first.etag);
    expect(second.body.toString()).toBe(`made ${made} times`);
    expect(feed()).toBe(second);
  });

  test('for at most 50 collections', () => {
    const first = feed();
    for (let id = 2; id <= 50; id += 1) keptFeed(store, id, () => String(id));
    expect(feed()).toBe(first);
    keptFeed(store, 51, () => '51');
    expect(feed()).not.toBe(first);
  });
});
