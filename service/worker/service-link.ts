import { createWriteStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { pause } from '../processing/pause.ts';
import { PlaceFailed, placeFailureOf } from '../processing/tools/place-failed.ts';
import type { Outcome } from '../processing/work.ts';
import { ClaimLost, WorkEnded } from '../processing/work-ended.ts';
import type { Log } from '../site/site.ts';
import { CLAIMS_PATH } from '../site/workers-settings.ts';
import { type ClaimAnswer, claimAnswerSchema, productAnswerSchema } from '../workers/protocol.ts';

/** A service or a proxy that sends nothing for this time is asked again. */
const SILENCE_MS = 30_000;
/** An answer that isn't content is complete within this time. */
const ANSWER_MS = 60_000;
/** The service stores a product before it answers. Whether it still runs, the renewals of the claim find out. */
const STORING_MS = 3_600_000;
/** Content that is not the one that was ordered is asked for again so often. */
const MOST_WRONG = 8;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 15_000;
/** Answers are small. */
const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_REDIRECTS = 3;

/** The service refuses this worker, or is not one: there is no use in asking again. */
export class WorkerRefused extends WorkEnded {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** The requests of a worker to its service. Each is repeated until it is answered or its signal is aborted. */
export interface ServiceLink {
  /** Asks for work; null when there is none. */
  claim(known: Known, signal: AbortSignal): Promise<ClaimAnswer | null>;
  /** Asks once. Returns false when the claim is lost. */
  renew(claim: string, signal: AbortSignal): Promise<boolean>;
  /** Copies the original to a new file of this computer. Rejects with `PlaceFailed` when it can't be had or has no room here. */
  download(answer: ClaimAnswer, path: string, signal: AbortSignal): Promise<void>;
  /** Sends a file; returns the name of its blob. Rejects with `ClaimLost` and `PlaceFailed`. */
  sendProduct(claim: string, path: string, signal: AbortSignal): Promise<string>;
  /** Rejects with `ClaimLost`, and with `PlaceFailed` when the service does not take the outcome. */
  finish(claim: string, outcome: Outcome, signal: AbortSignal): Promise<void>;
  /** Asks once to take the file back. `isSuspect`: the file may be the reason. */
  release(claim: string, isSuspect: boolean): Promise<void>;
}

/** What a worker tells when it asks for work. */
interface Known {
  /** The claims that it has. */
  holds: readonly string[];
  /** Claims that it may have lost, and on which it does not work any more. */
  returns: readonly string[];
  /** Files that it does not take for the moment. */
  avoids: readonly number[];
}

interface Answer {
  status: number;
  text: string;
}

interface Sent {
  method: 'POST' | 'PUT' | 'DELETE';
  path: string;
  json?: unknown;
  /** A file that is the body. */
  file?: string;
}

/** Creates the link. `service`: scheme, host and port. */
export function createServiceLink(service: string, token: string, worker: string, log: Log): ServiceLink {
  const pathOf = (claim: string, part = '') => `${CLAIMS_PATH}/${claim}${part}`;

  async function send({ method, path, json, file }: Sent, signal: AbortSignal): Promise<Answer> {
    const body = json === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(json));
    const handle = file === undefined ? undefined : await opened(file);
    const length = handle === undefined ? body.length : (await handle.stat()).size;
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': file === undefined ? 'application/json' : 'application/octet-stream',
      'content-length': length,
    };
    const limited = file === undefined ? AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]) : signal;
    const silenceMs = file === undefined ? SILENCE_MS : STORING_MS;
    const asked = begin(new URL(path, service), { method, headers, signal: limited }, silenceMs);
    const answered = answerOf(asked);
    if (handle === undefined) asked.end(body);
    else {
      // A refusal comes before the end of the body; the answer says why.
      pipeline(handle.createReadStream(), asked).catch(() => {});
    }
    const response = await answered;
    return { status: response.statusCode ?? 0, text: await textOf(response) };
  }

  /** Sends until an answer counts. Throws `ClaimLost`, `WorkerRefused`, and the reason of `signal`. */
  async function ask(sent: Sent, signal: AbortSignal): Promise<Answer> {
    const answer = await untilAnswered(`${sent.method} ${sent.path}`, signal, async () => {
      const { status, text } = await send(sent, signal);
      if (status === 410) throw new ClaimLost();
      if (status === 429 || status >= 500) throw new Error(`The service answered ${status}.`);
      if (status < 200 || status > 299) throw new WorkerRefused(refusalOf(status, text), status);
      return { status, text };
    });
    return answer;
  }

  async function untilAnswered<T>(what: string, signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
    for (let failures = 0; ; failures += 1) {
      signal.throwIfAborted();
      try {
        return await attempt();
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof WorkEnded) throw error;
        const failure = placeFailureOf(error);
        if (failure !== undefined) throw failure;
        if (failures === 0) log('the service did not answer; it is asked again', { what, error: String(error) });
        await pause(Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS), signal);
      }
    }
  }

  async function readPart(answer: ClaimAnswer, path: string, signal: AbortSignal): Promise<void> {
    const { size } = answer.order.file;
    const from = await contentSizeOf(path);
    if (from === size) return;
    let url = new URL(answer.content_path, service);
    for (let redirects = 0; ; redirects += 1) {
      // No token: the address itself is the permission, and it may lead to a store.
      const headers: Record<string, string> = from === 0 ? {} : { range: `bytes=${from}-` };
      const asked = begin(url, { method: 'GET', headers, signal }, SILENCE_MS);
      asked.end();
      const response = await answerOf(asked);
      const { statusCode: status = 0, headers: answered } = response;
      if (status >= 301 && status <= 308 && answered.location !== undefined && redirects < MAX_REDIRECTS) {
        response.destroy();
        url = redirectedTo(answered.location, url);
        continue;
      }
      const problem = problemOf(response, from, size - from);
      if (problem !== undefined) {
        response.destroy();
        throw problem;
      }
      await pipeline(response, createWriteStream(path, { flags: 'a', mode: 0o600 }), { signal });
      return;
    }
  }

  return {
    async claim(known, signal) {
      const { status, text } = await ask({ method: 'POST', path: CLAIMS_PATH, json: { worker, ...known } }, signal);
      return status === 204 ? null : parsed(claimAnswerSchema, text);
    },
    async renew(claim, signal) {
      const { status } = await send({ method: 'POST', path: pathOf(claim, '/renew') }, signal);
      if (status !== 204 && status !== 410) throw new Error(`The service answered ${status}.`);
      return status === 204;
    },
    download(answer, path, signal) {
      let wrong = 0;
      return untilAnswered('content', signal, async () => {
        try {
          await readPart(answer, path, signal);
        } catch (error) {
          if (isGone(error)) throw new PlaceFailed('The folder of temporary files is gone.');
          if (!(error instanceof WrongContent)) throw error;
          wrong += 1;
          throw wrong < MOST_WRONG ? error : new PlaceFailed(error.message, { isSuspect: true });
        }
        if ((await contentSizeOf(path)) !== answer.order.file.size) throw new Error('The content ended early.');
      });
    },
    async sendProduct(claim, file, signal) {
      const { text } = await ask({ method: 'PUT', path: pathOf(claim, '/products'), file }, signal);
      return parsed(productAnswerSchema, text).name;
    },
    async finish(claim, outcome, signal) {
      try {
        await ask({ method: 'POST', path: pathOf(claim, '/outcome'), json: outcome }, signal);
      } catch (error) {
        if (!(error instanceof WorkerRefused) || !OF_THE_OUTCOME.has(error.status)) throw error;
        throw new PlaceFailed(error.message, { isSuspect: true });
      }
    },
    async release(claim, isSuspect) {
      const path = pathOf(claim, isSuspect ? '?suspect=1' : '');
      await send({ method: 'DELETE', path }, AbortSignal.timeout(SILENCE_MS));
    },
  };
}

type Begun = { method: string; headers: Record<string, string | number>; signal: AbortSignal };

function begin(url: URL, options: Begun, silenceMs: number): ClientRequest {
  const asked = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options);
  asked.setTimeout(silenceMs, () => asked.destroy(new Error('The service was silent.')));
  return asked;
}

/** The answer to a request for content can't be the original. */
class WrongContent extends Error {}

/** The statuses by which the service refuses the figures of an outcome, and not the worker. */
const OF_THE_OUTCOME: ReadonlySet<number> = new Set([400, 413, 422]);

/** Returns why an answer has not the `bytes` bytes of the content that begin at `from`. */
function problemOf({ statusCode: status = 0, headers }: IncomingMessage, from: number, bytes: number) {
  const message = `The content was answered with ${status}.`;
  if (status === 429 || status >= 500) return new Error(message);
  const isRight = status === (from === 0 ? 200 : 206) && Number(headers['content-length']) === bytes;
  return isRight ? undefined : new WrongContent(message);
}

function redirectedTo(location: string, from: URL): URL {
  const url = URL.parse(location, from);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && from.protocol === 'http:')) return url;
  throw new WrongContent('The content was redirected to an address that is not used.');
}

const isGone = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

async function opened(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'r');
  } catch (error) {
    throw isGone(error) ? new PlaceFailed('A temporary file is gone.') : error;
  }
}

function answerOf(asked: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    asked.once('response', resolve);
    asked.once('error', reject);
    // Later errors are those of the response.
    asked.on('error', () => {});
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error('The answer is too long.');
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new WorkerRefused(`The answer is none of a service for workers: ${why}`, 200);
  }
}

function refusalOf(status: number, text: string): string {
  if (status === 401)
    return 'The service does not know the token. Give it and the worker the same one; restart the service after a change.';
  if (status === 404) return 'The service has no workers: its configuration needs the section “workers”.';
  return `The service answered ${status}: ${text.slice(0, 300)}`;
}

/** Bytes of a file of this computer; 0 when there is none. */
export async function contentSizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isGone(error)) return 0;
    throw error;
  }
}
