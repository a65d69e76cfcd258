import { appError } from '../../../../../shared/contract/app-error.ts';
import { abortable } from '../../../common/abortable.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { OpenFile } from '../../../ports/files.ts';
import { filledFrom } from '../../../ports/filled-from.ts';
import type { StreamHash } from '../../../ports/hashes.ts';
import type { SendGate } from './send-gate.ts';

export interface PumpOptions {
  file: OpenFile;
  /** Exactly this many bytes are read: the rest of a file that grew is not sent, and a file that shrank is an error. */
  sizeBytes: number;
  /** Hashes the sent bytes; null when no hash is needed. */
  hash: StreamHash | null;
  gate: SendGate;
  signal: AbortSignal;
  clock: Clock;
  /** Resolves when the memory of the chunk is free again. */
  write(chunk: Uint8Array): Promise<void>;
}

const BLOCK_BYTES = 1024 * 1024;
const BLOCKS_WITHOUT_HASH = 2;
const SMALLEST_SLICE_BYTES = 16 * 1024;
const FIRST_SLICE_BYTES = 256 * 1024;
/** The longest duration of a write, so that progress, pause and limits take effect promptly on slow links. */
const SLOW_WRITE_MS = 250;
const FAST_WRITE_MS = 50;

/** A block of memory with the next bytes of the file. */
interface Filled {
  block: ArrayBuffer;
  length: number;
}

/**
 * Sends a file through a few blocks of 1 MiB: while one is written, the next ones are read and hashed. The size of a
 * write follows the speed of the link, from 16 KiB to a whole block.
 */
export async function pumpFile({ file, sizeBytes, hash, gate, signal, clock, write }: PumpOptions): Promise<void> {
  const blockBytes = Math.min(BLOCK_BYTES, sizeBytes);
  const slices = new SliceSize();
  /** Blocks in the order of the file. */
  const filled: Promise<Filled>[] = [];
  let position = 0;
  let lastRead: Promise<unknown> = Promise.resolve();

  /** Reads and hashes the next bytes in the background. Reads wait for each other, so that hashes get them in order. */
  const fillNext = (block: ArrayBuffer) => {
    const from = position;
    const length = Math.min(blockBytes, sizeBytes - from);
    position += length;
    const reading = lastRead.then(() => {
      signal.throwIfAborted();
      return readFully(file, new Uint8Array(block, 0, length), from, sizeBytes);
    });
    lastRead = reading;
    const next = reading.then(async () => ({ block: (await hash?.add(block, length)) ?? block, length }));
    // A failure is handled where the block is awaited; until then it must not count as unhandled.
    next.catch(() => {});
    filled.push(next);
  };

  for (let count = hash?.blocks ?? BLOCKS_WITHOUT_HASH; count > 0 && position < sizeBytes; count -= 1) {
    fillNext(new ArrayBuffer(blockBytes));
  }
  for (let next = filled.shift(); next !== undefined; next = filled.shift()) {
    // An ended transfer does not wait for a disk or share that does not answer.
    const { block, length } = await abortable(next, signal);
    await writeSlices(new Uint8Array(block, 0, length), slices, { gate, signal, clock, write });
    if (position < sizeBytes) fillNext(block);
  }
}

async function writeSlices(
  buffer: Uint8Array,
  slices: SliceSize,
  { gate, signal, clock, write }: Pick<PumpOptions, 'gate' | 'signal' | 'clock' | 'write'>,
): Promise<void> {
  let offset = 0;
  while (offset < buffer.length) {
    const length = await gate.pass(Math.min(buffer.length - offset, slices.bytes), signal);
    const startedAt = clock.monotonic();
    await write(buffer.subarray(offset, offset + length));
    slices.learn(clock.monotonic() - startedAt);
    offset += length;
  }
}

/** Fills the buffer with the bytes from `position` on. Throws `file.changed` when the file ends too early. */
async function readFully(file: OpenFile, buffer: Uint8Array, position: number, sizeBytes: number): Promise<void> {
  const { length } = await filledFrom(file, buffer, position);
  if (length === buffer.length) return;
  throw appError('file.changed', { details: { expectedBytes: sizeBytes, foundBytes: position + length } });
}

/** The size of the next write, which follows from the durations of the earlier ones. */
class SliceSize {
  bytes = FIRST_SLICE_BYTES;

  learn(tookMs: number): void {
    if (tookMs < FAST_WRITE_MS) this.bytes = Math.min(this.bytes * 2, BLOCK_BYTES);
    else if (tookMs > SLOW_WRITE_MS) this.bytes = Math.max(this.bytes / 2, SMALLEST_SLICE_BYTES);
  }
}
