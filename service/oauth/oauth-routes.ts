import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import { bodyTimeoutMs, type Site } from '../site/site.ts';
import { acceptJsonBodies } from '../wire/json-body.ts';
import { pluginOf } from '../wire/plugin.ts';
import { Problem } from '../wire/problem.ts';
import { authorizeRoutes } from './authorize-routes.ts';
import { refuseToken, tokenRoutes } from './token-routes.ts';
import { TokenRefusal } from './tokens.ts';

/** Small, because these requests come from callers that have not signed in yet. */
const BODY_LIMIT_BYTES = 64 * 1024;

/** Registers all routes under /api2/oauth: pages with forms, and the endpoints for programs, which take JSON or a form. */
export async function registerOauth(app: FastifyInstance, site: Site): Promise<void> {
  acceptJsonBodies(app, {
    limitBytes: BODY_LIMIT_BYTES,
    timeoutMs: () => bodyTimeoutMs(site),
    refusesRepeatedKeys: true,
  });
  await app.register(formbody, { bodyLimit: BODY_LIMIT_BYTES });
  authorizeRoutes(app, site);
  await app.register(
    pluginOf((tokens) => {
      tokens.setErrorHandler((error, _request, reply) => {
        if (error instanceof Problem && error.status === 400) {
          return refuseToken(reply, site, new TokenRefusal('invalid_request', error.message));
        }
        throw error;
      });
      tokenRoutes(tokens, site);
    }),
  );
}
