import { basename, dirname } from 'node:path';
import { shownName } from '../../ports/system/byte-paths.ts';

/** Returns the name of the folder that contains a path, for titles. */
export function folderNameOf(path: string): string {
  return shownName(basename(dirname(path)));
}
