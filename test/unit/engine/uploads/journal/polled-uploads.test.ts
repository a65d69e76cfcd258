import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from '../../../../../electron/engine/store/database.ts';
import { UploadStore } from '../../../../../electron/engine/uploads/journal/upload-store.ts';
import { emptyDatabase } from '../../../../helpers/data/empty-database.ts';
import { anUpload } from '../../../../helpers/data/upload-rows.ts';

let database: Database;
let reads: number;
let store: UploadStore;

beforeEach(async () => {
  database = await emptyDatabase();
  database.exec("INSERT INTO batches VALUES ('b1', 's1', 'c1', 'c', '{}', 0, '[]', NULL, NULL, '[]')");
  reads = 0;
  store = new UploadStore({
    ...database,
    prepare(sql) {
      const statement = database.prepare(sql);
      if (!sql.includes("state IN ('processing', 'publishing')")) return statement;
      return {
        ...statement,
        all: (parameters) => {
          reads += 1;
          return statement.all(parameters);
        },
      };
    },
  });
});
afterEach(() => database.close());

const polled = () => store.polled().map(({ id, watchedMs }) => `${id} ${watchedMs}`);

it('delivered uploads are read again only after one of them has changed', () => {
  const processing = anUpload({ id: 'processing', state: 'processing', mediaId: 'm1', fileId: 'f1' });
  const queued = anUpload({ id: 'queued' });
  store.insert([processing, queued], (_, index) => index);
  expect(polled()).toEqual(['processing 0']);
  store.save(queued, { ...queued, title: 'Other' });
  expect(polled()).toEqual(['processing 0']);
  expect(reads).toBe(1);
  const later = { ...processing, watchedMs: 5 };
  store.save(processing, later);
  expect(polled()).toEqual(['processing 5']);
  store.saveMany([{ before: later, after: { ...later, state: 'complete' } }]);
  expect(polled()).toEqual([]);
  store.save(queued, { ...queued, state: 'processing' });
  expect(polled()).toEqual(['queued 0']);
});

it('delivered uploads are read again after a transaction was rolled back', () => {
  const processing = anUpload({ id: 'processing', state: 'processing', mediaId: 'm1', fileId: 'f1' });
  store.insert([processing], (_, index) => index);
  const change = { before: processing, after: { ...processing, state: 'complete' as const } };
  const fails = () => {
    // This read is inside the transaction that is rolled back.
    expect(polled()).toEqual([]);
    throw new Error('no space');
  };
  expect(() => store.saveMany([change], fails)).toThrow('no space');
  expect(polled()).toEqual(['processing 0']);
});
