import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TILE_GAP, tileLayout } from '../../../../../renderer/kit/lists/columns.ts';

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
