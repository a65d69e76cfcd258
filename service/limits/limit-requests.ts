import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callerOf } from '../oauth/bearer.ts';
import type { Site } from '../site/site.ts';
import { CLAIMS_PATH } from '../site/workers-settings.ts';
import { Problem } from '../wire/problem.ts';
import { discardBody } from '../wire/refused-body.ts';
import { createRequestLimit, type Requester } from './request-limit.ts';

/** The routes that are never limited: bytes (an upload, its completion, a download), and those of workers. */
const UNLIMITED: ReadonlySet<string> = new Set(['/upload/:token', '/postprocess/:token', '/cdn/:token/:name']);
const isUnlimited = (route = '') =>
  UNLIMITED.has(route) || route.startsWith(`${CLAIMS_PATH}/`) || route === CLAIMS_PATH;

/** Refuses requests with 429 while their user, or their address, has sent more than the setting `requests_per_minute` allows. */
export function limitRequests(app: FastifyInstance, site: Site): void {
  const limit = createRequestLimit();
  app.addHook('onRequest', async (request) => {
    const { requests_per_minute: perMinute } = site.settings.current();
    if (perMinute === null || isUnlimited(request.routeOptions.url)) return;
    const waitMs = limit.admit(await requesterOf(site, request), perMinute, site.now());
    if (waitMs === 0) return;
    site.traffic.refused('too-many-requests');
    await discardBody(request.raw);
    throw tooMany(Math.ceil(waitMs / 1000));
  });
}

/** A token that is not valid gives no share of its own. */
async function requesterOf(site: Site, { headers, ip }: FastifyRequest): Promise<Requester> {
  if (headers.authorization === undefined) return { address: ip };
  try {
    return { userId: (await callerOf(site, headers.authorization)).userId };
  } catch (error) {
    if (error instanceof Problem) return { address: ip };
    throw error;
  }
}

const tooMany = (waitS: number): Problem =>
  new Problem(429, `Too many requests. Wait ${waitS} s before the next one.`, [], { 'retry-after': String(waitS) });
