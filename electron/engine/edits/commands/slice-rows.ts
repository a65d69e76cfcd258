import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EditRecord } from '../journal/edit-row.ts';
import type { EditStore } from '../journal/edit-store.ts';

/** The number of edits per turn of the event loop: a command can concern tens of thousands, and each of them is stored again. */
export const SLICE_ROWS = 20;

/** Reads edits in slices, each in a turn of the event loop, when its turn comes: an edit may have changed since. */
export async function* inSlices(
  numbers: readonly number[],
  store: Pick<EditStore, 'get'>,
  sliceRows = SLICE_ROWS,
): AsyncIterable<EditRecord[]> {
  for (let at = 0; at < numbers.length; at += sliceRows) {
    if (at > 0) await nextTurn();
    yield numbers.slice(at, at + sliceRows).flatMap((seq) => store.get(seq) ?? []);
  }
}
