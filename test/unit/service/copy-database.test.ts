import { closeSync, mkdtempSync, openSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { copyIdleDatabase, copyOpenDatabase, rangesOf } from '../../../service/database/copy-database.ts';

const root = mkdtempSync(join(tmpdir(), 'library-copy-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const MIB = 1024 ** 2;

/** A database as the service has it, whose copy takes several steps. */
function large(name: string) {
  const file = join(root, name);
  const db = new DatabaseSync(file);
  db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; CREATE TABLE a (x)');
  const fd = openSync(file, 'r');
  /** Writes 8 MiB in one transaction: more than the log has before its pages go into the file. */
  const add = () =>
    db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO a SELECT zeroblob(4000) FROM n`);
  add();
  const close = () => {
    db.close();
    closeSync(fd);
  };
  return { file, db, fd, add, close };
}

/** Returns the number of rows of a copy, which must be intact. */
function rowsOf(file: string): number {
  const copy = new DatabaseSync(file);
  expect(copy.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  const rows = Number(copy.prepare('SELECT count(*) AS n FROM a').get()?.n);
  copy.close();
  return rows;
}

test('a copy has what was written before it began, and nothing that is written before each of its steps', async () => {
  const { db, fd, add, close } = large('written.sqlite');
  // Too little for SQLite to bring it from the log into the file by itself.
  db.exec('INSERT INTO a VALUES (1)');
  let steps = 0;
  const writing = {
    throwIfAborted() {
      if (steps > 0) add();
      steps += 1;
    },
  } as AbortSignal;
  await copyOpenDatabase(db, fd, join(root, 'copy.sqlite'), writing);
  expect(steps).toBeGreaterThan(5);
  expect(rowsOf(join(root, 'copy.sqlite'))).toBe(2001);
  expect(db.prepare('SELECT count(*) AS n FROM a').get()).toEqual({ n: 1 + 2000 * steps });
  close();
});

test('after a copy, and after one that failed, the log goes into the file again', async () => {
  const { file, db, fd, add, close } = large('log.sqlite');
  const ending = new AbortController();
  const aborted = copyOpenDatabase(db, fd, join(root, 'aborted.sqlite'), ending.signal);
  ending.abort(new Error('stopping'));
  await expect(aborted).rejects.toThrow('stopping');
  await expect(copyOpenDatabase(db, fd, root)).rejects.toMatchObject({ code: 'EISDIR' });
  const before = statSync(file).size;
  add();
  expect(statSync(file).size).toBeGreaterThan(before + 7 * MIB);
  await copyOpenDatabase(db, fd, join(root, 'next.sqlite'));
  expect(rowsOf(join(root, 'next.sqlite'))).toBe(4000);
  add();
  expect(statSync(file).size).toBeGreaterThan(before + 15 * MIB);
  close();
});

test('a database that nothing else uses is copied with its log', async () => {
  const { db, close } = large('idle.sqlite');
  await copyIdleDatabase(db, join(root, 'idle-copy.sqlite'));
  close();
  expect(rowsOf(join(root, 'idle-copy.sqlite'))).toBe(2000);
});

test('all bytes of a database are copied but those of the page of the locks', () => {
  expect([...rangesOf(0, 4096)]).toEqual([]);
  expect([...rangesOf(5000, 4096)]).toEqual([{ at: 0, length: 5000 }]);
  const ranges = [...rangesOf(1024 * MIB + 3 * MIB + 1, 4096)];
  let next = 0;
  const gaps: [number, number][] = [];
  for (const { at, length } of ranges) {
    if (at !== next) gaps.push([next, at - next]);
    next = at + length;
  }
  expect([gaps, next]).toEqual([[[1024 * MIB, 4096]], 1027 * MIB + 1]);
});
