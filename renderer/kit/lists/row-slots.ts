/** An element of a long list and the row that it shows. */
export interface RowSlot {
  /** Identifies the element; it stays the same while the element shows one row after another. */
  slot: number;
  /** The row of the list. */
  index: number;
}

/**
 * Assigns the rows `first..last` (both included) to elements: a row with an element keeps it, a new row gets the element of a row
 * that is no longer visible. Changing a text is many times faster than creating an element, so a list scrolls smoothly.
 *
 * The elements keep their order, which therefore differs from that of the rows until `sortSlots`.
 */
export function assignSlots(before: readonly RowSlot[], first: number, last: number): RowSlot[] {
  const isShown = (index: number) => index >= first && index <= last;
  const known = new Set(before.map(({ index }) => index));
  const added: number[] = [];
  for (let index = first; index <= last; index += 1) if (!known.has(index)) added.push(index);
  const kept: RowSlot[] = [];
  for (const each of before) {
    if (isShown(each.index)) {
      kept.push(each);
      continue;
    }
    const index = added.shift();
    if (index !== undefined) kept.push({ slot: each.slot, index });
  }
  const used = new Set(kept.map(({ slot }) => slot));
  let slot = 0;
  for (const index of added) {
    while (used.has(slot)) slot += 1;
    used.add(slot);
    kept.push({ slot, index });
  }
  return kept;
}

/**
 * Sorts the elements in the order of their rows, in which a screen reader reads them. Returns the same array when they are
 * sorted.
 */
export function sortSlots(slots: readonly RowSlot[]): readonly RowSlot[] {
  const isSorted = slots.every(({ index }, at) => at === 0 || index > (slots[at - 1]?.index ?? -1));
  return isSorted ? slots : [...slots].sort((a, b) => a.index - b.index);
}
