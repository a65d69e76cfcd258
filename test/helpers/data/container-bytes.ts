import { checkContainer } from '../../../electron/engine/watch/readiness/containers/check-container.ts';
import type { ContainerVerdict } from '../../../electron/engine/watch/readiness/observations.ts';

/** What a check answered and what it read. */
export interface CheckedBytes {
  verdict: ContainerVerdict;
  /** `complete`, `unknown` or the reason why it is incomplete. */
  answer: string;
  reads: number;
  bytes: number;
}

/** Checks bytes as if they were a file of this name. `sizeBytes`: the size of the file when `all` is only its beginning. */
export async function checkBytes(name: string, all: Uint8Array, sizeBytes = all.length): Promise<CheckedBytes> {
  let reads = 0;
  let bytes = 0;
  const verdict = await checkContainer(name, sizeBytes, async (position, length) => {
    reads += 1;
    bytes += length;
    if (position < 0 || position + length > sizeBytes) throw new Error(`read outside of the file: ${position}`);
    const part = new Uint8Array(length);
    part.set(all.subarray(position, position + length));
    return part;
  });
  return { verdict, answer: verdict.kind === 'incomplete' ? verdict.reason : verdict.kind, reads, bytes };
}

/** Returns only the answer. */
export async function answerTo(name: string, all: Uint8Array, sizeBytes = all.length): Promise<string> {
  return (await checkBytes(name, all, sizeBytes)).answer;
}

/** Parts of files: numbers of 32 bits, texts, several parts as one, and bytes that are not zero. */
export const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};
export const le32 = (value: number) => Buffer.from(u32(value)).reverse();
export const text = (value: string) => Buffer.from(value, 'latin1');
export const join = (...parts: Uint8Array[]) => Buffer.concat(parts);
export const filled = (length: number) => Buffer.alloc(length, 0x55);

/** A box of MP4. */
export const box = (type: string, body: Buffer = filled(20)) => join(u32(body.length + 8), text(type), body);
/** The description of a track of MP4 (`trak`): its kind, such as `vide`, and how it is coded, such as `avc1`. */
export const track = (handler: string, code: string) =>
  box(
    'trak',
    box(
      'mdia',
      join(
        box('hdlr', join(Buffer.alloc(8), text(handler), Buffer.alloc(13))),
        box('minf', box('stbl', box('stsd', join(Buffer.alloc(4), u32(1), u32(20), text(code), filled(12))))),
      ),
    ),
  );
