import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { readCaptions } from '../../shared/formats/captions/read-captions.ts';
import { srtToVtt } from '../../shared/formats/captions/srt.ts';
import { BrokenFile, type Facts } from './headers/facts.ts';
import { readHeader } from './headers/read-header.ts';
import type { Order, Original, Workshop } from './order.ts';
import type { Tools } from './tools/find-tools.ts';
import { AUDIO_PROFILE, type EncodingProfile, encode, probe, takeFrame, VIDEO_PROFILE } from './tools/media-tools.ts';
import type { PictureMaker } from './tools/picture-maker.ts';

/** A stored file that was created from an original. */
export interface DerivedFile {
  profile: string;
  container: string;
  storedName: string;
  sizeBytes: number;
  facts: Facts | null;
}

export interface DerivedThumb {
  storedName: string;
  contentType: string;
  width: number;
  height: number;
}

/** The tools that create derived files. */
export interface Makers {
  tools: Tools;
  pictures: PictureMaker;
}

/** Creates the encodings of an original, which is at `path`; none when it needs none or the tools are missing. */
export async function makeEncodings(
  workshop: Workshop,
  { file, encodeUpToBytes }: Order,
  path: string,
  facts: Facts | null,
  tools: Tools,
  signal: AbortSignal,
): Promise<DerivedFile[]> {
  if (file.type === 'captions') return convertCaptions(workshop, path, signal);
  const profile = facts && profileFor(file, facts);
  const { ffmpeg } = tools;
  if (!profile || !ffmpeg) return [];
  if (file.size > encodeUpToBytes) return [];
  const output = workshop.scratch.path();
  try {
    await checked(workshop, signal, () =>
      encode(ffmpeg, { path, format: facts.format, sizeBytes: file.size }, output, profile, signal),
    );
    const { size } = await stat(output);
    const made = tools.ffprobe
      ? await probe(tools.ffprobe, { path: output, format: 'mp4' }, signal)
      : await readHeader(output);
    return [
      {
        profile: profile.name,
        container: profile.container,
        sizeBytes: size,
        facts: made ?? null,
        storedName: await workshop.keep(output, signal),
      },
    ];
  } finally {
    await rm(output, { force: true });
  }
}

/** Runs a tool. A failure counts as its own only if the computer is not the reason, while the output still takes its room. */
async function checked(workshop: Workshop, signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!signal.aborted) await workshop.check();
    throw error;
  }
}

/** Returns the profile of the encoding that a file needs. Audio in MP3 or MP4 plays in every browser and needs none. */
function profileFor(file: Original, facts: Facts): EncodingProfile | undefined {
  if (file.type === 'video') return VIDEO_PROFILE;
  if (file.type !== 'audio' || facts.format === 'mp3' || (facts.format === 'mp4' && facts.kind === 'audio'))
    return undefined;
  return AUDIO_PROFILE;
}

async function convertCaptions(workshop: Workshop, path: string, signal: AbortSignal): Promise<DerivedFile[]> {
  const { format, text } = readCaptions(await readFile(path));
  if (format !== 'srt') return [];
  const output = workshop.scratch.path();
  const vtt = await inTurns(srtToVtt(text));
  await writeFile(output, vtt, { mode: 0o600 });
  const storedName = await workshop.keep(output, signal);
  return [{ profile: 'webvtt', container: 'vtt', storedName, sizeBytes: Buffer.byteLength(vtt), facts: null }];
}

/** The time in milliseconds that a conversion may take before other requests are served. */
const TURN_MS = 10;

/** Joins pieces that take long to create, and serves other requests in between. */
async function inTurns(pieces: Iterable<string>): Promise<string> {
  const made: string[] = [];
  let since = performance.now();
  for (const piece of pieces) {
    if (piece !== '') made.push(piece);
    if (performance.now() - since < TURN_MS) continue;
    await setImmediate();
    since = performance.now();
  }
  return made.join('');
}

/**
 * Creates the thumbnail of a video or an image, which is at `original`. Returns undefined when the tools are missing, which is logged. Throws
 * `BrokenFile` when an image cannot be decoded.
 */
export async function makeThumb(
  workshop: Workshop,
  { file }: Order,
  original: string,
  facts: Facts | null,
  { tools, pictures }: Makers,
  signal: AbortSignal,
): Promise<DerivedThumb | undefined> {
  if (facts?.kind !== 'video' && facts?.kind !== 'image') return undefined;
  const isPicture = PICTURE_FORMATS.has(facts.format);
  const { ffmpeg } = tools;
  if (!isPicture && !ffmpeg) return undefined;
  const frame = workshop.scratch.path('.png');
  const output = workshop.scratch.path('.jpg');
  try {
    if (!isPicture && ffmpeg)
      await checked(workshop, signal, () =>
        takeFrame(ffmpeg, { path: original, format: facts.format }, frame, frameAt(facts), signal),
      );
    const answer = await pictures.make({ input: isPicture ? original : frame, output }, signal);
    if (answer.kind !== 'made') await workshop.check();
    if (answer.kind === 'broken' && isPicture) throw new BrokenFile(answer.reason);
    if (answer.kind !== 'made') {
      workshop.log('a thumbnail could not be made', { file_id: file.id, reason: answer.reason });
      return undefined;
    }
    const { width, height } = answer;
    return { storedName: await workshop.keep(output, signal), contentType: 'image/jpeg', width, height };
  } finally {
    for (const path of [frame, output]) await rm(path, { force: true });
  }
}

/** Images that are decoded directly. For every other format, ffmpeg extracts a frame first. */
const PICTURE_FORMATS: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'gif', 'tiff']);

/** Returns a position in a video, in seconds: after a black start, but within a short video. */
function frameAt({ kind, durationS }: Facts): number {
  return kind === 'video' ? Math.min(3, (durationS ?? 0) / 4) : 0;
}
