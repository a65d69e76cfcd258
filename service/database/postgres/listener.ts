import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import { CHANNEL } from './change-triggers.ts';

/** What the listener reports. */
export interface ListenerEvents {
  /** Another process has changed something. */
  onMessage(message: string): void;
  /** Whether messages come: after `false`, some may be missed until `true`. */
  onState(isListening: boolean): void;
  /** Whether a message is of a connection of this process, by the number of its server process. */
  isOwn(processId: number): boolean;
}

export interface Listener {
  /**
   * Resolves when the message of a transaction of this process has arrived here, or does not arrive soon. Call it before the commit.
   * `processId`: the server process of its connection.
   */
  whenNotified(processId: number, isExpected: boolean): Promise<void>;
  stop(): Promise<void>;
}

/** The code of the error when another process uses the database. */
export const DATABASE_IN_USE = 'database.in-use';

const AGAIN_AFTER_MS = 500;
/** A message usually arrives within a few milliseconds after the commit. */
const NOTIFIED_WITHIN_MS = 100;
/** A connection that does not answer within this time is given up: messages may have been lost. */
const ASK_EVERY_MS = 5000;

/** Opens a connection that listens, and another one whenever it is lost. Resolves when the first one listens, or could not be opened. */
export async function listen(config: ClientConfig & { isShared: boolean }, events: ListenerEvents): Promise<Listener> {
  const stopped = new AbortController();
  const awaited = new Map<number, () => void>();
  const connect = () => connected(config, events, (processId) => awaited.get(processId)?.());
  let client: Client | undefined = await connect();
  const ended = (async () => {
    while (!stopped.signal.aborted) {
      if (client !== undefined) await untilLost(client, stopped.signal);
      events.onState(false);
      client = undefined;
      if (stopped.signal.aborted) return;
      await sleep(AGAIN_AFTER_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (!stopped.signal.aborted) client = await connect().catch(() => undefined);
    }
    await client?.end().catch(() => undefined);
  })();
  return {
    async whenNotified(processId, isExpected) {
      if (!isExpected || client === undefined) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, NOTIFIED_WITHIN_MS);
      awaited.set(processId, resolve);
      await promise;
      clearTimeout(timer);
      if (awaited.get(processId) === resolve) awaited.delete(processId);
    },
    async stop() {
      stopped.abort();
      await ended;
    },
  };
}

async function connected(
  config: ClientConfig & { isShared: boolean },
  events: ListenerEvents,
  onOwn: (processId: number) => void,
): Promise<Client> {
  const client = new Client({ ...config, query_timeout: ASK_EVERY_MS });
  client.on('notification', ({ processId, payload }) => {
    if (events.isOwn(processId)) onOwn(processId);
    else events.onMessage(payload ?? '');
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(`LISTEN ${CHANNEL}`);
    await claim(client, config.isShared);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  events.onState(true);
  return client;
}

/**
 * The connection holds the right to use the database, with others or alone. Rejects when there are others and it must be alone, or the other
 * way round.
 */
async function claim(client: Client, isShared: boolean): Promise<void> {
  const lock = `pg_try_advisory_lock${isShared ? '_shared' : ''}(hashtextextended('library in use', 0))`;
  const { rows } = await client.query<{ held: number }>(`SELECT ${lock} AS held`);
  if (rows[0]?.held !== 1) throw new DatabaseInUse();
}

/** Another process uses the database, and one of them has the content on its own drive. */
class DatabaseInUse extends Error {
  readonly code = DATABASE_IN_USE;

  constructor() {
    super(
      'Another process uses this database. Several processes need their content in an object store (`storage` in the configuration).',
    );
  }
}

/** Resolves when the connection has ended, does not answer, or `signal` is aborted. The connection is then closed. */
async function untilLost(client: Client, signal: AbortSignal): Promise<void> {
  const lost = new AbortController();
  const end = () => lost.abort();
  client.on('end', end);
  client.on('error', end);
  const over = AbortSignal.any([lost.signal, signal]);
  while (!over.aborted) {
    await sleep(ASK_EVERY_MS, undefined, { signal: over }).catch(() => undefined);
    if (!over.aborted) await client.query('SELECT 1').catch(end);
  }
  await client.end().catch(() => undefined);
}
