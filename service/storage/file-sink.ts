import { close, fdatasync, open, writev } from 'node:fs';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { badRequest, type Problem } from '../http/problem.ts';

const openFile = promisify(open);
const closeFile = promisify(close);
const syncFile = promisify(fdatasync);

/** Gathered before a write: large enough that the cost of a call does not show. */
const BATCH_BYTES = 2 * 1024 * 1024;
/** Waiting for the disk at most; past that the sender is held. */
const WAITING_BYTES = 8 * 1024 * 1024;

export interface FileSink {
  /** Writes a stream to the file, at most the agreed size; resolves with the bytes written. */
  consume(stream: Readable, onBytes: () => void): Promise<number>;
  /** Stops writing and closes the file. */
  abandon(): Promise<void>;
}

export function sizeProblem(expected: number, received: number | 'more'): Problem {
  return badRequest(`The upload must have ${expected} bytes; it has ${received}.`);
}

/**
 * Writes chunks to a file in large batches, without copying them. One write is under way at a time while the next
 * batch gathers; the stream is paused when the disk falls behind.
 */
export function createFileSink(path: string, limitBytes: number, onFail: (error: unknown) => void): FileSink {
  let fd: number | undefined;
  let abandoned = false;
  let underway: Promise<void> = Promise.resolve();

  function writeAll(target: number, chunks: Buffer[], bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      writev(target, chunks, (error, written) => {
        if (error) return reject(error);
        if (written === bytes) return resolve();
        const rest = Buffer.concat(chunks).subarray(written);
        writeAll(target, [rest], rest.length).then(resolve, reject);
      });
    });
  }

  async function consume(stream: Readable, onBytes: () => void): Promise<number> {
    let queue: Buffer[] = [];
    let queued = 0;
    let received = 0;
    let writing = false;
    stream.pause();
    const target = await openFile(path, 'wx', 0o600);
    if (abandoned) {
      await closeFile(target);
      return 0;
    }
    fd = target;
    return new Promise((resolve, reject) => {
      let ended = false;
      function flush(): void {
        if (writing || abandoned) return;
        if (queued === 0) {
          if (ended) resolve(received);
          return;
        }
        const [chunks, bytes] = [queue, queued];
        queue = [];
        queued = 0;
        writing = true;
        underway = writeAll(target, chunks, bytes);
        underway.then(() => {
          writing = false;
          if (stream.isPaused()) stream.resume();
          if (ended || queued >= BATCH_BYTES) flush();
        }, reject);
      }
      stream.on('data', (chunk: Buffer) => {
        if (abandoned) return;
        received += chunk.length;
        onBytes();
        if (received > limitBytes) return onFail(sizeProblem(limitBytes, 'more'));
        queue.push(chunk);
        queued += chunk.length;
        if (queued >= BATCH_BYTES) flush();
        if (queued >= WAITING_BYTES) stream.pause();
      });
      stream.on('end', () => {
        ended = true;
        flush();
      });
      stream.resume();
    });
  }

  return {
    async consume(stream, onBytes) {
      const bytes = await consume(stream, onBytes);
      if (fd !== undefined && !abandoned) {
        await syncFile(fd);
        await closeFile(fd);
        fd = undefined;
      }
      return bytes;
    },
    async abandon() {
      if (abandoned) return;
      abandoned = true;
      await underway.catch(() => {});
      if (fd !== undefined) await closeFile(fd).catch(() => {});
      fd = undefined;
    },
  };
}
