import { describe, expect, test } from 'vitest';
import { BrokenFile } from '../../../service/processing/headers/facts.ts';
import { identify } from '../../../service/processing/headers/read-header.ts';
import { jpeg, mp3, mp4, pdf, png, wav } from '../../helpers/service/service-samples.ts';

const read = (bytes: Buffer) =>
  identify({ sizeBytes: bytes.length, read: async (position, length) => bytes.subarray(position, position + length) });

describe('the parser of file headers', () => {
  test('reads duration and bit rate of a WAV file', async () => {
    expect(await read(wav(3))).toMatchObject({ format: 'wav', kind: 'audio', durationS: 3, bitrate: 128_000 });
  });

  test('computes the duration from the bytes of a WAV file whose recorder wrote no lengths', async () => {
    const bytes = wav(3);
    bytes.writeUInt32LE(0, 40);
    expect((await read(bytes))?.durationS).toBe(3);
    bytes.writeUInt32LE(0xffffffff, 40);
    expect((await read(bytes.subarray(0, 44 + 16_000)))?.durationS).toBe(1);
  });

  test('reads the bit rate of an MP3 file, and its duration with and without an ID3 tag', async () => {
    expect(await read(mp3(77))).toMatchObject({ format: 'mp3', kind: 'audio', bitrate: 128_000 });
    expect((await read(mp3(77)))?.durationS).toBeCloseTo(2, 1);
    expect((await read(mp3(77, 9000)))?.durationS).toBeCloseTo(2, 1);
  });

  test('reads the duration of an MP3 file with a variable bit rate from the frame count of its tag', async () => {
    const bytes = mp3(50);
    bytes.write('Xing', 36, 'latin1');
    bytes.writeUInt32BE(1, 40);
    bytes.writeUInt32BE(3829, 44);
    expect((await read(bytes))?.durationS).toBeCloseTo(100, 0);
  });

  test('reads duration and dimensions of an MP4 file, and recognizes an MP4 without a picture as audio', async () => {
    expect(await read(mp4())).toMatchObject({ format: 'mp4', kind: 'video', durationS: 10, width: 640, height: 360 });
    expect(await read(mp4({ handler: 'soun' }))).toMatchObject({ kind: 'audio', width: null });
  });

  test('reads the dimensions of PNG and JPEG files', async () => {
    expect(await read(png(64, 48))).toMatchObject({ format: 'png', kind: 'image', width: 64, height: 48 });
    expect(await read(jpeg(120, 80))).toMatchObject({ format: 'jpeg', kind: 'image', width: 120, height: 80 });
  });

  test('recognizes a PDF', async () => {
    expect(await read(pdf())).toMatchObject({ format: 'pdf', kind: 'doc' });
  });

  test.each([
    ['a truncated MP4', mp4().subarray(0, 1500)],
    ['an MP4 without tracks', mp4({ handler: 'hint' })],
    ['a truncated PNG', png().subarray(0, 200)],
    ['a truncated JPEG', jpeg().subarray(0, 3000)],
    ['a truncated PDF', pdf().subarray(0, 300)],
    ['a truncated WAV', wav().subarray(0, 30)],
  ])('reports %s as broken', async (_name, bytes) => {
    await expect(read(bytes)).rejects.toThrow(BrokenFile);
  });

  test('throws nothing but BrokenFile for random bytes after a valid beginning', async () => {
    let state = 1;
    const noise = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state & 255;
    };
    for (let round = 0; round < 300; round += 1) {
      const bytes = Buffer.from(Array.from({ length: 400 }, noise));
      const starts = [png(), jpeg(), mp4(), wav(), pdf(), mp3()];
      const start = starts[round % starts.length] ?? png();
      const mixed = Buffer.concat([start.subarray(0, 8 + (round % 40)), bytes]);
      const facts = await read(mixed).catch((error) => {
        expect(error).toBeInstanceOf(BrokenFile);
        return undefined;
      });
      expect(facts === undefined || typeof facts.format === 'string').toBe(true);
    }
  });
});
