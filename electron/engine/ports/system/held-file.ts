import { open } from 'node:fs/promises';
import { systemPath } from './byte-paths.ts';

/** Codes of a file that another program has open, from systems that say so. */
const HELD: ReadonlySet<string> = new Set(['EBUSY', 'ETXTBSY']);
/** Codes of a refusal that can have the same reason: Windows reports some open files like missing permissions. */
const UNCLEAR: ReadonlySet<string> = new Set(['EPERM', 'EACCES']);

/**
 * Returns whether another program has one of the files open that an operation on them failed for. Where the error leaves it open,
 * it is tried again by opening them.
 */
export async function isHeldByOther(error: unknown, ...paths: readonly string[]): Promise<boolean> {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (HELD.has(code)) return true;
  if (!UNCLEAR.has(code)) return false;
  for (const path of paths) {
    try {
      await (await open(systemPath(path), 'r+')).close();
    } catch (thrown) {
      if (HELD.has((thrown as NodeJS.ErrnoException).code ?? '')) return true;
    }
  }
  return false;
}
