import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import got, { AbortError, type RequestError, TimeoutError } from 'got';
import { decodeWindows1252 } from '../common/windows-1252.ts';
import { type FaultFacts, faultFactsOf, ProxyFault } from '../network/connection-fault.ts';
import type { ConnectionPool, Connections } from '../network/connections.ts';
import { agentsOf } from './got-agents.ts';

/** One complete HTTP request. */
export interface WireRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: URL;
  headers: Record<string, string>;
  body: string | null;
  /** The time limit for the beginning of the answer. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** The answer. The status is valid even when the body was truncated. */
export interface WireAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Decoded as UTF-8 unless the content type names another character set; invalid bytes are replaced. */
  body: string;
  /** Why the body is unreliable, if it is. */
  bodyFault: string | null;
}

/** An exchange without a status. Contains no part of the request, so that it can be logged. */
export class WireError extends Error {
  override readonly name = 'WireError';
  readonly code: string;
  readonly phase: string | null;
  /** False when certainly no byte of the request was sent. */
  readonly sent: boolean;
  /** What is known about the proxy on the way, or about the certificate. */
  readonly facts: FaultFacts;

  constructor(code: string, phase: string | null, sent: boolean, facts: FaultFacts = {}) {
    super(phase === null ? code : `${code} (${phase})`);
    this.code = code;
    this.phase = phase;
    this.sent = sent;
    this.facts = facts;
  }
}

export interface Transport {
  /** Returns the answer with any status; throws `WireError` without one, or the reason of `signal`. */
  exchange(request: WireRequest): Promise<WireAnswer>;
  /** Closes the connections of reads in flight, whose callers repeat them on new ones. Does not affect writes. */
  reconnect(): void;
  /** Closes idle connections. */
  close(): void;
}

/** The size limit of an answer, after decompression; longer ones are not read. The tree of 400,000 collections fits. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

const SAFE_PARALLEL = 8;
/** Without `deflate`, because some servers send it with the zlib header and others without. */
const ENCODINGS = { 'accept-encoding': 'gzip, br' };

/** A connection used this recently is still open: servers close idle ones after several seconds. */
const REUSE_WITHIN_MS = 1000;

/**
 * Creates the HTTP transport for exchanges of JSON size. It follows no redirects, repeats no write and treats no status as an
 * error. Reads share kept-alive connections. A write uses a kept-alive connection only shortly after its last use, because a
 * connection that the server has closed in the meantime would make the outcome unknown. If that happens anyway, later writes get
 * new connections.
 */
export function createTransport(connections: Connections): Transport {
  const keepAlive = connections.pool({ keepAlive: true, maxSockets: SAFE_PARALLEL });
  const forWrites = connections.pool({ keepAlive: true }, closingSoon);
  const fresh = connections.pool();
  let writesShare = true;
  let reconnects = 0;
  return {
    async exchange(request) {
      if (request.method !== 'GET') {
        const write = await attempt(request, writesShare ? forWrites : fresh);
        if (write.failedOnReusedSocket) writesShare = false;
        return write.answer();
      }
      const before = reconnects;
      const first = await attempt(request, keepAlive);
      // There was no answer, because the server closed an idle connection just as it was reused, or because of `reconnect`. The
      // request is repeated once.
      const wasGivenUp = first.isUnanswered && reconnects > before;
      if (first.failedOnReusedSocket || wasGivenUp) {
        return (await attempt(request, fresh)).answer();
      }
      return first.answer();
    },
    reconnect() {
      reconnects += 1;
      keepAlive.destroy();
      forWrites.closeIdle();
    },
    close() {
      for (const pool of [keepAlive, forWrites, fresh]) pool.close();
    },
  };
}

/** Returns an agent with the same connections, which closes idle ones after `REUSE_WITHIN_MS`. */
function closingSoon(agent: Agent): Agent {
  const keep = agent.keepSocketAlive.bind(agent) as (socket: Socket) => boolean;
  const reuse = agent.reuseSocket.bind(agent) as (socket: Socket, request: ClientRequest) => void;
  // The agent closes an idle connection when it emits a timeout.
  return Object.assign(agent, {
    keepSocketAlive(socket: Socket) {
      const isKept = keep(socket);
      if (isKept) socket.setTimeout(REUSE_WITHIN_MS);
      return isKept;
    },
    reuseSocket(socket: Socket, request: ClientRequest) {
      socket.setTimeout(0);
      reuse(socket, request);
    },
  });
}

interface Attempt {
  answer(): WireAnswer;
  isUnanswered: boolean;
  failedOnReusedSocket: boolean;
}

async function attempt(request: WireRequest, pool: ConnectionPool): Promise<Attempt> {
  const { signal } = request;
  signal?.throwIfAborted();
  const agent = await agentFor(request.url, pool);
  signal?.throwIfAborted();
  // got keeps listening to its signal after the answer when the server answered before it had read the whole request. Its signal
  // therefore ends with this attempt, while the caller's signal may be in use until the program ends.
  const ofAttempt = new AbortController();
  const abort = () => ofAttempt.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const done = await exchangeUntil(ofAttempt.signal, request, agent);
    return done.isUnanswered ? done : await withoutProxyAnswer(done, request.url, pool);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

async function agentFor(url: URL, pool: ConnectionPool): Promise<Agent> {
  try {
    return await pool.agentFor(url);
  } catch (error) {
    throw error instanceof ProxyFault ? new WireError(error.code, null, false, error.facts) : error;
  }
}

/** Returns the attempt, unless a proxy answered in the place of the site: it asks for a sign-in. */
async function withoutProxyAnswer(done: Attempt, url: URL, pool: ConnectionPool): Promise<Attempt> {
  const fault = await pool.faultOfAnswer(url, done.answer());
  if (fault === null) return done;
  throw new WireError(fault.code, null, false, fault.facts);
}

async function exchangeUntil(signal: AbortSignal, request: WireRequest, agent: Agent): Promise<Attempt> {
  const stream = got.stream(request.url, {
    method: request.method,
    headers: { ...ENCODINGS, ...request.headers },
    ...(request.body === null ? {} : { body: request.body }),
    agent: agentsOf(agent),
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    timeout: {
      lookup: 15_000,
      connect: 15_000,
      secureConnect: 15_000,
      send: 60_000,
      response: request.timeoutMs,
      socket: request.timeoutMs,
      request: request.timeoutMs + 60_000,
    },
    signal,
  });
  // After the end of the answer there is no other listener: an error, such as that of an abort, would end the program then.
  stream.on('error', () => {});
  let reused = false;
  stream.on('request', (wire: ClientRequest) => {
    reused = wire.reusedSocket;
    wire.once('socket', () => {
      reused = wire.reusedSocket;
    });
  });
  if (request.body === null && request.method !== 'GET') stream.end();

  let head: { status: number; headers: IncomingHttpHeaders } | null = null;
  stream.on('response', (response: IncomingMessage) => {
    head = { status: response.statusCode ?? 0, headers: response.headers };
  });
  const charset = () => charsetOf(head?.headers['content-type'] ?? '');
  const body = await readCapped(stream, charset);
  if (signal.aborted) throw signal.reason;
  const answered = head as { status: number; headers: IncomingHttpHeaders } | null;
  if (answered === null) {
    const error = wireError(body.fault ?? new Error('no answer'), request.url);
    const stale = reused && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
    return {
      isUnanswered: true,
      failedOnReusedSocket: stale,
      answer() {
        throw error;
      },
    };
  }
  const bodyFault = body.fault === null ? null : body.fault.message;
  return {
    isUnanswered: false,
    failedOnReusedSocket: false,
    answer: () => ({ ...answered, body: body.text, bodyFault }),
  };
}

async function readCapped(stream: AsyncIterable<Uint8Array> & { destroy(): void }, charset: () => string) {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) {
        stream.destroy();
        return { text: '', fault: new Error(`body over ${MAX_BODY_BYTES} bytes`) };
      }
      chunks.push(chunk);
    }
    return { text: decode(chunks, charset()), fault: null };
  } catch (fault) {
    return { text: decode(chunks, charset()), fault: fault as Error };
  }
}

function decode(chunks: Uint8Array[], charset: string): string {
  const decoder = decoderFor(charset);
  const bytes = Buffer.concat(chunks);
  return decoder.encoding === 'windows-1252' ? decodeWindows1252(bytes) : decoder.decode(bytes);
}

function decoderFor(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    // JSON is always UTF-8, whatever name the server uses.
    return new TextDecoder();
  }
}

function charsetOf(contentType: string): string {
  return /;\s*charset="?([\w.:-]{1,40})/i.exec(contentType)?.[1] ?? 'utf-8';
}

/** Returns an error with facts only, because the original error contains the request's headers, and so the token. */
function wireError(fault: Error, url: URL): WireError {
  const { code, timings } = fault as RequestError;
  const connected = url.protocol === 'https:' ? timings?.secureConnect : timings?.connect;
  const sent = timings === undefined ? fault instanceof AbortError : connected !== undefined;
  return new WireError(
    reasonOf(fault, code),
    fault instanceof TimeoutError ? fault.event : null,
    sent,
    faultFactsOf(fault),
  );
}

/** Node tries all addresses of a host and reports their errors together; the code of the first is the most useful. */
function reasonOf(fault: Error, code: string | undefined): string {
  if (code !== undefined && code !== '' && code !== 'ERR_GOT_REQUEST_ERROR') return code;
  const cause = fault.cause as { code?: string; errors?: { code?: string }[] } | undefined;
  return cause?.code ?? cause?.errors?.[0]?.code ?? fault.name;
}
