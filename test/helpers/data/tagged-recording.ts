import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Makes a recording of one second with tags by ffmpeg. `values`: tags and times by ffmpeg's names. `options`: of the container.
 * `cover`: a picture to put into it.
 * Throws when ffmpeg fails.
 */
export async function taggedRecording(
  path: string,
  values: Readonly<Record<string, string>>,
  options: readonly string[] = [],
  cover: string | null = null,
): Promise<void> {
  const metadata = Object.entries(values).flatMap(([key, value]) => ['-metadata', `${key}=${value}`]);
  const base = ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', 'sine=duration=1'];
  const pictures = cover === null ? [] : ['-i', cover, '-map', '0', '-map', '1', '-c:v', 'copy'];
  const ffmpeg = spawn('ffmpeg', [...base, ...pictures, ...metadata, ...options, path], { stdio: 'ignore' });
  const [code] = await once(ffmpeg, 'exit');
  if (code !== 0) throw new Error(`ffmpeg ended with ${code} for ${path}.`);
}
