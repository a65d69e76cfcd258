import { createHash, type Hash } from 'node:crypto';
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type AppError, appError } from '../../../../shared/contract/app-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileFacts, OpenFile } from '../../ports/files.ts';
import type { Random } from '../../ports/random.ts';
import { readAnswer, refusalOf, transferError } from './answers.ts';
import { pumpFile } from './file-pump.ts';
import { buildFormParts } from './form-parts.ts';
import type { SendGate } from './send-gate.ts';

export interface SendFormOptions {
  /** Where the form goes. An opaque host: no credentials of ours are ever sent there. */
  url: URL;
  fields: Readonly<Record<string, string>>;
  fileParam: string;
  fileName: string;
  contentType: string;
  file: OpenFile;
  /** The facts that the upload was planned with; the file must still agree at the end. */
  expected: Pick<FileFacts, 'sizeBytes' | 'mtimeMs'>;
  /** Also compute the SHA-256 of the bytes as they are sent. */
  hash: boolean;
  /** Pause and bandwidth limit. */
  gate: SendGate;
  /** Aborting ends the transfer at once; the returned promise rejects with the signal's reason. */
  signal: AbortSignal;
  /** Bytes of the file that the kernel has taken so far. Called after every write. */
  onProgress(sentBytes: number): void;
  /** All bytes are out; the destination has yet to answer. */
  onAllSent?(): void;
  clock: Clock;
  random: Random;
  agent?: Agent;
  timing?: Partial<SendTiming>;
}

export interface SendTiming {
  /** How long to wait for the destination's go-ahead before sending anyway. */
  continuePatienceMs: number;
  /** A transfer without a byte taken for this long is stalled. Pauses don't count. */
  stallMs: number;
  /** How long the destination may think after the last byte. */
  answerPatienceMs: number;
}

export const DEFAULT_TIMING: SendTiming = { continuePatienceMs: 1000, stallMs: 60_000, answerPatienceMs: 300_000 };

export interface SendResult {
  /** 200, 201, 204 or 303: the codes with which destinations accept a form. */
  status: number;
  /** Lower-case hex; null when not asked for. */
  sha256: string | null;
}

/**
 * Sends one file as form-data: exact Content-Length, extra fields first, the file last, never more than two buffers of
 * it in memory, and with the destination's go-ahead asked for first, so that a refusal is seen before gigabytes are out.
 *
 * Throws `AppError`: `upload.refused`, `upload.destination-lost` (404, 410), `api.server-error`, `upload.stalled`,
 * `upload.connection-lost`, `upload.not-received`, `network.unreachable`, `network.tls`, `file.changed`, `file.missing`,
 * `file.unreadable`; or the signal's reason. `details.sentBytes` tells how far it got.
 */
export async function sendForm(options: SendFormOptions): Promise<SendResult> {
  try {
    return await attempt(options, options.expected.sizeBytes >= ASK_FIRST_FROM_BYTES);
  } catch (error) {
    // 417: the destination does not know the go-ahead. Nothing but the head was sent, so the same file can go again.
    if (!(error instanceof ExpectationFailed)) throw error;
    return attempt(options, false);
  }
}

/** Below this the question costs more than what a refusal would waste. */
const ASK_FIRST_FROM_BYTES = 256 * 1024;

class ExpectationFailed extends Error {}

async function attempt(options: SendFormOptions, askFirst: boolean): Promise<SendResult> {
  options.signal.throwIfAborted();
  const timing = { ...DEFAULT_TIMING, ...options.timing };
  const parts = buildFormParts(options, () => Buffer.from(options.random.bytes(24)).toString('hex'));
  const request = startRequest(options, parts.boundary, parts.head.length + parts.tail.length, askFirst);
  const transfer = new Transfer(request, options, timing);
  const hash = options.hash ? createHash('sha256') : null;
  try {
    if (askFirst) await transfer.goAhead();
    await transfer.write(parts.head);
    await pumpFile({
      file: options.file,
      sizeBytes: options.expected.sizeBytes,
      gate: options.gate,
      signal: transfer.signal,
      clock: options.clock,
      write: async (chunk) => {
        hash?.update(chunk);
        await transfer.write(chunk);
        transfer.countFileBytes(chunk.length);
      },
    });
    await assertUnchanged(options);
    await transfer.finish(parts.tail);
    options.onAllSent?.();
    return await transfer.result(hash);
  } catch (error) {
    throw await transfer.explain(error);
  } finally {
    transfer.dispose();
  }
}

function startRequest(
  options: SendFormOptions,
  boundary: string,
  frameBytes: number,
  askFirst: boolean,
): ClientRequest {
  const send = options.url.protocol === 'https:' ? httpsRequest : httpRequest;
  return send(options.url, {
    method: 'POST',
    agent: options.agent,
    headers: {
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      'Content-Length': frameBytes + options.expected.sizeBytes,
      Accept: '*/*',
      ...(askFirst ? { Expect: '100-continue' } : {}),
    },
  });
}

/** The file must be what it was when the upload was planned: otherwise the last boundary is never sent. */
async function assertUnchanged({ file, expected }: SendFormOptions): Promise<void> {
  const now = await file.facts();
  if (now.sizeBytes !== expected.sizeBytes || now.mtimeMs !== expected.mtimeMs) {
    throw appError('file.changed', { details: { expectedBytes: expected.sizeBytes, foundBytes: now.sizeBytes } });
  }
}

/** One request on the wire: its writes, its answer, its watchdog. */
class Transfer {
  readonly #request: ClientRequest;
  readonly #options: SendFormOptions;
  readonly #timing: SendTiming;
  readonly #stop = new AbortController();
  readonly #answered: Promise<IncomingMessage>;
  #answer: IncomingMessage | null = null;
  #sentBytes = 0;
  #allSent = false;
  #lastMoveAt: number;
  #cancelWatchdog: () => void = () => {};
  readonly #onAbort = () => {
    this.#stop.abort(this.#options.signal.reason);
    this.#request.destroy();
  };

  constructor(request: ClientRequest, options: SendFormOptions, timing: SendTiming) {
    this.#request = request;
    this.#options = options;
    this.#timing = timing;
    this.#lastMoveAt = options.clock.monotonic();
    this.#answered = new Promise((resolve) => {
      request.once('response', (response) => {
        this.#answer = response;
        response.on('error', () => {}); // A cut answer shows as an incomplete one where it is read.
        if (!this.#allSent) this.#stop.abort(new EarlyAnswer());
        resolve(response);
      });
    });
    // Stays for ever: Node can report a reset of the socket long after the request was given up.
    request.on('error', (error) => this.#stop.abort(error));
    request.on('close', () => this.#stop.abort(new Error('closed')));
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
    this.#watch();
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Waits for `100 Continue`, for an answer, or for the end of patience. */
  async goAhead(): Promise<void> {
    await this.#untilStopped(
      new Promise<void>((resolve) => {
        let cancel = () => {};
        const start = () => {
          cancel = this.#options.clock.schedule(this.#timing.continuePatienceMs, resolve);
        };
        // Patience begins with the connection: a slow handshake is not a silent destination.
        this.#request.once('socket', (socket) => {
          if (!socket.connecting) start();
          else socket.once(this.#options.url.protocol === 'https:' ? 'secureConnect' : 'connect', start);
        });
        this.#request.once('continue', () => {
          cancel();
          resolve();
        });
        this.signal.addEventListener('abort', () => cancel(), { once: true });
      }),
    );
    this.#moved();
  }

  /** Resolves when the kernel has taken the chunk; only then may its buffer be used again. */
  async write(chunk: Uint8Array): Promise<void> {
    this.signal.throwIfAborted();
    await this.#untilStopped(
      new Promise<void>((resolve, reject) => {
        this.#request.write(chunk, (error) => (error ? reject(error) : resolve()));
      }),
    );
    this.#moved();
  }

  countFileBytes(length: number): void {
    this.#sentBytes += length;
    this.#options.onProgress(this.#sentBytes);
  }

  async finish(tail: Uint8Array): Promise<void> {
    this.signal.throwIfAborted();
    this.#allSent = true;
    this.#request.end(tail);
    this.#moved();
  }

  async result(hash: Hash | null): Promise<SendResult> {
    const response = await this.#untilStopped(this.#answered);
    const text = await readAnswer(response);
    const refusal = refusalOf(response, text, this.#sentBytes);
    if (refusal) throw refusal;
    return { status: response.statusCode ?? 0, sha256: hash?.digest('hex') ?? null };
  }

  /** What really happened, from what was thrown and what the destination said meanwhile. */
  async explain(error: unknown): Promise<unknown> {
    if (this.#options.signal.aborted) return this.#options.signal.reason;
    const reason = this.signal.aborted ? this.signal.reason : error;
    const response = this.#answer;
    if (response && !this.#allSent) {
      if (response.statusCode === 417) return new ExpectationFailed();
      const text = await readAnswer(response);
      return refusalOf(response, text, this.#sentBytes) ?? earlyAcceptance(response, this.#sentBytes);
    }
    return transferError(reason, { sentBytes: this.#sentBytes, allSent: this.#allSent });
  }

  dispose(): void {
    this.#cancelWatchdog();
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    // A finished exchange may keep its connection for the next file; anything else ends here.
    if (!(this.#allSent && this.#answer?.complete)) this.#request.destroy();
  }

  #moved(): void {
    this.#lastMoveAt = this.#options.clock.monotonic();
  }

  /** One timer that looks whether anything moved, rather than one that is set anew with every write. */
  #watch(): void {
    const { clock, gate } = this.#options;
    const limit = this.#allSent ? this.#timing.answerPatienceMs : this.#timing.stallMs;
    this.#cancelWatchdog = clock.schedule(Math.max(50, limit / 4), () => {
      if (gate.isHeld()) this.#moved();
      const patience = this.#allSent ? this.#timing.answerPatienceMs : this.#timing.stallMs;
      if (clock.monotonic() - this.#lastMoveAt >= patience) {
        this.#stop.abort(appError('upload.stalled', { details: { sentBytes: this.#sentBytes, idleMs: patience } }));
        this.#request.destroy(); // Also ends the reading of an answer that never ends.
      } else {
        this.#watch();
      }
    });
  }

  #untilStopped<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const onStop = () => reject(this.signal.reason);
      if (this.signal.aborted && this.#answer === null) {
        onStop();
        return;
      }
      this.signal.addEventListener('abort', onStop, { once: true });
      work.then(resolve, reject).finally(() => this.signal.removeEventListener('abort', onStop));
    });
  }
}

class EarlyAnswer extends Error {}

/** A destination that accepts before it has everything did not store this file. */
function earlyAcceptance(response: IncomingMessage, sentBytes: number): AppError {
  return appError('upload.not-received', {
    details: { status: response.statusCode ?? null, sentBytes, reason: 'answered before the end of the file' },
  });
}
