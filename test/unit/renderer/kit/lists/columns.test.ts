// The columns that a wide table draws: those in view with their neighbors, and the first one.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MOST_WHOLE, TILE_GAP, tileLayout, visibleColumns } from '../../../../../renderer/kit/lists/columns.ts';

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

describe('tileLayout', () => {
  it('fills the width with tiles that are about as wide as wanted', () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 4000 }), fc.integer({ min: 100, max: 180 }), (width, wanted) => {
        const { columns, tileWidth } = tileLayout(width, wanted, 60);
        expect(tileWidth + TILE_GAP).toBeGreaterThanOrEqual(Math.floor((wanted + TILE_GAP) * 0.75));
        expect(tileWidth + TILE_GAP).toBeLessThanOrEqual((wanted + TILE_GAP) * 1.5);
        const used = TILE_GAP + columns * (tileWidth + TILE_GAP);
        expect(used).toBeLessThanOrEqual(width);
        // Rounding leaves less room than another tile needs.
        expect(width - used).toBeLessThan(columns + TILE_GAP);
      }),
    );
  });

  it('has one narrower tile in a line when none has room', () => {
    expect(tileLayout(120, 300, 60)).toMatchObject({ columns: 1, tileWidth: 100 });
  });
});
