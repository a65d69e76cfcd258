import type { Completions } from './completions.ts';
import type { ItemTools } from './items/item-tools.ts';

/** What the effects of a step work with. */
export interface StepTools extends ItemTools {
  completions: Completions;
  /** Whether the last transfer to a media file surely did not go out to its end: then nothing can have arrived. */
  wasCutShort(fileId: string): boolean;
}
