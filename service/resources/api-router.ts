import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../oauth/bearer.ts';
import type { JournalEntry } from '../site/journal.ts';
import type { Call, Site } from '../site/site.ts';
import { forbidden, readOnly } from '../wire/problem.ts';
import { type Query, queryOf } from '../wire/query.ts';

declare module 'fastify' {
  interface FastifyRequest {
    call: Call | null;
  }
}

/** What a route of the API gets: the call, and the request's parts in plain form. */
export interface ApiRequest {
  call: Call;
  query: Query;
  params: Readonly<Record<string, string>>;
  body: unknown;
  reply: FastifyReply;
}

type Handler = (request: ApiRequest) => unknown;

/** Registers routes that need a valid token; in read-only mode only those that read. */
export interface ApiRoutes {
  get(path: string, handler: Handler): void;
  post(path: string, handler: Handler): void;
  delete(path: string, handler: Handler): void;
}

/**
 * The part of the application behind a bearer token. The order for each request: token, read-only mode, body, handler.
 */
export function apiRoutes(
  app: FastifyInstance,
  site: Site,
  entryOf: (request: FastifyRequest) => JournalEntry,
): ApiRoutes {
  app.decorateRequest('call', null);
  app.addHook('onRequest', async (request) => {
    const caller = callerOf(site, request.headers.authorization);
    if (site.settings.current().read_only && isWrite(request.method)) throw readOnly();
    const entry = entryOf(request);
    const nowOn = Math.floor(site.now() / 1000);
    request.call = { site, caller, nowOn, effect: (effect) => void entry.effects.push(effect) };
  });
  const wrap = (handler: Handler) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { call } = request;
    if (!call) throw new Error('The route was reached without a caller.');
    return handler({
      call,
      query: queryOf(request.query),
      params: request.params as Record<string, string>,
      body: request.body,
      reply,
    });
  };
  return {
    get: (path, handler) => void app.get(path, wrap(handler)),
    post: (path, handler) => void app.post(path, wrap(handler)),
    delete: (path, handler) => void app.delete(path, wrap(handler)),
  };
}

/** Whether a method is one that read-only mode disables. */
export function isWrite(method: string): boolean {
  return !['GET', 'HEAD', 'OPTIONS'].includes(method);
}

/** The same routes for administrators alone: everyone else is refused before anything is looked up. */
export function administratorsOnly(routes: ApiRoutes): ApiRoutes {
  const guarded =
    (handler: Handler): Handler =>
    (request) => {
      if (!request.call.caller.isAdmin) throw forbidden();
      return handler(request);
    };
  return {
    get: (path, handler) => routes.get(path, guarded(handler)),
    post: (path, handler) => routes.post(path, guarded(handler)),
    delete: (path, handler) => routes.delete(path, guarded(handler)),
  };
}
