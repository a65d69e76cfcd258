import got from 'got';
import type { ConnectionPool } from '../network/connections.ts';
import { agentsOf } from './got-agents.ts';
import { isRedirect } from './links.ts';
import { mayLeadTo } from './network-zones.ts';

export interface BytesRequest {
  url: URL;
  connections: ConnectionPool;
  userAgent: string;
  /** A longer answer is not read to its end. */
  maxBytes: number;
  /** The address of the API that named `url`. */
  from: URL;
  signal: AbortSignal;
}

const MAX_REDIRECTS = 3;
const TIMEOUT_MS = 20_000;

/**
 * GET of small binary content at a signed address, without any token. Follows a few redirects. Returns null for an answer
 * other than 200, one that is longer than `maxBytes`, and an address that the API may not lead to: one without encryption
 * although the API has it, or one in a more private network. Throws when there was no complete answer, and the reason of
 * `signal`.
 */
export async function fetchBytes(request: BytesRequest): Promise<Buffer | null> {
  let { url, from } = request;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    if (!mayLeadTo(from, url)) return null;
    const answer = await getOnce({ ...request, url });
    if (!isRedirect(answer.status)) return answer.status === 200 ? answer.body : null;
    const next = answer.location === undefined ? null : URL.parse(answer.location, url);
    if (next === null) return null;
    from = url;
    url = next;
    // A user name and password in the address would be sent.
    url.username = '';
    url.password = '';
  }
  return null;
}

interface Answer {
  status: number;
  location: string | undefined;
  /** null when it is too long. */
  body: Buffer | null;
}

async function getOnce({ url, connections, userAgent, maxBytes, signal }: BytesRequest): Promise<Answer> {
  signal.throwIfAborted();
  const agent = agentsOf(await connections.agentFor(url));
  const stream = got.stream(url, {
    headers: { 'user-agent': userAgent, accept: 'image/*' },
    agent,
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    decompress: false,
    timeout: { response: TIMEOUT_MS, socket: TIMEOUT_MS, request: 2 * TIMEOUT_MS },
    signal,
  });
  // After the end of the answer there is no other listener: the error of an abort at that moment would end the program.
  stream.on('error', () => {});
  const head: { status: number; location: string | undefined } = { status: 0, location: undefined };
  stream.on('response', (response: { statusCode?: number; headers: { location?: string } }) => {
    head.status = response.statusCode ?? 0;
    head.location = response.headers.location;
  });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      stream.destroy();
      return { ...head, body: null };
    }
    chunks.push(chunk);
  }
  signal.throwIfAborted();
  return { ...head, body: Buffer.concat(chunks) };
}
