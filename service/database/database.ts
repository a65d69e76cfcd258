import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { makeDatabasePrivate } from '../storage/private-file.ts';
import { type Generations, type TableGroup, watchChanges } from './changes.ts';
import { copyOpenDatabase } from './copy-database.ts';
import { SQLITE_FULL_TEXT } from './full-text.ts';
import { type ItemTexts, keepItemTexts } from './item-texts.ts';
import { keepBeforeMigration, migrate } from './migrate.ts';
import type { Bindable, Store } from './store.ts';
import { type OpenTransaction, openTransaction, runAfterCommit, transactionNow, within } from './transaction-scope.ts';

const MAX_PREPARED = 400;
/** The first bytes of every database file. */
const FILE_BEGIN = Buffer.from('SQLite format 3\0');

/**
 * Opens the database file, or creates it with access for the owner only, and migrates its schema. WAL with synchronous
 * FULL: when a reply was sent, its effect is on disk.
 */
export async function openStore(file: string): Promise<Store> {
  makeDatabasePrivate(file);
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 1000 });
  // Exclusive: a second service on the same data directory fails immediately. The lock ends with the process.
  db.exec(
    'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY',
  );
  // Open as long as the database: closing any descriptor of the file would release the locks of the process on it.
  const fd = openSync(file, 'r');
  const prepared = new Map<string, StatementSync>();
  let open: OpenTransaction | undefined;
  const derived = new Map<string, { generation: number; value: unknown }>();
  let generations: Generations | undefined;
  let beforeCommit: (() => Promise<void>) | undefined;
  let itemTexts: ItemTexts | undefined;

  function statement(sql: string): StatementSync {
    const known = prepared.get(sql);
    if (known) return known;
    if (prepared.size >= MAX_PREPARED) prepared.clear();
    const fresh = db.prepare(sql);
    prepared.set(sql, fresh);
    return fresh;
  }

  const isWithin = () => open !== undefined && transactionNow() === open.transaction;

  /**
   * Runs `work` when no other transaction is open: a statement on the same connection would read what may be undone, and become a part of it.
   * `work` must be synchronous, because another transaction may begin after it.
   */
  async function alone<Result>(work: () => Result): Promise<Result> {
    while (open !== undefined && !isWithin()) await open.transaction.ended;
    return work();
  }

  const changesSoFar = () => (generations?.total() ?? 0) + (itemTexts?.changes() ?? 0);

  const store: Store = {
    file: {
      copyTo: (to, signal) => copyOpenDatabase(db, fd, to, signal),
      isThere() {
        const { ino, nlink } = fstatSync(fd, { bigint: true });
        const begin = Buffer.alloc(FILE_BEGIN.length);
        readSync(fd, begin, 0, begin.length, 0);
        const isSame = statSync(file, { bigint: true, throwIfNoEntry: false })?.ino === ino;
        return nlink > 0n && isSame && begin.equals(FILE_BEGIN);
      },
    },
    isShared: false,
    exclusively: (_name, work) => work(),
    all: <Row>(sql: string, ...params: Bindable[]) => alone(() => statement(sql).all(...params) as Row[]),
    get: <Row>(sql: string, ...params: Bindable[]) => alone(() => statement(sql).get(...params) as Row | undefined),
    async run(sql, ...params) {
      if (beforeCommit !== undefined && !isWithin()) return store.transaction(() => store.run(sql, ...params));
      return alone(() => ({ changes: Number(statement(sql).run(...params).changes) }));
    },
    async insert(sql, ...params) {
      if (beforeCommit !== undefined && !isWithin()) return store.transaction(() => store.insert(sql, ...params));
      return alone(() => Number(statement(sql).get(...params)?.id));
    },
    fullText: SQLITE_FULL_TEXT,
    // The plus keeps SQLite from beginning with the set.
    inSet: (column, select, isSmall) => `${isSmall ? '' : '+'}${column} IN (${select})`,
    sizeSql: 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
    async transaction(work) {
      if (isWithin()) return await work();
      const own = await alone(() => {
        open = openTransaction();
        return open;
      });
      const seen = changesSoFar();
      let result: Awaited<ReturnType<typeof work>>;
      try {
        db.exec('BEGIN IMMEDIATE');
        result = await within(own.transaction, async () => {
          const made = await work();
          await beforeCommit?.();
          return made;
        });
        db.exec('COMMIT');
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK');
        // Cached results may depend on changes that were just undone.
        if (changesSoFar() !== seen) {
          generations?.all();
          itemTexts?.clear();
        }
        throw error;
      } finally {
        open = undefined;
        own.end();
      }
      await runAfterCommit(own.transaction);
      return result;
    },
    async afterCommit(work) {
      if (open !== undefined && isWithin()) open.transaction.afterCommit.push(work);
      else await work();
    },
    beforeCommit(added) {
      beforeCommit = added;
    },
    async noteChanges({ sqlite: { table, triggers } }) {
      for (const statement of [table, ...triggers]) db.exec(statement);
    },
    async derived<T>(subject: TableGroup, name: string, work: () => T | Promise<T>) {
      const generation = await alone(() => generations?.of(subject) ?? 0);
      const held = derived.get(name);
      if (held?.generation === generation) return held.value as T;
      const value = await work();
      derived.set(name, { generation, value });
      return value;
    },
    itemText: (id) => itemTexts?.of(id),
    itemChanges: () => itemTexts?.changes() ?? 0,
    keepItemText(id, text, since) {
      if (open === undefined) itemTexts?.keep(id, text, since);
    },
    isOpen: () => db.isOpen,
    async close() {
      prepared.clear();
      if (!db.isOpen) return;
      db.close();
      closeSync(fd);
    },
  };
  try {
    await migrate(
      store,
      (sql) => db.exec(sql),
      (version) => keepBeforeMigration(file, version, (path) => void db.prepare('VACUUM INTO ?').run(path)),
    );
  } catch (error) {
    await store.close();
    throw error;
  }
  generations = watchChanges(db);
  itemTexts = keepItemTexts(db);
  return store;
}
