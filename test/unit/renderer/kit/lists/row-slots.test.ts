import { describe, expect, it } from 'vitest';
import { assignSlots, type RowSlot, sortSlots } from '../../../../../renderer/kit/lists/row-slots.ts';

const indexes = (slots: readonly RowSlot[]) => slots.map(({ index }) => index);
const slotOf = (slots: readonly RowSlot[], row: number) => slots.find(({ index }) => index === row)?.slot;

describe('the elements of a list', () => {
  it('keep their rows, and get new rows when theirs are no longer visible', () => {
    const before = assignSlots([], 0, 5);
    const after = assignSlots(before, 2, 7);
    expect(indexes(after)).toEqual([6, 7, 2, 3, 4, 5]);
    expect(after.map(({ slot }) => slot)).toEqual(before.map(({ slot }) => slot));
  });

  it('are all used again after a jump to another part of the list', () => {
    const before = assignSlots([], 0, 20);
    const after = assignSlots(before, 50_000, 50_020);
    expect(after.map(({ slot }) => slot)).toEqual(before.map(({ slot }) => slot));
    expect(indexes(after)).toEqual(Array.from({ length: 21 }, (_, at) => 50_000 + at));
  });

  it('grow and shrink in number with the height of the list, each element for one row', () => {
    let slots = assignSlots([], 0, 9);
    for (const [first, last] of [
      [3, 20],
      [18, 22],
      [0, 4],
      [2, 40],
    ] as const) {
      slots = assignSlots(slots, first, last);
      expect(new Set(slots.map(({ slot }) => slot)).size).toBe(last - first + 1);
      expect(indexes(slots).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: last - first + 1 }, (_, at) => first + at),
      );
    }
  });

  it('are none when the list is empty', () => {
    expect(assignSlots(assignSlots([], 0, 3), 0, -1)).toEqual([]);
  });

  it('keep their rows when they are sorted by row', () => {
    const scrolled = assignSlots(assignSlots([], 0, 5), 4, 9);
    const sorted = sortSlots(scrolled);
    expect(indexes(sorted)).toEqual([4, 5, 6, 7, 8, 9]);
    for (const { index, slot } of scrolled) expect(slotOf(sorted, index)).toBe(slot);
    expect(sortSlots(sorted)).toBe(sorted);
  });
});
