import { createHash, randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { HashLost, inlineHashes, type StreamHash } from '../../../../electron/engine/ports/hashes.ts';
import { HashThreads, type HashThreadsOptions } from '../../../../electron/engine/ports/system/node-hash-threads.ts';
import { Prng } from '../../../helpers/data/prng.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

const KIB = 1024;

let opened: HashThreads[] = [];
afterEach(async () => {
  for (const threads of opened) await threads.stop();
  opened = [];
});

function open(changes: Partial<HashThreadsOptions> = {}) {
  const clock = new ManualClock();
  const lost: string[] = [];
  const threads = new HashThreads({ clock, most: 1, fromBytes: 0, onLost: (reason) => lost.push(reason), ...changes });
  opened.push(threads);
  return { threads, clock, lost };
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Returns the program of a thread that runs `react` for each request, instead of hashing. */
const programOf = (react: string) =>
  `const { parentPort, threadId } = require('node:worker_threads'); parentPort.on('message', (request) => { ${react} });`;

const DIES_AT_THIRD = programOf(
  'globalThis.count = (globalThis.count ?? 0) + 1; if (globalThis.count === 3) process.exit(7); if (request.block) parentPort.postMessage(request.block, [request.block]);',
);
const THROWS = programOf('throw new Error("out of order");');
const SILENT = programOf('');
/** A program whose digests are the number of its thread. */
const NUMBERED = programOf('if (request.kind === "digest") parentPort.postMessage(String(threadId));');

/** Adds a copy of the bytes in blocks of random size; returns the digest. */
async function hashOf(hash: StreamHash, content: Uint8Array, prng: Prng): Promise<string> {
  const blocks = Array.from({ length: hash.blocks }, () => Promise.resolve(new ArrayBuffer(64 * KIB)));
  let position = 0;
  for (let turn = 0; position < content.length; turn += 1) {
    const block = (await blocks[turn % blocks.length]) as ArrayBuffer;
    const length = Math.min(prng.int(1, block.byteLength), content.length - position);
    new Uint8Array(block).set(content.subarray(position, position + length));
    position += length;
    blocks[turn % blocks.length] = hash.add(block, length);
  }
  const digest = await hash.digest();
  hash.end();
  return digest;
}

describe('the SHA-256 of a stream', () => {
  it('is correct for the bytes in their order, also for many streams at the same time', async () => {
    const { threads, lost } = open({ most: 2 });
    const prng = new Prng(3);
    const contents = [0, 1, 63, 64 * KIB, 64 * KIB + 1, 777_777, 1_000_000].map((size) => randomBytes(size));
    const found = await Promise.all(
      contents.map((content, index) =>
        hashOf(threads.begin(content.length), content, new Prng(prng.int(0, index + 9))),
      ),
    );
    expect(found).toEqual(contents.map(sha256));
    expect(lost).toEqual([]);
  });

  it('owns a block until it returns the same bytes', async () => {
    const { threads } = open();
    const hash = threads.begin(1);
    const block = new TextEncoder().encode('abc').buffer as ArrayBuffer;
    const added = hash.add(block, 3);
    // The block was transferred to the thread: this code can't change its bytes any more.
    expect(block.byteLength).toBe(0);
    expect(new TextDecoder().decode(await added)).toBe('abc');
    hash.end();
  });

  it('is computed inline, without a transfer of the block, when the stream is small', async () => {
    const { threads } = open({ fromBytes: 100 });
    const [small, large] = [threads.begin(99), threads.begin(100)];
    const block = new ArrayBuffer(3);
    expect(await small.add(block, 3)).toBe(block);
    expect(await large.add(block, 3)).not.toBe(block);
  });

  it('is computed inline when there is only one processor', async () => {
    const { threads, lost } = open({ most: 0 });
    const block = new ArrayBuffer(3);
    expect(await threads.begin(100).add(block, 3)).toBe(block);
    expect(lost).toEqual([]);
  });

  it('uses the threads evenly, and no more threads than allowed', async () => {
    const { threads } = open({ most: 2, program: NUMBERED });
    const hashes = Array.from({ length: 4 }, () => threads.begin(1));
    const numbers = await Promise.all(hashes.map((hash) => hash.digest()));
    expect(new Set(numbers).size).toBe(2);
    expect(numbers.filter((each) => each === numbers[0])).toHaveLength(2);
    for (const hash of hashes) hash.end();
    // An idle thread is reused.
    const [again] = [threads.begin(1)];
    expect(numbers).toContain(await again?.digest());
  });
});

describe('a hash thread that fails', () => {
  it.each([
    ['ends', DIES_AT_THIRD, 'ended with code 7'],
    ['throws', THROWS, 'Error: out of order'],
  ])('rejects its hashes as lost, and later hashes are computed inline (%s)', async (_how, program, reason) => {
    const { threads, lost } = open({ program });
    const hashes = [threads.begin(1), threads.begin(1)];
    const outcomes = await Promise.all(
      [...hashes, ...hashes].map((hash) =>
        hash.add(new ArrayBuffer(8), 8).then(
          () => 'added',
          (error: unknown) => error,
        ),
      ),
    );
    expect(outcomes.at(-1)).toBeInstanceOf(HashLost);
    expect(outcomes.filter((each) => each !== 'added').every((each) => each instanceof HashLost)).toBe(true);
    await expect(hashes[0]?.digest()).rejects.toBeInstanceOf(HashLost);
    for (const hash of hashes) hash.end();
    expect(lost).toEqual([reason]);

    const content = randomBytes(100_000);
    expect(await hashOf(threads.begin(content.length), content, new Prng(1))).toBe(sha256(content));
    expect(lost).toHaveLength(1);
  });

  it('is reported as stalled, and its hashes as lost, after three ticks without a reply', async () => {
    const { threads, clock, lost } = open({ program: SILENT });
    const hash = threads.begin(1);
    const added = hash.add(new ArrayBuffer(8), 8).catch((error: unknown) => error);
    // The first tick may occur directly after the computer slept.
    clock.advance(5000);
    clock.advance(5000);
    expect(lost).toEqual([]);
    clock.advance(5000);
    expect(await added).toBeInstanceOf(HashLost);
    expect(lost).toEqual(['stalled']);
  });

  it('is replaced by inline hashes when it cannot be started', async () => {
    const { threads, lost } = open({ program: 1 as unknown as string });
    const content = randomBytes(1000);
    expect(await hashOf(threads.begin(content.length), content, new Prng(1))).toBe(sha256(content));
    expect(lost).toHaveLength(1);
  });
});

describe('a hash thread that works', () => {
  it('is not considered stalled while it has nothing to do, however long', async () => {
    const { threads, clock, lost } = open();
    const hash = threads.begin(1);
    let block = await hash.add(new ArrayBuffer(8), 8);
    clock.advance(3_600_000);
    block = await hash.add(block, 8);
    clock.advance(3_600_000);
    expect(await hash.digest()).toBe(sha256(Buffer.alloc(16)));
    expect(lost).toEqual([]);
  });

  it('is not considered stalled when it answers between two ticks', async () => {
    const { threads, clock, lost } = open();
    const hash = threads.begin(1);
    for (let turn = 0; turn < 5; turn += 1) {
      const adding = [hash.add(new ArrayBuffer(8), 8), hash.add(new ArrayBuffer(8), 8)];
      clock.advance(10_000);
      await Promise.all(adding);
    }
    expect(lost).toEqual([]);
  });
});

describe('stopping the hash threads', () => {
  it('rejects hashes in progress as lost, and computes later ones inline', async () => {
    const { threads, lost } = open({ program: SILENT });
    const added = threads
      .begin(1)
      .add(new ArrayBuffer(8), 8)
      .catch((error: unknown) => error);
    await threads.stop();
    expect(await added).toBeInstanceOf(HashLost);
    expect(lost).toEqual([]);
    const block = new ArrayBuffer(3);
    expect(await threads.begin(1).add(block, 3)).toBe(block);
  });
});

it('a hash that is computed inline in blocks is that of the whole contents', async () => {
  const content = randomBytes(300_000);
  expect(await hashOf(inlineHashes.begin(content.length), content, new Prng(2))).toBe(sha256(content));
});
