import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../clock.ts';
import { type Hashes, HashLost, inlineHashes, type StreamHash } from '../hashes.ts';

/** A request to a thread. Requests of one job are sent in order, and a thread answers all requests in order. */
type Request =
  | { job: number; kind: 'add'; block: ArrayBuffer; length: number }
  | { job: number; kind: 'digest' }
  | { job: number; kind: 'end' };

/** The block that was added, or the digest. */
type Reply = ArrayBuffer | string;

interface Pending {
  resolve(reply: Reply): void;
  reject(error: HashLost): void;
}

export interface HashThreadsOptions {
  clock: Clock;
  /** Called once, when a thread ended, stalled or could not be started. Hashes are computed inline from then on. */
  onLost(reason: string): void;
  /** The maximum number of threads; by default one less than the processors, at most four. */
  most?: number;
  /** Smaller streams are hashed inline. Bytes. */
  fromBytes?: number;
  /** JavaScript that each thread runs; a test replaces it by one that fails. */
  program?: string;
}

/** Below this size the messages to a thread cost more than they save. */
const FROM_BYTES = 1024 * 1024;
/** The maximum number of threads: one processor hashes 10 Gbit/s; several are for processors without SHA instructions. */
const MOST_THREADS = 4;
/** One block is read into, one is hashed, one is sent, and one covers the differences in their speed. */
const BLOCKS = 4;
/**
 * The interval of the check. A thread is stalled when it answers nothing during three ticks. After a sleep of the computer the
 * first tick can come before the thread had any time; the next ticks can't.
 */
const TICK_MS = 5000;
const TICKS_UNTIL_STALLED = 3;

/**
 * Computes hashes in threads, so that the calling thread can read and send at the same time. Blocks of memory are
 * transferred to a thread and back, never shared or copied: a block is read into, hashed or sent, and never two of these
 * at the same time.
 *
 * Threads start with the first large stream, are reused, and don't keep the process alive. When one is lost, its hashes
 * reject with `HashLost`, and every later hash is computed inline: a fault that repeats can't interrupt an upload twice.
 */
export class HashThreads implements Hashes {
  readonly #options: HashThreadsOptions;
  readonly #most: number;
  readonly #threads: HashThread[] = [];
  #isInline: boolean;

  constructor(options: HashThreadsOptions) {
    this.#options = options;
    this.#most = options.most ?? Math.min(MOST_THREADS, availableParallelism() - 1);
    this.#isInline = this.#most <= 0;
  }

  begin(sizeBytes: number): StreamHash {
    const thread = sizeBytes < (this.#options.fromBytes ?? FROM_BYTES) ? null : this.#thread();
    return thread?.begin() ?? inlineHashes.begin(sizeBytes);
  }

  /** Ends all threads. Hashes in progress reject with `HashLost`. */
  async stop(): Promise<void> {
    this.#isInline = true;
    await Promise.all(this.#threads.splice(0).map((thread) => thread.stop('stopped')));
  }

  /** Returns the thread with the fewest streams, or a new thread; null when hashes are to be computed inline. */
  #thread(): HashThread | null {
    if (this.#isInline) return null;
    const [idlest] = [...this.#threads].sort((a, b) => a.jobs - b.jobs);
    if (idlest !== undefined && (idlest.jobs === 0 || this.#threads.length >= this.#most)) return idlest;
    try {
      const worker = new Worker(this.#options.program ?? PROGRAM, { eval: true, execArgv: [], name: 'hash' });
      const thread = new HashThread(worker, this.#options.clock, (reason) => this.#lose(reason));
      this.#threads.push(thread);
      return thread;
    } catch (error) {
      this.#lose(String(error));
      return null;
    }
  }

  #lose(reason: string): void {
    if (this.#isInline) return;
    // The other threads finish their streams; no new stream starts in them.
    this.#isInline = true;
    this.#options.onLost(reason);
  }
}

/** One thread and the requests that it has not answered yet. */
class HashThread {
  /** The number of streams that have started and not ended. */
  jobs = 0;
  readonly #worker: Worker;
  readonly #clock: Clock;
  readonly #onLost: (reason: string) => void;
  readonly #pending: Pending[] = [];
  #lastJob = 0;
  #replies = 0;
  #lost: HashLost | null = null;
  #cancelTick: () => void = () => {};

  constructor(worker: Worker, clock: Clock, onLost: (reason: string) => void) {
    this.#worker = worker;
    this.#clock = clock;
    this.#onLost = onLost;
    worker.on('message', (reply: Reply) => this.#receive(reply));
    worker.on('error', (error) => this.stop(String(error)));
    worker.on('exit', (code) => this.stop(`ended with code ${code}`));
    // Called after the listeners are added, because a listener for messages keeps the process alive.
    worker.unref();
  }

  begin(): StreamHash {
    this.jobs += 1;
    this.#lastJob += 1;
    const job = this.#lastJob;
    return {
      blocks: BLOCKS,
      add: (block, length) => this.#ask<ArrayBuffer>({ job, kind: 'add', block, length }, [block]),
      digest: () => this.#ask<string>({ job, kind: 'digest' }),
      end: () => {
        this.jobs -= 1;
        if (this.#lost === null) this.#worker.postMessage({ job, kind: 'end' } satisfies Request);
      },
    };
  }

  async stop(reason: string): Promise<void> {
    if (this.#lost === null) {
      this.#lost = new HashLost(`The hash thread was lost: ${reason}.`);
      this.#cancelTick();
      this.#onLost(reason);
      for (const { reject } of this.#pending.splice(0)) reject(this.#lost);
    }
    await this.#worker.terminate();
  }

  #ask<T extends Reply>(request: Request, transferred: ArrayBuffer[] = []): Promise<T> {
    if (this.#lost !== null) return Promise.reject(this.#lost);
    return new Promise((resolve, reject) => {
      this.#worker.postMessage(request, transferred);
      this.#pending.push({ resolve: (reply) => resolve(reply as T), reject });
      if (this.#pending.length === 1) this.#watch(this.#replies, 0);
    });
  }

  #receive(reply: Reply): void {
    this.#replies += 1;
    this.#pending.shift()?.resolve(reply);
    if (this.#pending.length === 0) this.#cancelTick();
  }

  /** Counts ticks while a reply is due. `quietTicks`: the number of ticks in a row without a reply. */
  #watch(seenReplies: number, quietTicks: number): void {
    this.#cancelTick = this.#clock.schedule(TICK_MS, () => {
      const quiet = this.#replies === seenReplies ? quietTicks + 1 : 0;
      if (quiet < TICKS_UNTIL_STALLED) this.#watch(this.#replies, quiet);
      else void this.stop('stalled');
    });
  }
}

/** The program as text, so that a thread needs no file of its own in a bundle or archive. */
const PROGRAM = `(${answerInThread.toString()})()`;

/** Runs from its text alone, so it must not use any other name of this file. */
function answerInThread(): void {
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  const { createHash } = process.getBuiltinModule('node:crypto');
  const hashes = new Map<number, ReturnType<typeof createHash>>();
  parentPort?.on('message', (request: Request) => {
    const { job } = request;
    if (request.kind === 'end') {
      hashes.delete(job);
      return;
    }
    const hash = hashes.get(job) ?? createHash('sha256');
    hashes.set(job, hash);
    if (request.kind === 'digest') {
      parentPort.postMessage(hash.digest('hex'));
      return;
    }
    hash.update(new Uint8Array(request.block, 0, request.length));
    parentPort.postMessage(request.block, [request.block]);
  });
}
