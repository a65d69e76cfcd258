import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { FileRow } from '../resources/file-row.ts';
import type { Site } from '../site/site.ts';
import { captionsFormat, srtToVtt } from './captions.ts';
import type { Facts } from './facts.ts';
import { AUDIO_PROFILE, type EncodingProfile, encode, makeThumb, probe, VIDEO_PROFILE } from './media-tools.ts';
import { readHeader } from './read-header.ts';
import type { Tools } from './tools.ts';

/** A file made from an original, already in its place. */
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
  width: number | null;
  height: number | null;
}

/** Images up to this size stand for themselves where nothing can scale them. */
const MAX_PLAIN_THUMB_BYTES = 2 * 1024 * 1024;

/** The encodings of an original; none where none is needed or nothing here can make them. */
export async function makeEncodings(
  site: Site,
  row: FileRow,
  facts: Facts | null,
  tools: Tools,
  signal: AbortSignal,
): Promise<DerivedFile[]> {
  const path = site.disk.path(row.stored_name ?? '');
  if (row.type === 'captions') return convertCaptions(site, path);
  const profile = facts && profileFor(row, facts);
  if (!profile || !tools.ffmpeg) return [];
  if (row.size > site.settings.current().processing.encode_up_to_bytes) return [];
  const output = site.disk.temporary();
  try {
    await encode(tools.ffmpeg, path, output, profile, signal);
    const { size } = await stat(output);
    const made = tools.ffprobe ? await probe(tools.ffprobe, output, signal) : await readHeader(output);
    return [
      {
        profile: profile.name,
        container: profile.container,
        sizeBytes: size,
        facts: made ?? null,
        storedName: await site.disk.keep(output),
      },
    ];
  } finally {
    await rm(output, { force: true });
  }
}

/** Audio that any browser plays already needs no encoding. */
function profileFor(row: FileRow, facts: Facts): EncodingProfile | undefined {
  if (row.type === 'video') return VIDEO_PROFILE;
  if (row.type !== 'audio' || facts.format === 'mp3' || (facts.format === 'mp4' && facts.kind === 'audio'))
    return undefined;
  return AUDIO_PROFILE;
}

async function convertCaptions(site: Site, path: string): Promise<DerivedFile[]> {
  const text = await readFile(path, 'utf8');
  if (captionsFormat(text) !== 'srt') return [];
  const output = site.disk.temporary();
  const vtt = srtToVtt(text);
  await writeFile(output, vtt, { mode: 0o600 });
  const storedName = await site.disk.keep(output);
  return [{ profile: 'webvtt', container: 'vtt', storedName, sizeBytes: Buffer.byteLength(vtt), facts: null }];
}

/** A picture of a video or an image. Without a tool an image that is small enough stands for itself. */
export async function makePicture(
  site: Site,
  row: FileRow,
  facts: Facts | null,
  tools: Tools,
  signal: AbortSignal,
): Promise<DerivedThumb | undefined> {
  if (!facts || (facts.kind !== 'video' && facts.kind !== 'image')) return undefined;
  const path = site.disk.path(row.stored_name ?? '');
  if (!tools.ffmpeg) {
    const plain = facts.format === 'png' || facts.format === 'jpeg';
    if (!plain || row.size > MAX_PLAIN_THUMB_BYTES || row.stored_name === null) return undefined;
    const { width, height } = facts;
    return { storedName: row.stored_name, contentType: `image/${facts.format}`, width, height };
  }
  const output = site.disk.temporary();
  try {
    await makeThumb(
      tools.ffmpeg,
      path,
      output,
      facts.kind === 'video' ? Math.min(3, (facts.durationS ?? 0) / 4) : 0,
      signal,
    );
    const made = await readHeader(output).catch(() => undefined);
    if (!made) return undefined;
    const { width, height } = made;
    return { storedName: await site.disk.keep(output), contentType: 'image/jpeg', width, height };
  } finally {
    await rm(output, { force: true });
  }
}
