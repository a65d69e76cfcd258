import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Instruments } from '../site/instruments.ts';
import type { JournalEntry } from '../site/journal.ts';
import { beginningOf, type RequestObserver } from '../site/observer.ts';
import type { Site } from '../site/site.ts';
import { awaitContinue } from '../wire/expect-continue.ts';
import { createHostCheck } from '../wire/host.ts';
import { SECURITY_HEADERS } from '../wire/security-headers.ts';

export interface RequestEntry {
  createServer(handler: RequestListener): Server;
  entryOf(request: IncomingMessage): JournalEntry;
  /** Says what knows the route and the user of a request, which are asked for when the answer has ended. */
  routed(request: IncomingMessage, routed: Routed): void;
}

interface Routed {
  routeOptions: { url?: string | undefined };
  /** Absent without a user. */
  call?: { caller: { userId: number } } | null;
}

/** On the request itself: a map of requests costs ten times as much, also when memory is collected. */
const KNOWN = Symbol('known');

interface KnownRequest extends IncomingMessage {
  [KNOWN]?: { entry: JournalEntry; routed: Routed | undefined };
}

export interface EntryOptions {
  /** The host name or address on which the service listens. */
  listenHost: string;
  intercept: Instruments['intercept'];
  observe?: RequestObserver | undefined;
  /** Whether every answer has an `X-Request-Id`. */
  givesIds?: boolean | undefined;
}

/**
 * The entry point of every request, before routing: opens the journal entry, refuses requests for another host, applies
 * instruments of tests, and calls the handler. `Expect: 100-continue` is answered by the route that reads the body, so that it can
 * refuse first.
 */
export function createEntry(site: Site, { listenHost, intercept, observe, givesIds }: EntryOptions): RequestEntry {
  const isOwnHost = createHostCheck(() => site.baseUrl, listenHost);

  /** Reports a request to the observer. `sentBefore`: the bytes that its connection had sent before. */
  function report(
    request: KnownRequest,
    response: ServerResponse,
    begun: { id: string | null; at: number; sentBefore: number },
    receivedBytes: number,
  ): void {
    const { routeOptions, call } = request[KNOWN]?.routed ?? {};
    const route = routeOptions?.url ?? null;
    observe?.({
      id: begun.id,
      method: request.method ?? '',
      route,
      path: route === null ? beginningOf(request.url ?? '') : null,
      status: response.writableFinished ? response.statusCode : null,
      durationMs: performance.now() - begun.at,
      receivedBytes,
      sentBytes: begun.id === null ? 0 : request.socket.bytesWritten - begun.sentBefore,
      userId: call?.caller.userId ?? null,
    });
  }

  function accept(handler: RequestListener, request: KnownRequest, response: ServerResponse): void {
    const startedAt = site.now();
    const entry = site.journal.open(request.method ?? '', request.url ?? '', startedAt);
    request[KNOWN] = { entry, routed: undefined };
    const before = request.socket.bytesRead;
    const id = givesIds ? randomUUID() : null;
    if (id !== null) response.setHeader('x-request-id', id);
    const begun = observe && { id, at: performance.now(), sentBefore: id === null ? 0 : request.socket.bytesWritten };
    const ended = site.traffic.requestBegins();
    // One listener for all: each costs as much as the counting.
    response.once('close', () => {
      if (response.writableFinished) entry.status = response.statusCode;
      entry.duration_ms = site.now() - startedAt;
      entry.received_bytes = request.socket.bytesRead - before;
      if (begun !== undefined) report(request, response, begun, entry.received_bytes);
      ended();
    });
    if (!isOwnHost(request)) {
      refuseHost(request, response);
      return;
    }
    if (request.url?.startsWith('/api2/')) response.setHeader('x-library-epoch', site.epoch);
    intercept(request, response, entry, () => handler(request, response));
  }

  return {
    createServer(handler) {
      // An upload may take hours, so there is no limit on a whole request. Idle sockets and slow JSON bodies have their
      // own limits.
      const headersTimeout = Math.ceil(site.settings.current().header_wait_s * 1000);
      const server = createServer({
        requestTimeout: 0,
        headersTimeout,
        connectionsCheckingInterval: Math.min(headersTimeout, 10_000),
        keepAliveTimeout: 65_000,
        highWaterMark: 128 * 1024,
      });
      // A client that closes its side after a request gets its answer, although that may wait for a database.
      Object.assign(server, { httpAllowHalfOpen: true });
      server.on('request', (request, response) => accept(handler, request, response));
      server.on('checkContinue', (request, response) => {
        awaitContinue(request);
        // Until the route asks for the body, the client may send it or not: the next bytes on the connection could be
        // the body or another request. So the answer closes the connection, unless the body is requested.
        response.setHeader('connection', 'close');
        accept(handler, request, response);
      });
      return server;
    },
    entryOf: (request) => knownOf(request).entry,
    routed(request, routed) {
      knownOf(request).routed = routed;
    },
  };
}

function knownOf(request: KnownRequest) {
  const known = request[KNOWN];
  if (!known) throw new Error('The request did not come through the entry.');
  return known;
}

function refuseHost(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(421, {
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    connection: 'close',
  });
  response.end(JSON.stringify({ message: 'This service does not answer for the host that the request names.' }));
  request.resume();
}
