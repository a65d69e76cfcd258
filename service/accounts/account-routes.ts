import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import { bodyTimeoutMs, type Site } from '../site/site.ts';
import { acceptJsonBodies } from '../wire/json-body.ts';
import { linkRoutes } from './link-routes.ts';
import { ownAccountRoutes } from './own-account-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';

/** Small, because these forms come from anyone. */
const BODY_LIMIT_BYTES = 64 * 1024;

/** Registers the pages below /account. */
export async function registerAccounts(app: FastifyInstance, site: Site): Promise<void> {
  acceptJsonBodies(app, { limitBytes: BODY_LIMIT_BYTES, timeoutMs: () => bodyTimeoutMs(site) });
  await app.register(formbody, { bodyLimit: BODY_LIMIT_BYTES });
  linkRoutes(app, site);
  signInRoutes(app, site);
  ownAccountRoutes(app, site);
}
