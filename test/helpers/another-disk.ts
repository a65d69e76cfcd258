import { existsSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';

/** Whether this computer has another disk than that of its temporary files on which anybody may make a folder. */
export const hasAnotherDisk = existsSync(MEMORY) && statSync(MEMORY).dev !== statSync(tmpdir()).dev;

/** A fresh folder on that other disk; the caller removes it. */
export function makeFolderOnAnotherDisk(name: string): string {
  return mkdtempSync(join(MEMORY, `mediadesk-${name}-`));
}
