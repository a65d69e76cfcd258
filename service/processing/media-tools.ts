import type { Facts } from './facts.ts';
import { runTool } from './tools.ts';

interface ProbeAnswer {
  format?: { duration?: string; bit_rate?: string; format_name?: string };
  streams?: {
    codec_type?: string;
    width?: number;
    height?: number;
    duration?: string;
    disposition?: { attached_pic?: number };
  }[];
}

/** What ffprobe says of an audio or video file. Rejects when it can't read it. */
export async function probe(ffprobe: string, path: string, signal: AbortSignal): Promise<Facts> {
  const args = ['-v', 'error', ...LOCAL, '-show_format', '-show_streams', '-of', 'json', '-i', `file:${path}`];
  const answer = JSON.parse(await runTool(ffprobe, args, signal)) as ProbeAnswer;
  const streams = answer.streams ?? [];
  const video = streams.find((stream) => stream.codec_type === 'video' && stream.disposition?.attached_pic !== 1);
  const audio = streams.find((stream) => stream.codec_type === 'audio');
  if (!video && !audio) throw new Error('The file has no tracks that play.');
  return {
    format: answer.format?.format_name?.split(',')[0] ?? 'unknown',
    kind: video ? 'video' : 'audio',
    width: video?.width ?? null,
    height: video?.height ?? null,
    durationS: number(answer.format?.duration ?? video?.duration ?? audio?.duration),
    bitrate: number(answer.format?.bit_rate),
  };
}

function number(text: string | undefined): number | null {
  const value = Number(text ?? Number.NaN);
  return Number.isFinite(value) ? value : null;
}

/** An upload must not make the tools open anything else. */
const LOCAL = ['-protocol_whitelist', 'file'];
const QUIET = ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y'];

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
    ...[
      '-c:v',
      'libx264',
      '-preset',
      'veryfast',
      '-crf',
      '27',
      '-threads',
      '1',
      '-c:a',
      'aac',
      '-b:a',
      '96k',
      '-ac',
      '2',
    ],
    ...['-movflags', '+faststart', '-f', 'mp4'],
  ],
};

export const AUDIO_PROFILE: EncodingProfile = {
  name: 'm4a-128k',
  container: 'm4a',
  args: [
    '-map',
    '0:a:0',
    '-vn',
    '-c:a',
    'aac',
    '-b:a',
    '128k',
    '-threads',
    '1',
    '-movflags',
    '+faststart',
    '-f',
    'mp4',
  ],
};

export function encode(
  ffmpeg: string,
  input: string,
  output: string,
  profile: EncodingProfile,
  signal: AbortSignal,
): Promise<string> {
  return runTool(ffmpeg, [...QUIET, ...LOCAL, '-i', `file:${input}`, ...profile.args, `file:${output}`], signal);
}

/** Pixels of a frame at most: an 8K video has 33 million. */
const MAX_FRAME_PIXELS = 80_000_000;

/** One frame of a video, or an image, as it is, in a PNG file. */
export function takeFrame(
  ffmpeg: string,
  input: string,
  output: string,
  atS: number,
  signal: AbortSignal,
): Promise<string> {
  const seek = atS > 0 ? ['-ss', atS.toFixed(2)] : [];
  const limit = ['-max_pixels', String(MAX_FRAME_PIXELS)];
  const frame = ['-map', '0:v:0', '-frames:v', '1', '-threads', '1', '-update', '1', '-f', 'image2', '-c:v', 'png'];
  const quick = ['-compression_level', '1'];
  return runTool(
    ffmpeg,
    [...QUIET, ...LOCAL, ...limit, ...seek, '-i', `file:${input}`, ...frame, ...quick, `file:${output}`],
    signal,
  );
}
