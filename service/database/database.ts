import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { makeDatabasePrivate } from '../storage/private-file.ts';
import { type Generations, type Subject, watchChanges } from './changes.ts';
import { copyOpenDatabase } from './copy-database.ts';
import { SQLITE_FULL_TEXT } from './full-text.ts';
import { type ItemTexts, keepItemTexts } from './item-texts.ts';
import { keepBeforeMigration, migrate } from './migrate.ts';
import type { Bindable, Store } from './store.ts';

const MAX_PREPARED = 400;
/** The first bytes of every database file. */
const FILE_BEGIN = Buffer.from('SQLite format 3\0');

/**
 * Opens the database file, or creates it with access for the owner only, and migrates its schema. WAL with synchronous
 * FULL: when a reply was sent, its effect is on disk.
 */
export function openStore(file: string): Store {
  makeDatabasePrivate(file);
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 1000 });
  // Exclusive: a second service on the same data directory fails immediately. The lock ends with the process.
  db.exec(
    'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY',
  );
  // Open as long as the database: closing any descriptor of the file would release the locks of the process on it.
  const fd = openSync(file, 'r');
  const prepared = new Map<string, StatementSync>();
  let depth = 0;
  const derived = new Map<string, { generation: number; value: unknown }>();
  let generations: Generations | undefined;
  let beforeCommit: (() => void) | undefined;
  let itemTexts: ItemTexts | undefined;

  function statement(sql: string): StatementSync {
    const known = prepared.get(sql);
    if (known) return known;
    if (prepared.size >= MAX_PREPARED) prepared.clear();
    const fresh = db.prepare(sql);
    prepared.set(sql, fresh);
    return fresh;
  }

  const store: Store = {
    all: <Row>(sql: string, ...params: Bindable[]) => statement(sql).all(...params) as Row[],
    get: <Row>(sql: string, ...params: Bindable[]) => statement(sql).get(...params) as Row | undefined,
    run(sql, ...params) {
      if (depth === 0 && beforeCommit !== undefined) return store.transaction(() => store.run(sql, ...params));
      return { changes: Number(statement(sql).run(...params).changes) };
    },
    insert(sql, ...params) {
      if (depth === 0 && beforeCommit !== undefined) return store.transaction(() => store.insert(sql, ...params));
      return Number(statement(sql).get(...params)?.id);
    },
    fullText: SQLITE_FULL_TEXT,
    sizeSql: 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
    transaction(work) {
      if (depth > 0) return work();
      db.exec('BEGIN IMMEDIATE');
      depth += 1;
      try {
        const result = work();
        beforeCommit?.();
        db.exec('COMMIT');
        return result;
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK');
        // Cached results may depend on changes that were just rolled back.
        generations?.all();
        itemTexts?.clear();
        throw error;
      } finally {
        depth -= 1;
      }
    },
    beforeCommit(added) {
      beforeCommit = added;
    },
    derived<T>(subject: Subject, name: string, work: () => T) {
      const generation = generations?.of(subject) ?? 0;
      const held = derived.get(name);
      if (held?.generation === generation) return held.value as T;
      const value = work();
      derived.set(name, { generation, value });
      return value;
    },
    itemText: (id) => itemTexts?.of(id),
    itemChanges: () => itemTexts?.changes() ?? 0,
    keepItemText(id, text, since) {
      if (depth === 0) itemTexts?.keep(id, text, since);
    },
    copyTo: (to, signal) => copyOpenDatabase(db, fd, to, signal),
    hasFile() {
      const { ino, nlink } = fstatSync(fd, { bigint: true });
      const begin = Buffer.alloc(FILE_BEGIN.length);
      readSync(fd, begin, 0, begin.length, 0);
      return (
        nlink > 0n && statSync(file, { bigint: true, throwIfNoEntry: false })?.ino === ino && begin.equals(FILE_BEGIN)
      );
    },
    isOpen: () => db.isOpen,
    close() {
      prepared.clear();
      if (!db.isOpen) return;
      db.close();
      closeSync(fd);
    },
  };
  try {
    migrate(
      store,
      (sql) => db.exec(sql),
      (version) => keepBeforeMigration(file, version, (path) => void db.prepare('VACUUM INTO ?').run(path)),
    );
  } catch (error) {
    store.close();
    throw error;
  }
  generations = watchChanges(db);
  itemTexts = keepItemTexts(db);
  return store;
}
