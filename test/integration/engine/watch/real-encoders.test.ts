// Complete files of real encoders, each with another sound: none is reported as incomplete.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkBytes } from '../../../helpers/data/container-bytes.ts';
import { Prng } from '../../../helpers/data/prng.ts';
import { isLongRun } from '../../../helpers/test-extent.ts';

const FILES = isLongRun ? 50 : 4;
const RATES = [8000, 16_000, 22_050, 32_000, 44_100, 48_000, 96_000] as const;
const SOUNDS = [
  'anoisesrc=d=LENGTH:a=0.5',
  'anoisesrc=d=LENGTH:a=0.01:c=pink',
  'sine=f=440:d=LENGTH',
  'aevalsrc=random(0)*gt(sin(3*t)\\,0.3):d=LENGTH',
  'anullsrc,atrim=duration=LENGTH',
] as const;
/** Pauses of digital silence, as before and after a talk. */
const FRAMES = ['anull', 'adelay=1000:all=1', 'apad=pad_dur=1', 'adelay=300:all=1,apad=pad_dur=2'] as const;

/** A program that writes a complete file of its format from a sound in a WAV file. */
interface Encoder {
  command: string;
  args(source: string, target: string, prng: Prng): string[];
  /** What the check of a complete file may not know. */
  mayBeUnknown?: boolean;
  /** Whether silence at its end looks like space that is not filled, because its sound is not coded. */
  hasPlainSound?: boolean;
}

/** So many zero bytes at the end of plain sound may be space that is not filled. */
const ZERO_TAIL_BYTES = 64 * 1024;

const ffmpeg = (...options: string[]): Encoder => ({
  command: 'ffmpeg',
  args: (source, target) => ['-loglevel', 'error', '-nostdin', '-y', '-i', source, ...options, target],
});
const PICTURE = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=10', '-shortest', '-c:v', 'libx264', '-preset', 'ultrafast'];

const ENCODERS: Readonly<Record<string, Encoder>> = {
  'flac.flac': {
    command: 'flac',
    args: (source, target, prng) => [
      ...['-s', '-f', `-${prng.int(0, 8)}`, `--blocksize=${prng.pick([192, 576, 1152, 4096, 4608])}`, '--lax'],
      ...[`--padding=${prng.int(0, 9000)}`, '-o', target, source],
    ],
  },
  'ffmpeg.flac': ffmpeg('-c:a', 'flac'),
  'deep.flac': ffmpeg('-c:a', 'flac', '-sample_fmt', 's32', '-ac', '6'),
  'cbr.mp3': {
    command: 'lame',
    args: (source, target, prng) => ['--quiet', '-b', prng.pick(['64', '128', '160']), source, target],
  },
  'vbr.mp3': {
    command: 'lame',
    args: (source, target, prng) => ['--quiet', '-V', String(prng.int(0, 10)), '--tt', 'Title', source, target],
  },
  'no-count.mp3': {
    command: 'lame',
    args: (source, target) => ['--quiet', '-t', '-b', '128', source, target],
    mayBeUnknown: true,
  },
  'opusenc.opus': { command: 'opusenc', args: (source, target) => ['--quiet', source, target] },
  'vorbis.ogg': ffmpeg('-c:a', 'libvorbis'),
  'flac.oga': ffmpeg('-c:a', 'flac'),
  'a.wav': ffmpeg('-c:a', 'pcm_s24le'),
  'rf64.wav': ffmpeg('-rf64', 'always'),
  'a.aiff': ffmpeg(),
  'a.m4a': ffmpeg('-c:a', 'aac'),
  'alac.m4a': ffmpeg('-c:a', 'alac', '-movflags', '+faststart'),
  'pcm.mov': { ...ffmpeg('-c:a', 'pcm_s16le', '-movflags', '+faststart'), hasPlainSound: true },
  'a.mka': ffmpeg('-c:a', 'pcm_s16le'),
  'a.mkv': ffmpeg(...PICTURE, '-c:a', 'aac'),
  'a.mp4': ffmpeg(...PICTURE, '-c:a', 'aac', '-movflags', '+faststart'),
  'a.avi': ffmpeg(...PICTURE, '-c:a', 'pcm_s16le'),
};

/** Returns whether the PATH has a program. */
function isInstalled(command: string): boolean {
  const known = programs.get(command) ?? spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
  programs.set(command, known);
  return known;
}
const programs = new Map<string, boolean>();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'encoders-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function run(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => {
    said += String(text);
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${said}`);
}

/** Writes the sound of one number as a WAV file. Returns its description. */
async function writeSound(number: number, target: string): Promise<string> {
  const prng = new Prng(number + 1);
  const rate = prng.pick(RATES);
  const seconds = prng.pick([0.02, 0.3, 1, 2.5, 5]);
  const sound = `${prng.pick(SOUNDS).replace('LENGTH', String(seconds))},${FRAMES[number % FRAMES.length]}`;
  const options = ['-ar', String(rate), '-ac', String(prng.pick([1, 2])), target];
  await run('ffmpeg', ['-loglevel', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', sound, ...options]);
  return `${sound} at ${rate} Hz`;
}

describe('a complete file of a real encoder', () => {
  const sources: { path: string; sound: string }[] = [];
  beforeAll(async () => {
    for (let number = 0; number < FILES; number += 1) {
      const path = join(folder, `${number}.source.wav`);
      sources.push({ path, sound: await writeSound(number, path) });
    }
  }, 600_000);

  // Another user can't install packages: the encoders that are there are checked.
  const installed = Object.entries(ENCODERS).filter(([, { command }]) => isInstalled(command));
  it.each(installed)(
    `is never reported as incomplete: %s, ${FILES} different sounds`,
    async (name, { command, args, mayBeUnknown = false, hasPlainSound = false }) => {
      const wrong: string[] = [];
      for (const [number, { path, sound }] of sources.entries()) {
        const target = join(folder, `${number}.${name}`);
        await run(command, args(path, target, new Prng(number + 1)));
        const bytes = await readFile(target);
        const { answer } = await checkBytes(name, bytes);
        const isSilentAtEnd = hasPlainSound && bytes.subarray(-ZERO_TAIL_BYTES).every((byte) => byte === 0);
        const allowed = mayBeUnknown || isSilentAtEnd ? ['complete', 'unknown'] : ['complete'];
        if (!allowed.includes(answer)) wrong.push(`${answer}: ${sound}`);
        await rm(target);
      }
      expect(wrong).toEqual([]);
    },
    300_000,
  );
});
