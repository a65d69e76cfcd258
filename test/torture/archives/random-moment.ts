import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Prng } from '../../helpers/data/prng.ts';

/** More than a command makes besides the folders and the stored files. */
const OTHER_ENTRIES = 12;
/** A data directory and a backup have the folders `stored` and `stored/00` to `stored/ff`. */
const FOLDERS = 257;

/** A command at work. */
interface Command {
  /** The folders that it fills, or one folder with the names that it has one after the other. */
  fills: readonly string[];
  /** How many stored files it brings there. */
  files: number;
  /** How long it takes when nobody kills it. */
  tookMs: number;
  hasEnded(): boolean;
}

/**
 * Resolves at a random moment of a command, or at its end. Half of the moments are times, so that what happens before the first file
 * has its part; the others are numbers of files and folders made, so that a slow computer does not change what is met.
 */
export async function randomMoment({ fills, files, tookMs, hasEnded }: Command, prng: Prng): Promise<void> {
  if (prng.chance(0.5)) {
    await sleep(prng.int(0, Math.ceil(tookMs)));
    return;
  }
  const enough = prng.chance(0.5) ? prng.int(1, FOLDERS) : FOLDERS + prng.int(1, files + OTHER_ENTRIES);
  while (!hasEnded() && fills.reduce((sum, folder) => sum + entries(folder), 0) < enough) await sleep(1);
  if (prng.chance(0.5)) await sleep(prng.int(0, 20));
}

function entries(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true }).length;
  } catch {
    // It is not there yet, has got its name, or is being deleted.
    return 0;
  }
}
