import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isNearWrongEnd,
  linesToDraw,
  MAX_SCROLL_HEIGHT,
  placeAfterScroll,
  type ScrollGeometry,
  type ScrollPlace,
  scrollHeightOf,
  scrollTopFor,
  topToReveal,
} from '../../../../../renderer/kit/lists/scroll-geometry.ts';

const MILLION: ScrollGeometry = { lines: 1_000_000, lineHeight: 38, viewport: 600 };
const TOP: ScrollPlace = { scrollTop: 0, top: 0 };
const lastTop = ({ lines, lineHeight, viewport }: ScrollGeometry) => Math.max(0, lines * lineHeight - viewport);
const lastScrollTop = (geometry: ScrollGeometry) => Math.max(0, scrollHeightOf(geometry) - geometry.viewport);

const geometries = fc.record({
  lines: fc.integer({ min: 1, max: 5_000_000 }),
  lineHeight: fc.integer({ min: 20, max: 400 }),
  viewport: fc.integer({ min: 100, max: 3000 }),
});

describe('a list that is not higher than the maximum of a scroll box', () => {
  const geometry: ScrollGeometry = { lines: 100_000, lineHeight: 38, viewport: 600 };

  it('has a box as high as its content, and its scroll position is its position in the content', () => {
    expect(scrollHeightOf(geometry)).toBe(3_800_000);
    expect(placeAfterScroll(geometry, TOP, 12_345)).toEqual({ scrollTop: 12_345, top: 12_345 });
    expect(scrollTopFor(geometry, 12_345)).toBe(12_345);
  });
});

describe('a list that can be higher than the maximum of a scroll box', () => {
  it('has a box that is never higher than the maximum', () => {
    fc.assert(fc.property(geometries, (geometry) => scrollHeightOf(geometry) <= MAX_SCROLL_HEIGHT));
  });

  it('shows the last line at the end of the box and the first line at its start', () => {
    fc.assert(
      fc.property(geometries, (geometry) => {
        const end = placeAfterScroll(geometry, TOP, lastScrollTop(geometry));
        expect(end.top).toBe(lastTop(geometry));
        expect(linesToDraw(geometry, end.top, 3).last).toBe(geometry.lines - 1);
        expect(placeAfterScroll(geometry, end, 0).top).toBe(0);
      }),
    );
  });

  it('moves in proportion to the whole content after a jump of the scroll position', () => {
    const half = placeAfterScroll(MILLION, TOP, lastScrollTop(MILLION) / 2);
    expect(half.top).toBeCloseTo(lastTop(MILLION) / 2, 3);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (share) => {
        const top = share * lastTop(MILLION);
        const scrollTop = scrollTopFor(MILLION, top);
        const far = { scrollTop: scrollTop + 10_000, top: 0 };
        if (scrollTop > 1 && scrollTop < lastScrollTop(MILLION) - 1) {
          expect(Math.abs(placeAfterScroll(MILLION, far, scrollTop).top - top)).toBeLessThan(0.01);
        }
      }),
    );
  });

  it('moves pixel by pixel with the wheel, so that no line is skipped', () => {
    let place = placeAfterScroll(MILLION, TOP, 4_000_000);
    for (let step = 0; step < 200; step += 1) {
      const next = placeAfterScroll(MILLION, place, place.scrollTop + 100);
      expect(next.top - place.top).toBeCloseTo(100, 5);
      place = next;
    }
  });

  it('reaches both ends with the wheel alone, when the box is corrected each time it nears its end before its content', () => {
    for (const direction of [1, -1]) {
      const start = direction === 1 ? lastTop(MILLION) - 90_000 : 90_000;
      let place = { scrollTop: scrollTopFor(MILLION, start), top: start };
      let corrections = 0;
      for (let step = 0; step < 2000; step += 1) {
        const scrollTop = Math.min(lastScrollTop(MILLION), Math.max(0, place.scrollTop + 120 * direction));
        const next = placeAfterScroll(MILLION, place, scrollTop);
        expect(Math.abs(next.top - place.top)).toBeLessThanOrEqual(2 * 2 * MILLION.viewport);
        place = next;
        if (!isNearWrongEnd(MILLION, place)) continue;
        corrections += 1;
        place = { scrollTop: scrollTopFor(MILLION, place.top), top: place.top };
      }
      expect(place.top).toBe(direction === 1 ? lastTop(MILLION) : 0);
      expect(corrections).toBeGreaterThan(0);
    }
  });
});

describe('topToReveal', () => {
  it('moves by the shortest distance, and not at all when the line is visible', () => {
    const geometry = { lines: 100, lineHeight: 40, viewport: 200 };
    expect(topToReveal(geometry, 400, 10)).toBe(400);
    expect(topToReveal(geometry, 400, 14)).toBe(400);
    expect(topToReveal(geometry, 400, 9)).toBe(360);
    expect(topToReveal(geometry, 400, 15)).toBe(440);
    // For a line that is higher than the box, the top of the line is at the top of the box.
    expect(topToReveal({ ...geometry, viewport: 30 }, 0, 3)).toBe(120);
  });
});

describe('linesToDraw', () => {
  it('covers the visible part at every scroll position', () => {
    fc.assert(
      fc.property(geometries, fc.double({ min: 0, max: 1, noNaN: true }), (geometry, share) => {
        const top = share * lastTop(geometry);
        const { first, last } = linesToDraw(geometry, top, 0);
        expect(first * geometry.lineHeight).toBeLessThanOrEqual(top);
        const end = Math.min(geometry.lines * geometry.lineHeight, top + geometry.viewport);
        expect((last + 1) * geometry.lineHeight).toBeGreaterThanOrEqual(end - 1e-6);
        expect(last - first).toBeLessThanOrEqual(geometry.viewport / geometry.lineHeight + 2);
      }),
    );
  });

  it('returns no line for an empty list', () => {
    expect(linesToDraw({ lines: 0, lineHeight: 40, viewport: 200 }, 0, 5)).toEqual({ first: 0, last: -1 });
  });
});
