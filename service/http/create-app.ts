import cors from '@fastify/cors';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify';
import { registerOauth } from '../oauth/routes.ts';
import type { FaultRegister } from '../site/faults.ts';
import type { JournalEntry } from '../site/journal.ts';
import { registerPages } from '../site/pages.ts';
import type { Site } from '../site/site.ts';
import { registerCdn } from '../storage/cdn.ts';
import { registerUploads } from '../storage/upload-routes.ts';
import { refuse } from './answer.ts';
import { apiRoutes, isWrite } from './api-plugin.ts';
import { collectionRoutes } from './collection-routes.ts';
import { createEntry } from './entry.ts';
import { fileRoutes } from './file-routes.ts';
import { groupRoutes } from './group-routes.ts';
import { acceptJsonBodies } from './json-body.ts';
import { mediaRoutes } from './media-routes.ts';
import { membershipRoutes } from './membership-routes.ts';
import { notFound, Problem, readOnly } from './problem.ts';
import { roleRoutes } from './role-routes.ts';
import { addSecurityHeaders, SECURITY_HEADERS } from './security-headers.ts';
import { tagRoutes } from './tag-routes.ts';
import { thumbRoutes } from './thumb-routes.ts';
import { userRoutes } from './user-routes.ts';

const JSON_BODY_LIMIT_BYTES = 1024 * 1024;

/**
 * The service's public application: everything that is reached under the base address. Behind a proxy the last address of
 * `X-Forwarded-For`, which is what the proxy itself saw, counts as the client's.
 */
export function createApp(
  site: Site,
  faults: FaultRegister,
  { isBehindProxy = false, listenHost = '127.0.0.1' } = {},
): FastifyInstance {
  const entry = createEntry(site, faults, listenHost);
  const app = Fastify({
    serverFactory: entry.createServer,
    bodyLimit: JSON_BODY_LIMIT_BYTES,
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: false },
    forceCloseConnections: true,
    trustProxy: (_address, hop) => isBehindProxy && hop === 0,
    frameworkErrors: (error, _request, reply) =>
      void refuse(reply.headers(SECURITY_HEADERS), site.dialect(), problemOf(site, error)),
  });
  app.setErrorHandler((error: FastifyError, _request, reply) => refuse(reply, site.dialect(), problemOf(site, error)));
  app.setNotFoundHandler((request, reply) => {
    // Writes are disabled in read-only mode, also those that no route takes.
    const disabled = site.settings.current().read_only && request.url.startsWith('/api2/') && isWrite(request.method);
    return refuse(reply, site.dialect(), disabled ? readOnly() : notFound('Page'));
  });
  app.register(cors, {
    origin: (origin, done) => done(null, !!origin && site.settings.current().cors_origins.includes(origin)),
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: ['Location', 'Retry-After', 'WWW-Authenticate'],
    maxAge: 600,
  });
  addSecurityHeaders(app);
  const entryOf = (request: FastifyRequest): JournalEntry => entry.entryOf(request.raw);
  app.register(async (api) => {
    acceptJsonBodies(api, site, JSON_BODY_LIMIT_BYTES);
    const routes = apiRoutes(api, site, entryOf);
    collectionRoutes(routes);
    mediaRoutes(routes);
    fileRoutes(routes);
    thumbRoutes(routes);
    userRoutes(routes);
    groupRoutes(routes);
    tagRoutes(routes);
    roleRoutes(routes);
    membershipRoutes(routes);
  });
  app.register(async (scope) => registerOauth(scope, site));
  app.register(async (scope) => registerUploads(scope, site, entryOf));
  app.register(async (scope) => registerCdn(scope, site));
  app.register(async (scope) => registerPages(scope, site));
  return app;
}

/** Every failure as something that a caller may see; what nobody foresaw is logged and told without details. */
function problemOf(site: Site, error: FastifyError | Error): Problem {
  if (error instanceof Problem) return error;
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  if (status >= 400 && status < 500) return new Problem(status === 415 ? 400 : status, error.message);
  site.log('request failed', { error: error.stack ?? String(error) });
  return new Problem(500, 'The service failed to handle this request.');
}
