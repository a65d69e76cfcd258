// The columns that a wide table draws: those in view with their neighbors, and the first one.
import { expect, it } from 'vitest';
import { MOST_WHOLE, visibleColumns } from '../../../../../renderer/kit/lists/columns.ts';

const widths = Array.from({ length: 12 }, () => 100);
const at = (left: number, width = 300) => visibleColumns(widths, { left, width, offset: 50 });

it('a table draws the visible columns, one more on each side, and the first column', () => {
  expect(at(0)).toEqual([0, 1, 2, 3]);
  expect(at(450)).toEqual([0, 3, 4, 5, 6, 7]);
  // The last pixel of one column is visible, the first pixel of the next is not.
  expect(at(449)).toEqual([0, 2, 3, 4, 5, 6, 7]);
  expect(at(950)).toEqual([0, 8, 9, 10, 11]);
  expect(at(5000)).toEqual([0, 1]);
});

it('a table draws all columns when it has few, and while its width is unknown', () => {
  const few = widths.slice(0, MOST_WHOLE);
  expect(visibleColumns(few, { left: 0, width: 300, offset: 50 })).toHaveLength(MOST_WHOLE);
  expect(at(0, 0)).toHaveLength(12);
});
