import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { FaultRegister } from '../site/faults.ts';
import type { JournalEntry } from '../site/journal.ts';
import type { Site } from '../site/site.ts';

const awaitingContinue = new WeakSet<IncomingMessage>();

/** Lets a client that sent `Expect: 100-continue` go on with its body; for others nothing happens. */
export function letBodyCome(request: IncomingMessage, response: ServerResponse): void {
  if (awaitingContinue.delete(request)) response.writeContinue();
}

export interface Entry {
  createServer(handler: RequestListener): Server;
  entryOf(request: IncomingMessage): JournalEntry;
}

/**
 * The door that every request comes through, before any routing: it opens the journal entry, applies faults, and hands
 * on. `Expect: 100-continue` is answered by whoever wants the body, so that a refusal can come first.
 */
export function createEntry(site: Site, faults: FaultRegister): Entry {
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
        awaitingContinue.add(request);
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
