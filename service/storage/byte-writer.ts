import { close, constants, fdatasync, ftruncate, open, write, writev } from 'node:fs';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { ALIGNED_BYTES, giveBack, takeBuffers } from './aligned-buffers.ts';

const openFile = promisify(open);
const closeFile = promisify(close);
const syncFile = promisify(fdatasync);
const truncateFile = promisify(ftruncate);

/** Writes chunks to a new file, in order, and buffers at most a few megabytes. */
export interface ByteWriter {
  /** Accepts a chunk. Returns false when the caller must send no further chunk until `onRoom`. */
  write(chunk: Buffer): boolean;
  /** Resolves when everything is on disk and the file is closed. */
  finish(): Promise<void>;
  /** Stops as soon as possible and closes the file. */
  abandon(): Promise<void>;
}

export interface WriterEvents {
  onRoom(): void;
  onFail(error: unknown): void;
  /** Called when a chunk, or the rest of one, was copied or written completely; it is not read again. */
  onTaken(chunk: Buffer): void;
}

const BLOCK_BYTES = 4096;
/** Smaller files are written through the page cache: buffers for direct writes would cost more than they save. */
const DIRECT_FROM_BYTES = 4 * 1024 * 1024;

/**
 * Opens a writer for a file of known size. Large files bypass the page cache if the file system supports it: the bytes
 * are not read again soon, and filling the cache costs more than writing to the disk.
 */
export async function openByteWriter(
  path: string,
  sizeBytes: number,
  direct: boolean,
  events: WriterEvents,
): Promise<ByteWriter> {
  const buffers = direct && sizeBytes >= DIRECT_FROM_BYTES ? takeBuffers() : undefined;
  const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | (buffers ? constants.O_DIRECT : 0);
  try {
    const fd = await openFile(path, flags, 0o600);
    return buffers ? directWriter(fd, buffers, events) : cachedWriter(fd, events);
  } catch (error) {
    if (buffers) giveBack(buffers);
    throw error;
  }
}

/** Returns whether direct writes work in a folder, by trying one. */
export async function directWritesWork(probePath: string): Promise<boolean> {
  if (constants.O_DIRECT === undefined) return false;
  const buffers = takeBuffers();
  if (!buffers) return false;
  try {
    const fd = await openFile(probePath, constants.O_CREAT | constants.O_WRONLY | constants.O_DIRECT, 0o600);
    try {
      await promisify(write)(fd, buffers[0], 0, BLOCK_BYTES, 0);
      return true;
    } finally {
      await closeFile(fd);
    }
  } catch {
    return false;
  } finally {
    giveBack(buffers);
    await rm(probePath, { force: true });
  }
}

/** Fills one buffer while the other is written. */
function directWriter(
  fd: number,
  [first, second]: [Buffer, Buffer],
  { onRoom, onFail, onTaken }: WriterEvents,
): ByteWriter {
  const idle = [second];
  let filling: Buffer | undefined = first;
  let filled = 0;
  let position = 0;
  let total = 0;
  /**
   * Bytes that arrived while both buffers were being written, in order: the rest of a chunk, and the chunks that the parser
   * still delivered after it.
   */
  let held: Buffer[] = [];
  let failure: unknown;
  let closed = false;
  let inFlight = 0;
  let onIdle = () => {};

  function put(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (!filling) {
        held.push(rest);
        return;
      }
      const part = rest.copy(filling, filled);
      filled += part;
      rest = rest.subarray(part);
      if (filled === ALIGNED_BYTES) flush();
    }
    onTaken(chunk);
  }

  function flush(): void {
    if (!filling) return;
    const buffer = filling;
    const bytes = Math.ceil(filled / BLOCK_BYTES) * BLOCK_BYTES;
    filling = idle.pop();
    filled = 0;
    inFlight += 1;
    write(fd, buffer, 0, bytes, position, (error, written) => {
      inFlight -= 1;
      if (error || written !== bytes) {
        failure ??= error ?? new Error('The disk took less than it was given.');
        onFail(failure);
      } else if (!failure) {
        reuse(buffer);
      }
      if (inFlight === 0) onIdle();
    });
    position += bytes;
  }

  function reuse(buffer: Buffer): void {
    if (filling) {
      idle.push(buffer);
      return;
    }
    filling = buffer;
    const rests = held;
    held = [];
    for (const rest of rests) put(rest);
    if (held.length === 0) onRoom();
  }

  const settled = () =>
    new Promise<void>((resolve) => {
      onIdle = resolve;
      if (inFlight === 0) resolve();
    });

  async function end(): Promise<void> {
    if (closed) return;
    closed = true;
    await closeFile(fd);
    giveBack([first, second]);
  }

  return {
    write(chunk) {
      total += chunk.length;
      put(chunk);
      return held.length === 0;
    },
    async finish() {
      do await settled();
      while (held.length > 0 && !failure);
      if (filled > 0 && !failure) {
        flush();
        await settled();
      }
      if (failure) throw failure;
      await truncateFile(fd, total);
      await syncFile(fd);
      await end();
    },
    async abandon() {
      failure ??= new Error('The writing was abandoned.');
      await settled();
      await end();
    },
  };
}

/** Bytes collected for one write: large enough that the cost of the call does not matter. */
const BATCH_BYTES = 1024 * 1024;
/** The maximum number of bytes that wait for the disk; above it, the sender is paused. */
const WAITING_BYTES = 4 * 1024 * 1024;

/** Collects chunks and writes them in batches, without copying, through the page cache. */
function cachedWriter(fd: number, { onRoom, onFail, onTaken }: WriterEvents): ByteWriter {
  let queue: Buffer[] = [];
  let queued = 0;
  let writing: Promise<void> | undefined;
  let failure: unknown;
  let closed = false;

  function flush(): void {
    if (writing || queued === 0 || failure) return;
    const [chunks, bytes] = [queue, queued];
    queue = [];
    queued = 0;
    writing = writeAll(fd, chunks, bytes).then(
      () => {
        writing = undefined;
        for (const chunk of chunks) onTaken(chunk);
        if (queued >= BATCH_BYTES) flush();
        onRoom();
      },
      (error) => {
        writing = undefined;
        failure ??= error;
        onFail(error);
      },
    );
  }

  async function end(): Promise<void> {
    if (closed) return;
    closed = true;
    await closeFile(fd);
  }

  return {
    write(chunk) {
      queue.push(chunk);
      queued += chunk.length;
      if (queued >= BATCH_BYTES) flush();
      return queued < WAITING_BYTES;
    },
    async finish() {
      while ((writing || queued > 0) && !failure) {
        flush();
        await writing;
      }
      if (failure) throw failure;
      await syncFile(fd);
      await end();
    },
    async abandon() {
      failure ??= new Error('The writing was abandoned.');
      await writing;
      await end();
    },
  };
}

function writeAll(fd: number, chunks: Buffer[], bytes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    writev(fd, chunks, (error, written) => {
      if (error) return reject(error);
      if (written === bytes) return resolve();
      const rest = Buffer.concat(chunks).subarray(written);
      writeAll(fd, [rest], rest.length).then(resolve, reject);
    });
  });
}
