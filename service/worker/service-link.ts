import { createWriteStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { ClaimLost } from '../processing/claims.ts';
import { pause } from '../processing/process-file.ts';
import type { Outcome } from '../processing/work.ts';
import type { Log } from '../site/site.ts';
import { CLAIMS_PATH } from '../site/workers-settings.ts';
import { type ClaimAnswer, claimAnswerSchema, productAnswerSchema } from '../workers/protocol.ts';

/** A service or a proxy that sends nothing for this time is asked again. */
const SILENCE_MS = 30_000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 15_000;
/** Answers are small. */
const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_REDIRECTS = 3;

/** The service refuses this worker, or is not one: there is no use in asking again. */
export class WorkerRefused extends Error {}

/** The requests of a worker to its service. Each is repeated until it is answered or its signal is aborted. */
export interface ServiceLink {
  /** Asks for work; null when there is none. `holds`: the claims that this worker has. */
  claim(holds: readonly string[], signal: AbortSignal): Promise<ClaimAnswer | null>;
  /** Asks once. Returns false when the claim is lost. */
  renew(claim: string, signal: AbortSignal): Promise<boolean>;
  /** Copies the original to a new file of this computer. */
  download(answer: ClaimAnswer, path: string, signal: AbortSignal): Promise<void>;
  /** Sends a file; returns the name of its blob. Rejects with `ClaimLost`. */
  sendProduct(claim: string, path: string, signal: AbortSignal): Promise<string>;
  /** Rejects with `ClaimLost`. */
  finish(claim: string, outcome: Outcome, signal: AbortSignal): Promise<void>;
  /** Asks once to take the file back. */
  release(claim: string): Promise<void>;
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
    const length = file === undefined ? body.length : (await stat(file)).size;
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': file === undefined ? 'application/json' : 'application/octet-stream',
      'content-length': length,
    };
    const asked = begin(new URL(path, service), { method, headers, signal });
    const answered = answerOf(asked);
    if (file === undefined) asked.end(body);
    else {
      const handle = await open(file, 'r');
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
      if (status < 200 || status > 299) throw new WorkerRefused(refusalOf(status, text));
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
        if (error instanceof ClaimLost || error instanceof WorkerRefused) throw error;
        if (failures === 0) log('the service did not answer; it is asked again', { what, error: String(error) });
        await pause(Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS), signal);
      }
    }
  }

  async function readPart(answer: ClaimAnswer, path: string, signal: AbortSignal): Promise<void> {
    const { size } = answer.order.file;
    const from = await sizeOf(path);
    if (from === size) return;
    let url = new URL(answer.content_path, service);
    for (let redirects = 0; ; redirects += 1) {
      // No token: the address itself is the permission, and it may lead to a store.
      const asked = begin(url, { method: 'GET', headers: from === 0 ? {} : { range: `bytes=${from}-` }, signal });
      asked.end();
      const response = await answerOf(asked);
      const { statusCode: status = 0, headers } = response;
      if (status >= 301 && status <= 308 && headers.location !== undefined && redirects < MAX_REDIRECTS) {
        response.destroy();
        url = new URL(headers.location, url);
        continue;
      }
      if (status !== (from === 0 ? 200 : 206) || Number(headers['content-length']) !== size - from) {
        response.destroy();
        throw new Error(`The content was answered with ${status}.`);
      }
      await pipeline(response, createWriteStream(path, { flags: 'a', mode: 0o600 }), { signal });
      return;
    }
  }

  return {
    async claim(holds, signal) {
      const { status, text } = await ask({ method: 'POST', path: CLAIMS_PATH, json: { worker, holds } }, signal);
      return status === 204 ? null : parsed(claimAnswerSchema, text);
    },
    async renew(claim, signal) {
      const { status } = await send({ method: 'POST', path: pathOf(claim, '/renew') }, signal);
      if (status !== 204 && status !== 410) throw new Error(`The service answered ${status}.`);
      return status === 204;
    },
    download: (answer, path, signal) =>
      untilAnswered('content', signal, async () => {
        await readPart(answer, path, signal);
        if ((await sizeOf(path)) !== answer.order.file.size) throw new Error('The content ended early.');
      }),
    async sendProduct(claim, file, signal) {
      const { text } = await ask({ method: 'PUT', path: pathOf(claim, '/products'), file }, signal);
      return parsed(productAnswerSchema, text).name;
    },
    async finish(claim, outcome, signal) {
      await ask({ method: 'POST', path: pathOf(claim, '/outcome'), json: outcome }, signal);
    },
    async release(claim) {
      await send({ method: 'DELETE', path: pathOf(claim) }, AbortSignal.timeout(SILENCE_MS));
    },
  };
}

type Begun = { method: string; headers: Record<string, string | number>; signal: AbortSignal };

function begin(url: URL, options: Begun): ClientRequest {
  const asked = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options);
  asked.setTimeout(SILENCE_MS, () => asked.destroy(new Error('The service was silent.')));
  return asked;
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
    throw new WorkerRefused(`The answer is none of a service for workers: ${why}`);
  }
}

function refusalOf(status: number, text: string): string {
  if (status === 401) return 'The service does not know the token.';
  if (status === 404) return 'The service has no workers: its configuration needs the section “workers”.';
  return `The service answered ${status}: ${text.slice(0, 300)}`;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}
