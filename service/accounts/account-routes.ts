import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { actingFor, actingNow } from '../audit/acting.ts';
import { createMailer } from '../mail/mailer.ts';
import type { JournalEntry } from '../site/journal.ts';
import { bodyTimeoutMs, type Site } from '../site/site.ts';
import { acceptJsonBodies } from '../wire/json-body.ts';
import { pluginOf } from '../wire/plugin.ts';
import { forgottenRoutes } from './forgotten-routes.ts';
import { linkRoutes } from './link-routes.ts';
import { ownAccountRoutes } from './own-account-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { visitorOf } from './visitor.ts';

/** Small, because these forms come from anyone. */
const BODY_LIMIT_BYTES = 64 * 1024;

/** Registers the pages below /account. */
export async function registerAccounts(
  app: FastifyInstance,
  site: Site,
  entryOf: (request: FastifyRequest) => JournalEntry,
): Promise<void> {
  acceptJsonBodies(app, { limitBytes: BODY_LIMIT_BYTES, timeoutMs: () => bodyTimeoutMs(site) });
  await app.register(formbody, { bodyLimit: BODY_LIMIT_BYTES });
  const mailer = createMailer(site);
  linkRoutes(app, site);
  signInRoutes(app, site);
  forgottenRoutes(app, site, mailer);
  await app.register(
    pluginOf((own) => {
      recordVisitor(own, site);
      ownAccountRoutes(own, site);
      peopleRoutes(own, site, mailer, entryOf);
    }),
  );
}

/** Records the changes of a session's requests as those of its user. */
function recordVisitor(app: FastifyInstance, site: Site): void {
  // A callback: what runs within it is recorded for the visitor.
  app.addHook('preHandler', (request, _reply, done) => {
    const acting = actingNow();
    visitorOf(site, request).then((visitor) => {
      if (acting === undefined || visitor === undefined) done();
      else actingFor({ ...acting, userId: visitor.id }, done);
    }, done);
  });
}
