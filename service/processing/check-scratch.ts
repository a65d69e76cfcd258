import type { Scratch } from '../storage/scratch.ts';
import { PlaceFailed } from './tools/place-failed.ts';

/** A tool may have failed for want of room when less is left. */
const MIN_FREE_BYTES = 1024 * 1024;

/** Rejects with `PlaceFailed` when temporary files can't be written. */
export async function checkScratch(scratch: Pick<Scratch, 'tryWrite' | 'space'>): Promise<void> {
  let freeBytes: number;
  try {
    await scratch.tryWrite();
    ({ freeBytes } = await scratch.space());
  } catch (error) {
    throw new PlaceFailed(`The folder of temporary files can't be used: ${String(error)}`);
  }
  if (freeBytes < MIN_FREE_BYTES) throw new PlaceFailed('The drive of the temporary files is full.');
}
