import type { FastifyInstance } from 'fastify';
import { isWrite } from '../resources/api-router.ts';
import type { Site } from '../site/site.ts';
import type { Traffic } from '../site/traffic.ts';
import { CLAIMS_PATH } from '../site/workers-settings.ts';
import { stopping } from '../wire/problem.ts';
import { discardBody } from '../wire/refused-body.ts';

/** When the uploads under way have ended, the service keeps answering for this time: their clients are about to complete them. */
const LINGER_MS = 250;
/** An upload that arrived during the stop may be completed for this time after the last one has arrived. */
const COMPLETION_MS = 5000;

/**
 * While the service is about to stop: refuses writes with 503, and closes each connection after its answer. The upload destination
 * refuses uploads itself, because it reads a refused body. The completion of an upload is accepted: its bytes are here. So are the
 * messages of workers about what they have, which would lose it otherwise. At the end,
 * every request is refused, so that clients that keep asking can't delay the end.
 */
export function refuseWhileDraining(app: FastifyInstance, site: Pick<Site, 'traffic'>): void {
  const { traffic } = site;
  app.addHook('onRequest', async (request) => {
    if (traffic.phase === 'serving' || request.url.startsWith('/upload/')) return;
    const isRefused = isWrite(request.method) && !isAboutBegunWork(request.url);
    if (!isRefused && traffic.phase !== 'closing') return;
    await discardBody(request.raw);
    throw stopping();
  });
  app.addHook('onSend', async (request, reply, payload) => {
    // A connection that still brings a body would be reset, and the client would not read the answer.
    if (traffic.phase !== 'serving' && request.raw.complete) reply.header('connection', 'close');
    return payload;
  });
}

const isAboutBegunWork = (url: string) => url.startsWith('/postprocess/') || url.startsWith(`${CLAIMS_PATH}/`);

/**
 * Ends the requests under way, and gives clients whose uploads have arrived the time to complete them. Resolves with `ended` when all have, with `limit` after `limitMs`, and with `now` when `signal` is
 * aborted.
 */
export async function drain(
  traffic: Traffic,
  limitMs: number,
  signal: AbortSignal,
): Promise<'ended' | 'limit' | 'now'> {
  let limit: NodeJS.Timeout | undefined;
  let pausing: NodeJS.Timeout | undefined;
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      pausing = setTimeout(resolve, ms);
    });
  const cut = new Promise<'limit' | 'now'>((resolve) => {
    limit = setTimeout(resolve, limitMs, 'limit');
    if (signal.aborted) resolve('now');
    else signal.addEventListener('abort', () => resolve('now'), { once: true });
  });
  async function ended(): Promise<'ended'> {
    await traffic.enter('draining');
    await pause(LINGER_MS);
    await Promise.race([traffic.allCompleted(), pause(COMPLETION_MS)]);
    await traffic.enter('closing');
    return 'ended';
  }
  try {
    return await Promise.race([ended(), cut]);
  } finally {
    clearTimeout(limit);
    clearTimeout(pausing);
  }
}
