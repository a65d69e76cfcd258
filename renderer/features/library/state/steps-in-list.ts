import { mediaList } from './media-store.ts';

/** Where a step leads: an index of the list with its row read, `end`, or null when the row can't be read or an earlier step goes there. */
type StepTarget = number | 'end' | null;

/**
 * Creates a function that finds where a step in the list leads: from the item `from` at a place, by 1 or -1. Steps that are made while a row
 * is read count, too: the step that reads leads to where all of them lead.
 */
export function createSteps() {
  let ahead: { from: string; index: number } | null = null;

  /** Reads the row, and the next one when more steps were made meanwhile. */
  async function read(steps: { index: number }): Promise<void> {
    for (let last = -1; last !== steps.index && mediaList.rowAt(steps.index) === undefined; ) {
      last = steps.index;
      await mediaList.loadRange(last, last);
    }
  }

  return async (from: string, place: { index: number; total: number }, by: 1 | -1): Promise<StepTarget> => {
    const reading = ahead?.from === from ? ahead : null;
    const index = (reading?.index ?? place.index) + by;
    if (index < 0 || index >= place.total) return 'end';
    if (reading !== null) {
      reading.index = index;
      return null;
    }
    if (mediaList.rowAt(index) !== undefined) return index;
    const steps = { from, index };
    ahead = steps;
    try {
      await read(steps);
    } finally {
      if (ahead === steps) ahead = null;
    }
    return mediaList.rowAt(steps.index) === undefined ? null : steps.index;
  };
}
