import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolClient } from 'pg';
import type { ChangeNotes } from '../change-notes.ts';
import type { Subject } from '../changes.ts';
import type { Bindable } from '../condition.ts';
import type { FullText } from '../full-text.ts';
import { OWN_SCHEMA } from '../schema.ts';
import { type Changed, createCaches } from './caches.ts';
import { CHANNEL } from './change-triggers.ts';
import { clientConfig, type PostgresConfig } from './connection.ts';
import { asUnavailable, retryAfterMs } from './failure.ts';
import { postgresFullText } from './full-text.ts';
import { listen } from './listener.ts';
import { exclusively, migratePostgres } from './migrate.ts';
import { replaceTriggers } from './program-triggers.ts';
import { toPostgres } from './statement.ts';
import { createTokenizer } from './words.ts';

/**
 * The database on a server, which several processes may use. Each call may wait for the server. A function that is passed to `transaction`
 * runs again when another transaction was faster: it must have no other effects.
 */
export interface PostgresStore {
  all<Row>(sql: string, ...params: Bindable[]): Promise<Row[]>;
  get<Row>(sql: string, ...params: Bindable[]): Promise<Row | undefined>;
  run(sql: string, ...params: Bindable[]): Promise<{ changes: number }>;
  insert(sql: string, ...params: Bindable[]): Promise<number>;
  readonly fullText: FullText;
  inSet(column: string, select: string, isSmall: boolean): string;
  readonly sizeSql: string;
  /** Runs `work` atomically, as if no other transaction ran at the same time. Nested calls join the outer transaction. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /** From now on, calls `work` at the end of each transaction that may have changed something. */
  beforeCommit(work: () => Promise<void>): void;
  /** From now on, changes are noted. */
  noteChanges(notes: Pick<ChangeNotes, 'postgres'>): Promise<void>;
  derived<T>(subject: Subject, name: string, work: () => Promise<T>): Promise<T>;
  itemText(id: number): string | undefined;
  itemChanges(): number;
  keepItemText(id: number, text: string, since: number): void;
  isOpen(): boolean;
  close(): Promise<void>;
}

interface Transaction {
  client: PoolClient;
  changed: Changed;
  /** The statements of a connection run one after the other. */
  last: Promise<unknown>;
  /** Why a statement failed: the server then undoes the transaction, whatever comes after it. */
  failure?: unknown;
  hasEnded: boolean;
}

interface Result {
  rows: Record<string, unknown>[];
  changes: number;
}

const CONNECTIONS = 10;
/** Statements that the server prepares once on each connection. */
const MOST_PREPARED = 400;
const WRITES = /^\s*(?:INSERT|UPDATE|DELETE)\b/i;
/** The server can't store this character in a text. */
const NUL = /\0/g;

/** Returns the answer of the driver. Rejects with `StorageUnavailable` when there is none. */
async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** Connects to a database, which may be empty, and migrates its schema. Rejects with `StorageUnavailable` when it can't be reached. */
export async function openPostgresStore(config: PostgresConfig): Promise<PostgresStore> {
  const pool = new Pool({ ...clientConfig(config), max: config.connections ?? CONNECTIONS });
  const current = new AsyncLocalStorage<Transaction>();
  const running = new Map<PoolClient, Transaction>();
  const processes = new Set<number>();
  const prepared = new Map<string, { text: string; name?: string }>();
  const caches = createCaches();
  let setUp: string | undefined;
  const isSetUp = new WeakSet<PoolClient>();
  let beforeCommit: (() => Promise<void>) | undefined;
  let isOpen = true;

  pool.on('connect', (client) => {
    const { processID } = client as PoolClient & { processID: number };
    processes.add(processID);
    client.on('end', () => void processes.delete(processID));
    client.on('error', () => {});
    client.on('notice', ({ message = '' }) => {
      if (message.startsWith(`${CHANNEL} `)) {
        running.get(client)?.changed.messages.add(message.slice(CHANNEL.length + 1));
      }
    });
  });
  // An idle connection was lost: the pool opens another one.
  pool.on('error', () => {});

  function statement(sql: string): { text: string; name?: string } {
    const known = prepared.get(sql);
    if (known) return known;
    const text = toPostgres(sql);
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    const fresh = prepared.size < MOST_PREPARED ? { text, name } : { text };
    if (prepared.size < MOST_PREPARED) prepared.set(sql, fresh);
    return fresh;
  }

  async function ask(client: Pick<PoolClient, 'query'>, sql: string, params: readonly Bindable[]): Promise<Result> {
    const values = params.map((value) => (typeof value === 'string' ? value.replace(NUL, '\ufffd') : value));
    const { rows, rowCount } = await asked(client.query<Record<string, unknown>>({ ...statement(sql), values }));
    return { rows, changes: rowCount ?? 0 };
  }

  /** The connection was lost. Its transaction may be committed, now or later: then the listener tells what has changed. */
  function forget(client: PoolClient): void {
    processes.delete((client as PoolClient & { processID: number }).processID);
    caches.dropAll();
  }

  const open = (): Transaction | undefined => {
    const transaction = current.getStore();
    return transaction?.hasEnded === false ? transaction : undefined;
  };

  async function query(sql: string, params: readonly Bindable[]): Promise<Result> {
    const transaction = open();
    if (transaction === undefined) {
      if (WRITES.test(sql)) return store.transaction(() => query(sql, params));
      return ask(pool, sql, params);
    }
    const result = transaction.last.then(() => ask(transaction.client, sql, params));
    transaction.last = result.catch((error) => {
      transaction.failure ??= error;
    });
    return result;
  }

  /** Runs the work once. Rejects with the error of the driver. */
  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    const client = await asked(pool.connect());
    const transaction: Transaction = { client, changed: caches.begin(), last: Promise.resolve(), hasEnded: false };
    running.set(client, transaction);
    let isBroken = true;
    try {
      if (setUp !== undefined && !isSetUp.has(client)) {
        await asked(client.query(setUp));
        isSetUp.add(client);
      }
      await asked(client.query('BEGIN ISOLATION LEVEL SERIALIZABLE'));
      const result = await current.run(transaction, async () => {
        const made = await work();
        await transaction.last;
        await beforeCommit?.();
        return made;
      });
      await transaction.last;
      transaction.hasEnded = true;
      if (transaction.failure !== undefined) throw transaction.failure;
      await asked(client.query('COMMIT'));
      caches.apply(transaction.changed.messages);
      isBroken = false;
      return result;
    } catch (error) {
      await transaction.last;
      transaction.hasEnded = true;
      isBroken = await client.query('ROLLBACK').then(
        () => false,
        () => true,
      );
      if (isBroken) forget(client);
      throw error;
    } finally {
      running.delete(client);
      client.release(isBroken);
    }
  }

  const store: PostgresStore = {
    all: async <Row>(sql: string, ...params: Bindable[]) => (await query(sql, params)).rows as Row[],
    get: async <Row>(sql: string, ...params: Bindable[]) => (await query(sql, params)).rows[0] as Row | undefined,
    run: async (sql, ...params) => ({ changes: (await query(sql, params)).changes }),
    insert: async (sql, ...params) => Number((await query(sql, params)).rows[0]?.id),
    fullText: postgresFullText(createTokenizer()),
    inSet: (column, select, isSmall) => (isSmall ? `${column} = ANY (ARRAY(${select}))` : `+${column} IN (${select})`),
    sizeSql: 'SELECT pg_database_size(current_database()) AS bytes',
    async transaction(work) {
      if (open() !== undefined) return work();
      for (let tried = 1; ; tried += 1) {
        try {
          return await attempt(work);
        } catch (error) {
          const waitMs = retryAfterMs(error, tried, Math.random());
          if (waitMs === undefined) throw error;
          await sleep(waitMs);
        }
      }
    },
    beforeCommit(work) {
      beforeCommit = work;
    },
    async noteChanges({ postgres: { table, triggers } }) {
      await asked(exclusively(await asked(pool.connect()), (run) => replaceTriggers(run, triggers)));
      setUp = table;
    },
    derived: (subject, name, work) => caches.derived(subject, name, work, open()?.changed),
    itemText: (id) => (open() === undefined ? caches.itemText(id) : undefined),
    itemChanges: () => caches.itemChanges(),
    keepItemText(id, text, since) {
      if (open() === undefined) caches.keepItemText(id, text, since);
    },
    isOpen: () => isOpen,
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await listener?.stop();
      await pool.end();
    },
  };
  let listener: Awaited<ReturnType<typeof listen>> | undefined;
  try {
    await exclusively(await asked(pool.connect()), (run) => migratePostgres(run, OWN_SCHEMA));
    listener = await listen(clientConfig(config), {
      onMessage: (message) => caches.apply([message]),
      onState: (isListening) => caches.setListening(isListening),
      isOwn: (processId) => processes.has(processId),
    });
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}
