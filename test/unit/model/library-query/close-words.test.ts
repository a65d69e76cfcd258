import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closestWord, typosBetween } from '../../../../shared/model/library-query/close-words.ts';

const among =
  (...words: string[]) =>
  (typed: string) =>
    closestWord(
      typed,
      words.map((word, index) => ({ word, items: index + 1 })),
    )?.word ?? null;

/** Tries every single typing error in turn: slow, and independent of the table of costs. */
function withOneTypo(word: string): Set<string> {
  const found = new Set<string>();
  for (let at = 0; at <= word.length; at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    found.add(before + after.slice(1));
    found.add(before + (after[1] ?? '') + (after[0] ?? '') + after.slice(2));
    for (const letter of 'abc') found.add(before + letter + after).add(before + letter + after.slice(1));
  }
  return found.add(word);
}

describe('a mistyped word', () => {
  it.each([
    ['fotosynthesis', 'photosynthesis'],
    ['lecutre', 'lecture'],
    ['interveiw', 'interview'],
    ['semina', 'seminar'],
    ['gole', 'gold'],
  ])('%s is taken for %s', (typed, meant) => {
    expect(among('photosynthesis', 'lecture', 'interview', 'seminar', 'gold', 'zebra')(typed)).toBe(meant);
  });

  it.each(['abc', 'xylophone', 'go'])('%s is taken for nothing when it is too short, or close to no word', (typed) => {
    expect(among('abd', 'lecture', 'gone')(typed)).toBeNull();
  });

  it('is taken for the word with the same first letter, then for the most frequent one', () => {
    expect(among('carts', 'marks')('carks')).toBe('carts');
    expect(among('carts', 'cards')('carzs')).toBe('cards');
  });

  it('is one error away from exactly those words that one error makes of it', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
    fc.assert(
      fc.property(word, word, (one, other) => {
        const typos = typosBetween([...one], [...other], 1);
        expect(typos !== null).toBe(withOneTypo(one).has(other));
      }),
    );
  });
});
