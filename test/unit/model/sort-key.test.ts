import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortKey } from '../../../shared/model/sort-key.ts';

const sorted = (...texts: string[]) => texts.toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));

describe('texts in lists', () => {
  it('sort without accents', () => {
    expect(sorted('Zebra', 'Élan', 'Äpfel', 'øre', 'Łódź', 'Straße 2', 'strasse 1')).toEqual([
      ...['Äpfel', 'Élan', 'Łódź', 'øre', 'strasse 1', 'Straße 2', 'Zebra'],
    ]);
  });

  it('have their numbers in order, whatever their length and their zeros', () => {
    const huge = `Part ${'9'.repeat(60)}`;
    expect(sorted('Part 10', huge, 'Part 9', 'Part 010 b', 'Part 0', 'Part 1')).toEqual([
      ...['Part 0', 'Part 1', 'Part 9', 'Part 10', 'Part 010 b', huge],
    ]);
  });

  it('sort as their numbers do', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (one, other) => {
        const [a, b] = [sortKey(`Part ${one}`), sortKey(`part ${other}`)];
        expect(a < b).toBe(one < other);
        expect(a === b).toBe(one === other);
      }),
    );
  });
});
