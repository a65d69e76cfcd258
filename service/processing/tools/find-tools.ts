import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The paths of the programs for audio and video; null for a program that this machine does not have. */
export interface Tools {
  ffprobe: string | null;
  ffmpeg: string | null;
}

export function findTools(path: string = process.env.PATH ?? ''): Tools {
  return { ffprobe: find('ffprobe', path), ffmpeg: find('ffmpeg', path) };
}

function find(name: string, path: string): string | null {
  for (const folder of path.split(delimiter)) {
    if (folder === '') continue;
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {
      // Not in this folder.
    }
  }
  return null;
}
