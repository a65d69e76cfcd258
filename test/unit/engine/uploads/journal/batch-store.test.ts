import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from '../../../../../electron/engine/store/database.ts';
import { BatchStore } from '../../../../../electron/engine/uploads/journal/batch-store.ts';
import { batchDefaultsSchema } from '../../../../../shared/contract/uploads.ts';
import { emptyDatabase } from '../../../../helpers/data/empty-database.ts';

let database: Database;
let reads: number;
let batches: BatchStore;

beforeEach(async () => {
  database = await emptyDatabase();
  reads = 0;
  batches = new BatchStore({
    ...database,
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        ...statement,
        get(parameters) {
          reads += 1;
          return statement.get(parameters);
        },
      };
    },
  });
  add('b1', 'Lectures');
});
afterEach(() => database.close());

function add(id: string, collectionRef: string): void {
  const collection = { collectionId: '', collectionName: collectionRef, collectionRef };
  const defaults = batchDefaultsSchema.parse({});
  batches.add({ id, siteId: 's1', ...collection, below: null, defaults, addedAt: 1, roots: ['/a', '/b'] });
}

it('the store reads a batch once for many calls, with the stored values', () => {
  const first = batches.get('b1');
  expect(first).toEqual(new BatchStore(database).get('b1'));
  expect(first).toMatchObject({ collectionRef: 'Lectures', roots: ['/a', '/b'] });
  for (let call = 0; call < 10; call += 1) expect(batches.get('b1')).toBe(first);
  expect(reads).toBe(1);
});

it('the store returns the collection that was set after a read', () => {
  batches.get('b1');
  batches.setCollectionRef('b1', 'Concerts');
  expect(batches.get('b1')).toMatchObject({ collectionRef: 'Concerts', collectionName: 'Concerts' });
  batches.setCollection('b1', { collectionId: 'c7', collectionName: 'All / Concerts' });
  expect(batches.get('b1')).toMatchObject({ collectionId: 'c7', collectionName: 'All / Concerts' });
});

it('the store finds a batch that was added after a read found none', () => {
  expect(batches.get('b2')).toBeNull();
  add('b2', 'Concerts');
  expect(batches.get('b2')).toMatchObject({ id: 'b2' });
});

it('the store does not return a batch whose transaction failed', () => {
  batches.get('b1');
  const failing = () =>
    database.transaction(() => {
      add('b2', 'Concerts');
      throw new Error('the disk is full');
    });
  expect(failing).toThrow('the disk is full');
  expect(batches.get('b2')).toBeNull();
});

it('the store returns every batch when it has more than it keeps in memory', () => {
  const ids = Array.from({ length: 600 }, (_, index) => `many-${index}`);
  for (const id of ids) add(id, id);
  for (const id of [...ids, ...ids]) expect(batches.get(id)?.collectionRef).toBe(id);
});
