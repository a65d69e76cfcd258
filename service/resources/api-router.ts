import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../oauth/bearer.ts';
import { type JournalEntry, recordIn } from '../site/journal.ts';
import type { Call, Site } from '../site/site.ts';
import { type Answer, sendAnswer } from '../wire/answer.ts';
import { forbidden, readOnly } from '../wire/problem.ts';
import { type Query, queryOf } from '../wire/query.ts';
import { createTurns } from '../wire/turns.ts';

declare module 'fastify' {
  interface FastifyRequest {
    call: Call | null;
  }
}

/** The input of a route: the call, and the parts of the request. */
interface ApiRequest {
  call: Call;
  query: Query;
  params: Readonly<Record<string, string>>;
  body: unknown;
  reply: FastifyReply;
}

/** The input of a route that changes something. The answer is sent later, so that there is no reply yet. */
export type ApiChange = Omit<ApiRequest, 'reply'>;

type Handler = (request: ApiRequest) => unknown;
type Change = (request: ApiChange) => Promise<Answer>;

/** Registers routes that require a valid access token. In read-only mode, only routes that read are served. */
export interface ApiRoutes {
  get(path: string, handler: Handler): void;
  /** As `get`, for answers that take long to make, such as a page of items with joins: callers take turns. */
  getInTurn(path: string, handler: Handler): void;
  /**
   * The handler runs in one transaction, and again from its beginning when another one was in its way: it changes nothing but the
   * database; the rest waits for `Store.afterCommit`.
   */
  post(path: string, handler: Change): void;
  delete(path: string, handler: Change): void;
  /** As `post`, for a handler that takes long, such as one that hashes a password: it begins its transactions itself. */
  postInSteps(path: string, handler: Change): void;
}

/**
 * Creates the part of the application that requires an access token. The checks of each request, in order: token,
 * read-only mode, body; then the handler runs.
 */
export function apiRoutes(
  app: FastifyInstance,
  site: Site,
  entryOf: (request: FastifyRequest) => JournalEntry,
): ApiRoutes {
  app.decorateRequest('call', null);
  app.addHook('onRequest', async (request) => {
    const caller = await callerOf(site, request.headers.authorization);
    if (site.settings.current().read_only && isWrite(request.method)) throw readOnly();
    const entry = entryOf(request);
    const nowOn = Math.floor(site.now() / 1000);
    request.call = { site, caller, nowOn, effect: recordIn(site.store, entry) };
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
  const turns = createTurns();
  const inTurn =
    (handler: Handler): Handler =>
    (request) =>
      turns.run(String(request.call.caller.userId), () => handler(request));
  const answering =
    (handler: Change): Handler =>
    async (request) =>
      sendAnswer(request.reply, await handler(request));
  const inTransaction = (handler: Change): Handler =>
    answering((request) =>
      site.store.transaction(async () => {
        // It may have begun while the transaction waited.
        if (site.settings.current().read_only) throw readOnly();
        return await handler(request);
      }),
    );
  return {
    get: (path, handler) => void app.get(path, wrap(handler)),
    getInTurn: (path, handler) => void app.get(path, wrap(inTurn(handler))),
    post: (path, handler) => void app.post(path, wrap(inTransaction(handler))),
    delete: (path, handler) => void app.delete(path, wrap(inTransaction(handler))),
    postInSteps: (path, handler) => void app.post(path, wrap(answering(handler))),
  };
}

/** Whether read-only mode disables a method. */
export function isWrite(method: string): boolean {
  return !['GET', 'HEAD', 'OPTIONS'].includes(method);
}

/** Returns the same routes for administrators only: other callers are refused before any lookup. */
export function administratorsOnly(routes: ApiRoutes): ApiRoutes {
  function guarded<Request extends ApiChange, Result>(handler: (request: Request) => Result) {
    return (request: Request): Result => {
      if (!request.call.caller.isAdmin) throw forbidden();
      return handler(request);
    };
  }
  return {
    get: (path, handler) => routes.get(path, guarded(handler)),
    getInTurn: (path, handler) => routes.getInTurn(path, guarded(handler)),
    post: (path, handler) => routes.post(path, guarded(handler)),
    delete: (path, handler) => routes.delete(path, guarded(handler)),
    postInSteps: (path, handler) => routes.postInSteps(path, guarded(handler)),
  };
}
