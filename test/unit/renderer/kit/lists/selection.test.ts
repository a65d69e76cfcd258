import { describe, expect, it } from 'vitest';
import {
  clickRow,
  countSelected,
  isSelected,
  keyTarget,
  moveTo,
  NO_SELECTION,
  type Selection,
  selectRange,
  selectResults,
  toggleOne,
} from '../../../../../renderer/kit/lists/selection.ts';

const idAt = (index: number) => (index >= 0 && index < 100 ? `id${index}` : undefined);
const plain = { shift: false, toggle: false };
const shift = { shift: true, toggle: false };
const toggle = { shift: false, toggle: true };
const ids = (selection: Selection) => [...selection.ids];

describe('selection by mouse', () => {
  it('contains only the row that was clicked last', () => {
    const first = clickRow(NO_SELECTION, 3, plain, idAt);
    expect(ids(clickRow(first, 7, plain, idAt))).toEqual(['id7']);
  });

  it('contains the rows from the last plain click to a click with Shift, in both directions', () => {
    const start = clickRow(NO_SELECTION, 5, plain, idAt);
    const down = clickRow(start, 7, shift, idAt);
    expect(ids(down)).toEqual(['id5', 'id6', 'id7']);
    expect(ids(clickRow(down, 4, shift, idAt))).toEqual(['id4', 'id5']);
  });

  it('gains or loses a row that is clicked with Ctrl or ⌘, and starts the next range there', () => {
    const start = clickRow(clickRow(NO_SELECTION, 1, plain, idAt), 5, toggle, idAt);
    expect(ids(start)).toEqual(['id1', 'id5']);
    expect(ids(clickRow(start, 1, toggle, idAt))).toEqual(['id5']);
    expect(ids(clickRow(start, 6, { shift: true, toggle: true }, idAt))).toEqual(['id1', 'id5', 'id6']);
  });

  it('does not change when the clicked row is not loaded', () => {
    expect(ids(clickRow(NO_SELECTION, 500, plain, idAt))).toEqual([]);
    expect(toggleOne(NO_SELECTION, 500, idAt)).toBe(NO_SELECTION);
  });
});

describe('selection by keyboard', () => {
  it('follows a key, is extended with Shift, and stays with Ctrl or ⌘, which move only the focus', () => {
    const one = moveTo(NO_SELECTION, 2, plain, idAt);
    expect(ids(moveTo(one, 3, shift, idAt))).toEqual(['id2', 'id3']);
    const moved = moveTo(one, 9, toggle, idAt);
    expect(ids(moved)).toEqual(['id2']);
    expect(moved.focus).toBe(9);
  });

  it('keeps the anchor of a range while it grows and shrinks', () => {
    const grown = selectRange(selectRange(moveTo(NO_SELECTION, 4, plain, idAt), 8, idAt), 6, idAt);
    expect(ids(grown)).toEqual(['id4', 'id5', 'id6']);
  });

  it('never moves past the ends of the list', () => {
    expect(keyTarget('ArrowDown', -1, { total: 10, pageSize: 5 })).toBe(0);
    expect(keyTarget('ArrowDown', 9, { total: 10, pageSize: 5 })).toBe(9);
    expect(keyTarget('ArrowUp', -1, { total: 10, pageSize: 5 })).toBe(9);
    expect(keyTarget('ArrowUp', 0, { total: 10, pageSize: 5 })).toBe(0);
    expect(keyTarget('PageDown', 2, { total: 10, pageSize: 5 })).toBe(7);
    expect(keyTarget('PageUp', 2, { total: 10, pageSize: 5 })).toBe(0);
    expect(keyTarget('End', 2, { total: 10, pageSize: 5 })).toBe(9);
    expect(keyTarget('Home', 2, { total: 10, pageSize: 5 })).toBe(0);
    expect(keyTarget('x', 2, { total: 10, pageSize: 5 })).toBeNull();
    expect(keyTarget('End', -1, { total: 0, pageSize: 5 })).toBeNull();
    expect(keyTarget('ArrowRight', 2, { total: 10, pageSize: 5 })).toBeNull();
  });

  it('moves in two dimensions when a line has several tiles', () => {
    const shape = { total: 10, columns: 4, pageSize: 2 };
    const target = (key: string, focus: number) => keyTarget(key, focus, shape);
    expect(target('ArrowRight', 3)).toBe(4);
    expect(target('ArrowLeft', 4)).toBe(3);
    expect(target('ArrowRight', 9)).toBe(9);
    expect(target('ArrowDown', 1)).toBe(5);
    expect(target('ArrowUp', 1)).toBe(1);
    // The last line has only the tiles 8 and 9. A key that moves down in column 2 or 3 ends at tile 9.
    expect(target('ArrowDown', 7)).toBe(9);
    expect(target('ArrowDown', 8)).toBe(8);
    expect(target('PageDown', 2)).toBe(9);
    expect(target('PageUp', 9)).toBe(1);
    expect(target('ArrowDown', -1)).toBe(0);
    expect(target('ArrowLeft', -1)).toBe(9);
  });
});

describe('selection of all results', () => {
  const all = selectResults(clickRow(NO_SELECTION, 4, plain, idAt));

  it('contains every row, loaded or not, without loading one', () => {
    expect(countSelected(all, 48_211)).toBe(48_211);
    expect(isSelected(all, 'id7')).toBe(true);
    expect(isSelected(all, undefined)).toBe(true);
    expect(all.focus).toBe(4);
  });

  it('keeps an exception when a row is toggled, and removes it when the row is toggled again', () => {
    const less = clickRow(clickRow(all, 3, toggle, idAt), 8, toggle, idAt);
    expect(countSelected(less, 48_211)).toBe(48_209);
    expect(isSelected(less, 'id3')).toBe(false);
    expect(isSelected(clickRow(less, 3, toggle, idAt), 'id3')).toBe(true);
  });

  it('removes exceptions when a range over them is added', () => {
    const less = clickRow(clickRow(all, 3, toggle, idAt), 8, toggle, idAt);
    const again = clickRow(less, 2, { shift: true, toggle: true }, idAt);
    expect(countSelected(again, 48_211)).toBe(48_211);
  });

  it('counts 0 items, never fewer, when the list has become shorter than the number of exceptions', () => {
    expect(countSelected(clickRow(all, 3, toggle, idAt), 0)).toBe(0);
  });

  it('ends with a plain click, a range or an arrow key', () => {
    for (const next of [
      clickRow(all, 3, plain, idAt),
      clickRow({ ...all, anchor: 3 }, 3, shift, idAt),
      moveTo(all, 3, plain, idAt),
    ]) {
      expect(ids(next)).toEqual(['id3']);
      expect(countSelected(next, 48_211)).toBe(1);
    }
  });

  it('stays while the focus moves with Ctrl or ⌘', () => {
    expect(countSelected(moveTo(all, 9, toggle, idAt), 100)).toBe(100);
  });
});
