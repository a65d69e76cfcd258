import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { StorageUnavailable } from '../storage-unavailable.ts';
import { type S3Method, type S3Place, signedUrl } from './signing.ts';

/** A store that sends or takes no byte for this long is not available. */
const SILENCE_MS = 60_000;
/** Only the addresses of one request: the clocks of both sides may differ by some minutes. */
const EXPIRES_S = 3600;
/** The longest answer that isn't content: a list of a thousand long keys is shorter. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** The pauses between repetitions. */
export const RETRY_AFTER_MS: readonly number[] = [100, 500, 2000];

interface S3Request {
  method: S3Method;
  /** Without the prefix; empty for the bucket. */
  key: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  /** Headers that belong to the signature: those of the protocol. */
  signedHeaders?: Readonly<Record<string, string>>;
  /** How long the store may be silent; omitted: a minute. */
  silenceMs?: number;
  /** Ends the request; it is not repeated then. */
  signal?: AbortSignal | undefined;
}

export interface S3Answer {
  status: number;
  headers: IncomingMessage['headers'];
  /** The body. */
  text: string;
}

/** The requests to a store. */
export interface S3Client {
  readonly place: S3Place;
  /**
   * Sends a request that may be repeated, and returns the answer, whatever its status is below 500. Repeats it after a broken
   * connection and a status of 500 or more, for half a minute; rejects with `StorageUnavailable` in the end.
   */
  send(request: S3Request & { body?: string | Buffer }): Promise<S3Answer>;
  /**
   * Begins a request with a body of `bytes` bytes, which the caller writes. It is not repeated. The answer rejects when it comes
   * before the body was sent.
   */
  open(request: S3Request, bytes: number): { request: ClientRequest; answer: Promise<S3Answer> };
  /** Begins to read an object. Resolves when the answer begins; the caller reads or destroys it. */
  read(request: S3Request): Promise<IncomingMessage>;
  close(): void;
}

/** `usualSilenceMs`: how long the store may be silent, unless a request says otherwise. */
export function createS3Client(place: S3Place, usualSilenceMs = SILENCE_MS): S3Client {
  const isHttps = new URL(place.endpoint).protocol === 'https:';
  const agent = isHttps ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });

  function start(
    { method, key, query = {}, headers = {}, signedHeaders = {}, silenceMs = usualSilenceMs, signal }: S3Request,
    more: Record<string, string>,
    isNew: boolean,
  ): ClientRequest {
    const url = signedUrl(place, { method, key, query, headers: signedHeaders, at: new Date(), expiresS: EXPIRES_S });
    const options = {
      method,
      headers: { ...headers, ...signedHeaders, ...more },
      agent: isNew ? false : agent,
      ...(signal && { signal }),
    } as const;
    const request = isHttps ? requestHttps(url, options) : requestHttp(url, options);
    let response: IncomingMessage | undefined;
    request.on('response', (each) => {
      response = each;
    });
    request.setTimeout(silenceMs, () => {
      if (!isOurTurn(request, response)) request.destroy(new StorageUnavailable('timeout'));
    });
    return request;
  }

  async function once(asked: S3Request & { body?: string | Buffer }): Promise<S3Answer> {
    const body = Buffer.from(asked.body ?? '');
    const hasBody = asked.body !== undefined || asked.method === 'PUT' || asked.method === 'POST';
    const request = start(asked, hasBody ? { 'content-length': String(body.length) } : {}, false);
    const answer = answerOf(request);
    request.end(body);
    return answer;
  }

  return {
    place,
    async send(asked) {
      const lastAt = performance.now() + SILENCE_MS / 2;
      for (const pause of [...RETRY_AFTER_MS, undefined]) {
        const isLast = () => pause === undefined || asked.signal?.aborted === true || performance.now() > lastAt;
        try {
          const answer = await once(asked);
          if (answer.status < 500) return answer;
          if (isLast()) throw refusal(answer);
        } catch (error) {
          if (isLast()) throw unavailable(error);
        }
        await wait(pause, undefined, { signal: asked.signal }).catch(() => {});
      }
      throw new StorageUnavailable('timeout');
    },
    open(asked, bytes) {
      // A kept connection may be closed by the store in the same moment, and this request can't be repeated.
      const request = start(asked, { 'content-length': String(bytes) }, true);
      const answer = answerOf(request);
      request.on('response', ({ statusCode }) => {
        // The store has a part of the bytes, and its answer would make them pass for all.
        if (statusCode === 200 && !request.writableFinished)
          request.destroy(new StorageUnavailable('answer too early'));
      });
      return { request, answer };
    },
    read(asked) {
      return new Promise((resolve, reject) => {
        const request = start(asked, {}, false);
        request.on('error', (error) => reject(unavailable(error)));
        request.on('response', resolve);
        request.end();
      });
    },
    close: () => agent.destroy(),
  };
}

/** Whether the store is silent because it waits for this side: for more of a body, or until its answer is read. */
function isOurTurn(request: ClientRequest, response: IncomingMessage | undefined): boolean {
  if (response !== undefined) return response.isPaused();
  return request.socket?.connecting === false && !request.writableEnded && request.writableLength === 0;
}

/** Resolves with the complete answer to a request, or rejects with `StorageUnavailable`. */
function answerOf(request: ClientRequest): Promise<S3Answer> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(unavailable(error));
    request.on('error', fail);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > MAX_ANSWER_BYTES) response.destroy(new StorageUnavailable('answer too long'));
      });
      response.on('error', fail);
      response.on('close', () => {
        if (!response.complete) fail(new StorageUnavailable('connection closed'));
      });
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
  });
}

/** Returns the error for an answer that is not the expected one. */
export function refusal({ status, text }: Pick<S3Answer, 'status' | 'text'>): StorageUnavailable {
  const [, rest = ''] = text.slice(0, 2000).split('<Code>', 2);
  const code = /^[\w.-]{1,60}/.exec(rest)?.[0];
  return new StorageUnavailable(code === undefined ? String(status) : `${status} ${code}`);
}

function unavailable(error: unknown): StorageUnavailable {
  if (error instanceof StorageUnavailable) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  return new StorageUnavailable(code ?? message, { cause: error });
}
