import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { isWrite } from '../resources/api-router.ts';
import type { Site } from '../site/site.ts';
import type { Traffic } from '../site/traffic.ts';
import { stopping } from '../wire/problem.ts';

/** When the uploads under way have ended, the service keeps answering for this time: their clients are about to complete them. */
const LINGER_MS = 250;
/** A refused body is read up to these limits before the answer, so that the client can read the answer. */
const SWALLOWED_BYTES = 1024 * 1024;
const SWALLOWED_MS = 2000;

/**
 * While the service is about to stop: refuses writes with 503, and closes each connection after its answer. The upload destination
 * refuses uploads itself, because it reads a refused body. The completion of an upload is accepted: its bytes are here. At the end,
 * every request is refused, so that clients that keep asking can't delay the end.
 */
export function refuseWhileDraining(app: FastifyInstance, site: Pick<Site, 'traffic'>): void {
  const { traffic } = site;
  app.addHook('onRequest', async (request) => {
    if (traffic.phase === 'serving' || request.url.startsWith('/upload/')) return;
    const isRefused = isWrite(request.method) && !request.url.startsWith('/postprocess/');
    if (!isRefused && traffic.phase !== 'closing') return;
    await swallow(request.raw);
    throw stopping();
  });
  app.addHook('onSend', async (request, reply, payload) => {
    // A connection that still brings a body would be reset, and the client would not read the answer.
    if (traffic.phase !== 'serving' && request.raw.complete) reply.header('connection', 'close');
    return payload;
  });
}

function swallow(request: IncomingMessage): Promise<void> {
  if (request.complete || request.headers.expect !== undefined) return Promise.resolve();
  return new Promise((resolve) => {
    let bytes = 0;
    const timer = setTimeout(resolve, SWALLOWED_MS);
    const finish = () => {
      clearTimeout(timer);
      resolve();
    };
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > SWALLOWED_BYTES) finish();
    });
    for (const event of ['end', 'close', 'error']) request.once(event, finish);
    request.resume();
  });
}

/**
 * Ends the requests under way. Resolves with `ended` when all have, with `limit` after `limitMs`, and with `now` when `signal` is
 * aborted.
 */
export async function drain(
  traffic: Traffic,
  limitMs: number,
  signal: AbortSignal,
): Promise<'ended' | 'limit' | 'now'> {
  let limit: NodeJS.Timeout | undefined;
  const cut = new Promise<'limit' | 'now'>((resolve) => {
    limit = setTimeout(resolve, limitMs, 'limit');
    if (signal.aborted) resolve('now');
    else signal.addEventListener('abort', () => resolve('now'), { once: true });
  });
  async function ended(): Promise<'ended'> {
    await traffic.enter('draining');
    await sleep(LINGER_MS);
    await traffic.enter('closing');
    return 'ended';
  }
  try {
    return await Promise.race([ended(), cut]);
  } finally {
    clearTimeout(limit);
  }
}
