import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { appError } from '../../../shared/contract/app-error.ts';
import { RESULT_PAGE_HEADERS, resultPage } from './result-page.ts';

/** The parameters of a redirect whose state is valid. */
export type RedirectAnswer = { kind: 'code'; code: string } | { kind: 'error'; error: string; description: string };

export interface LoopbackRedirect {
  /** The authorization request and the token request must contain exactly this address. */
  redirectUri: string;
  /** Resolves with the redirect. Rejects with `sign-in.state-mismatch` when a redirect has another state. */
  answer: Promise<RedirectAnswer>;
  /** Stops listening and closes every connection. Idempotent. */
  close(): void;
}

export interface LoopbackOptions {
  /** The state that the library must return. */
  state: string;
  /** Ports to try, in this order; 0: the system chooses one. */
  ports?: readonly number[];
}

/** A free port on one loopback address may be in use on the other; then the next port is tried. */
const ANY_PORT: readonly number[] = Array.from({ length: 10 }, () => 0);

/**
 * A web server for one request: the redirect at the end of a sign-in. It listens on both loopback addresses, if both
 * exist, because the browser decides which one `localhost` is. Throws `sign-in.port-taken`.
 */
export async function openLoopbackRedirect(options: LoopbackOptions): Promise<LoopbackRedirect> {
  for (const port of options.ports ?? ANY_PORT) {
    const servers = await listenOnBoth(port);
    if (servers !== null) return serve(servers, options.state);
  }
  throw appError('sign-in.port-taken');
}

/**
 * Starts both servers on one port, or one server when this computer has only one loopback address. Returns null when
 * the port is in use.
 */
async function listenOnBoth(port: number): Promise<Server[] | null> {
  const v4 = await listen('127.0.0.1', port);
  if (v4 === 'taken') return null;
  const v6 = await listen('::1', v4 === 'no-address' ? port : portOf(v4));
  if (v6 !== 'taken') {
    const servers = [v4, v6].filter((server) => server !== 'no-address');
    return servers.length === 0 ? null : servers;
  }
  // A server on one address only would let another program receive the redirect on the other address.
  if (v4 !== 'no-address') v4.close();
  return null;
}

function listen(host: string, port: number): Promise<Server | 'taken' | 'no-address'> {
  return new Promise((resolve) => {
    const server = createServer({ headersTimeout: 5000, requestTimeout: 10_000, keepAlive: false });
    server.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT' ? 'no-address' : 'taken');
    });
    server.listen({ host, port, exclusive: true }, () => resolve(server));
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function serve(servers: Server[], state: string): LoopbackRedirect {
  const [first] = servers as [Server, ...Server[]];
  const port = portOf(first);
  let isSettled = false;
  const close = () => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  };
  const answer = new Promise<RedirectAnswer>((resolve, reject) => {
    const onRequest = (request: IncomingMessage, response: ServerResponse) => {
      const result = isSettled ? { status: 410, verdict: null } : judge(request, port, state);
      if (result.verdict === null) return refuse(response, result.status);
      isSettled = true;
      const { verdict } = result;
      // Resolved after the page was sent, because the caller may close the window that shows it.
      response.once('close', () => {
        close();
        if (verdict.kind === 'mismatch') reject(appError('sign-in.state-mismatch'));
        else resolve(verdict);
      });
      response.writeHead(result.status, RESULT_PAGE_HEADERS);
      response.end(resultPage(verdict.kind === 'code' ? 'approved' : 'failed'));
    };
    for (const server of servers) server.on('request', onRequest);
  });
  // The caller may stop waiting: that must not cause an unhandled rejection.
  answer.catch(() => {});
  return { redirectUri: `http://localhost:${port}/`, answer, close };
}

type Verdict = RedirectAnswer | { kind: 'mismatch' };

/** Checks a request. A `verdict` ends the wait; without a verdict the request is refused and the wait continues. */
function judge(request: IncomingMessage, port: number, state: string): { status: number; verdict: Verdict | null } {
  const hosts = [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`];
  if (!hosts.includes(request.headers.host ?? '')) return { status: 421, verdict: null };
  // Requests of scripts and images of web pages are refused: only a navigation of the user's browser is accepted.
  const wanted = request.headers['sec-fetch-dest'];
  if (request.headers.origin !== undefined || (wanted !== undefined && wanted !== 'document')) {
    return { status: 403, verdict: null };
  }
  if (request.method !== 'GET') return { status: 405, verdict: null };
  const [path, query = ''] = splitOnce(request.url ?? '', '?');
  if (path !== '/') return { status: 404, verdict: null };
  const parameters = new URLSearchParams(query);
  if (!parameters.has('code') && !parameters.has('error')) return { status: 400, verdict: null };

  // The request is the redirect of a sign-in. If its state differs, its contents are not trusted and the flow ends.
  const states = parameters.getAll('state');
  if (states.length !== 1 || !isSameText(states[0] ?? '', state)) return { status: 400, verdict: { kind: 'mismatch' } };
  const error = parameters.get('error');
  if (error !== null) {
    return { status: 200, verdict: { kind: 'error', error, description: parameters.get('error_description') ?? '' } };
  }
  const codes = parameters.getAll('code');
  if (codes.length !== 1 || codes[0] === '') return { status: 400, verdict: { kind: 'mismatch' } };
  return { status: 200, verdict: { kind: 'code', code: codes[0] ?? '' } };
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { ...RESULT_PAGE_HEADERS, 'content-type': 'text/plain; charset=utf-8' });
  response.end('Not found.\n');
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** Compares two texts in constant time, whatever their lengths. */
export function isSameText(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
