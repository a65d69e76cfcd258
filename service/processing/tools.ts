import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { setPriority } from 'node:os';
import { delimiter, join } from 'node:path';

/** The programs for audio and video, where this machine has them. */
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

/** Runs a program at low priority; resolves with its output, rejects with the end of what it complained about. */
export function runTool(program: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { signal, killSignal: 'SIGKILL', maxBuffer: 16 * 1024 * 1024 } as const;
    const child = execFile(program, [...args], options, (error, stdout, stderr) => {
      if (!error) resolve(stdout);
      else if (signal.aborted) reject(signal.reason);
      else reject(new Error(stderr.trim().split('\n').slice(-3).join(' ').slice(-500) || error.message));
    });
    if (child.pid !== undefined) {
      try {
        setPriority(child.pid, 15);
      } catch {
        // It has ended already, or the system does not let us.
      }
    }
  });
}
