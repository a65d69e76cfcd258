// Sends files with the real sender, and measures what that takes.
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeClock } from '../../electron/engine/ports/system/node-clock.ts';
import { nodeFiles } from '../../electron/engine/ports/system/node-files.ts';
import { HashThreads } from '../../electron/engine/ports/system/node-hash-threads.ts';
import { nodeRandom } from '../../electron/engine/ports/system/node-random.ts';
import { BandwidthLimit } from '../../electron/engine/uploads/delivery/sender/bandwidth-limit.ts';
import { createSender } from '../../electron/engine/uploads/delivery/sender/send-form.ts';
import { TransferGate } from '../../electron/engine/uploads/delivery/sender/send-gate.ts';
import { senderConnections } from '../helpers/engine/direct-network.ts';
import type { StoreDestination } from './store.ts';

const connections = senderConnections();
const send = createSender(new HashThreads({ clock: nodeClock, onLost: (reason) => console.error(reason) }));

export interface Sent {
  /** The status with which the store accepted; null when it did not. */
  status: number | null;
  error: unknown;
  sha256: string | null;
  seconds: number;
  /** Growth of this process's resident memory while it sent, at most. */
  grownBytes: number;
}

export interface SendingOptions {
  fileName: string;
  /** Bytes per second; unlimited unless given. */
  limit?: number;
  /** Called once, when about half of the file is out. */
  atHalf?(gate: TransferGate): Promise<void> | void;
}

/** A folder of files to send, removed at the end. */
export class FilesToSend {
  readonly #dir = mkdtempSync(join(tmpdir(), 'mediadesk-destinations-'));
  #count = 0;

  /** A file of bytes that depend on its number; a large one is sparse. */
  make(sizeBytes: number): string {
    this.#count += 1;
    const path = join(this.#dir, `file-${this.#count}`);
    if (sizeBytes <= 256 * 1024 * 1024) writeFileSync(path, Buffer.alloc(sizeBytes, `content ${this.#count} `));
    else {
      writeFileSync(path, `content ${this.#count}`);
      truncateSync(path, sizeBytes);
    }
    return path;
  }

  remove(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

export async function sendTo(to: StoreDestination, path: string, options: SendingOptions): Promise<Sent> {
  const file = await nodeFiles.open(path);
  const expected = await file.facts();
  const limit = new BandwidthLimit(nodeClock);
  limit.set(options.limit ?? null);
  const gate = new TransferGate(limit);
  const residentBefore = process.memoryUsage().rss;
  let grownBytes = 0;
  let isBeforeHalf = true;
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  try {
    const { status, sha256 } = await send({
      url: to.url,
      fields: to.fields,
      fileParam: to.fileParam,
      fileName: options.fileName,
      contentType: 'application/octet-stream',
      file,
      expected,
      hash: true,
      gate,
      signal: new AbortController().signal,
      clock: nodeClock,
      random: nodeRandom,
      connections,
      onProgress(sentBytes) {
        grownBytes = Math.max(grownBytes, process.memoryUsage.rss() - residentBefore);
        if (!isBeforeHalf || sentBytes < expected.sizeBytes / 2) return;
        isBeforeHalf = false;
        void options.atHalf?.(gate);
      },
    });
    return { status, error: null, sha256, seconds: seconds(), grownBytes };
  } catch (error) {
    return { status: null, error, sha256: null, seconds: seconds(), grownBytes };
  } finally {
    await file.close();
  }
}
