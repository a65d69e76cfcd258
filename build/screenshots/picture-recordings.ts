// Recordings for the pictures: real ones, longer ones that take a while, and some whose upload must fail.
import { copyFile, mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSamples } from '../samples/make-samples.ts';

const MB = 1_000_000;

/** Sound recordings of a course; sparse, so that they cost no space. */
const COURSE: readonly [name: string, bytes: number][] = [
  ['Lecture 11 – Lenses in Practice.wav', 48 * MB],
  ['Lecture 12 – Interference.wav', 64 * MB],
  ['Lecture 13 – Holography.wav', 92 * MB],
  ['Lecture 14 – Fibre Optics.wav', 71 * MB],
  ['Lecture 15 – Adaptive Optics.wav', 120 * MB],
  ['Lecture 16 – Questions and Answers.wav', 38 * MB],
  ['Lecture 17 – Optische Messtechnik.wav', 85 * MB],
  ['Lecture 18 – Лазеры.wav', 56 * MB],
];

export interface PictureRecordings {
  /** A few real files of different types. */
  samples: string;
  /** A folder of long recordings, with two further files that the add sheet omits. */
  course: string;
  /** An incomplete film, and a document. */
  damaged: string;
}

export async function makePictureRecordings(folder: string): Promise<PictureRecordings> {
  const samples = join(folder, 'Week 07');
  const course = join(folder, 'Optics, second half');
  const damaged = join(folder, 'From the camera');
  const made = await makeSamples(samples, { ffmpeg: 'auto', sizes: 'small' });
  const sound = made.find(({ fileName }) => fileName.endsWith('.wav'));
  if (sound === undefined) throw new Error('There is no sample of sound.');
  await mkdir(course);
  for (const [name, bytes] of COURSE) {
    await copyFile(sound.path, join(course, name));
    await truncate(join(course, name), bytes);
  }
  await writeFile(join(course, 'Lecture 19 – not recorded.wav'), '');
  await writeFile(join(course, '.DS_Store'), 'left behind');
  await mkdir(damaged);
  await writeFile(join(damaged, 'Experiment 3 – broken off.mp4'), Buffer.alloc(300_000, 7));
  await copyFile(sound.path, join(damaged, 'Experiment 3 – sound.wav'));
  return { samples, course, damaged };
}
