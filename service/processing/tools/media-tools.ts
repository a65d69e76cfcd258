import { z } from 'zod';
import { BrokenFile, type Facts } from '../headers/facts.ts';
import { runTool, type ToolLimits } from './run-tool.ts';

/** An original as the tools get it. */
export interface Original {
  path: string;
  /** The format that our own reading of the headers found. */
  format: string;
}

/**
 * The one demuxer of FFmpeg that reads each format. The tools never choose: they know playlists, scripts and lists of
 * files that name others, and a few frames of sound behind such a text must not get it opened. None of these opens another
 * file, except that of MP4 with an option that is off.
 */
const DEMUXERS: Readonly<Record<string, string>> = {
  aac: 'aac',
  aiff: 'aiff',
  asf: 'asf',
  avi: 'avi',
  bmp: 'bmp_pipe',
  caf: 'caf',
  flac: 'flac',
  flv: 'flv',
  matroska: 'matroska',
  mp3: 'mp3',
  mp4: 'mov',
  mpeg: 'mpeg',
  mpegts: 'mpegts',
  mpegvideo: 'mpegvideo',
  mxf: 'mxf',
  ogg: 'ogg',
  wav: 'wav',
};

const MIB = 1024 * 1024;
/** Of the output of an encoding: more than any original of this size needs. */
const MIN_ENCODING_BYTES = 256 * MIB;
const MEMORY_BYTES = 3 * 1024 * MIB;
const PROBE: ToolLimits = { seconds: 60, memoryBytes: MEMORY_BYTES, outputBytes: 64 * 1024 };
const FRAME: ToolLimits = { seconds: 120, memoryBytes: MEMORY_BYTES, outputBytes: 512 * MIB };
const ENCODING_SECONDS = 3 * 3600;

/** Pixels of a frame at most: an 8K video has 33 million. */
const MAX_FRAME_PIXELS = 80_000_000;
const QUIET = ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y'];

/** The options for one input: its demuxer, no other one inside it, and no protocol but files. */
function inputOf({ path, format }: Original): string[] {
  const demuxer = DEMUXERS[format];
  if (demuxer === undefined) throw new BrokenFile(`There is no tool for the format ${format}.`);
  const alone = ['-protocol_whitelist', 'file', '-format_whitelist', demuxer, '-f', demuxer];
  // Tracks of QuickTime may lie in other files.
  const own = demuxer === 'mov' ? ['-enable_drefs', '0', '-use_absolute_path', '0'] : [];
  return [...alone, ...own, '-i', `file:${path}`];
}

const MAX_DIMENSION = 100_000;
const MAX_DURATION_S = 10 * 365 * 86_400;

const dimension = z.number().int().min(1).max(MAX_DIMENSION).nullish().catch(null);
const figure = (max: number) =>
  z.string().max(40).transform(Number).pipe(z.number().min(0).max(max)).nullish().catch(null);

/** What ffprobe is asked for. What a file claims and can't be true counts as unknown. */
const probeSchema = z.object({
  format: z.object({ duration: figure(MAX_DURATION_S), bit_rate: figure(Number.MAX_SAFE_INTEGER) }).optional(),
  streams: z
    .array(
      z.object({
        codec_type: z.string().optional(),
        width: dimension,
        height: dimension,
        duration: figure(MAX_DURATION_S),
        disposition: z.object({ attached_pic: z.number().optional() }).optional(),
      }),
    )
    .default([]),
});
const ENTRIES = 'format=duration,bit_rate:stream=codec_type,width,height,duration:stream_disposition=attached_pic';

/** What ffprobe says of an audio or video file. Rejects when it can't read it. */
export async function probe(ffprobe: string, original: Original, signal: AbortSignal): Promise<Facts> {
  const args = ['-v', 'error', '-show_entries', ENTRIES, '-of', 'json', ...inputOf(original)];
  const { format, streams } = probeSchema.parse(JSON.parse(await runTool(ffprobe, args, PROBE, signal)));
  const video = streams.find((stream) => stream.codec_type === 'video' && stream.disposition?.attached_pic !== 1);
  const audio = streams.find((stream) => stream.codec_type === 'audio');
  if (!video && !audio) throw new Error('The file has no tracks that play.');
  return {
    format: original.format,
    kind: video ? 'video' : 'audio',
    width: video?.width ?? null,
    height: video?.height ?? null,
    durationS: format?.duration ?? video?.duration ?? audio?.duration ?? null,
    bitrate: format?.bit_rate == null ? null : Math.round(format.bit_rate),
  };
}

/** A profile that originals are encoded with. */
export interface EncodingProfile {
  name: string;
  container: string;
  args: readonly string[];
}

export const VIDEO_PROFILE: EncodingProfile = {
  name: 'mp4-480p',
  container: 'mp4',
  args: [
    ...['-map', '0:v:0', '-map', '0:a:0?', '-vf', `scale=-2:'min(480,trunc(ih/2)*2)'`, '-pix_fmt', 'yuv420p'],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '27', '-threads', '1'],
    ...['-c:a', 'aac', '-b:a', '96k', '-ac', '2'],
    ...['-movflags', '+faststart', '-f', 'mp4'],
  ],
};

export const AUDIO_PROFILE: EncodingProfile = {
  name: 'm4a-128k',
  container: 'm4a',
  args: [
    ...['-map', '0:a:0', '-vn', '-c:a', 'aac', '-b:a', '128k', '-threads', '1'],
    ...['-movflags', '+faststart', '-f', 'mp4'],
  ],
};

/** Encodes `original`, which has `sizeBytes`, into a file at `output`. */
export async function encode(
  ffmpeg: string,
  original: Original & { sizeBytes: number },
  output: string,
  profile: EncodingProfile,
  signal: AbortSignal,
): Promise<void> {
  const args = [...QUIET, ...DECODING, ...inputOf(original), ...profile.args, `file:${output}`];
  const outputBytes = Math.max(MIN_ENCODING_BYTES, 2 * original.sizeBytes);
  await runTool(ffmpeg, args, { seconds: ENCODING_SECONDS, memoryBytes: MEMORY_BYTES, outputBytes }, signal);
}

/** One frame of a video, or an image, as it is, in a PNG file. */
export async function takeFrame(
  ffmpeg: string,
  original: Original,
  output: string,
  atS: number,
  signal: AbortSignal,
): Promise<void> {
  const seek = atS > 0 ? ['-ss', atS.toFixed(2)] : [];
  const frame = ['-map', '0:v:0', '-frames:v', '1', '-threads', '1', '-update', '1', '-f', 'image2', '-c:v', 'png'];
  const quick = ['-compression_level', '1'];
  const args = [...QUIET, ...DECODING, ...seek, ...inputOf(original), ...frame, ...quick, `file:${output}`];
  await runTool(ffmpeg, args, FRAME, signal);
}

/** Each thread of a decoder holds whole frames. */
const DECODING = ['-threads', '2', '-max_pixels', String(MAX_FRAME_PIXELS)];
