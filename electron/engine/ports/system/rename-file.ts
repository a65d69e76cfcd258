import { renameSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { type Clock, sleep } from '../clock.ts';
import { nodeClock } from './node-clock.ts';

/** Codes with which Windows refuses to rename or delete a file, or to replace one, that a program has open. */
const HELD: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY']);
/** The breaks between the tries: 1.6 s together. */
const BREAKS_MS: readonly number[] = [10, 20, 40, 80, 150, 300, 500, 500];

/**
 * Returns the break before the next try of a rename or deletion that failed, after `failures` tries; null: the error is final. On
 * Windows a virus scanner, an index or a backup opens each new file for a moment, and refuses both meanwhile. Other systems give
 * these codes only for lasting reasons.
 */
function breakBeforeRetry(error: unknown, failures: number, platform: string): number | null {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (platform !== 'win32' || !HELD.has(code)) return null;
  return BREAKS_MS[failures - 1] ?? null;
}

export interface RetryTools {
  /** The system, as `process.platform`. */
  platform: string;
  clock: Clock;
}

const HERE: RetryTools = { platform: process.platform, clock: nodeClock };

/** Runs a rename or deletion; repeats it for a short time while another program has the file open. */
export async function whileHeld<T>(work: () => Promise<T>, { platform, clock }: RetryTools = HERE): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      const breakMs = breakBeforeRetry(error, failures, platform);
      if (breakMs === null) throw error;
      await sleep(clock, breakMs);
    }
  }
}

/** Renames a file, and replaces one that has the new name. All renames of the app go through this function or `renameFileNow`. */
export function renameFile(from: string | Buffer, to: string | Buffer): Promise<void> {
  return whileHeld(() => rename(from, to));
}

/** Like `whileHeld`, for the few places where the process has to wait, such as the end of the program. */
export function whileHeldNow(work: () => void, platform: string = process.platform): void {
  for (let failures = 1; ; failures += 1) {
    try {
      work();
      return;
    } catch (error) {
      const breakMs = breakBeforeRetry(error, failures, platform);
      if (breakMs === null) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, breakMs);
    }
  }
}

/** Like `renameFile`, for the places of `whileHeldNow`. */
export function renameFileNow(from: string, to: string): void {
  whileHeldNow(() => renameSync(from, to));
}
