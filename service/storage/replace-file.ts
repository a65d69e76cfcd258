import { renameSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Codes with which Windows refuses to rename a file that a program has open, such as a virus scanner. */
const HELD: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY']);
/** The breaks between the tries: 1.6 s together. */
const BREAKS_MS: readonly number[] = [10, 20, 40, 80, 150, 300, 500, 500];

/** Returns the break before the next try of a rename that failed, after `failures` tries; null: the error is final. */
export function breakBeforeRename(error: unknown, failures: number, platform: string): number | null {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (platform !== 'win32' || !HELD.has(code)) return null;
  return BREAKS_MS[failures - 1] ?? null;
}

/** Renames a file; on Windows again and again for a short time while another program has it open. */
export async function renameFile(from: string, to: string, platform: string = process.platform): Promise<void> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await rename(from, to);
    } catch (error) {
      const breakMs = breakBeforeRename(error, failures, platform);
      if (breakMs === null) throw error;
      await sleep(breakMs);
    }
  }
}

/** The same while the process waits, for the start. */
export function renameFileNow(from: string, to: string, platform: string = process.platform): void {
  for (let failures = 1; ; failures += 1) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const breakMs = breakBeforeRename(error, failures, platform);
      if (breakMs === null) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, breakMs);
    }
  }
}

/** Waits until the names in a folder are on disk. Windows refuses it, and needs it not: its renames are in the journal of the disk. */
export async function syncFolder(folder: string, platform: string = process.platform): Promise<void> {
  if (platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
