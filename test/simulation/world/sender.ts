import { HashLost } from '../../../electron/engine/ports/hashes.ts';
import { destinationRefusalOf, transferError } from '../../../electron/engine/uploads/delivery/sender/answers.ts';
import type { SendForm, SendFormOptions } from '../../../electron/engine/uploads/delivery/sender/send-options.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import type { TransferFact } from '../history.ts';
import type { SimulatedOpenFile } from './files.ts';
import type { Life } from './virtual-time.ts';
import type { World } from './world.ts';

const STALL_MS = 60_000;
const LONGEST_CHUNK_MS = 4000;

/** The failure of a transfer, decided at its start. */
interface Fate {
  /** The share of the chunks after which the connection breaks, or stalls; null: never. */
  cutAt: number | null;
  stallAt: number | null;
  /** The hash thread dies, at most once in a run of the program. */
  hashLostAt: number | null;
  refusal: number | null;
  /** The answer of a destination that read everything is lost; the destination may have stored the bytes or not. */
  answerLost: boolean;
  /** Another server answers instead of the destination. */
  swallowed: boolean;
}

/** A `sendForm` without a network: the same errors and the same pauses, chunk by chunk in virtual time. */
export function simulatedSender(world: World, life: Life): SendForm {
  return async (options) => {
    options.signal.throwIfAborted();
    const site = options.url.hostname.split('.')[1] ?? '';
    const token = options.url.pathname.slice(1);
    const fact: TransferFact = {
      life: life.number,
      afterRows: world.history.rows.length,
      site,
      fileId: world.service(site).destination(token).fileId,
      fromMs: world.time.elapsedMs,
      toMs: null,
      sentBytes: 0,
      result: 'open',
    };
    world.history.transfers.push(fact);
    const close = (result: string) => {
      if (!life.alive) return;
      fact.toMs = world.time.elapsedMs;
      fact.result = result;
    };
    try {
      const result = await new Transfer(world, life, site, token, options, fact).run();
      close('sent');
      return result;
    } catch (error) {
      // Closing an aborted connection takes time.
      if (options.signal.aborted && world.prng.chance(0.3)) {
        await world.time.later(world.prng.int(0, 500), life, () => {});
      }
      close((error as { code?: string }).code ?? String(error));
      throw error;
    }
  };
}

class Transfer {
  readonly #world: World;
  readonly #life: Life;
  readonly #site: string;
  readonly #token: string;
  readonly #options: SendFormOptions;
  readonly #fact: TransferFact;
  readonly #file: SimulatedOpenFile;

  constructor(world: World, life: Life, site: string, token: string, options: SendFormOptions, fact: TransferFact) {
    this.#world = world;
    this.#life = life;
    this.#site = site;
    this.#token = token;
    this.#options = options;
    this.#fact = fact;
    this.#file = options.file as SimulatedOpenFile;
  }

  async run(): Promise<{ status: number; sha256: string | null }> {
    const fate = this.#fate();
    await this.#takes(this.#world.latencyMs(this.#site));
    this.#assertOnline();
    this.#assertSidecarHost();
    this.#assertTaken(fate.refusal ?? this.#world.service(this.#site).destination(this.#token).status);
    const contents = await this.#sendChunks(fate);
    await this.#assertUnchanged();
    this.#options.onHashed?.(contents);
    this.#options.onAllSent?.();
    return this.#finish(fate, contents);
  }

  async #sendChunks(fate: Fate): Promise<string> {
    const { options, size } = { options: this.#options, size: this.#options.expected.sizeBytes };
    // A long transfer shows progress.
    const longMs = (size / 1_000_000) * (this.#world.scenario.service.megabyteMs ?? 0);
    const chunks = Math.min(size, Math.max(this.#world.prng.int(1, 6), Math.ceil(longMs / LONGEST_CHUNK_MS)));
    const slow = this.#world.strikes('slow', this.#site);
    const read = new Set<string>();
    for (let index = 0; index < chunks; index += 1) {
      const to = index === chunks - 1 ? size : Math.floor((size * (index + 1)) / chunks);
      for (let left = to - this.#fact.sentBytes; left > 0; ) left -= await this.#share(left);
      await this.#takes(this.#world.prng.spread(10, slow ? 45_000 : longMs > 0 ? 100 : 3000) + longMs / chunks);
      if (fate.stallAt === index) await this.#stall();
      const { contents, sizeBytes } = this.#file.peek();
      if (sizeBytes < to) throw this.#located(appError('file.changed', { details: { foundBytes: sizeBytes } }));
      read.add(contents);
      if (fate.hashLostAt === index) {
        this.#life.hashesInline = true;
        throw new HashLost();
      }
      if (fate.cutAt === index) throw this.#broken('ECONNRESET', false);
      this.#assertOnline();
      this.#fact.sentBytes = to;
      this.#world.service(this.#site).moved(this.#token);
      options.onProgress(to);
    }
    return [...read].join(' + ');
  }

  /** Handles the end of the bytes: they may arrive or not, and the reply may be lost. */
  #finish(fate: Fate, contents: string): Promise<{ status: number; sha256: string | null }> {
    const size = this.#options.expected.sizeBytes;
    const { time, prng } = this.#world;
    const arrives = !fate.swallowed && !(fate.answerLost && prng.chance(0.5));
    const dies = prng.chance(0.5);
    let status = 204;
    const there = this.#world.latencyMs(this.#site);
    if (arrives) {
      time.after(there, null, () => {
        if (!this.#life.alive && dies) return;
        status = this.#world.service(this.#site).received(this.#token, contents, size);
      });
    }
    return this.#takes(there + this.#world.latencyMs(this.#site)).then(() => {
      if (fate.answerLost) throw this.#broken('ECONNRESET', true);
      this.#assertTaken(status);
      return { status, sha256: contents };
    });
  }

  #fate(): Fate {
    const strikes = (kind: Parameters<World['strikes']>[0]) => this.#world.strikes(kind, this.#site);
    const { prng } = this.#world;
    return {
      cutAt: strikes('transfers-cut') ? prng.int(0, 5) : null,
      stallAt: strikes('transfers-stall') ? prng.int(0, 5) : null,
      hashLostAt: this.#options.hash && !this.#life.hashesInline && strikes('hash-lost') ? prng.int(0, 5) : null,
      refusal: strikes('refused')
        ? prng.pick([400, 403, 413])
        : strikes('destination-gone')
          ? prng.pick([404, 410])
          : null,
      answerLost: strikes('answers-lost'),
      swallowed: strikes('bytes-swallowed'),
    };
  }

  async #assertUnchanged(): Promise<void> {
    const now = await this.#file.facts();
    this.#options.signal.throwIfAborted();
    const { sizeBytes, mtimeMs } = this.#options.expected;
    if (now.sizeBytes !== sizeBytes || now.mtimeMs !== mtimeMs) throw this.#located(appError('file.changed'));
  }

  /** Returns the bytes that may be sent now. Waiting for them is a stall, unless the transfer is on hold. */
  async #share(wanted: number): Promise<number> {
    const { gate, signal } = this.#options;
    if (this.#world.scenario.stallsWithoutShare !== true) return gate.pass(wanted, signal);
    const stalled = new AbortController();
    let cancel = () => {};
    const watch = () => {
      cancel = this.#world.time.after(STALL_MS, this.#life, () => {
        if (gate.isHeld()) watch();
        else stalled.abort(this.#located(appError('upload.stalled')));
      });
    };
    watch();
    try {
      return await gate.pass(wanted, AbortSignal.any([signal, stalled.signal]));
    } finally {
      cancel();
    }
  }

  /** Waits in a transfer that sends no more bytes. A pause is not a stall. */
  async #stall(): Promise<never> {
    do await this.#takes(STALL_MS);
    while (this.#options.gate.isHeld());
    throw this.#located(appError('upload.stalled'));
  }

  #assertOnline(): void {
    if (this.#world.holds('gateway', this.#site)) this.#assertTaken(502);
    if (!this.#world.holds('offline', this.#site)) return;
    throw this.#broken(this.#fact.sentBytes === 0 ? 'ECONNREFUSED' : 'ECONNRESET', false);
  }

  /** Throws when the host of sidecars can't be used. Only recordings are hashed during their transfer, so others are sidecars. */
  #assertSidecarHost(): void {
    const { sidecarHost = 'there' } = this.#world.scenario.service;
    if (sidecarHost === 'there' || this.#options.hash) return;
    const code = sidecarHost === 'away' ? 'EHOSTUNREACH' : 'CERT_HAS_EXPIRED';
    throw this.#broken(code, false);
  }

  #assertTaken(status: number): void {
    const sent = { sentBytes: this.#fact.sentBytes, allSent: this.#fact.sentBytes >= this.#options.expected.sizeBytes };
    const refusal = destinationRefusalOf({ status, headers: {}, text: '' }, sent);
    if (refusal) throw refusal;
  }

  #broken(code: string, allSent: boolean): unknown {
    return transferError(Object.assign(new Error(code), { code }), { sentBytes: this.#fact.sentBytes, allSent });
  }

  #located(error: unknown): unknown {
    return transferError(error, { sentBytes: this.#fact.sentBytes, allSent: false });
  }

  /** Waits in virtual time, or returns immediately when the transfer is aborted. */
  #takes(delayMs: number): Promise<void> {
    const { signal } = this.#options;
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = () => {
        cancel();
        reject(signal.reason);
      };
      const cancel = this.#world.time.after(delayMs, this.#life, () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      });
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }
}
