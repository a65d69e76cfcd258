import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from '../../../../../electron/engine/store/database.ts';
import { UploadStore } from '../../../../../electron/engine/uploads/journal/upload-store.ts';
import { emptyDatabase } from '../../../../helpers/data/empty-database.ts';
import { anUpload } from '../../../../helpers/data/upload-rows.ts';

let database: Database;
let asked: string[];
let store: UploadStore;

beforeEach(async () => {
  database = await emptyDatabase();
  const site = database.prepare("INSERT INTO sites VALUES ($id, $url, 'client', '{}')");
  for (const id of ['s1', 's2']) site.run({ id, url: 'https://one.example' });
  site.run({ id: 's3', url: 'https://other.example' });
  database.exec("INSERT INTO batches VALUES ('b1', 's1', 'c1', 'c', '{}', 0, '[]', NULL, NULL, '[]')");
  asked = [];
  store = new UploadStore({
    ...database,
    prepare(sql) {
      asked.push(sql);
      return database.prepare(sql);
    },
  });
});
afterEach(() => database.close());

it('the unanswered creations of all accounts of a library are found in the order of their intents', () => {
  store.insert(
    [
      anUpload({ id: 'late', itemIntentAt: 9 }),
      anUpload({ id: 'early of another account', siteId: 's2', itemIntentAt: 3 }),
      anUpload({ id: 'ended', state: 'cancelled', itemIntentAt: 5 }),
      anUpload({ id: 'answered', itemIntentAt: 4, mediaId: 'm1' }),
      anUpload({ id: 'not begun' }),
      anUpload({ id: 'of another library', siteId: 's3', itemIntentAt: 6 }),
      anUpload({ id: 'of another collection', collectionId: 'c2', itemIntentAt: 7 }),
    ],
    (_, index) => index,
  );
  expect(store.openCreations('s1', 'c1').map(({ id }) => id)).toEqual(['early of another account', 'ended', 'late']);
});

it('the unanswered creations are found without reading the other rows of the collection', () => {
  asked = [];
  store.openCreations('s1', 'c1');
  const plan = asked.flatMap((sql) => database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
  const reads = plan.map(({ detail }) => String(detail)).filter((detail) => /\buploads\b/.test(detail));
  expect(reads).toEqual([
    'SEARCH uploads USING INDEX uploads_open_creations (collection_id=? AND site_id=? AND item_intent_at>?)',
  ]);
});
