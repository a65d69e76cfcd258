import { existsSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder of another disk than that of the temporary files, in which any user can create files; undefined if there is none. */
const anotherDisk = ['/dev/shm', '/var/tmp'].find(
  (folder) => existsSync(folder) && statSync(folder).dev !== statSync(tmpdir()).dev,
);

/** Returns true when this computer has another disk than that of its temporary files. */
export const hasAnotherDisk = anotherDisk !== undefined;

/** Creates a new folder on that other disk; the caller removes it. Throws without such a disk. */
export function makeFolderOnAnotherDisk(name: string): string {
  if (anotherDisk === undefined) throw new Error('this computer has one disk only');
  return mkdtempSync(join(anotherDisk, `mediadesk-${name}-`));
}
