import { linkSync } from 'node:fs';

/** With these errors the file system has no hard links, or none between these two places. */
const NO_LINKS: ReadonlySet<string> = new Set(['EXDEV', 'EPERM', 'EACCES', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

/**
 * Gives a file a second name, while the process waits. `gone`: it is not there. `full`: it can't have more names. `impossible`: no file
 * of this place can have a name at the other one. Throws any other error of the file system.
 */
export function linkFile(from: string, to: string): 'linked' | 'gone' | 'full' | 'impossible' {
  try {
    linkSync(from, to);
    return 'linked';
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'gone';
    if (code === 'EMLINK') return 'full';
    if (NO_LINKS.has(code)) return 'impossible';
    throw error;
  }
}
