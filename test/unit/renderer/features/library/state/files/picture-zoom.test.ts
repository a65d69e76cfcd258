import { describe, expect, it } from 'vitest';
import { kindOfPicture, levelFor } from '../../../../../../../renderer/features/library/state/files/large-picture.ts';
import {
  fitScale,
  limited,
  MOST_SCALE,
  scrollAfterZoom,
  stepScale,
  wheelFactor,
} from '../../../../../../../renderer/features/library/state/files/picture-zoom.ts';

const place = { width: 1000, height: 600 };
const picture = { width: 4000, height: 3000 };

describe('the scale of a picture', () => {
  it('that fits shows the whole picture, and does not enlarge a small one', () => {
    expect(fitScale(picture, place)).toBe(0.2);
    expect(fitScale({ width: 10_000, height: 100 }, place)).toBe(0.1);
    expect(fitScale({ width: 40, height: 30 }, place)).toBe(1);
    expect(fitScale({ width: 0, height: 0 }, place)).toBe(1);
  });

  it('goes through fixed steps from the one that fits to the largest, and back', () => {
    const up: (number | null)[] = [null];
    while (up.at(-1) !== MOST_SCALE) up.push(stepScale(up.at(-1) ?? null, 0.2, 1));
    expect(up).toEqual([null, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8]);
    const down: (number | null)[] = [MOST_SCALE];
    while (down.at(-1) !== null) down.push(stepScale(down.at(-1) ?? null, 0.2, -1));
    expect(down).toEqual([...up].reverse());
    expect(stepScale(MOST_SCALE, 0.2, 1)).toBe(MOST_SCALE);
    expect(stepScale(null, 0.2, -1)).toBeNull();
  });

  it('stays within its limits, and is the one that fits at the lower one', () => {
    expect(limited(0.1, 0.2)).toBeNull();
    expect(limited(0.2, 0.2)).toBeNull();
    expect(limited(100, 0.2)).toBe(MOST_SCALE);
    expect(limited(1, 0.2)).toBe(1);
  });

  it('changes with the wheel by the distance, the same way back, and no turn is a jump', () => {
    expect(wheelFactor(-120, { lines: false, pinch: false })).toBeGreaterThan(1);
    expect(
      wheelFactor(-120, { lines: false, pinch: false }) * wheelFactor(120, { lines: false, pinch: false }),
    ).toBeCloseTo(1);
    expect(wheelFactor(-3, { lines: true, pinch: false })).toBe(wheelFactor(-120, { lines: false, pinch: false }));
    expect(wheelFactor(-1e6, { lines: false, pinch: false })).toBeLessThan(2);
  });
});

describe('the position of a picture', () => {
  it('keeps the point under the pointer when the scale changes', () => {
    const at = { x: 300, y: 200 };
    const scroll = { x: 1500, y: 1000 };
    const { x, y } = scrollAfterZoom({ at, scroll, picture, place }, 1, 2);
    expect((x + at.x) / 2).toBe(scroll.x + at.x);
    expect((y + at.y) / 2).toBe(scroll.y + at.y);
    expect(scrollAfterZoom({ at, scroll: { x, y }, picture, place }, 2, 1)).toEqual(scroll);
  });

  it('never shows space beside a picture that is larger than its place', () => {
    const corner = { at: { x: 0, y: 0 }, scroll: { x: 0, y: 0 }, picture, place };
    expect(scrollAfterZoom(corner, 0.2, 1)).toEqual({ x: 0, y: 0 });
    const end = { at: { x: 1000, y: 600 }, scroll: { x: 3000, y: 2400 }, picture, place };
    expect(scrollAfterZoom(end, 1, 0.5)).toEqual({ x: 1000, y: 900 });
  });
});

describe('a large picture', () => {
  it('is drawn without an element when Chromium can’t cache it, and not at all when no memory is enough', () => {
    expect(kindOfPicture({ width: 6000, height: 4000 })).toBe('element');
    expect(kindOfPicture({ width: 12_000, height: 8500 })).toBe('large');
    expect(kindOfPicture({ width: 40_000, height: 30_000 })).toBe('too-large');
  });

  it('is drawn from the smallest copy with enough pixels', () => {
    expect([2, 1, 0.6, 0.5, 0.3, 0.25, 0.01].map((scale) => levelFor(scale, 4))).toEqual([0, 0, 0, 1, 1, 2, 3]);
    expect(levelFor(0.01, 1)).toBe(0);
  });
});
