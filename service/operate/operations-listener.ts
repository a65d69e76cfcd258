import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHostCheck } from '../wire/host.ts';
import { SECURITY_HEADERS } from '../wire/security-headers.ts';
import { EXPOSITION_TYPE } from './exposition.ts';
import { type ListenAddress, urlOf } from './operate-options.ts';
import type { ReadinessReport } from './readiness.ts';

/** What the listener answers with. */
export interface OperationsSources {
  readiness(): Promise<ReadinessReport>;
  /** The metrics in the text format. */
  metrics(): Promise<string>;
  /** Answers `GET /audit`. */
  audit(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Answers `POST /snapshot`. */
  snapshot(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Answers a `POST` to the path of a command, such as `/reset-link`; undefined: there is no such command. */
  command(path: string): ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined;
}

export interface OperationsListener {
  /** Where it listens. */
  url: string;
  close(): Promise<void>;
}

/** Connections of scrapers and balancers; more are refused. */
const MAX_CONNECTIONS = 64;
const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Listens for those who operate the service, apart from its users: `GET /live` (the process answers), `GET /ready` (it can do its
 * work: 200 or 503, with each check), `GET /metrics`. None of these needs a token, and none names a user or an item.
 * `POST /snapshot`, `GET /audit` and the paths of commands, such as `POST /reset-link`, are for commands on this computer, and need the token in the data directory.
 */
export async function listenForOperations(
  address: ListenAddress,
  sources: OperationsSources,
): Promise<OperationsListener> {
  const isOwnHost = createHostCheck(() => '', address.host);
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('request', (request, response) => {
    if (!isOwnHost(request)) {
      send(response, 421, { message: 'This listener does not answer for the host that the request names.' });
      return;
    }
    answer(sources, request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else send(response, 500, { message: 'The request could not be answered.' });
    });
  });
  const { port } = await listen(server, address);
  return {
    url: urlOf({ host: address.host, port }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(sources: OperationsSources, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  const command = sources.command(path);
  if (path === '/snapshot' && request.method === 'POST') {
    await sources.snapshot(request, response);
  } else if (command !== undefined && request.method === 'POST') {
    await command(request, response);
  } else if (path === '/audit' && request.method === 'GET') {
    await sources.audit(request, response);
  } else if (path !== '/live' && path !== '/ready' && path !== '/metrics') {
    send(response, 404, { message: 'Page not found.' });
  } else if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    send(response, 405, { message: 'Only GET is possible here.' });
  } else if (path === '/live') {
    send(response, 200, { status: 'live' });
  } else if (path === '/ready') {
    const report = await sources.readiness();
    send(response, report.status === 'ready' ? 200 : 503, report);
  } else {
    sendText(response, 200, EXPOSITION_TYPE, await sources.metrics());
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  sendText(response, status, 'application/json; charset=utf-8', `${JSON.stringify(body)}\n`);
}

function sendText(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  });
  response.end(text);
}

function listen(server: Server, { host, port }: ListenAddress): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}
