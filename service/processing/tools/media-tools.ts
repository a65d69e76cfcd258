import { z } from 'zod';
import { BrokenFile, type Facts } from '../headers/facts.ts';
import { runTool, type ToolLimits } from './run-tool.ts';

/** An original as input of a tool. */
export interface OriginalFile {
  path: string;
  /** The format that our own header parsers found. */
  format: string;
}

/**
 * The FFmpeg demuxer for each format. The tools never choose one: they also read playlists, scripts and lists that name
 * other files, and such a text in front of a few frames of sound must not be opened. None of these demuxers opens
 * another file, except that of MP4 with an option that is off.
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
/** An encoding may be twice as large as its original, and at least this large. */
const MIN_ENCODING_BYTES = 256 * MIB;
const MEMORY_BYTES = 3 * 1024 * MIB;
const PROBE: ToolLimits = { seconds: 60, memoryBytes: MEMORY_BYTES, outputBytes: 64 * 1024 };
const FRAME: ToolLimits = { seconds: 120, memoryBytes: MEMORY_BYTES, outputBytes: 512 * MIB };
const ENCODING_SECONDS = 3 * 3600;

/** Maximum number of pixels in a frame: an 8K video has 33 million. */
const MAX_FRAME_PIXELS = 80_000_000;
const QUIET = ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y'];

/** Returns the options for one input: only its demuxer, and no protocol other than files. */
function inputOf({ path, format }: OriginalFile): string[] {
  const demuxer = DEMUXERS[format];
  if (demuxer === undefined) throw new BrokenFile(`There is no tool for the format ${format}.`);
  const alone = ['-protocol_whitelist', 'file', '-format_whitelist', demuxer, '-f', demuxer];
  // QuickTime tracks may refer to other files.
  const own = demuxer === 'mov' ? ['-enable_drefs', '0', '-use_absolute_path', '0'] : [];
  return [...alone, ...own, '-i', `file:${path}`];
}

const MAX_DIMENSION = 100_000;
const MAX_DURATION_S = 10 * 365 * 86_400;

const dimension = z.number().int().min(1).max(MAX_DIMENSION).nullish().catch(null);
const figure = (max: number) =>
  z.string().max(40).transform(Number).pipe(z.number().min(0).max(max)).nullish().catch(null);

/** The fields that ffprobe prints. Implausible values count as unknown. */
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

/** Runs ffprobe on an audio or video file. Rejects when it cannot read the file. */
export async function probe(ffprobe: string, original: OriginalFile, signal: AbortSignal): Promise<Facts> {
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

/** A profile for encoding originals. */
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
  original: OriginalFile & { sizeBytes: number },
  output: string,
  profile: EncodingProfile,
  signal: AbortSignal,
): Promise<void> {
  const args = [...QUIET, ...DECODING, ...inputOf(original), ...profile.args, `file:${output}`];
  const outputBytes = Math.max(MIN_ENCODING_BYTES, 2 * original.sizeBytes);
  await runTool(ffmpeg, args, { seconds: ENCODING_SECONDS, memoryBytes: MEMORY_BYTES, outputBytes }, signal);
}

/** Writes one frame of a video, or an image, unscaled into a PNG file. */
export async function takeFrame(
  ffmpeg: string,
  original: OriginalFile,
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

/** Limits the memory of a decoder, each thread of which holds complete frames. */
const DECODING = ['-threads', '2', '-max_pixels', String(MAX_FRAME_PIXELS)];
