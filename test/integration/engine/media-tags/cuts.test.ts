// Tags after the sound of Matroska, and values anywhere in a TIFF: bounded reads find them, whatever a damaged or hostile file
// contains.
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMediaFacts, inflate } from '../../../../electron/engine/media-tags/media-facts.ts';
import { createTagThread, type TagParser } from '../../../../electron/engine/media-tags/tag-thread.ts';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { nodeFiles } from '../../../../electron/engine/ports/system/node-files.ts';
import { BoundedBytes, type ReadAt, TooMuchToRead } from '../../../../shared/formats/bytes/bounded-bytes.ts';
import { cutMedia } from '../../../../shared/formats/tags/cut-media.ts';
import { CUT_LIMITS } from '../../../../shared/formats/tags/cut-source.ts';
import { Prng } from '../../../helpers/data/prng.ts';
import { taggedRecording } from '../../../helpers/data/tagged-recording.ts';

const SEEK_HEAD = 0x114d9b74;
const TAGS = 0x1254c367;
const CLUSTER = 0x1f43b675;

let folder: string;
let tags: TagParser;
let recording: Buffer;
let picture: Buffer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'media-cuts-'));
  tags = createTagThread(nodeClock);
  const path = join(folder, 'before.mkv');
  const times = { creation_time: '2026-11-04T22:30:00Z' };
  await taggedRecording(path, { title: 'Wave optics', artist: 'Ada Lovelace', ...times });
  recording = await readFile(path);
  picture = tiff({ isLittle: true, at: 100, image: IMAGE, camera: CAMERA });
});
afterAll(async () => {
  await tags.stop();
  await rm(folder, { recursive: true });
});

const read = (path: string) => createMediaFacts({ files: nodeFiles, tags, clock: nodeClock })(path, path);

/** A Matroska element whose size field has eight bytes. */
function element(id: number, body: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt32BE(id, 0);
  head.writeBigUInt64BE((1n << 56n) | BigInt(body.length), 4);
  return Buffer.concat([head, body]);
}

/** The elements of the first level below the segment. */
function elementsOf(file: Buffer): { header: Buffer; parts: { id: number; bytes: Buffer }[] } {
  const sizeAt = (at: number) => {
    const length = Math.clz32(file[at] ?? 0) - 23;
    let size = BigInt((file[at] ?? 0) & ((0x80 >> (length - 1)) - 1));
    for (let index = 1; index < length; index += 1) size = size * 256n + BigInt(file[at + index] ?? 0);
    return { length, size: Number(size) };
  };
  const header = sizeAt(4);
  const segmentAt = 4 + header.length + header.size;
  const parts: { id: number; bytes: Buffer }[] = [];
  for (let at = segmentAt + 4 + sizeAt(segmentAt + 4).length; at < file.length; ) {
    const idLength = Math.clz32(file[at] ?? 0) - 23;
    const { length, size } = sizeAt(at + idLength);
    const end = at + idLength + length + size;
    parts.push({ id: file.readUIntBE(at, idLength), bytes: file.subarray(at, end) });
    at = end;
  }
  return { header: file.subarray(0, segmentAt), parts };
}

/** Returns a list of positions. `places`: ids with their positions in the segment. */
function seekHead(places: readonly [number, number][]): Buffer {
  const seeks = places.map(([id, place]) => {
    const ids = Buffer.alloc(7);
    ids.writeUInt16BE(0x53ab, 0);
    ids.writeUInt8(0x84, 2);
    ids.writeUInt32BE(id, 3);
    const positions = Buffer.alloc(11);
    positions.writeUInt16BE(0x53ac, 0);
    positions.writeUInt8(0x88, 2);
    positions.writeBigUInt64BE(BigInt(place), 3);
    return Buffer.concat([Buffer.from([0x4d, 0xbb, 0x80 + 18]), ids, positions]);
  });
  return element(SEEK_HEAD, Buffer.concat(seeks));
}

/**
 * Returns the recording with its tags at the end, and `soundBytes` zero bytes before them. `places` creates the list with the
 * position of the tags.
 */
function tagsLast(places: (tagsAt: number) => Buffer, soundBytes = 0): { head: Buffer; tail: Buffer; tagsAt: number } {
  const { header, parts } = elementsOf(recording);
  const rest = parts.filter(({ id }) => id !== SEEK_HEAD && id !== TAGS).map(({ bytes }) => bytes);
  const ends = parts.filter(({ id }) => id === TAGS).map(({ bytes }) => bytes);
  expect(ends).toHaveLength(1);
  const sound = element(CLUSTER, Buffer.alloc(0));
  sound.writeBigUInt64BE((1n << 56n) | BigInt(soundBytes), 4);
  const listBytes = places(0).length;
  const tagsAt = [...rest, sound].reduce((sum, { length }) => sum + length, listBytes) + soundBytes;
  const segment = element(0x18538067, Buffer.alloc(0));
  segment.writeBigUInt64BE((1n << 56n) | BigInt(tagsAt + (ends[0]?.length ?? 0)), 4);
  return {
    head: Buffer.concat([header, segment, places(tagsAt), ...rest, sound]),
    tail: Buffer.concat(ends),
    tagsAt,
  };
}

const listed = (tagsAt: number) => seekHead([[TAGS, tagsAt]]);

/** Returns the part of a file that can hold its tags (null: too much would be read), and how much was read for it. */
function costOf(bytes: Buffer) {
  return costOfReads(bytes.length, async (position, length) => bytes.subarray(position, position + length));
}

async function costOfFile(path: string) {
  const file = await nodeFiles.open(path);
  try {
    const { sizeBytes } = await file.facts();
    return await costOfReads(sizeBytes, async (position, length) => {
      const bytes = new Uint8Array(length);
      return bytes.subarray(0, await file.read(bytes, 0, length, position));
    });
  } finally {
    await file.close();
  }
}

async function costOfReads(sizeBytes: number, readAt: ReadAt) {
  const cost = { reads: 0, bytes: 0 };
  const counted: ReadAt = (position, length) => {
    cost.reads += 1;
    cost.bytes += length;
    return readAt(position, length);
  };
  try {
    return { cut: await cutMedia(new BoundedBytes(sizeBytes, counted, CUT_LIMITS), inflate), cost };
  } catch (error) {
    if (error instanceof TooMuchToRead) return { cut: null, cost };
    throw error;
  }
}

describe('tags behind the sound of a Matroska file', () => {
  it('are found through the seek head, also after 8 GB of sound, with few reads', async () => {
    const path = join(folder, 'long.mkv');
    const soundBytes = 8 * 1024 ** 3;
    const { head, tail } = tagsLast(listed, soundBytes);
    await writeFile(path, head);
    await truncate(path, head.length + soundBytes);
    await writeFile(path, tail, { flag: 'a' });
    const facts = await read(path);
    expect(facts).toMatchObject({ problem: null, mediaTags: { title: 'Wave optics', artist: 'Ada Lovelace' } });
    expect(facts.recorded?.source).toBe('matroska');
    expect((await costOfFile(path)).cost.reads).toBeLessThan(20);
  });

  it('are found through a second seek head that the first one names; a seek head is read only once', async () => {
    const lists = (tagsAt: number) => {
      const second = listed(tagsAt);
      const first = (at: number) =>
        seekHead([
          [SEEK_HEAD, at],
          [SEEK_HEAD, 0],
          [SEEK_HEAD, at],
        ]);
      return Buffer.concat([first(first(0).length), second]);
    };
    const { head, tail } = tagsLast(lists);
    const path = join(folder, 'two lists.mkv');
    await writeFile(path, Buffer.concat([head, tail]));
    expect((await read(path)).mediaTags.title).toBe('Wave optics');
  });

  it('are empty without a problem when the seek head names a wrong position, a position after the end, or itself', async () => {
    for (const [index, place] of [3, 2 ** 40, 2 ** 52, 0].entries()) {
      const { head, tail } = tagsLast(() =>
        seekHead([
          [TAGS, place],
          [SEEK_HEAD, 0],
        ]),
      );
      const path = join(folder, `wrong ${index}.mkv`);
      await writeFile(path, Buffer.concat([head, tail]));
      expect(await read(path)).toMatchObject({ problem: null, mediaTags: {} });
    }
  });

  it('need a bounded number of reads for a seek head of 20,000 positions, and for 100,000 elements before the sound', async () => {
    const { tagsAt } = tagsLast(listed);
    const many = seekHead(Array.from({ length: 20_000 }, (_, index) => [TAGS, tagsAt + index] as [number, number]));
    const { head, tail } = tagsLast(() => many);
    expect((await costOf(Buffer.concat([head, tail]))).cost.reads).toBeLessThan(500);
    const empty = Buffer.concat(Array.from({ length: 100_000 }, () => Buffer.from([0xec, 0x80])));
    const long = tagsLast(() => empty);
    expect((await costOf(Buffer.concat([long.head, long.tail]))).cost.reads).toBeLessThan(500);
  });
});

const IMAGE: Texts = [
  [0x010e, 'A lens'],
  [0x0110, 'Camera 1'],
  [0x013b, 'Ada Lovelace'],
  [0x8298, 'Public domain'],
];
const CAMERA: Texts = [
  [0x9003, '2026:11:04 23:30:00'],
  [0x9011, '+01:00'],
];
type Texts = readonly (readonly [tag: number, text: string])[];

/**
 * Returns a TIFF whose directories and values begin at a position, after bytes that look like pixels. `headBytes`: the number of
 * bytes before that position that the result contains.
 */
function tiff(
  { isLittle, at, image, camera }: { isLittle: boolean; at: number; image: Texts; camera: Texts },
  headBytes = at,
) {
  const bytes = Buffer.alloc(headBytes + 4000, 0x55);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const shift = headBytes - at;
  bytes.write(isLittle ? 'II' : 'MM', 0, 'latin1');
  view.setUint16(2, 42, isLittle);
  view.setUint32(4, at, isLittle);
  const write = (texts: Texts, from: number, next: number | null): number => {
    const entries = texts.length + (next === null ? 0 : 1);
    view.setUint16(from + shift, entries, isLittle);
    let valueAt = from + 2 + entries * 12 + 4;
    view.setUint32(valueAt - 4 + shift, 0, isLittle);
    for (const [index, [tag, text]] of texts.entries()) {
      const place = from + 2 + index * 12 + shift;
      view.setUint16(place, tag, isLittle);
      view.setUint16(place + 2, 2, isLittle);
      view.setUint32(place + 4, text.length + 1, isLittle);
      view.setUint32(place + 8, valueAt, isLittle);
      bytes.write(`${text}\0`, valueAt + shift, 'latin1');
      valueAt += text.length + 2;
    }
    if (next === null) return valueAt;
    const place = from + 2 + texts.length * 12 + shift;
    view.setUint16(place, 0x8769, isLittle);
    view.setUint16(place + 2, 4, isLittle);
    view.setUint32(place + 4, 1, isLittle);
    view.setUint32(place + 8, next, isLittle);
    return valueAt;
  };
  write(image, at, at + 2000);
  write(camera, at + 2000, null);
  return bytes;
}

describe('formats that the user guide lists as not read', () => {
  it('have no tags and no problem: Matroska tags after the sound without a seek head, and BigTIFF', async () => {
    const [unlisted, big] = [join(folder, 'unlisted.mkv'), join(folder, 'big.tif')];
    const { head, tail } = tagsLast(() => Buffer.alloc(0), 200_000);
    await writeFile(unlisted, Buffer.concat([head, Buffer.alloc(200_000), tail]));
    const bytes = Buffer.from(picture);
    bytes.writeUInt16LE(43, 2);
    await writeFile(big, bytes);
    for (const path of [unlisted, big]) expect(await read(path), path).toMatchObject({ problem: null });
    // The title is found because it is also before the sound.
    expect((await read(unlisted)).mediaTags).toEqual({ title: 'Wave optics' });
    expect((await read(big)).mediaTags).toEqual({});
  });
});

describe('the values of a TIFF picture', () => {
  const found = {
    problem: null,
    mediaTags: { artist: 'Ada Lovelace', description: 'A lens', copyright: 'Public domain', camera: 'Camera 1' },
    recorded: { at: '2026-11-04T23:30:00', zone: '+01:00', source: 'exif' },
  };

  it.each([
    ['at the beginning', true, 8],
    ['in the middle', false, 1001],
    ['after 5 MB of pixels', true, 5_000_000],
  ])('are read where their directories are %s', async (_, isLittle, at) => {
    const path = join(folder, 'picture.tif');
    await writeFile(path, tiff({ isLittle, at, image: IMAGE, camera: CAMERA }));
    expect(await read(path)).toMatchObject(found);
  });

  it('are read after 3 GB of pixels', async () => {
    const path = join(folder, 'large.tif');
    const at = 3 * 1024 ** 3;
    const bytes = tiff({ isLittle: false, at, image: IMAGE, camera: CAMERA }, 8);
    await writeFile(path, bytes.subarray(0, 8));
    await truncate(path, at);
    await writeFile(path, bytes.subarray(8), { flag: 'a' });
    expect(await read(path)).toMatchObject(found);
    await rm(path);
  });

  it('are omitted without a problem when their position is outside of the file or their number is too large', async () => {
    for (const [count, place] of [
      [0xffffffff, 8],
      [100, 0xfffffff0],
      [300_000, 8],
      [0, 8],
    ] as const) {
      const bytes = tiff({ isLittle: false, at: 400_000, image: IMAGE, camera: CAMERA });
      // The description is the first entry.
      bytes.writeUInt32BE(count, 400_000 + 2 + 4);
      bytes.writeUInt32BE(place, 400_000 + 2 + 8);
      const path = join(folder, 'wrong.tif');
      await writeFile(path, bytes);
      const { problem, mediaTags } = await read(path);
      const { description: _, ...others } = found.mediaTags;
      expect({ problem, mediaTags }).toEqual({
        problem: null,
        mediaTags: { ...others, date: '2026-11-04', year: '2026' },
      });
    }
  });

  it('are read once when a directory names itself, and need a bounded number of reads for 65,535 entries', async () => {
    const bytes = tiff({ isLittle: true, at: 5000, image: IMAGE, camera: CAMERA });
    bytes.writeUInt32LE(5000, 5000 + 2 + 4 * 12 + 8);
    expect((await costOf(bytes)).cost.reads).toBeLessThan(20);
    bytes.writeUInt16LE(0xffff, 5000);
    expect((await costOf(bytes)).cost.reads).toBeLessThan(20);
  });
});

/** Cuts a sample short, and replaces bytes and whole numbers, mostly in its header and in its last part. */
function damage(sample: Buffer, prng: Prng): Buffer {
  const length = prng.chance(0.2) ? prng.int(0, sample.length) : sample.length;
  const damaged = Buffer.from(sample.subarray(0, length));
  for (let left = prng.int(1, 12); left > 0 && length > 8; left -= 1) {
    const near = prng.int(0, Math.min(length - 5, 400));
    const place = prng.chance(0.7) ? near : prng.chance(0.5) ? length - 5 - near : prng.int(0, length - 5);
    const number = prng.pick([0, 0xff, 0xffffffff, 0x7fffffff, 8, length, length - 1, prng.int(0, 0xffffff)]);
    const kind = prng.pick(['byte', 'big', 'little']);
    if (kind === 'byte') damaged[place] = number & 0xff;
    else if (kind === 'big') damaged.writeUInt32BE(number >>> 0, place);
    else damaged.writeUInt32LE(number >>> 0, place);
  }
  return damaged;
}

describe('1,000 damaged files', () => {
  it.each(['Matroska', 'TIFF'])(
    'of %s neither crash nor hang, and stay within the limits of reads and memory',
    async (kind) => {
      const { head, tail } = tagsLast(listed);
      const sample = kind === 'TIFF' ? picture : Buffer.concat([head, tail]);
      const prng = new Prng(20261123);
      const before = process.memoryUsage.rss();
      const counts = new Map<string, number>();
      for (let index = 0; index < 1000; index += 1) {
        const { cut, cost } = await costOf(damage(sample, prng));
        expect(cost.reads).toBeLessThanOrEqual(CUT_LIMITS.reads + 1);
        expect(cost.bytes).toBeLessThanOrEqual(CUT_LIMITS.bytes);
        expect(cut?.bytes.length ?? 0).toBeLessThanOrEqual(CUT_LIMITS.bytes);
        const answer = cut === null ? 'no cut' : await tags.parse(cut);
        const kindOfAnswer =
          typeof answer === 'string' ? answer : Object.keys(answer.tags).length > 0 ? 'tags' : 'none';
        counts.set(kindOfAnswer, (counts.get(kindOfAnswer) ?? 0) + 1);
      }
      expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1024 ** 2);
      // Some of the damaged files are still readable, and some are not.
      expect(counts.get('tags') ?? 0).toBeGreaterThan(50);
      expect(counts.get('tags') ?? 0).toBeLessThan(1000);
      expect(counts.get('too-slow') ?? 0).toBe(0);
    },
    120_000,
  );
});
