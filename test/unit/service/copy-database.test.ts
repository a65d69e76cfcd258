import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { copyDatabase, keepFlushed } from '../../../service/database/copy-database.ts';

const root = mkdtempSync(join(tmpdir(), 'library-copy-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A database whose copy takes several steps. */
function large(): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  db.exec(`CREATE TABLE a (x); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
    INSERT INTO a SELECT zeroblob(4000) FROM n`);
  return db;
}

test('a drive that can not make a copy durable fails the copy, and nothing else', async () => {
  const unhandled: unknown[] = [];
  const keep = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', keep);
  const flushing = keepFlushed(() => Promise.reject(new Error('EIO')));
  // Rejections without a handler are reported between two turns.
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  process.off('unhandledRejection', keep);
  expect(unhandled).toEqual([]);
  expect(() => flushing.check()).toThrow('EIO');
  await expect(flushing.end()).rejects.toThrow('EIO');
});

test('a copy is flushed until it ends, and not after it', async () => {
  let syncs = 0;
  const flushing = keepFlushed(async () => {
    syncs += 1;
  });
  await flushing.end();
  const after = syncs;
  expect(after).toBeGreaterThan(0);
  await flushing.end();
  expect(syncs).toBe(after);
});

test('a copy that is aborted ends before its last page', async () => {
  const db = large();
  const ending = new AbortController();
  const copied = copyDatabase(db, join(root, 'aborted.sqlite'), ending.signal);
  ending.abort(new Error('stopping'));
  await expect(copied).rejects.toThrow('stopping');
  await copyDatabase(db, join(root, 'whole.sqlite'));
  db.close();
  const copy = new DatabaseSync(join(root, 'whole.sqlite'));
  expect(copy.prepare('SELECT count(*) AS n FROM a').get()).toEqual({ n: 2000 });
  copy.close();
});
