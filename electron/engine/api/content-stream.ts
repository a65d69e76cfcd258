import type { IncomingHttpHeaders } from 'node:http';
import got from 'got';
import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import { faultFactsOf, ProxyFault } from '../network/connection-fault.ts';
import type { ConnectionPool } from '../network/connections.ts';
import { classify } from './classify.ts';
import { agentsOf } from './got-agents.ts';
import { isRedirect } from './links.ts';
import { kindOfNetworkCode } from './network-codes.ts';
import { mayLeadTo } from './network-zones.ts';

export interface ContentRequest {
  /** A signed address. It is never logged and never part of an error. */
  url: URL;
  connections: ConnectionPool;
  /** The address of the API that named `url`. */
  from: URL;
  userAgent: string;
  /** The value of the Range header; null requests the whole content. */
  range: string | null;
  /** The validator of the bytes that were received before; the server answers with the whole content when it differs. */
  ifRange: string | null;
  signal: AbortSignal;
}

/** The beginning of an answer. Its bytes are read by iterating `body`, or dropped by `close`. */
export interface ContentAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: AsyncIterable<Uint8Array>;
  close(): void;
}

const MAX_REDIRECTS = 5;
/** The time limit for connecting and for a gap between two pieces. A player that reads nothing for longer reopens it. */
const TIMEOUT_MS = 30_000;

/**
 * GET of the bytes at a signed address, without any token. Returns the answer with any status that is no redirect. Throws
 * `content.address-refused` for an address that the API may not lead to (one without encryption although the API has it, or one
 * in a more private network), `network.unreachable` without an answer, and the reason of `signal`.
 */
export async function openContentAddress(request: ContentRequest): Promise<ContentAnswer> {
  let { url, from } = request;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    if (!mayLeadTo(from, url)) break;
    const answer = await getOnce(request, url);
    const { location } = answer.headers;
    if (!isRedirect(answer.status)) return answer;
    answer.close();
    const next = location === undefined ? null : URL.parse(location, url);
    if (next === null) break;
    from = url;
    url = next;
  }
  throw appError('content.address-refused', { details: { host: url.host } });
}

async function getOnce(request: ContentRequest, address: URL): Promise<ContentAnswer> {
  const { connections, userAgent, range, ifRange, signal } = request;
  signal.throwIfAborted();
  // A user name and password in the address would be sent.
  const url = new URL(address);
  url.username = '';
  url.password = '';
  const agent = await connections.agentFor(url).catch((error: unknown) => {
    throw error instanceof ProxyFault ? faultOf(error, url) : error;
  });
  const stream = got.stream(url, {
    agent: agentsOf(agent),
    headers: {
      'user-agent': userAgent,
      accept: '*/*',
      // Positions count in the stored bytes, so the bytes must not be compressed for the transfer.
      'accept-encoding': 'identity',
      ...(range === null ? {} : { range }),
      ...(range === null || ifRange === null ? {} : { 'if-range': ifRange }),
    },
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    decompress: false,
    timeout: { lookup: 15_000, connect: 15_000, secureConnect: 15_000, response: TIMEOUT_MS, socket: TIMEOUT_MS },
    signal,
  });
  // Without this listener an error, such as one after an abort, would end the program. The loop that reads `body` also gets the error.
  stream.on('error', () => {});
  try {
    const head = await new Promise<{ statusCode?: number; headers: IncomingHttpHeaders }>((resolve, reject) => {
      stream.once('response', resolve);
      stream.once('error', reject);
    });
    const [status, { headers }] = [head.statusCode ?? 0, head];
    const fault = await connections.faultOfAnswer(url, { status, headers });
    if (fault !== null) throw fault;
    return {
      status,
      headers,
      body: stream as AsyncIterable<Uint8Array>,
      close: () => stream.destroy(),
    };
  } catch (error) {
    stream.destroy();
    signal.throwIfAborted();
    throw faultOf(error, url);
  }
}

/** Returns the error of an exchange without an answer. The original error contains the signed address. */
function faultOf(error: unknown, url: URL): AppError {
  const reason = (error as { code?: string }).code ?? 'no answer';
  const kind = kindOfNetworkCode(reason);
  if (kind === 'tls' || kind === 'proxy') {
    const failure = { method: 'GET', url, ownSite: false, code: reason, phase: null, sent: false };
    return classify({ kind: 'network', ...failure, facts: faultFactsOf(error) });
  }
  return appError('network.unreachable', { details: { host: url.host, reason } });
}
