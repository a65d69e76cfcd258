import type { HashCache } from '../duplicates/hash-cache.ts';
import type { Completions } from './completions.ts';
import type { ItemTools } from './items/item-tools.ts';

/** The dependencies of a step. */
export interface StepTools extends ItemTools {
  completions: Completions;
  /** The SHA-256 of the files that were sent. */
  hashes: HashCache;
  /**
   * Returns true when the last transfer to a media file certainly did not send everything: then nothing can have
   * arrived.
   */
  wasCutShort(fileId: string): boolean;
}
