import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { directWritesWork, openByteWriter } from '../../../service/storage/byte-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'library-writer-'));
afterAll(() => rmSync(folder, { recursive: true }));
const canDirect = await directWritesWork(join(folder, 'probe'));

describe.each([
  ['without the page cache', true],
  ['through the page cache', false],
])('a file written %s', (_how, direct) => {
  const run = test.runIf(!direct || canDirect);

  run.each([
    ['a few large chunks', 2_500_001],
    ['chunks of 64 KiB, as a socket delivers them', 65_536],
    ['chunks of 7,919 bytes', 7919],
  ])('has every byte in order from %s, also when its caller does not wait for room', async (_what, chunkBytes) => {
    const bytes = randomBytes(9_000_003);
    const path = join(folder, `${direct}-${chunkBytes}`);
    let failure: unknown;
    let room = 0;
    let lastTaken: Buffer | undefined;
    const writer = await openByteWriter(path, bytes.length, direct, {
      onRoom: () => {
        room += 1;
      },
      onFail: (error) => {
        failure = error;
      },
      onTaken: (chunk) => {
        lastTaken = chunk;
      },
    });
    let refused = 0;
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      if (!writer.write(bytes.subarray(at, at + chunkBytes))) refused += 1;
    }
    await writer.finish();
    expect(failure).toBeUndefined();
    expect(refused).toBeGreaterThan(0);
    expect(room).toBeGreaterThan(0);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(lastTaken?.byteOffset).toBeGreaterThan(0);
    expect(endOf(lastTaken)).toBe(endOf(bytes));
  });

  run('is complete when each chunk is overwritten as soon as the writer reports it as taken', async () => {
    const path = join(folder, `${direct}-taken`);
    const blocks = Array.from({ length: 140 }, () => randomBytes(65_536));
    const expected = Buffer.concat(blocks);
    const writer = await openByteWriter(path, expected.length, direct, {
      onRoom: () => {},
      onFail: (error) => {
        throw error;
      },
      // The memory of the chunk is overwritten: the file has zeros if the writer reads the chunk after this call.
      onTaken: (chunk) => void new Uint8Array(chunk.buffer).fill(0),
    });
    for (const block of blocks) writer.write(block);
    await writer.finish();
    expect(readFileSync(path).equals(expected)).toBe(true);
    expect(blocks.every((block) => block.every((byte) => byte === 0))).toBe(true);
  });
});

/** Returns where a chunk ends in its memory block. */
function endOf(chunk: Buffer | undefined): number {
  return chunk === undefined ? -1 : chunk.byteOffset + chunk.length;
}
