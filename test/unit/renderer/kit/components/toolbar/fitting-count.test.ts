import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fittingCount } from '../../../../../../renderer/kit/components/toolbar/fitting-count.ts';

const GAP = 6;
const MENU = 28;

describe('the items of a toolbar that fit', () => {
  it('are all items when the room is exactly enough, without a menu', () => {
    expect(fittingCount([50, 40, 30], 132, GAP, MENU)).toBe(3);
  });

  it('leave room for the menu when one item does not fit', () => {
    expect(fittingCount([50, 40, 30], 131, GAP, MENU)).toBe(2);
    expect(fittingCount([50, 40, 30], 129, GAP, MENU)).toBe(1);
  });

  it('are none when only the menu fits', () => {
    expect(fittingCount([50, 40], 60, GAP, MENU)).toBe(0);
    expect(fittingCount([50, 40], 0, GAP, MENU)).toBe(0);
  });

  it('never need more than the room, and omit no item that would fit', () => {
    const width = fc.integer({ min: 1, max: 300 });
    fc.assert(
      fc.property(fc.array(width, { maxLength: 12 }), fc.integer({ min: MENU, max: 2000 }), (widths, room) => {
        const count = fittingCount(widths, room, GAP, MENU);
        const needed = (shown: number) => {
          const sum = widths.slice(0, shown).reduce((total, each) => total + each, 0);
          return shown === widths.length ? sum + GAP * Math.max(0, shown - 1) : sum + GAP * shown + MENU;
        };
        expect(needed(count)).toBeLessThanOrEqual(room);
        if (count < widths.length) expect(needed(count + 1)).toBeGreaterThan(room);
      }),
    );
  });
});
