import type { ClientRequest, IncomingMessage } from 'node:http';
import { type AppError, appError } from '../../../../../shared/contract/app-error.ts';
import { HashLost } from '../../../ports/hashes.ts';
import { destinationRefusalOf, isAppError, readAnswer, transferError } from './answers.ts';
import { destinationVerdictOf } from './destination-verdict.ts';
import { preserveEarlyAnswer } from './early-answer.ts';
import { Redirected } from './redirects.ts';
import type { SendFormOptions, SendTiming } from './send-options.ts';

/** 417: the destination does not support `Expect` and dropped the request. The same file can be sent again. */
export class ExpectationFailed extends Error {}

/** The destination had closed a reused connection; nothing of the file was sent. */
export class StaleConnection extends Error {}

/** The options of one request, and whether a proxy is on its way. */
type TransferOptions = SendFormOptions & { isThroughProxy: boolean };

/** One request: its writes, its answer, its stall timer. */
export class FormTransfer {
  readonly #request: ClientRequest;
  readonly #options: TransferOptions;
  readonly #timing: SendTiming;
  readonly #stop = new AbortController();
  readonly #connected: Promise<void>;
  #isConnected = false;
  /** The address of the host that answers. */
  #remoteAddress: string | null = null;
  readonly #answered: Promise<IncomingMessage>;
  #answer: IncomingMessage | null = null;
  #sentBytes = 0;
  #allSent = false;
  #lastProgressAt: number;
  #cancelWatchdog: () => void = () => {};
  readonly #onAbort = () => {
    this.#stop.abort(this.#options.signal.reason);
    this.#request.destroy();
  };

  constructor(request: ClientRequest, options: TransferOptions, timing: SendTiming) {
    this.#request = request;
    this.#options = options;
    this.#timing = timing;
    this.#lastProgressAt = options.clock.monotonic();
    this.#connected = new Promise((resolve) => {
      request.once('socket', (socket) => {
        const onConnected = () => {
          this.#isConnected = true;
          // Behind a proxy, only the proxy knows the address.
          this.#remoteAddress = options.isThroughProxy ? null : (socket.remoteAddress ?? null);
          resolve();
        };
        preserveEarlyAnswer(socket, options.clock);
        if (!socket.connecting) onConnected();
        else socket.once(options.url.protocol === 'https:' ? 'secureConnect' : 'connect', onConnected);
      });
    });
    this.#answered = new Promise((resolve) => {
      request.once('response', (response) => {
        this.#answer = response;
        response.on('error', () => {}); // `readAnswer` handles an answer that ends early.
        if (!this.#allSent) this.#stop.abort(new EarlyAnswer());
        resolve(response);
      });
    });
    // These listeners are never removed: Node can report a reset of the socket long after the request was aborted.
    request.on('error', (error) => this.#stop.abort(error));
    request.on('close', () => this.#stop.abort(new Error('closed')));
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
    this.#watch();
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Waits for `100 Continue`, for an answer, or for the timeout. */
  async goAhead(): Promise<void> {
    // The timeout starts when the connection is established, so that a slow handshake does not use it up.
    await this.#untilStopped(this.#connected);
    await this.#untilStopped(
      new Promise<void>((resolve) => {
        const cancel = this.#options.clock.schedule(this.#timing.continueTimeoutMs, resolve);
        this.#request.once('continue', () => {
          cancel();
          resolve();
        });
        this.signal.addEventListener('abort', cancel, { once: true });
      }),
    );
    this.#noteProgress();
  }

  /** Resolves when the kernel has taken the chunk; only then may its buffer be used again. */
  async write(chunk: Uint8Array): Promise<void> {
    this.signal.throwIfAborted();
    await this.#untilStopped(
      new Promise<void>((resolve, reject) => {
        this.#request.write(chunk, (error) => (error ? reject(error) : resolve()));
      }),
    );
    this.#noteProgress();
  }

  countFileBytes(length: number): void {
    this.#sentBytes += length;
    this.#options.onProgress(this.#sentBytes);
  }

  finish(tail: Uint8Array): void {
    this.signal.throwIfAborted();
    this.#allSent = true;
    this.#request.end(tail);
    this.#noteProgress();
  }

  /**
   * Waits for the answer. Returns its status when the destination accepted the form; otherwise throws the error it stands for.
   */
  async acceptedStatus(): Promise<number> {
    const response = await this.#untilStopped(this.#answered).catch((error: unknown) => {
      // Some destinations close the connection together with the answer; the answer still counts.
      if (this.#answer === null) throw error;
      return this.#answer;
    });
    if (this.#isUnknownExpectation(response)) throw new ExpectationFailed();
    const text = await readAnswer(response);
    const refusal = this.#refusalOf(response, text);
    if (refusal) throw refusal;
    this.#options.signal.throwIfAborted();
    return response.statusCode ?? 0;
  }

  /** Returns the cause of a failed transfer, from the error and from what the destination answered meanwhile. */
  async explain(error: unknown): Promise<unknown> {
    const said = await this.#earlyAnswer();
    if (this.#options.signal.aborted) return this.#options.signal.reason;
    if (said) return said;
    if (error instanceof ExpectationFailed || error instanceof Redirected || error instanceof HashLost) return error;
    // An error that was classified where it occurred stays: a connection that closes afterwards does not change it.
    const reason = this.signal.aborted && !isAppError(error) ? this.signal.reason : error;
    const nothingSent = this.#sentBytes === 0 && !this.#allSent && this.#answer === null;
    if (this.#request.reusedSocket && nothingSent && !isAppError(reason)) return new StaleConnection();
    return transferError(reason, { sentBytes: this.#sentBytes, allSent: this.#allSent });
  }

  /** Returns the meaning of an answer that came before the whole form was sent; null without such an answer. */
  async #earlyAnswer(): Promise<Error | null> {
    const response = this.#answer;
    if (response === null || this.#allSent) return null;
    if (this.#isUnknownExpectation(response)) return new ExpectationFailed();
    const text = await readAnswer(response);
    return this.#refusalOf(response, text) ?? earlyAcceptance(response, this.#sentBytes);
  }

  #refusalOf(response: IncomingMessage, text: string): Error | null {
    const status = response.statusCode ?? 0;
    const sent = { sentBytes: this.#sentBytes, allSent: this.#allSent };
    if (destinationVerdictOf(status, text) !== 'moved')
      return destinationRefusalOf({ status, headers: response.headers, text }, sent);
    return new Redirected(status, response.headers.location ?? '', this.#remoteAddress, sent);
  }

  #isUnknownExpectation(response: IncomingMessage): boolean {
    return response.statusCode === 417 && this.#request.hasHeader('Expect');
  }

  dispose(): void {
    this.#cancelWatchdog();
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    // Only a complete exchange keeps its connection for the next file.
    if (!(this.#allSent && this.#answer?.complete)) this.#request.destroy();
  }

  #noteProgress(): void {
    this.#lastProgressAt = this.#options.clock.monotonic();
  }

  /** Returns how long the transfer may be idle: while bytes are sent, or while it waits for the answer. */
  #idleLimitMs(): number {
    return this.#allSent ? this.#timing.answerTimeoutMs : this.#timing.stallMs;
  }

  /** Checks by one timer whether bytes moved; setting a timer with every write would cost more. */
  #watch(): void {
    const { clock, gate } = this.#options;
    this.#cancelWatchdog = clock.schedule(Math.max(50, this.#idleLimitMs() / 4), () => {
      if (gate.isHeld()) this.#noteProgress();
      // The limit is read again: the last byte may have been sent since the timer was set.
      const idleMs = this.#idleLimitMs();
      if (clock.monotonic() - this.#lastProgressAt >= idleMs) {
        const details = { sentBytes: this.#sentBytes, idleMs };
        this.#stop.abort(appError(this.#isConnected ? 'upload.stalled' : 'network.timed-out', { details }));
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

/** The error for a destination that accepts before it has received everything: it can't have stored this file. */
function earlyAcceptance(response: IncomingMessage, sentBytes: number): AppError {
  return appError('upload.not-received', {
    details: { status: response.statusCode ?? null, sentBytes, reason: 'answered before the end of the file' },
  });
}
