// The worker for waveforms in the real window, with files of real programs in every format that the player plays.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FULL_SCALE, type WaveformResult } from '../../../shared/model/waveform/waveform.ts';
import { decodeWaveform, encodeWaveform } from '../../../shared/model/waveform/waveform-file.ts';
import { columnsOf, longSilences } from '../../../shared/model/waveform/waveform-marks.ts';
import { type DesktopApp, launchApp } from '../../helpers/desktop/desktop-app.ts';

let desktop: DesktopApp;
const folder = mkdtempSync(join(tmpdir(), 'mediadesk-sound-'));
const at = (name: string) => join(folder, name);
const ffmpeg = (...options: string[]) => execFileSync('ffmpeg', ['-v', 'error', '-y', ...options]);
const SECONDS = 16;

/** Half of full scale for 5 seconds, silence for 6 seconds, and a tenth of full scale for 5 seconds; stereo. */
beforeAll(async () => {
  const tone = (level: number, seconds: number) => `aevalsrc=${level}*sin(2*PI*440*t)|0:s=16000:d=${seconds}`;
  const graph = '[0][1][2]concat=n=3:v=0:a=1';
  const inputs = [tone(0.5, 5), tone(0, 6), tone(0.1, 5)].flatMap((source) => ['-f', 'lavfi', '-i', source]);
  ffmpeg(...inputs, '-filter_complex', graph, '-c:a', 'pcm_s16le', at('base.wav'));
  desktop = await launchApp();
});
afterAll(async () => {
  await desktop?.close();
  rmSync(folder, { recursive: true, force: true });
});

const from = (...options: string[]) => ffmpeg('-i', at('base.wav'), ...options);
const PROGRAMS: Record<string, (path: string) => void> = {
  '8.wav': (path) => from('-c:a', 'pcm_u8', path),
  '16.wav': (path) => from('-c:a', 'pcm_s16le', path),
  '24.wav': (path) => from('-c:a', 'pcm_s24le', path),
  '32.wav': (path) => from('-c:a', 'pcm_s32le', path),
  'float.wav': (path) => from('-c:a', 'pcm_f32le', path),
  'alaw.wav': (path) => from('-c:a', 'pcm_alaw', path),
  'rf64.wav': (path) => from('-rf64', 'always', path),
  'cbr.mp3': (path) => from('-c:a', 'libmp3lame', '-b:a', '96k', '-ar', '44100', path),
  'mono.mp3': (path) => from('-ac', '1', '-ar', '22050', path),
  'sound.m4a': (path) => from('-c:a', 'aac', path),
  'fragments.m4a': (path) => from('-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov', path),
  'sound.aac': (path) => from('-c:a', 'aac', path),
  'sound.ogg': (path) => from('-c:a', 'libvorbis', path),
  'sound.webm': (path) => from('-c:a', 'libopus', path),
  'sound.mka': (path) => from('-c:a', 'flac', path),
};
/** Of other programs: LAME 3.100 (variable bit rate; MPEG 2 with a picture in its tag), flac 1.4.2, opusenc of opus-tools 0.2. */
const FIXTURES = ['lame-vbr.mp3', 'lame-lsf.mp3', 'flac.flac', 'opusenc.opus'];
const made = new Map<string, Buffer>();

function fileOf(name: string): Buffer {
  const known = made.get(name);
  if (known !== undefined) return known;
  const isFixture = FIXTURES.includes(name);
  if (!isFixture) PROGRAMS[name]?.(at(name));
  const bytes = readFileSync(isFixture ? join(import.meta.dirname, '../../fixtures/media', name) : at(name));
  made.set(name, bytes);
  return bytes;
}

/** Reads bytes by the worker, as it is built. */
async function read(bytes: Buffer, limits: object = {}, knownSeconds = 0): Promise<WaveformResult> {
  const result = await desktop.window.evaluate(
    ([text, limit, known]) =>
      new Promise<WaveformResult>((resolve, reject) => {
        const file = new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], 'sound');
        const worker = new Worker('/assets/waveform-worker.js', { type: 'module' });
        worker.addEventListener('error', () => reject(new Error('the worker failed')));
        worker.addEventListener('message', ({ data }) => {
          if (data.kind !== 'end') return;
          worker.terminate();
          const list = (values?: ArrayLike<number>) => (values === undefined ? values : Array.from(values));
          const { lowest, highest, clipped } = data.result;
          resolve({
            ...data.result,
            lowest: list(lowest),
            highest: list(highest),
            clipped: list(clipped),
          } as WaveformResult);
        });
        const limits = { bytes: 1e9, seconds: 1e5, ms: 120_000, ...limit };
        worker.postMessage({ source: { file }, limits, knownSeconds: known });
      }),
    [bytes.toString('base64'), limits, knownSeconds] as const,
  );
  if (result.kind === 'none') return result;
  const { lowest, highest, clipped } = result;
  return {
    ...result,
    lowest: Int16Array.from(lowest),
    highest: Int16Array.from(highest),
    clipped: Uint8Array.from(clipped),
  };
}

describe('the waveform of a recording', () => {
  it.each([...Object.keys(PROGRAMS), ...FIXTURES])('shows level, silence and length of %s', async (name) => {
    const result = await read(fileOf(name));
    expect(result).toMatchObject({ kind: 'peaks', end: 'complete' });
    if (result.kind !== 'peaks') return;
    // Coders fill the last frame.
    expect(Math.abs(result.readSeconds - SECONDS)).toBeLessThan(0.15);
    const columns = columnsOf(result, 16);
    // An 8-bit sample of silence is one step beside the middle; coders change the level a little.
    const level = (column: number) => Math.max(columns[column]?.high ?? 0, -(columns[column]?.low ?? 0));
    const isMono = name.startsWith('mono');
    expect(level(2)).toBeGreaterThan(isMono ? 0.2 : 0.45);
    expect(level(2)).toBeLessThan(0.56);
    expect(level(8)).toBeLessThan(0.01);
    expect(level(14)).toBeGreaterThan(isMono ? 0.04 : 0.085);
    expect(level(14)).toBeLessThan(0.13);
    if (name === '8.wav' || name === 'alaw.wav') return;
    const [silence, ...others] = longSilences(result);
    expect(others).toEqual([]);
    expect(Math.abs((silence?.from ?? 0) - 5)).toBeLessThan(0.3);
    expect(Math.abs((silence?.to ?? 0) - 11)).toBeLessThan(0.3);
  });

  it('is the same for each PCM format, up to its rounding', async () => {
    const [one, ...others] = await Promise.all(['16.wav', '24.wav', '32.wav', 'float.wav'].map((n) => read(fileOf(n))));
    if (one?.kind !== 'peaks') throw new Error('no peaks');
    for (const other of others) {
      if (other.kind !== 'peaks') throw new Error('no peaks');
      const differences = Array.from(one.highest, (sample, piece) => Math.abs(sample - (other.highest[piece] ?? 0)));
      expect(Math.max(...differences)).toBeLessThanOrEqual(2);
    }
  });

  it('marks clipped sound, and no sound that only just fits', async () => {
    ffmpeg(
      '-f',
      'lavfi',
      '-i',
      'aevalsrc=min(1\\,max(-1\\,3*sin(2*PI*200*t))):d=2',
      '-c:a',
      'pcm_s16le',
      at('loud.wav'),
    );
    ffmpeg('-f', 'lavfi', '-i', 'aevalsrc=0.98*sin(2*PI*200*t):d=2', '-c:a', 'pcm_s16le', at('fits.wav'));
    const marks = async (name: string) => {
      const result = await read(fileOf(name));
      return result.kind === 'peaks' ? result.clipped.reduce((sum, mark) => sum + mark, 0) : Number.NaN;
    };
    expect(await marks('loud.wav')).toBeGreaterThan(100);
    expect(await marks('fits.wav')).toBe(0);
  });
});

describe('a damaged recording', () => {
  const cutTo = (name: string, share: number) => fileOf(name).subarray(0, Math.round(fileOf(name).length * share));

  it.each(['lame-vbr.mp3', 'flac.flac', 'opusenc.opus', 'sound.ogg', 'fragments.m4a', '16.wav'])(
    'has the waveform of its beginning when %s is cut off',
    async (name) => {
      const result = await read(cutTo(name, 0.7), {}, SECONDS);
      expect(result).toMatchObject({ kind: 'peaks', end: 'damaged', totalSeconds: expect.closeTo(SECONDS, 0) });
      if (result.kind !== 'peaks') return;
      expect(result.readSeconds).toBeGreaterThan(0.3);
      expect(result.readSeconds).toBeLessThan(SECONDS - 1);
      expect(Math.max(...result.highest)).toBeGreaterThan(0.4 * FULL_SCALE);
    },
  );

  it.each(['lame-vbr.mp3', 'flac.flac', 'opusenc.opus', 'sound.ogg', 'sound.m4a', '16.wav'])(
    'ends with a result for %s with random bytes at 40 places',
    async (name) => {
      for (let seed = 1; seed <= 3; seed += 1) {
        const bytes = Buffer.from(fileOf(name));
        let random = seed;
        for (let place = 0; place < 40; place += 1) {
          random = (random * 48_271) % 2_147_483_647;
          bytes[random % bytes.length] = random % 251;
        }
        const result = await read(bytes, {}, SECONDS);
        const stored = { fileId: '1', itemVersion: 'v', result };
        expect(decodeWaveform(encodeWaveform(stored))).toEqual(stored);
        if (result.kind === 'none') continue;
        const { lowest, highest, clipped, pieceSeconds, readSeconds, totalSeconds } = result;
        expect(lowest.length).toBeGreaterThan(0);
        expect([highest.length, clipped.length]).toEqual([lowest.length, lowest.length]);
        const outside = lowest.findIndex((low, piece) => {
          const high = highest[piece] ?? Number.NaN;
          return !(-FULL_SCALE <= low && low <= high && high <= FULL_SCALE);
        });
        expect(outside).toBe(-1);
        expect(readSeconds).toBeGreaterThan(0);
        expect(readSeconds).toBeLessThanOrEqual(totalSeconds);
        expect(Math.abs(lowest.length * pieceSeconds - readSeconds)).toBeLessThanOrEqual(pieceSeconds);
      }
    },
  );

  it('has the length that was read when the stated one is no number of seconds', async () => {
    for (const stated of [Number.POSITIVE_INFINITY, Number.NaN, -5]) {
      const result = await read(fileOf('16.wav'), {}, stated);
      expect(result).toMatchObject({ kind: 'peaks', end: 'complete', totalSeconds: expect.closeTo(SECONDS, 0) });
    }
  });

  it('has no waveform when it states more channels than any recording has', async () => {
    const bytes = Buffer.from(fileOf('16.wav'));
    const format = bytes.indexOf('fmt ') + 8;
    for (const channels of [64, 30_000]) {
      bytes.writeUInt16LE(channels, format + 2);
      bytes.writeUInt16LE(2 * channels, format + 12);
      expect(await read(bytes), `${channels} channels`).toEqual({ kind: 'none', reason: 'undecodable' });
    }
  });

  it('has no waveform, with the reason, when it is no recording or has no sound', async () => {
    ffmpeg('-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=5:duration=1', '-c:v', 'libx264', at('mute.mp4'));
    ffmpeg('-i', at('base.wav'), '-c:a', 'alac', at('alac.m4a'));
    expect(await read(Buffer.from('this is no sound\n'.repeat(9000)))).toEqual({
      kind: 'none',
      reason: 'unknown-format',
    });
    expect(await read(Buffer.alloc(0))).toEqual({ kind: 'none', reason: 'unknown-format' });
    expect(await read(fileOf('mute.mp4'))).toEqual({ kind: 'none', reason: 'no-sound' });
    expect(await read(fileOf('alac.m4a'))).toEqual({ kind: 'none', reason: 'undecodable' });
    expect(await read(fileOf('16.wav').subarray(0, 44))).toMatchObject({ kind: 'none' });
  });
});

describe('the limits of a waveform', () => {
  it('end it after so many seconds of the recording', async () => {
    for (const name of ['16.wav', 'lame-vbr.mp3', 'flac.flac']) {
      const result = await read(fileOf(name), { seconds: 6 });
      expect(result, name).toMatchObject({ kind: 'peaks', end: 'limit', totalSeconds: expect.closeTo(SECONDS, 0) });
      if (result.kind === 'peaks') expect(Math.abs(result.readSeconds - 6), name).toBeLessThan(1.8);
    }
  });

  it('hold for a WAV that says it is 12 hours long and ends early', async () => {
    const bytes = Buffer.from(fileOf('16.wav').subarray(0, 400_000));
    bytes.writeUInt32LE(0xffffffff, bytes.indexOf('data') + 4);
    const result = await read(bytes, {}, 12 * 3600);
    expect(result).toMatchObject({ kind: 'peaks', end: 'damaged', totalSeconds: 12 * 3600 });
  });

  it('end it after so much time, with what was read until then', async () => {
    const result = await read(fileOf('16.wav'), { ms: 0 });
    expect(result).toMatchObject({ kind: 'peaks', end: 'broken-off' });
  });
});
