import { Bytes } from './bounded-bytes.ts';
import type { ByteSource } from './byte-source.ts';

/** A reader that asks for bytes and gets them, fewer at the end. So the same code reads files and bytes in memory. */
export type Reading<T> = Generator<readonly [position: number, length: number], T, Bytes>;

/** Lets a reader read a source. Rejects only when the source does. */
export async function readFrom<T>(source: ByteSource, reading: Reading<T>): Promise<T> {
  let step = reading.next();
  while (!step.done) step = reading.next(await source.read(...step.value));
  return step.value;
}

/** Lets a reader read bytes in memory. */
export function readIn<T>(data: Uint8Array, reading: Reading<T>): T {
  let step = reading.next();
  while (!step.done) {
    const [position, length] = step.value;
    step = reading.next(new Bytes(data.subarray(position, position + length)));
  }
  return step.value;
}
