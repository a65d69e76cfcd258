import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { isWrite } from '../resources/api-router.ts';
import type { Site } from '../site/site.ts';
import type { Traffic } from '../site/traffic.ts';
import { stopping } from '../wire/problem.ts';

/** After the last answer, the service keeps answering for this time: a client may be about to complete an upload. */
const LINGER_MS = 250;
/** A refused body is read up to these limits before the answer, so that the client can read the answer. */
const SWALLOWED_BYTES = 1024 * 1024;
const SWALLOWED_MS = 2000;

/**
 * While the service is about to stop: refuses writes with 503, and closes each connection after its answer. The upload destination
 * refuses uploads itself, because it reads a refused body. The completion of an upload is accepted: its bytes are here.
 */
export function refuseWhileDraining(app: FastifyInstance, site: Pick<Site, 'traffic'>): void {
  const { traffic } = site;
  app.addHook('onRequest', async (request) => {
    if (!traffic.isDraining || !isWrite(request.method) || /^\/(upload|postprocess)\//.test(request.url)) return;
    await swallow(request.raw);
    throw stopping();
  });
  app.addHook('onSend', async (request, reply, payload) => {
    // A connection that still brings a body would be reset, and the client would not read the answer.
    if (traffic.isDraining && request.raw.complete) reply.header('connection', 'close');
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
 * Begins to stop: new writes are refused from now on. Resolves with `idle` when no request has been under way for a moment, with
 * `limit` after `limitMs`, and with `now` when `signal` is aborted.
 */
export function drain(traffic: Traffic, limitMs: number, signal: AbortSignal): Promise<'idle' | 'limit' | 'now'> {
  traffic.drain();
  return new Promise((resolve) => {
    let linger: NodeJS.Timeout | undefined;
    const finish = (why: 'idle' | 'limit' | 'now') => {
      clearTimeout(limit);
      clearTimeout(linger);
      resolve(why);
    };
    const limit = setTimeout(finish, limitMs, 'limit');
    const idle = () => {
      clearTimeout(linger);
      linger = setTimeout(() => {
        if (traffic.requests === 0) finish('idle');
      }, LINGER_MS);
    };
    traffic.onIdle(idle);
    if (traffic.requests === 0) idle();
    if (signal.aborted) finish('now');
    else signal.addEventListener('abort', () => finish('now'), { once: true });
  });
}
