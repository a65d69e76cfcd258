// Real files and the real sender, with everything that a test of a transfer observes.
import { createHash, randomBytes } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../../electron/engine/ports/clock.ts';
import { type Hashes, inlineHashes } from '../../../electron/engine/ports/hashes.ts';
import { nodeClock } from '../../../electron/engine/ports/system/node-clock.ts';
import { nodeFiles } from '../../../electron/engine/ports/system/node-files.ts';
import { HashThreads } from '../../../electron/engine/ports/system/node-hash-threads.ts';
import { nodeRandom } from '../../../electron/engine/ports/system/node-random.ts';
import { BandwidthLimit } from '../../../electron/engine/uploads/delivery/sender/bandwidth-limit.ts';
import { createSender } from '../../../electron/engine/uploads/delivery/sender/send-form.ts';
import { TransferGate } from '../../../electron/engine/uploads/delivery/sender/send-gate.ts';
import type { SendFormOptions, SendResult } from '../../../electron/engine/uploads/delivery/sender/send-options.ts';
import type { AppError } from '../../../shared/contract/app-error.ts';
import { senderConnections } from '../engine/direct-network.ts';
import { type RawScript, type RawServer, startRawServer } from '../wire/raw-server.ts';

/** Every sender test runs twice (vitest.config.ts): with hashes in a thread for any size, and inline. */
const hashes =
  process.env.SENDER_HASHES === 'inline'
    ? inlineHashes
    : new HashThreads({
        clock: nodeClock,
        fromBytes: 0,
        most: 1,
        onLost: (reason) => {
          throw new Error(reason);
        },
      });

export interface LocalFile {
  path: string;
  content: Buffer;
  sha256: string;
}

/** Creates a file of random bytes in its own folder, which is removed after the test. */
export async function makeFile(sizeBytes: number): Promise<LocalFile> {
  const folder = await mkdtemp(join(tmpdir(), 'mediadesk-sender-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const content = randomBytes(sizeBytes);
  const path = join(folder, 'recording.bin');
  await writeFile(path, content);
  return { path, content, sha256: sha256Of(content) };
}

export function sha256Of(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** A raw server that is closed after the test. */
export async function serve(script: RawScript): Promise<RawServer> {
  const server = await startRawServer(script);
  onTestFinished(() => server.close());
  return server;
}

/** An agent with reusable connections, closed after the test. */
export function keptConnections(): Agent {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 8 });
  onTestFinished(() => agent.destroy());
  return agent;
}

/** A running transfer. */
export interface Sending {
  /** Resolves with the outcome. Never rejects. */
  ended: Promise<SendResult | { error: unknown }>;
  gate: TransferGate;
  abort(reason: unknown): void;
  /** Every progress that was reported. */
  progress: number[];
  hasEnded(): boolean;
  /** Resolves when at least this number of bytes of the file was reported as sent. */
  reached(bytes: number): Promise<void>;
  /** What the transfer still uses: listeners on its signal, and connections. */
  leftovers(): { listeners: number; connections: number };
}

/** The real clock; counts its pending timers. */
export class CountingClock implements Clock {
  pending = 0;
  readonly now = nodeClock.now;
  readonly monotonic = nodeClock.monotonic;

  schedule(delayMs: number, task: () => void): () => void {
    let isPending = true;
    this.pending += 1;
    const settle = () => {
      if (isPending) this.pending -= 1;
      isPending = false;
    };
    const cancel = nodeClock.schedule(delayMs, () => {
      settle();
      task();
    });
    return () => {
      settle();
      cancel();
    };
  }
}

/** The options that a test can replace. */
export type SendingChanges = Partial<SendFormOptions> & { hashes?: Hashes; agent?: Agent };

/** Starts to send a file with real parts; `changes` replaces any option, `prepare` sets pause and limit. */
export async function startSending(
  url: URL,
  path: string,
  changes: SendingChanges = {},
  prepare: (gate: TransferGate, limit: BandwidthLimit) => void = () => {},
): Promise<Sending> {
  const { hashes: chosenHashes = hashes, agent = keptConnections(), ...options } = changes;
  const file = changes.file ?? (await nodeFiles.open(path));
  const expected = changes.expected ?? (await file.facts());
  const stop = new AbortController();
  const limit = new BandwidthLimit(changes.clock ?? nodeClock);
  const gate = new TransferGate(limit);
  prepare(gate, limit);
  const progress: number[] = [];
  const waiting = new Set<{ bytes: number; resolve: () => void }>();
  const form: SendFormOptions = {
    url,
    fields: [['ticket', 'abc']],
    fileParam: 'file',
    fileName: 'recording.bin',
    contentType: 'application/octet-stream',
    hash: true,
    gate,
    signal: stop.signal,
    clock: nodeClock,
    random: nodeRandom,
    connections: senderConnections(agent),
    ...options,
    file,
    expected,
    onProgress: (sentBytes) => {
      progress.push(sentBytes);
      for (const waiter of waiting) if (sentBytes >= waiter.bytes) waiter.resolve();
    },
  };
  let hasEnded = false;
  const ended = createSender(chosenHashes)(form)
    .catch((error: unknown) => ({ error }))
    .finally(() => {
      hasEnded = true;
      return file.close();
    });
  return {
    ended,
    gate,
    abort: (reason) => stop.abort(reason),
    progress,
    hasEnded: () => hasEnded,
    leftovers: () => ({
      listeners: getEventListeners(stop.signal, 'abort').length,
      connections: Object.values(agent.sockets).reduce((sum, sockets) => sum + (sockets?.length ?? 0), 0),
    }),
    reached: (bytes) =>
      new Promise((resolve) => {
        if ((progress.at(-1) ?? -1) >= bytes) resolve();
        else waiting.add({ bytes, resolve });
      }),
  };
}

/** Sends a file that must be accepted. */
export async function sendFile(url: URL, path: string, changes: SendingChanges = {}): Promise<SendResult> {
  const outcome = await (await startSending(url, path, changes)).ended;
  if ('error' in outcome) throw outcome.error;
  return outcome;
}

/** Sends a file that must fail; returns the error. */
export async function failToSend(url: URL, path: string, changes: SendingChanges = {}): Promise<AppError> {
  return failureOf(await startSending(url, path, changes));
}

/** The error with which a transfer ends. Throws when it succeeds. */
export async function failureOf(sending: Sending): Promise<AppError> {
  const outcome = await sending.ended;
  if (!('error' in outcome)) throw new Error(`It was accepted with status ${outcome.status}.`);
  return outcome.error as AppError;
}
