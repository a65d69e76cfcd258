import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  Outline,
  type OutlineBatch,
  type OutlinePlace,
} from '../../../../../../../renderer/features/uploads/state/outline/outline.ts';
import { computingTime } from '../../../../../../helpers/time/computing-time.ts';

const HEIGHTS = { batch: 56, upload: 58, skipped: 36 };
const batches = fc
  .array(
    fc.record({
      rows: fc.nat(4),
      skipped: fc.nat(3),
      isExpanded: fc.boolean(),
      areSkippedOpen: fc.boolean(),
    }),
    { maxLength: 6 },
  )
  .map((all): OutlineBatch[] => all.map((batch, index) => ({ id: `b${index}`, ...batch })));

/** Every row of the list, one after the other. */
function placesOf(all: readonly OutlineBatch[]): OutlinePlace[] {
  return all.flatMap(({ id: batchId, rows, skipped, isExpanded, areSkippedOpen }): OutlinePlace[] => [
    { kind: 'batch', batchId },
    ...(isExpanded
      ? [
          ...Array.from({ length: rows }, (_, at): OutlinePlace => ({ kind: 'upload', batchId, part: 'rows', at })),
          ...(skipped > 0 ? [{ kind: 'skipped', batchId } as const] : []),
          ...Array.from(
            { length: areSkippedOpen ? skipped : 0 },
            (_, at): OutlinePlace => ({ kind: 'upload', batchId, part: 'skipped', at }),
          ),
        ]
      : []),
  ]);
}

describe('the list of batches', () => {
  it('finds every row by its index, by its place in a batch and by its distance from the top', () => {
    fc.assert(
      fc.property(batches, (all) => {
        const outline = new Outline(all, HEIGHTS);
        const places = placesOf(all);
        expect(outline.count).toBe(places.length);
        let top = 0;
        for (const [index, place] of places.entries()) {
          expect(outline.placeAt(index)).toEqual(place);
          expect(outline.indexOf(place)).toBe(index);
          expect(outline.topOf(index)).toBe(top);
          const height = HEIGHTS[place.kind];
          expect(outline.heightOf(index)).toBe(height);
          expect([outline.indexAt(top), outline.indexAt(top + height - 1)]).toEqual([index, index]);
          top += height;
        }
        expect(outline.height).toBe(top);
        expect(outline.placeAt(-1)).toBeUndefined();
        expect(outline.placeAt(places.length)).toBeUndefined();
        expect(outline.indexAt(top + 100)).toBe(places.length - 1);
      }),
    );
  });

  it('returns the batches of a range of rows, and no others', () => {
    fc.assert(
      fc.property(batches, fc.nat(40), fc.nat(40), (all, a, b) => {
        const outline = new Outline(all, HEIGHTS);
        const [first, last] = [Math.min(a, b), Math.max(a, b)];
        const expected = new Set(
          placesOf(all)
            .slice(first, last + 1)
            .map(({ batchId }) => batchId),
        );
        const found = outline.sectionsIn(first, Math.min(last, outline.count - 1)).map(({ id }) => id);
        if (first < outline.count) expect(new Set(found)).toEqual(expected);
      }),
    );
  });

  it('finds rows in 500 batches, one of them with 100,000 uploads, within two seconds of processor time', () => {
    const all = Array.from(
      { length: 500 },
      (_, index): OutlineBatch => ({
        id: `b${index}`,
        rows: index === 250 ? 100_000 : 3,
        skipped: 0,
        isExpanded: true,
        areSkippedOpen: false,
      }),
    );
    const outline = new Outline(all, HEIGHTS);
    const isWithin = computingTime(2000);
    for (let index = 0; index < outline.count; index += 7) expect(outline.indexAt(outline.topOf(index))).toBe(index);
    expect(isWithin()).toBe(true);
  });
});

it('the list of batches shows the same rows only for equal batches, so that progress of an upload causes no new layout', () => {
  fc.assert(
    fc.property(batches, batches, (all, others) => {
      const outline = new Outline(all, HEIGHTS);
      const copies = all.map((batch) => ({ ...batch }));
      expect(outline.shows(copies)).toBe(true);
      expect(outline.shows(others)).toBe(JSON.stringify(all) === JSON.stringify(others));
    }),
  );
});
