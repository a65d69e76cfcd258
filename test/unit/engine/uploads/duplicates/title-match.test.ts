import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AGREEMENT, canonicalTitle, longestOf, titleAgreement } from '../../../../../shared/model/title-match.ts';
import { computingTime } from '../../../../helpers/time/computing-time.ts';

const agreement = (asked: string, shown: string, others: string[] = []) =>
  titleAgreement(asked, shown, longestOf([shown, ...others]));

describe('a title', () => {
  it.each([
    ['Lecture 7', 'Lecture 8'],
    ['Lecture 7', 'Lecture 70'],
    ['Lecture 70', 'Lecture 7'],
    ['Introduction to optics, part 12', 'Introduction to optics, part 1'],
    ['Introduction to optics', 'Introduction to optics, part 1'],
    ['Optics', 'Opt'],
    ['Optics', 'Optics 2'],
    ['Optics', 'Optics (part 2)'],
    ['Optics for beginners', 'Untitled'],
    ['Optics', ''],
    ['🎉🎉', ''],
    ['🎉🎉', '??'],
  ])('does not match: “%s” and “%s”', (asked, shown) => {
    expect(agreement(asked, shown)).toBe(AGREEMENT.none);
  });

  it('matches when the library truncated it, but not when the library shows a longer one', () => {
    const asked = 'Introduction to optics for beginners';
    expect(agreement(asked, 'Introduction to')).toBe(AGREEMENT.cut);
    expect(agreement(asked, 'Introduction to', ['A title that is longer than that'])).toBe(AGREEMENT.none);
    expect(agreement(asked, 'Introduction to optics for beginners')).toBe(AGREEMENT.exact);
  });

  it.each(['Optics (2)', 'optics [17]'])('matches when the library made it unique: “%s”', (shown) => {
    expect(agreement('Optics', shown)).toBe(AGREEMENT.cut);
  });

  it.each(['ᾀ', 'ᾼ', 'ŉ', 'ß', 'ﬁ', 'ΐ', 'İ'])('matches in upper case when that has more letters: “%s”', (title) => {
    expect(agreement(title, title.toUpperCase())).toBeGreaterThan(AGREEMENT.none);
    expect(agreement(title, title.toLowerCase())).toBeGreaterThan(AGREEMENT.none);
  });

  it('matches itself and its changed form, whatever it contains', () => {
    const changes: ((title: string) => string)[] = [
      (title) => title.trim(),
      (title) => title.replace(/\s+/g, ' '),
      (title) => title.normalize('NFC'),
      (title) => title.normalize('NFD'),
      (title) => title.toUpperCase(),
      (title) => title.replace(/[\u{10000}-\u{10ffff}]/gu, ''),
      (title) => title.replace(/\p{Cc}/gu, ''),
    ];
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.constantFrom(...changes), (title, change) => {
        expect(agreement(title, title)).toBe(AGREEMENT.exact);
        const shown = change(title);
        // A change that leaves nothing to compare is excluded.
        fc.pre(canonicalTitle(shown) !== '');
        expect(agreement(title, shown)).toBeGreaterThan(AGREEMENT.none);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['many escapes', '&amp;'.repeat(20_000)],
    ['many tags', '<'.repeat(100_000)],
    ['many dots', '.'.repeat(100_000)],
    ['many ampersands', '&'.repeat(100_000)],
    ['many characters of four bytes', '🎉'.repeat(50_000)],
  ])('with %s is compared within 1 s of computing time', (_, title) => {
    const isWithin = computingTime(1000);
    agreement(title, `${title} x`);
    agreement('Lecture', title);
    expect(isWithin()).toBe(true);
  });
});

describe('the longest title', () => {
  it('has its UTF-8 length in bytes when it has letters of one to four bytes or half of a surrogate pair', () => {
    const title = 'aß語𝄞\ud834';
    expect(longestOf([title, 'a'])).toEqual({ codePoints: 5, bytes: Buffer.byteLength(title) });
  });
});
