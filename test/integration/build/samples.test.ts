import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSamples, type Sample, sha256OfFile } from '../../../build/samples/make-samples.ts';
import type { Facts } from '../../../service/processing/headers/facts.ts';
import { readHeader } from '../../../service/processing/headers/read-header.ts';

const hasFfprobe = spawnSync('ffprobe', ['-version']).status === 0;

let dir: string;
let samples: Sample[];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'mediadesk-samples-'));
  samples = await makeSamples(dir, { ffmpeg: 'never' });
});
afterAll(() => rm(dir, { recursive: true, force: true }));

function sample(extension: string): Sample {
  const found = samples.find(({ fileName }) => fileName.endsWith(extension));
  if (!found) throw new Error(`no ${extension} among the samples`);
  return found;
}

/** Returns the duration in seconds by ffprobe; null when it reports none. */
function probedSeconds(path: string): number | null {
  const { stdout } = spawnSync('ffprobe', ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', path]);
  const seconds = Number.parseFloat(String(stdout));
  return Number.isNaN(seconds) ? null : seconds;
}

describe('sample recordings from our own code', () => {
  it('have the declared size and SHA-256', async () => {
    expect((await readdir(dir)).sort()).toEqual(samples.map(({ fileName }) => fileName).sort());
    for (const { path, size, sha256 } of samples) {
      expect((await readFile(path)).length).toBe(size);
      expect(await sha256OfFile(path)).toBe(sha256);
    }
  });

  it('have sizes from about 2 KB to about 30 MB', () => {
    const sizes = samples.map(({ size }) => size).sort((a, b) => a - b);
    expect(sizes[0]).toBeLessThan(3_000);
    expect(sizes.at(-1)).toBeGreaterThan(30_000_000);
    expect(sizes.at(-1)).toBeLessThan(32_000_000);
  });

  it('have the same bytes when they are generated again', async () => {
    const again = await mkdtemp(join(tmpdir(), 'mediadesk-samples-'));
    try {
      const second = await makeSamples(again, { ffmpeg: 'never', sizes: 'small' });
      const first = new Map(samples.map(({ fileName, sha256 }) => [fileName, sha256]));
      expect(second.length).toBe(samples.length - 1);
      for (const { fileName, sha256 } of second) expect(sha256).toBe(first.get(fileName));
    } finally {
      await rm(again, { recursive: true, force: true });
    }
  });

  it('have a WAV header with the right number of bytes', async () => {
    const { path, durationSeconds } = sample('🎙.wav');
    const bytes = await readFile(path);
    expect(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 12)).toBe('RIFFWAVE');
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
    expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44);
    expect(bytes.readUInt32LE(40) / bytes.readUInt32LE(28)).toBe(durationSeconds);
  });

  it('have sound in both channels of the WAV file', async () => {
    const bytes = await readFile(sample('🎙.wav').path);
    let left = 0;
    let right = 0;
    for (let at = 44; at < 44 + 192_000; at += 4) {
      left = Math.max(left, Math.abs(bytes.readInt16LE(at)));
      right = Math.max(right, Math.abs(bytes.readInt16LE(at + 2)));
    }
    expect(left).toBeGreaterThan(8_000);
    expect(right).toBeGreaterThan(4_000);
  });

  it('have a PNG with valid checksums and all pixels', async () => {
    const bytes = await readFile(sample('.png').path);
    expect(bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
    const parts = new Map<string, Buffer>();
    for (let at = 8; at < bytes.length; ) {
      const length = bytes.readUInt32BE(at);
      expect(crc32(bytes.subarray(at + 4, at + 8 + length))).toBe(bytes.readUInt32BE(at + 8 + length));
      parts.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + 8 + length));
      at += length + 12;
    }
    expect([...parts.keys()]).toEqual(['IHDR', 'IDAT', 'IEND']);
    expect(inflateSync(parts.get('IDAT') ?? Buffer.alloc(0)).length).toBe((1 + 1280 * 3) * 720);
  });

  it('have an MP3 of complete frames for the nominal duration', async () => {
    const { path, durationSeconds } = sample('.mp3');
    const bytes = await readFile(path);
    expect(bytes.toString('latin1', 0, 3)).toBe('ID3');
    const soundAt = 10 + (((bytes[8] ?? 0) << 7) | (bytes[9] ?? 0));
    expect((bytes.length - soundAt) % 384).toBe(0);
    expect(((bytes.length - soundAt) / 384) * 0.024).toBeCloseTo(durationSeconds ?? 0);
    for (let at = soundAt; at < bytes.length; at += 384) expect(bytes.readUInt16BE(at)).toBe(0xfffb);
  });

  it('have an MP4 with its index first, which points at the data', async () => {
    const bytes = await readFile(sample('.mp4').path);
    const boxes: { type: string; at: number }[] = [];
    for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
      boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), at });
    }
    expect(boxes.map(({ type }) => type)).toEqual(['ftyp', 'moov', 'mdat']);
    const offsetTable = bytes.indexOf('stco', 0, 'latin1');
    expect(bytes.readUInt32BE(offsetTable + 12)).toBe((boxes[2]?.at ?? 0) + 8);
  });

  it('have a PDF whose cross-reference table points at each object', async () => {
    const text = await readFile(sample('.pdf').path, 'latin1');
    expect(text.startsWith('%PDF-1.4')).toBe(true);
    const tableAt = Number(/startxref\n(\d+)\n/.exec(text)?.[1]);
    const entries = [...text.slice(tableAt).matchAll(/^(\d{10}) 00000 n $/gm)];
    expect(entries.length).toBe(8);
    for (const [index, entry] of entries.entries()) {
      expect(text.startsWith(`${index + 1} 0 obj`, Number(entry[1]))).toBe(true);
    }
    expect(text.match(/\/Type \/Page /g)).toHaveLength(2);
  });

  it('have captions numbered from 1, in order and without overlap', async () => {
    const text = await readFile(sample('.srt').path, 'utf8');
    const cues = [...text.matchAll(/^(\d+)\r\n(\S+) --> (\S+)\r\n(.+)\r\n/gm)];
    expect(cues.length).toBeGreaterThan(20);
    for (const [index, cue] of cues.entries()) {
      expect(cue[1]).toBe(String(index + 1));
      expect((cue[2] ?? '') < (cue[3] ?? '')).toBe(true);
      if (index > 0) expect((cues[index - 1]?.[3] ?? '') <= (cue[2] ?? '')).toBe(true);
    }
  });

  it.each<[extension: string, expected: Partial<Facts>]>([
    ['🎙.wav', { format: 'wav', kind: 'audio', durationS: 12 }],
    ['.mp3', { format: 'mp3', kind: 'audio', durationS: 60 }],
    ['.mp4', { format: 'mp4', kind: 'video', durationS: 20, width: 320, height: 180 }],
    ['.png', { format: 'png', kind: 'image', width: 1280, height: 720 }],
    ['.pdf', { format: 'pdf', kind: 'doc' }],
  ])('are recognized by the library service without any tool: %s', async (extension, expected) => {
    const { durationS, ...facts } = (await readHeader(sample(extension).path)) ?? {};
    const { durationS: seconds, ...fixed } = expected;
    expect(facts).toMatchObject(fixed);
    if (seconds) expect(durationS).toBeCloseTo(seconds, 1);
  });

  it.skipIf(!hasFfprobe)('have the declared duration in ffprobe', () => {
    for (const { path, durationSeconds } of samples) {
      if (durationSeconds !== null) expect(probedSeconds(path)).toBeCloseTo(durationSeconds, 1);
    }
  });

  it.skipIf(!hasFfprobe)('decode without an error message', () => {
    for (const extension of ['.mp4', '.mp3', '.png']) {
      const { stderr, status } = spawnSync('ffmpeg', ['-v', 'error', '-i', sample(extension).path, '-f', 'null', '-']);
      expect({ extension, status, stderr: String(stderr) }).toEqual({ extension, status: 0, stderr: '' });
    }
  });
});

describe.skipIf(!hasFfprobe)('sample recordings made with ffmpeg', () => {
  it('have the declared duration in ffprobe', async () => {
    const encoded = await mkdtemp(join(tmpdir(), 'mediadesk-samples-'));
    try {
      for (const { path, durationSeconds } of await makeSamples(encoded, { ffmpeg: 'auto', sizes: 'small' })) {
        if (durationSeconds !== null) expect(probedSeconds(path)).toBeCloseTo(durationSeconds, 0);
      }
    } finally {
      await rm(encoded, { recursive: true, force: true });
    }
  });
});
