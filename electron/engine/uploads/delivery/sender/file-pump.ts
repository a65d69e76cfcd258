import { appError } from '../../../../../shared/contract/app-error.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { OpenFile } from '../../../ports/files.ts';
import { abortable } from './abortable.ts';
import type { SendGate } from './send-gate.ts';

export interface PumpOptions {
  file: OpenFile;
  /** Exactly this many bytes are read: a file that grows is cut here, one that shrinks is an error. */
  sizeBytes: number;
  gate: SendGate;
  signal: AbortSignal;
  clock: Clock;
  /** Resolves when the chunk's memory may be used again. */
  write(chunk: Uint8Array): Promise<void>;
}

const BUFFER_BYTES = 1024 * 1024;
const SMALLEST_SLICE_BYTES = 16 * 1024;
const FIRST_SLICE_BYTES = 256 * 1024;
/** A write should take no longer than this, so that progress, pause and limits act promptly on slow links. */
const SLOW_WRITE_MS = 250;
const FAST_WRITE_MS = 50;

/**
 * Moves a file through two buffers of 1 MiB: while one is written, the other is read. Writes go out in slices whose
 * size follows the link: 16 KiB on a slow one, the whole buffer on a fast one.
 */
export async function pumpFile(options: PumpOptions): Promise<void> {
  const { file, sizeBytes, signal } = options;
  if (sizeBytes === 0) return;
  const bufferBytes = Math.min(BUFFER_BYTES, sizeBytes);
  const buffers = [Buffer.allocUnsafeSlow(bufferBytes), Buffer.allocUnsafeSlow(bufferBytes)] as const;
  const slices = new SliceSize();
  let position = 0;
  let filled = await abortable(fill(file, buffers[0], position, sizeBytes), signal);
  for (let turn = 0; position < sizeBytes; turn += 1) {
    const current = (turn % 2 === 0 ? buffers[0] : buffers[1]).subarray(0, filled);
    position += filled;
    const next = fill(file, turn % 2 === 0 ? buffers[1] : buffers[0], position, sizeBytes);
    // The read goes on beside the write; a failed one is seen when it is awaited below, not as unhandled.
    next.catch(() => {});
    await writeSlices(options, current, slices);
    // A disk or share that hangs must not keep an ended transfer.
    filled = await abortable(next, signal);
  }
}

async function writeSlices(options: PumpOptions, buffer: Uint8Array, slices: SliceSize): Promise<void> {
  const { gate, signal, clock, write } = options;
  let offset = 0;
  while (offset < buffer.length) {
    const length = await gate.pass(Math.min(buffer.length - offset, slices.bytes), signal);
    const startedAt = clock.monotonic();
    await write(buffer.subarray(offset, offset + length));
    slices.learn(clock.monotonic() - startedAt);
    offset += length;
  }
}

/** Fills the buffer from `position`, up to the planned end of the file. Answers how many bytes it holds. */
async function fill(file: OpenFile, buffer: Uint8Array, position: number, sizeBytes: number): Promise<number> {
  const wanted = Math.min(buffer.length, sizeBytes - position);
  let filled = 0;
  while (filled < wanted) {
    const read = await file.read(buffer, filled, wanted - filled, position + filled);
    if (read === 0) {
      throw appError('file.changed', { details: { expectedBytes: sizeBytes, foundBytes: position + filled } });
    }
    filled += read;
  }
  return filled;
}

/** The size of a write, by how long the last one took. */
class SliceSize {
  bytes = FIRST_SLICE_BYTES;

  learn(tookMs: number): void {
    if (tookMs < FAST_WRITE_MS) this.bytes = Math.min(this.bytes * 2, BUFFER_BYTES);
    else if (tookMs > SLOW_WRITE_MS) this.bytes = Math.max(this.bytes / 2, SMALLEST_SLICE_BYTES);
  }
}
