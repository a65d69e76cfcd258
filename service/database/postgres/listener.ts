import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import { CHANNEL } from './change-triggers.ts';

/** What the listener tells. */
export interface ListenerEvents {
  /** Another process has changed something. */
  onMessage(message: string): void;
  /** Whether messages come: after `false`, some may be missed until `true`. */
  onState(isListening: boolean): void;
  /** Whether a message is of a connection of this process, by the number of its server process. */
  isOwn(processId: number): boolean;
}

export interface Listener {
  stop(): Promise<void>;
}

const AGAIN_AFTER_MS = 500;
/** A connection that does not answer within this time is given up: messages may have been lost. */
const ASK_EVERY_MS = 5000;

/** Opens a connection that listens, and another one whenever it is lost. Resolves when the first one listens, or could not be opened. */
export async function listen(config: ClientConfig, events: ListenerEvents): Promise<Listener> {
  const stopped = new AbortController();
  let client = await connected(config, events).catch(() => undefined);
  const ended = (async () => {
    while (!stopped.signal.aborted) {
      if (client !== undefined) await untilLost(client, stopped.signal);
      events.onState(false);
      client = undefined;
      if (stopped.signal.aborted) return;
      await sleep(AGAIN_AFTER_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (!stopped.signal.aborted) client = await connected(config, events).catch(() => undefined);
    }
    await client?.end().catch(() => undefined);
  })();
  return {
    async stop() {
      stopped.abort();
      await ended;
    },
  };
}

async function connected(config: ClientConfig, events: ListenerEvents): Promise<Client> {
  const client = new Client({ ...config, query_timeout: ASK_EVERY_MS });
  client.on('notification', ({ processId, payload }) => {
    if (!events.isOwn(processId)) events.onMessage(payload ?? '');
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(`LISTEN ${CHANNEL}`);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  events.onState(true);
  return client;
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
