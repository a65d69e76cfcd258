import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MOST_BYTES } from '../../../../shared/formats/bytes/bounded-bytes.ts';
import { answerTo, checkBytes } from '../../../helpers/data/container-bytes.ts';

const PICTURE = ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=25:duration=6'];
const SOUND = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=6'];
const VIDEO = [...PICTURE, ...SOUND, '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'];
const MP3 = [...SOUND, '-c:a', 'libmp3lame', '-b:a', '128k'];
const FRAGMENTS = [...VIDEO, '-g', '15', '-movflags'];

/**
 * For each format: the ffmpeg arguments, the result of the check for the complete file, and how many of its 99 beginnings (1 % to
 * 99 %) the check recognizes as incomplete. For the other beginnings, it has no result.
 */
const FORMATS: Readonly<Record<string, { args: string[]; answer: 'complete' | 'unknown'; recognized: number }>> = {
  'index-last.mp4': { args: VIDEO, answer: 'complete', recognized: 99 },
  'index-first.mp4': { args: [...VIDEO, '-movflags', '+faststart'], answer: 'complete', recognized: 99 },
  'fragments.mp4': { args: [...FRAGMENTS, '+frag_keyframe+empty_moov'], answer: 'complete', recognized: 99 },
  'open-fragments.mp4': {
    args: [...FRAGMENTS, '+frag_keyframe+empty_moov+skip_trailer'],
    answer: 'unknown',
    recognized: 97,
  },
  'a.mov': { args: VIDEO, answer: 'complete', recognized: 99 },
  'a.m4a': { args: [...SOUND, '-c:a', 'aac'], answer: 'complete', recognized: 99 },
  'a.wav': { args: SOUND, answer: 'complete', recognized: 99 },
  'rf64.wav': { args: [...SOUND, '-rf64', 'always'], answer: 'complete', recognized: 99 },
  'a.aiff': { args: SOUND, answer: 'complete', recognized: 99 },
  'a.avi': { args: [...PICTURE, ...SOUND, '-c:v', 'mpeg4', '-c:a', 'libmp3lame'], answer: 'complete', recognized: 99 },
  'a.mkv': { args: VIDEO, answer: 'complete', recognized: 99 },
  // Without the size, and without a mark at its end.
  'live.mkv': { args: [...VIDEO, '-live', '1'], answer: 'unknown', recognized: 0 },
  // It ends black: frames of a constant size are filled with zeros.
  'xdcam.mov': {
    args: [
      ...['-f', 'lavfi', '-i', 'testsrc2=s=720x576:r=25:d=0.2,tpad=stop_duration=0.2:color=black'],
      ...['-c:v', 'mpeg2video', '-pix_fmt', 'yuv422p', '-g', '1', '-intra_vlc', '1', '-b:v', '50M', '-minrate', '50M'],
      ...['-maxrate', '50M', '-bufsize', '8M', '-rc_init_occupancy', '8M', '-movflags', '+faststart'],
    ],
    answer: 'unknown',
    recognized: 99,
  },
  'a.webm': {
    args: [...PICTURE, ...SOUND, '-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus'],
    answer: 'complete',
    recognized: 99,
  },
  'a.mp3': { args: MP3, answer: 'complete', recognized: 99 },
  'no-count.mp3': { args: [...MP3, '-write_xing', '0'], answer: 'unknown', recognized: 97 },
  'tagged.mp3': {
    args: [...MP3, '-write_xing', '0', '-write_id3v1', '1', '-metadata', 'title=x'],
    answer: 'complete',
    recognized: 97,
  },
  'a.flac': { args: SOUND, answer: 'complete', recognized: 99 },
  'a.ogg': { args: [...SOUND, '-c:a', 'libvorbis'], answer: 'complete', recognized: 97 },
  'a.opus': { args: [...SOUND, '-c:a', 'libopus'], answer: 'complete', recognized: 97 },
  'a.mxf': { args: [...PICTURE, '-c:v', 'mpeg2video'], answer: 'complete', recognized: 99 },
  'a.png': { args: [...PICTURE, '-frames:v', '1'], answer: 'complete', recognized: 99 },
  'a.jpg': { args: [...PICTURE, '-frames:v', '1'], answer: 'complete', recognized: 99 },
  // A stream of packets that can begin and end anywhere.
  'a.ts': { args: [...PICTURE, ...SOUND, '-c:v', 'mpeg2video'], answer: 'unknown', recognized: 0 },
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recordings-'));
});
afterAll(() => rm(folder, { recursive: true }));

function record(name: string, args: readonly string[]) {
  const options = ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y'];
  return spawn('ffmpeg', [...options, ...args, join(folder, name)], { stdio: 'ignore' });
}

describe('recordings of ffmpeg', () => {
  it.each(Object.entries(FORMATS))(
    '%s: the whole file is not reported as incomplete, and no beginning of it as complete',
    async (name, { args, answer, recognized }) => {
      const [code] = await once(record(name, args), 'exit');
      expect(code).toBe(0);
      const all = await readFile(join(folder, name));
      const whole = await checkBytes(name, all);
      expect(whole.answer).toBe(answer);
      expect(whole.bytes).toBeLessThan(MOST_BYTES);
      let found = 0;
      for (let percent = 1; percent < 100; percent += 1) {
        const { verdict } = await checkBytes(name, all.subarray(0, Math.floor((all.length * percent) / 100)));
        expect([percent, verdict.kind]).not.toEqual([percent, 'complete']);
        if (verdict.kind === 'incomplete') found += 1;
      }
      expect(found).toBeGreaterThanOrEqual(recognized);
    },
  );

  /** The ffmpeg arguments of recordings that are killed in the middle, by the name of the file. */
  const KILLED = {
    'k.mp4': VIDEO,
    'k.mov': VIDEO,
    'k.wav': [...SOUND, '-flush_packets', '1'],
    'k.aiff': [...SOUND, '-flush_packets', '1'],
    'k.mkv': VIDEO,
    'k.flac': [...SOUND, '-flush_packets', '1'],
    'k.mp3': [...MP3, '-flush_packets', '1'],
    'k.ogg': [...SOUND, '-c:a', 'libvorbis', '-page_duration', '100000', '-flush_packets', '1'],
  };

  it.each(Object.entries(KILLED))('%s is reported as incomplete after ffmpeg was killed', async (name, args) => {
    // Long enough that the process is always killed in the middle.
    const child = record(
      name,
      args.map((each) => each.replace('duration=6', 'duration=36000')),
    );
    const exit = once(child, 'exit');
    try {
      await expect
        .poll(
          () =>
            stat(join(folder, name)).then(
              ({ size }) => size,
              () => 0,
            ),
          { timeout: 60_000 },
        )
        .toBeGreaterThan(4000);
    } finally {
      child.kill('SIGKILL');
      await exit;
    }
    expect(['not-closed', 'part-missing', 'shorter-than-declared', 'end-missing']).toContain(
      await answerTo(name, await readFile(join(folder, name))),
    );
  });
});
