import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { JournalEntry } from '../site/journal.ts';
import type { Site } from '../site/site.ts';
import { holdBody } from '../wire/expect-continue.ts';
import { createHostCheck } from '../wire/host.ts';
import { SECURITY_HEADERS } from '../wire/security-headers.ts';
import type { FaultRegister } from './faults.ts';

export interface Entry {
  createServer(handler: RequestListener): Server;
  entryOf(request: IncomingMessage): JournalEntry;
}

/**
 * The door that every request comes through, before any routing: it opens the journal entry, applies faults, and hands
 * on. A request for another host is refused before anything else. `Expect: 100-continue` is answered by the route that reads the body, so that a refusal can come first.
 */
export function createEntry(site: Site, faults: FaultRegister, listenHost: string): Entry {
  const isForUs = createHostCheck(() => site.baseUrl, listenHost);
  const entries = new WeakMap<IncomingMessage, JournalEntry>();

  function accept(handler: RequestListener, request: IncomingMessage, response: ServerResponse): void {
    const startedAt = site.now();
    const entry = site.journal.open(request.method ?? '', request.url ?? '', startedAt);
    entries.set(request, entry);
    const before = request.socket.bytesRead;
    response.once('close', () => {
      if (response.writableFinished) entry.status = response.statusCode;
      entry.duration_ms = site.now() - startedAt;
      entry.received_bytes = request.socket.bytesRead - before;
    });
    if (!isForUs(request)) {
      refuseHost(request, response);
      return;
    }
    faults.apply(request, response, entry, () => handler(request, response));
  }

  return {
    createServer(handler) {
      // An upload may take hours: no limit on a whole request. Idle sockets and slow JSON bodies have their own limits.
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
        holdBody(request);
        // Unless the body is asked for, nobody can tell whether it comes: what follows on the connection could be the body or
        // the next request, so the answer ends the connection.
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
