import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase, sqliteCodeOf } from '../../../../electron/engine/store/database.ts';
import { checkpointElsewhere, readElsewhere } from '../../../../electron/engine/store/read-elsewhere.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mediadesk-elsewhere-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('a read in another thread returns the latest commit without blocking the event loop', async () => {
  const path = join(dir, 'a.db');
  const database = await openDatabase(path);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (n); INSERT INTO t VALUES (7)');
  let turns = 0;
  const ticking = setInterval(() => {
    turns += 1;
  }, 1);
  // A statement that takes SQLite about a second: long enough to be measured on any computer.
  const long =
    'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3000000) SELECT max(n) AS n FROM c';
  expect(await readElsewhere(path, long)).toEqual([{ n: 3_000_000 }]);
  clearInterval(ticking);
  expect(turns).toBeGreaterThan(10);
  expect(await readElsewhere(path, 'SELECT n FROM t')).toEqual([{ n: 7 }]);
  database.close();
});

it('a read in another thread cannot write, and creates no file', async () => {
  const path = join(dir, 'a.db');
  await expect(readElsewhere(path, 'SELECT 1')).rejects.toSatisfy((error) => sqliteCodeOf(error) === 14);
  const database = await openDatabase(path);
  database.exec('CREATE TABLE t (n)');
  await expect(readElsewhere(path, 'INSERT INTO t VALUES (1)')).rejects.toSatisfy((error) => sqliteCodeOf(error) === 8);
  database.close();
});

it('a read in another thread reports a damaged file with SQLite’s error code', async () => {
  const path = join(dir, 'a.db');
  writeFileSync(path, 'this is no database, however long it may be '.repeat(100));
  await expect(readElsewhere(path, 'PRAGMA integrity_check')).rejects.toSatisfy((error) => sqliteCodeOf(error) === 26);
});

it('a checkpoint in another thread copies the write-ahead log while a connection stays open and continues to write', async () => {
  const path = join(dir, 'a.db');
  const database = await openDatabase(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (n)');
  const fill = () => database.exec(`INSERT INTO t VALUES ('${'x'.repeat(1_000_000)}')`);
  fill();
  const before = statSync(path).size;
  await checkpointElsewhere(path);
  expect(statSync(path).size).toBeGreaterThan(before + 900_000);
  // The whole log is copied: the next write starts the log from its beginning, so the log does not grow.
  const log = statSync(`${path}-wal`).size;
  fill();
  expect(statSync(`${path}-wal`).size).toBeLessThan(log + 100_000);
  database.close();
});
