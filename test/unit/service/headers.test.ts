import { describe, expect, test } from 'vitest';
import { BrokenFile } from '../../../service/processing/headers/facts.ts';
import { identify } from '../../../service/processing/headers/read-header.ts';
import { sourceOf } from '../../../shared/formats/bytes/byte-source.ts';
import { jpeg, mp3, mp4, pdf, png, wav } from '../../helpers/service/service-samples.ts';

const read = (bytes: Buffer) => identify(sourceOf(bytes));

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

  test('reads the dimensions of a PNG to which a program has appended more than a kilobyte', async () => {
    expect(await read(Buffer.concat([png(64, 48), Buffer.alloc(5000, 1)]))).toMatchObject({ width: 64, height: 48 });
  });

  test('reads the dimensions of a JPEG with markers that have no contents, and none behind an impossible length', async () => {
    const [begin, rest] = [jpeg(120, 80).subarray(0, 2), jpeg(120, 80).subarray(2)];
    const restart = Buffer.from([0xff, 0xd0, 0xff, 0xff, 0x01]);
    expect(await read(Buffer.concat([begin, Buffer.from([0xff, 0xe0, 0, 2]), restart, rest]))).toMatchObject({
      width: 120,
      height: 80,
    });
    await expect(read(Buffer.concat([begin, Buffer.from([0xff, 0xe0, 0, 0]), rest]))).rejects.toThrow(BrokenFile);
  });

  test.each(['RF64', 'BW64'])('reads the duration of a %s file from its own table of sizes', async (id) => {
    const plain = wav(3);
    const sizes = Buffer.alloc(36);
    sizes.write('ds64', 0, 'latin1');
    sizes.writeUInt32LE(28, 4);
    sizes.writeBigUInt64LE(BigInt(plain.length + 28), 8);
    sizes.writeBigUInt64LE(BigInt(plain.length - 44), 16);
    const head = Buffer.from(plain.subarray(0, 12));
    head.write(id, 0, 'latin1');
    head.writeUInt32LE(0xffffffff, 4);
    const body = Buffer.from(plain.subarray(12));
    body.writeUInt32LE(0xffffffff, 28);
    const after = Buffer.from('LIST\x10\x27\0\0INFO', 'latin1');
    const bytes = Buffer.concat([head, sizes, body, after, Buffer.alloc(10_000 - 4)]);
    expect(await read(bytes)).toMatchObject({ format: 'wav', durationS: 3 });
  });

  test('recognizes a QuickTime file that begins with a preview', async () => {
    const preview = Buffer.concat([Buffer.from([0, 0, 0, 20]), Buffer.from('pnot'), Buffer.alloc(12)]);
    expect(await read(Buffer.concat([preview, mp4()]))).toMatchObject({ format: 'mp4', kind: 'video' });
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
