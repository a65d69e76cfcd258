// MP3 and MP4 by ffmpeg, where it is installed and has the encoders.
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';

/** Runs ffmpeg; returns false when it is missing or fails, and then leaves no incomplete file. */
async function ffmpeg(args: readonly string[], target: string): Promise<boolean> {
  const quiet = ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', '-threads', '1'];
  const repeatable = ['-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact', '-map_metadata', '-1'];
  const child = spawn('ffmpeg', [...quiet, ...args, ...repeatable, target], { stdio: 'ignore' });
  const made = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
  if (!made) await rm(target, { force: true });
  return made;
}

/** Speech-like tones as MP3. */
export function encodeMp3(target: string, seconds: number): Promise<boolean> {
  const source = `aevalsrc='0.3*max(0,sin(22*t))*(sin(900*t)+sin(1800*t)/2)|0.2*sin(900*t)':s=44100:d=${seconds}`;
  return ffmpeg(['-f', 'lavfi', '-i', source, '-c:a', 'libmp3lame', '-b:a', '128k'], target);
}

/** A moving test picture with sound as MP4 (AVC and AAC), index first. */
export function encodeMp4(target: string, width: number, height: number, seconds: number): Promise<boolean> {
  const picture = `testsrc2=size=${width}x${height}:rate=25:duration=${seconds}`;
  const sound = `sine=frequency=220:beep_factor=4:sample_rate=48000:duration=${seconds}`;
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  const output = ['-c:a', 'aac', '-b:a', '96k', '-movflags', '+faststart'];
  return ffmpeg(['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound, ...video, ...output], target);
}
