import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Instruments } from '../site/instruments.ts';
import type { JournalEntry } from '../site/journal.ts';
import { beginningOf, type RequestObserver } from '../site/observer.ts';
import type { Site } from '../site/site.ts';
import { awaitContinue } from '../wire/expect-continue.ts';
import { createHostCheck } from '../wire/host.ts';
import { SECURITY_HEADERS } from '../wire/security-headers.ts';

export interface Entry {
  createServer(handler: RequestListener): Server;
  entryOf(request: IncomingMessage): JournalEntry;
  /** Sets how the route of a request and its user are found when the answer has ended. */
  routed(request: IncomingMessage, found: () => Routed): void;
}

interface Routed {
  /** null when no route has the path. */
  route: string | null;
  userId: number | null;
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
export function createEntry(site: Site, { listenHost, intercept, observe, givesIds }: EntryOptions): Entry {
  const isOwnHost = createHostCheck(() => site.baseUrl, listenHost);
  const entries = new WeakMap<IncomingMessage, JournalEntry>();
  const routes = new WeakMap<IncomingMessage, () => Routed>();

  /** Reports a request to the observer. `sentBefore`: the bytes that its connection had sent before. */
  function report(
    request: IncomingMessage,
    response: ServerResponse,
    begun: { id: string | null; at: number; sentBefore: number },
    receivedBytes: number,
  ): void {
    const { route, userId } = routes.get(request)?.() ?? { route: null, userId: null };
    observe?.({
      id: begun.id,
      method: request.method ?? '',
      route,
      path: route === null ? beginningOf(request.url ?? '') : null,
      status: response.writableFinished ? response.statusCode : null,
      durationMs: performance.now() - begun.at,
      receivedBytes,
      sentBytes: request.socket.bytesWritten - begun.sentBefore,
      userId,
    });
  }

  function accept(handler: RequestListener, request: IncomingMessage, response: ServerResponse): void {
    const startedAt = site.now();
    const entry = site.journal.open(request.method ?? '', request.url ?? '', startedAt);
    entries.set(request, entry);
    const before = request.socket.bytesRead;
    const id = givesIds ? randomUUID() : null;
    if (id !== null) response.setHeader('x-request-id', id);
    const begun = observe && { id, at: performance.now(), sentBefore: request.socket.bytesWritten };
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
    entryOf(request) {
      const entry = entries.get(request);
      if (!entry) throw new Error('The request did not come through the entry.');
      return entry;
    },
    routed: (request, found) => void routes.set(request, found),
  };
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
