import { existsSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';

/**
 * Returns true when this computer has another disk than that of its temporary files, on which any user can create a
 * folder.
 */
export const hasAnotherDisk = existsSync(MEMORY) && statSync(MEMORY).dev !== statSync(tmpdir()).dev;

/** Creates a new folder on that other disk; the caller removes it. */
export function makeFolderOnAnotherDisk(name: string): string {
  return mkdtempSync(join(MEMORY, `mediadesk-${name}-`));
}
