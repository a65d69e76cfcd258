import cors from '@fastify/cors';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify';
import { registerAccounts } from '../accounts/account-routes.ts';
import { actingFor } from '../audit/acting.ts';
import { registerCdn } from '../cdn/cdn-routes.ts';
import { isDatabaseFull } from '../database/failures.ts';
import { registerFeeds } from '../feeds/feed-routes.ts';
import { limitRequests } from '../limits/limit-requests.ts';
import { registerOauth } from '../oauth/oauth-routes.ts';
import { registerOidc } from '../oidc/oidc-routes.ts';
import { registerOpenApi } from '../openapi/openapi-routes.ts';
import { explainMissingPages } from '../pages/missing-page.ts';
import { registerPages } from '../pages/page-routes.ts';
import { apiRoutes, isWrite } from '../resources/api-router.ts';
import { collectionRoutes } from '../resources/collections/collection-routes.ts';
import { fileRoutes } from '../resources/files/file-routes.ts';
import { filesOfItem } from '../resources/files/files.ts';
import { groupRoutes } from '../resources/groups/group-routes.ts';
import { mediaRoutes } from '../resources/media/media-routes.ts';
import { membershipRoutes } from '../resources/memberships/membership-routes.ts';
import { podcastRoutes } from '../resources/podcasts/podcast-routes.ts';
import { roleRoutes } from '../resources/roles/role-routes.ts';
import { tagRoutes } from '../resources/tags/tag-routes.ts';
import { thumbRoutes } from '../resources/thumbnails/thumb-routes.ts';
import { userRoutes } from '../resources/users/user-routes.ts';
import { type Instruments, NO_INSTRUMENTS } from '../site/instruments.ts';
import type { JournalEntry } from '../site/journal.ts';
import type { RequestObserver } from '../site/observer.ts';
import { bodyTimeoutMs, type Site } from '../site/site.ts';
import { StorageUnavailable } from '../storage/storage-unavailable.ts';
import { registerUploads } from '../uploads/upload-routes.ts';
import { refuse } from '../wire/answer.ts';
import { acceptJsonBodies } from '../wire/json-body.ts';
import { pluginOf } from '../wire/plugin.ts';
import { noSpace, notFound, Problem, readOnly, storageGone } from '../wire/problem.ts';
import { addSecurityHeaders, SECURITY_HEADERS } from '../wire/security-headers.ts';
import { registerWorkers } from '../workers/worker-routes.ts';
import { refuseWhileDraining } from './drain.ts';
import { createEntry } from './request-entry.ts';

const JSON_BODY_LIMIT_BYTES = 1024 * 1024;

export interface AppOptions {
  isBehindProxy?: boolean;
  listenHost?: string;
  instruments?: Pick<Instruments, 'intercept'>;
  /** Called for each request. */
  observe?: RequestObserver | undefined;
  /** Whether every answer has an `X-Request-Id`. */
  givesIds?: boolean | undefined;
  /** What workers send; absent: there are none. */
  workerToken?: string | undefined;
}

/**
 * Creates the public application: everything below the base URL. Behind a proxy, the last address in `X-Forwarded-For`,
 * which the proxy itself saw, counts as the client's.
 */
export function createApp(
  site: Site,
  {
    isBehindProxy = false,
    listenHost = '127.0.0.1',
    instruments = NO_INSTRUMENTS,
    observe,
    givesIds,
    workerToken,
  }: AppOptions = {},
): FastifyInstance {
  const entry = createEntry(site, { listenHost, intercept: instruments.intercept, observe, givesIds });
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
    // Read-only mode disables all writes, including those to unknown paths.
    const disabled = site.settings.current().read_only && request.url.startsWith('/api2/') && isWrite(request.method);
    return refuse(reply, site.dialect(), disabled ? readOnly() : notFound('Page'));
  });
  app.register(cors, {
    origin: (origin, done) => done(null, !!origin && site.settings.current().cors_origins.includes(origin)),
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: [
      'Location',
      'Retry-After',
      'WWW-Authenticate',
      'X-Library-Epoch',
      ...(givesIds ? ['X-Request-Id'] : []),
    ],
    maxAge: 600,
  });
  addSecurityHeaders(app);
  if (observe !== undefined) {
    app.addHook('onRequest', (request, _reply, done) => {
      entry.routed(request.raw, request);
      done();
    });
  }
  if (site.store.isShared) app.addHook('onRequest', () => site.settings.refresh());
  // After CORS, so that pages of other origins can read the refusal.
  app.after(() => {
    refuseWhileDraining(app, site);
    limitRequests(app, site);
  });
  // Immediately before the handler: events of the body belong to the connection, not to the request.
  app.addHook('preHandler', (request, _reply, done) => {
    const { caller } = request.call ?? {};
    actingFor(
      {
        userId: caller?.userId ?? null,
        clientId: caller?.clientId ?? null,
        address: request.ip,
        request: `${request.method} ${request.routeOptions.url ?? ''}`,
      },
      done,
    );
  });
  const entryOf = (request: FastifyRequest): JournalEntry => entry.entryOf(request.raw);
  app.register(
    pluginOf((api) => {
      acceptJsonBodies(api, { limitBytes: JSON_BODY_LIMIT_BYTES, timeoutMs: () => bodyTimeoutMs(site) });
      const routes = apiRoutes(api, site, entryOf);
      collectionRoutes(routes);
      podcastRoutes(routes);
      mediaRoutes(routes, ({ store }, mediaId) => filesOfItem(store, mediaId));
      fileRoutes(routes);
      thumbRoutes(routes);
      userRoutes(routes);
      groupRoutes(routes);
      tagRoutes(routes);
      roleRoutes(routes);
      membershipRoutes(routes);
    }),
  );
  app.register(pluginOf((scope) => registerOauth(scope, site)));
  app.register(pluginOf((scope) => registerAccounts(scope, site, entryOf)));
  app.register(pluginOf((scope) => registerOidc(scope, site)));
  app.register(pluginOf((scope) => registerUploads(scope, site, entryOf)));
  app.register(pluginOf((scope) => registerCdn(scope, site)));
  app.register(pluginOf((scope) => registerPages(scope, site)));
  app.register(
    pluginOf((scope) => {
      explainMissingPages(scope, site);
      registerFeeds(scope, site);
    }),
  );
  app.register(pluginOf((scope) => registerOpenApi(scope, site)));
  if (workerToken !== undefined) app.register(pluginOf((scope) => registerWorkers(scope, site, workerToken)));
  return app;
}

/** Converts every failure to a problem that a caller may see. An unexpected failure is logged and reported without details. */
function problemOf(site: Site, error: FastifyError | Error): Problem {
  if (error instanceof Problem) return error;
  if (isFull(error)) {
    site.log('the drive is full', { error: error.message });
    return noSpace();
  }
  if (error instanceof StorageUnavailable) {
    site.log('the storage is not available', { error: error.code });
    return storageGone();
  }
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  if (status >= 400 && status < 500) return new Problem(status === 415 ? 400 : status, error.message);
  site.log('request failed', { error: error.stack ?? String(error) });
  return new Problem(500, 'The service failed to handle this request.');
}

/** Returns whether an error of the file system or of the database says that the drive is full. */
function isFull(error: Error): boolean {
  const { code } = error as { code?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT' || isDatabaseFull(error);
}
