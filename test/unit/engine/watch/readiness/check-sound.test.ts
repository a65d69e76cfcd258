import { describe, expect, it } from 'vitest';
import { answerTo, filled, join, le32, text, u32 } from '../../../../helpers/data/container-bytes.ts';

describe('an MP3', () => {
  // 128 kbit/s, 44.1 kHz: 417 bytes without padding.
  const frame = join(Buffer.from([0xff, 0xfb, 0x90, 0x00]), filled(413));
  const frames = (count: number) => join(...Array.from({ length: count }, () => frame));
  const xing = (bytes: number) => {
    const first = Buffer.from(frame);
    text('Xing').copy(first, 36);
    u32(3).copy(first, 40);
    u32(10).copy(first, 44);
    u32(bytes).copy(first, 48);
    return first;
  };
  const apeTag = join(text('APETAGEX'), le32(2000), le32(32), le32(0), le32(0), Buffer.alloc(8));
  const id3v2 = join(text('ID3'), Buffer.from([4, 0, 0, 0, 0, 1, 0]), Buffer.alloc(128));
  it.each<[string, string, Buffer]>([
    ['with the right count of bytes', 'complete', join(xing(417 * 11), frames(10))],
    [
      'with the right count of bytes and a tag at its end',
      'complete',
      join(xing(417 * 11), frames(10), text('TAG'), Buffer.alloc(125)),
    ],
    [
      'whose tag at its end makes up for a missing frame',
      'shorter-than-declared',
      join(xing(417 * 11), frames(9), text('TAG'), Buffer.alloc(300)),
    ],
    ['with fewer bytes than its count', 'shorter-than-declared', join(xing(417 * 11), frames(9))],
    ['with tags before the right count of bytes', 'complete', join(id3v2, xing(417 * 11), frames(10))],
    [
      'with tags before its count, and fewer bytes than this',
      'shorter-than-declared',
      join(id3v2, xing(417 * 11), frames(9), filled(200)),
    ],
    ['with two tags before the right count of bytes', 'complete', join(id3v2, id3v2, xing(417 * 11), frames(10))],
    [
      'with two tags before its count, and fewer bytes than this',
      'shorter-than-declared',
      join(id3v2, id3v2, xing(417 * 11), frames(9)),
    ],
    [
      'with an incomplete tag after its count',
      'shorter-than-declared',
      join(xing(417 * 11), frames(10), text('TAG'), Buffer.alloc(90)),
    ],
    [
      'with an incomplete APE tag after its count',
      'unknown',
      join(xing(417 * 11), frames(10), text('APETAGEX'), filled(300)),
    ],
    ['with an APE tag after its count', 'complete', join(xing(417 * 11), frames(10), apeTag)],
    ['with another recording after its count', 'unknown', join(xing(417 * 11), frames(10), xing(417 * 11), frames(10))],
    ['with zero bytes after its count', 'unknown', join(xing(417 * 11), frames(10), Buffer.alloc(70_000))],
    ['whose count is not written yet', 'not-closed', join(xing(0), frames(10))],
    ['with an ID3v1 tag', 'complete', join(frames(10), text('TAG'), Buffer.alloc(125))],
    ['with an APE tag', 'complete', join(frames(10), apeTag)],
    ['that ends with a whole frame', 'unknown', frames(10)],
    ['that ends within a frame', 'end-missing', join(frames(10), frame.subarray(0, 100))],
    ['whose tag is longer than the file', 'part-missing', id3v2.subarray(0, 30)],
    ['whose audio is preallocated', 'not-closed', join(id3v2, Buffer.alloc(9000))],
    ['with something else after its tag', 'unknown', join(id3v2, filled(9000))],
  ])('%s: %s', async (_what, answer, all) => {
    expect(await answerTo('a.mp3', all)).toBe(answer);
  });
});

/** The checksum of an Ogg page whose place for it has zero bytes. */
function pageChecksum(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  return crc >>> 0;
}

describe('an Ogg file', () => {
  const page = (flags: number, ...lengths: number[]) => {
    const sum = lengths.reduce((a, b) => a + b, 0);
    const bytes = join(
      text('OggS'),
      Buffer.from([0, flags]),
      filled(16),
      Buffer.alloc(4),
      Buffer.from([lengths.length, ...lengths]),
      filled(sum),
    );
    bytes.writeUInt32LE(pageChecksum(bytes), 22);
    return bytes;
  };
  const ended = page(4, 255, 255, 7);
  it.each<[string, string, Buffer]>([
    ['whose last page ends the stream', 'complete', join(page(2, 30), page(0, 255, 10), page(4, 255, 255, 7))],
    ['whose last page does not end the stream', 'end-missing', join(page(2, 30), page(0, 255, 10))],
    ['whose last page is truncated', 'shorter-than-declared', join(page(2, 30), page(4, 255, 10).subarray(0, -1))],
    [
      'whose last page header is truncated',
      'shorter-than-declared',
      join(page(2, 30), page(4, 255, 10).subarray(0, 20)),
    ],
    ['with bytes after its last page', 'unknown', join(page(2, 30), page(4, 10), filled(9))],
    [
      'whose last page is reserved and not filled',
      'not-closed',
      join(page(2, 30), ended.subarray(0, 60), Buffer.alloc(ended.length - 60)),
    ],
    ['whose last page has another checksum', 'unknown', join(page(2, 30), ended.subarray(0, -1), Buffer.from([1]))],
  ])('%s: %s', async (_what, answer, all) => {
    expect(await answerTo('a.ogg', all)).toBe(answer);
  });
});
