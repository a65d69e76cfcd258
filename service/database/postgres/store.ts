import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolClient } from 'pg';
import { OutcomeUnknown, StorageUnavailable } from '../../storage/storage-unavailable.ts';
import type { Bindable } from '../condition.ts';
import { OWN_SCHEMA } from '../schema.ts';
import type { Store } from '../store.ts';
import {
  type OpenTransaction,
  openTransaction,
  runAfterCommit,
  type Transaction,
  transactionNow,
  within,
} from '../transaction-scope.ts';
import { type Changed, createCaches } from './caches.ts';
import { CHANNEL } from './change-triggers.ts';
import { clientConfig, type PostgresConfig } from './connection.ts';
import { asContended, asUnavailable, Failures, isStalePlan } from './failure.ts';
import { postgresFullText } from './full-text.ts';
import { createGate } from './gate.ts';
import { listen } from './listener.ts';
import { inStepWithOthers, migratePostgres } from './migrate.ts';
import { replaceTriggers } from './program-triggers.ts';
import { toPostgres } from './statement.ts';
import { createTokenizer } from './words.ts';

/** A transaction of this process. */
interface Running {
  readonly client: PoolClient;
  readonly scope: OpenTransaction;
  readonly changed: Changed;
  /** The statements of a connection run one after the other. */
  last: Promise<unknown>;
  /** Why a statement failed: the server then undoes the transaction, whatever comes after it. */
  failure?: unknown;
}

interface Result {
  rows: Record<string, unknown>[];
  changes: number;
}

const processOf = (client: PoolClient) => (client as PoolClient & { processID: number }).processID;

const CONNECTIONS = 10;
/** Attempts of a transaction beside others; later ones run alone. */
const BESIDE_OTHERS = 2;
const ALONE_AFTER_MS = 2000;
/**
 * Begins a transaction that no other one disturbs. The server notes what a transaction reads: of a scan it notes the whole table, which
 * then conflicts with every change of it.
 */
const BEGIN = 'BEGIN ISOLATION LEVEL SERIALIZABLE; SET LOCAL enable_seqscan = off';
/** The locks of work that one process runs at a time. */
const WORK_LOCKS = 0x4d44_4c43;
/** The lock of the transaction that runs alone, among all processes. */
const ALONE = `${WORK_LOCKS}, 0`;
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

const isRejected = (answer: Promise<unknown>) =>
  answer.then(
    () => false,
    () => true,
  );

/**
 * Connects to a database on a server, which may be empty and which several processes may use, and migrates its schema. A transaction runs as
 * if no other one ran at the same time: its work runs again from its beginning when it conflicts with another one. Rejects with
 * `StorageUnavailable` when the server can't be reached; so do statements later.
 */
export async function openPostgresStore(config: PostgresConfig): Promise<Store> {
  const pool = new Pool({ ...clientConfig(config), max: config.connections ?? CONNECTIONS });
  const running = new Map<Transaction, Running>();
  const busy = new Map<PoolClient, Running>();
  const processes = new Set<number>();
  const prepared = new Map<string, { text: string; name?: string }>();
  /** Statements are prepared under new names after the schema has changed. */
  let generation = 0;
  const caches = createCaches();
  const gate = createGate(ALONE_AFTER_MS);
  let setUp: string | undefined;
  const isSetUp = new WeakSet<PoolClient>();
  let beforeCommit: (() => Promise<void>) | undefined;
  let isOpen = true;
  /** The last work of each name in this process: the next one waits for it. */
  const atWork = new Map<string, Promise<void>>();

  pool.on('connect', (client) => {
    const own = processOf(client);
    processes.add(own);
    client.on('end', () => void processes.delete(own));
    client.on('error', () => {});
    client.on('notice', ({ message = '' }) => {
      if (message.startsWith(`${CHANNEL} `)) {
        busy.get(client)?.changed.messages.add(message.slice(CHANNEL.length + 1));
      }
    });
  });
  // An idle connection was lost: the pool opens another one.
  pool.on('error', () => {});

  function statement(sql: string): { text: string; name?: string } {
    const known = prepared.get(sql);
    if (known) return known;
    const text = toPostgres(sql);
    const name = createHash('sha256').update(`${generation} ${text}`).digest('base64url').slice(0, 22);
    const fresh = prepared.size < MOST_PREPARED ? { text, name } : { text };
    if (prepared.size < MOST_PREPARED) prepared.set(sql, fresh);
    return fresh;
  }

  async function ask(client: Pick<PoolClient, 'query'>, sql: string, params: readonly Bindable[]): Promise<Result> {
    const values = params.map((value) => (typeof value === 'string' ? value.replace(NUL, '\ufffd') : value));
    try {
      const { rows, rowCount } = await asked(client.query<Record<string, unknown>>({ ...statement(sql), values }));
      return { rows, changes: rowCount ?? 0 };
    } catch (error) {
      if (isStalePlan(error)) {
        generation += 1;
        prepared.clear();
      }
      throw error;
    }
  }

  /** Asks outside of a transaction. */
  async function askPool(sql: string, params: readonly Bindable[]): Promise<Result> {
    try {
      return await ask(pool, sql, params);
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      return await ask(pool, sql, params);
    }
  }

  /** The connection was lost. Its transaction may be committed, now or later: then the listener gets the messages of its changes. */
  function forget(client: PoolClient): void {
    processes.delete(processOf(client));
    caches.dropAll();
  }

  /** The transaction in which the caller is; undefined when it has ended. */
  const open = (): Running | undefined => {
    const transaction = transactionNow();
    return transaction && running.get(transaction);
  };

  async function query(sql: string, params: readonly Bindable[]): Promise<Result> {
    const own = open();
    if (own === undefined) {
      return WRITES.test(sql) ? transaction(() => query(sql, params)) : askPool(sql, params);
    }
    const result = own.last.then(() => ask(own.client, sql, params));
    own.last = result.catch((error) => {
      own.failure ??= error;
    });
    return result;
  }

  /** Runs the work once: in this process beside other transactions, or alone. */
  async function attempt<T>(work: () => Promise<T>, isAlone: boolean): Promise<T> {
    const end = await (isAlone ? gate.alone() : gate.beside());
    try {
      return await attemptNow(work, isAlone);
    } finally {
      end();
    }
  }

  async function attemptNow<T>(work: () => Promise<T>, isAlone: boolean): Promise<T> {
    const client = await asked(pool.connect());
    const scope = openTransaction();
    const own: Running = { client, scope, changed: caches.begin(), last: Promise.resolve() };
    busy.set(client, own);
    running.set(scope.transaction, own);
    let isBroken = true;
    try {
      if (setUp !== undefined && !isSetUp.has(client)) {
        await asked(client.query(setUp));
        isSetUp.add(client);
      }
      // Before the transaction: what it reads is from after it has the lock.
      if (isAlone) await asked(client.query(`SELECT pg_advisory_lock(${ALONE})`));
      await asked(client.query(BEGIN));
      const result = await within(scope.transaction, async () => {
        const made = await work();
        await beforeCommit?.();
        return made;
      });
      await own.last;
      running.delete(scope.transaction);
      if (own.failure !== undefined) throw own.failure;
      const notified = listener?.whenNotified(processOf(client), own.changed.messages.size > 0);
      await asked(client.query('COMMIT')).catch((error) => {
        throw error instanceof StorageUnavailable ? new OutcomeUnknown(error.code, { cause: error }) : error;
      });
      caches.apply(own.changed.messages);
      isBroken = false;
      // The server notifies all processes at the same moment: a client that has this answer finds the change through any of them.
      await notified;
      return result;
    } catch (error) {
      await own.last;
      running.delete(scope.transaction);
      isBroken = await isRejected(client.query('ROLLBACK'));
      if (isBroken) forget(client);
      // The work may have made another error of it.
      throw own.failure ?? error;
    } finally {
      busy.delete(client);
      if (isAlone && !isBroken) isBroken = await isRejected(client.query(`SELECT pg_advisory_unlock(${ALONE})`));
      // The end of a connection is the end of its lock.
      client.release(isBroken);
      scope.end();
    }
  }

  /** Runs the work until it meets no conflict with another transaction, and then what waits for its end. */
  async function transaction<T>(work: () => Promise<T>): Promise<T> {
    const failures = new Failures();
    for (let tried = 1; ; tried += 1) {
      let scope: Transaction | undefined;
      const noted = () => {
        scope = transactionNow();
        return work();
      };
      let result: T;
      try {
        result = await attempt(noted, tried > BESIDE_OTHERS);
      } catch (error) {
        const waitMs = failures.note(error, Math.random());
        if (waitMs === undefined) throw asContended(error);
        await sleep(waitMs);
        continue;
      }
      if (scope) await runAfterCommit(scope);
      return result;
    }
  }

  /** Runs `work` unless another process runs the work of this name. */
  async function doLocked(name: string, work: () => Promise<void>): Promise<void> {
    const client = await asked(pool.connect());
    let isBroken = true;
    try {
      const key = createHash('sha256').update(name).digest().readInt32BE();
      const { rows } = await asked(
        client.query<{ taken: number }>('SELECT pg_try_advisory_lock($1, $2) AS taken', [WORK_LOCKS, key]),
      );
      if (rows[0]?.taken === 1) {
        await work();
        await asked(client.query('SELECT pg_advisory_unlock($1, $2)', [WORK_LOCKS, key]));
      }
      isBroken = false;
    } finally {
      // The end of the connection is the end of its lock.
      client.release(isBroken);
    }
  }

  const store: Store = {
    file: undefined,
    isShared: config.isShared,
    async exclusively(name, work) {
      const before = atWork.get(name);
      const own = (async () => {
        await before?.catch(() => undefined);
        await doLocked(name, work);
      })();
      atWork.set(name, own);
      try {
        await own;
      } finally {
        if (atWork.get(name) === own) atWork.delete(name);
      }
    },
    all: async <Row>(sql: string, ...params: Bindable[]) => (await query(sql, params)).rows as Row[],
    get: async <Row>(sql: string, ...params: Bindable[]) => (await query(sql, params)).rows[0] as Row | undefined,
    run: async (sql, ...params) => ({ changes: (await query(sql, params)).changes }),
    insert: async (sql, ...params) => Number((await query(sql, params)).rows[0]?.id),
    fullText: postgresFullText(createTokenizer()),
    inSet: (column, select, isSmall) => (isSmall ? `${column} = ANY (ARRAY(${select}))` : `${column} IN (${select})`),
    sizeSql: 'SELECT pg_database_size(current_database()) AS bytes',
    transaction: (work) => (open() === undefined ? transaction(work) : work()),
    async afterCommit(work) {
      const own = open();
      if (own === undefined) await work();
      else own.scope.transaction.afterCommit.push(work);
    },
    beforeCommit(work) {
      beforeCommit = work;
    },
    async noteChanges({ postgres: { table, triggers } }) {
      await asked(inStepWithOthers(await asked(pool.connect()), (run) => replaceTriggers(run, triggers)));
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
    await inStepWithOthers(await asked(pool.connect()), (run) => migratePostgres(run, OWN_SCHEMA));
    listener = await listen(
      { ...clientConfig(config), isShared: config.isShared },
      {
        onMessage: (message) => caches.apply([message]),
        onState: (isListening) => caches.setListening(isListening),
        isOwn: (processId) => processes.has(processId),
      },
    );
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}
