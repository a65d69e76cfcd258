// Creates sample recordings: real files of the types that people upload, with the names that people use.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { encodeMp3, encodeMp4 } from './ffmpeg.ts';
import { silentMp3 } from './mp3.ts';
import { mp4File } from './mp4.ts';
import { pdfFile } from './pdf.ts';
import { pngFile } from './png.ts';
import { srtFile } from './srt.ts';
import { wavChunks } from './wav.ts';

type SampleKind = 'audio' | 'video' | 'image' | 'doc' | 'captions';

export interface Sample {
  path: string;
  fileName: string;
  /** Bytes. */
  size: number;
  /** Of all bytes, in hexadecimal. */
  sha256: string;
  kind: SampleKind;
  /** The nominal length; null for a file without one. An encoder may add a few hundredths of a second. */
  durationSeconds: number | null;
}

export interface SampleOptions {
  /** `auto` uses ffmpeg for MP3 and MP4 if it is installed; `never` always writes them by our own code. */
  ffmpeg: 'auto' | 'never';
  /** `small` leaves out the 30 MB recording. */
  sizes?: 'all' | 'small';
}

interface Recipe {
  fileName: string;
  kind: SampleKind;
  durationSeconds: number | null;
  make(path: string): Promise<unknown>;
}

const LECTURE_LINES = [
  'Welcome back. Today: what a lens does to light.',
  'Light is slower in glass than in air,',
  'so a ray that enters at an angle is bent.',
  'That is Snell’s law: n₁ sin θ₁ = n₂ sin θ₂.',
  'A curved surface bends outer rays more than inner ones.',
  'All of them meet in one point: the focus.',
  '„Brennpunkt“ in German, « foyer » in French.',
  'Now look at the two slits on the screen.',
  'Where crests meet crests, it is bright.',
  'Where crests meet troughs, it is dark.',
  'Nothing is lost: the light is only elsewhere.',
  'Questions? – See you next week.',
];

const SLIDES = [
  [
    'Week 7 – Optics',
    '',
    'Refraction at a plane surface',
    'Lenses and their focal length',
    'Interference at two slits',
  ],
  [
    'Exercises',
    '',
    '1. A ray enters water at 30 degrees. Find its new angle.',
    '2. Where does a lens of 50 mm form an image?',
  ],
];

function recipes({ ffmpeg, sizes = 'all' }: SampleOptions): Recipe[] {
  const encoderFirst = async (encode: () => Promise<boolean>, write: () => Promise<unknown>) => {
    if (ffmpeg === 'never' || !(await encode())) await write();
  };
  const wav = (seconds: number) => (path: string) =>
    pipeline(Readable.from(wavChunks(seconds)), createWriteStream(path));
  const all: Recipe[] = [
    {
      fileName: 'Lecture 07 – Optics.mp4',
      kind: 'video',
      durationSeconds: 20,
      make: (path) =>
        encoderFirst(
          () => encodeMp4(path, 640, 360, 20),
          () => writeFile(path, mp4File(320, 180, 20)),
        ),
    },
    {
      fileName: 'Lecture 07 – Optics.srt',
      kind: 'captions',
      durationSeconds: null,
      make: (path) => writeFile(path, srtFile([...LECTURE_LINES, ...LECTURE_LINES], 0.8)),
    },
    {
      fileName: 'Folge 12 – Über Bücher.mp3',
      kind: 'audio',
      durationSeconds: 60,
      make: (path) =>
        encoderFirst(
          () => encodeMp3(path, 60),
          () => writeFile(path, silentMp3('Über Bücher', 60)),
        ),
    },
    { fileName: 'Interview “Müller” 🎙.wav', kind: 'audio', durationSeconds: 12, make: wav(12) },
    {
      fileName: "Whiteboard 'two slits'.png",
      kind: 'image',
      durationSeconds: null,
      make: (path) => writeFile(path, pngFile(1280, 720)),
    },
    {
      fileName: 'Slides week 7 (final).pdf',
      kind: 'doc',
      durationSeconds: null,
      make: (path) => writeFile(path, pdfFile('Week 7 – Optics', SLIDES)),
    },
  ];
  if (sizes === 'all') {
    all.push({ fileName: 'Chorprobe Łódź, 2. Teil.wav', kind: 'audio', durationSeconds: 160, make: wav(160) });
  }
  return all;
}

/** SHA-256 of a file, in hexadecimal. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Creates the sample recordings in `dir` (created if missing) and returns them. Their sizes are from 2 KB to 30 MB. */
export async function makeSamples(dir: string, options: SampleOptions): Promise<Sample[]> {
  await mkdir(dir, { recursive: true });
  const samples: Sample[] = [];
  for (const { fileName, kind, durationSeconds, make } of recipes(options)) {
    const path = join(dir, fileName);
    await make(path);
    const { size } = await stat(path);
    samples.push({ path, fileName, size, sha256: await sha256OfFile(path), kind, durationSeconds });
  }
  return samples;
}
