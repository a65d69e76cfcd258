import type { WatchedState } from './watched-states.ts';

/** The files of a watched folder, counted as the window and the command line show them. */
interface ShownCounts {
  settling: number;
  uploaded: number;
  skipped: number;
}

/**
 * Returns the counts that users see. Files that wait for a rule count as settling. `unsent`: the number of done files that had no
 * upload because they existed before, or their contents were uploaded before; they count as skipped.
 */
export function shownCounts({ counts, unsent }: { counts: Record<WatchedState, number>; unsent: number }): ShownCounts {
  return {
    settling: counts.settling + counts.waiting,
    uploaded: counts.done - unsent,
    skipped: counts.refused + unsent,
  };
}
