import { describe, expect, it } from 'vitest';
import { SimilarTitles } from '../../../../shared/model/titles/similar-titles.ts';
import { Prng } from '../../../helpers/data/prng.ts';

interface Given {
  title: string;
  collectionId?: string;
  seconds?: number | null;
}

/** Returns the titles of the items that are found for the given titles. */
function found(titles: readonly Given[], items: readonly Given[]) {
  const full = ({ title, collectionId = 'a', seconds = null }: Given) => ({ title, collectionId, seconds });
  const similar = new SimilarTitles<string>();
  for (const _ of similar.take(titles.map((each, index) => ({ key: String(index), ...full(each) }))));
  for (const item of items) similar.add({ ...full(item), item: item.title });
  const result = similar.result();
  return titles.map((_, index) => result.get(String(index))?.item ?? null);
}

const isFound = (title: Given, item: Given) => found([title], [item])[0] !== null;

describe('a title of a new file', () => {
  it.for([
    ['Wind and Weather', 'wind & weather!'],
    ['Wind–und–Wetter', 'WIND UND WETTER'],
    ['Élan vital', 'Elan  Vital'],
    ['Folge 07: Der Anfang', 'Folge 7 – Der Anfang'],
    ['Introduction to Optics', 'Introduction to Optcis'],
    ['A very long lecture about everything', 'A very long lecture about evrything'],
  ])('is similar to one that differs in spelling only: %s, %s', ([one = '', other = '']) => {
    expect(isFound({ title: one }, { title: other })).toBe(true);
    expect(isFound({ title: other }, { title: one })).toBe(true);
  });

  it.for([
    ['Folge 12: Der Anfang', 'Folge 13: Der Anfang'],
    ['Lecture', 'Lecture 2'],
    ['Optik', 'Optic'],
    ['Introduction to Optics', 'Introduction to Acoustics'],
    ['Wind', 'Rain'],
    ['Interview with Ada', 'Interview with Zuse'],
  ])('is not similar to that of another recording: %s, %s', ([one = '', other = '']) => {
    expect(isFound({ title: one }, { title: other })).toBe(false);
  });

  it('is compared in its own collection, and with lengths within a second where both are known', () => {
    const title = 'Same title';
    expect(isFound({ title, collectionId: 'a' }, { title, collectionId: 'b' })).toBe(false);
    expect(isFound({ title, seconds: 60 }, { title, seconds: 61 })).toBe(true);
    expect(isFound({ title, seconds: 60 }, { title, seconds: 62 })).toBe(false);
    for (const seconds of [null, 0]) expect(isFound({ title, seconds: 60 }, { title, seconds })).toBe(true);
  });

  it('gets the equal item before a similar one, and only one of its own length', () => {
    const items = [{ title: 'Introduction to Optcis' }, { title: 'introduction to optics' }];
    expect(found([{ title: 'Introduction to Optics' }], items)).toEqual(['introduction to optics']);
    const lengths = [
      { title: 'Same Title', seconds: 10 },
      { title: 'same title', seconds: 20 },
    ];
    expect(
      found(
        [
          { title: 'same title', seconds: 20 },
          { title: 'same title', seconds: 30 },
        ],
        lengths,
      ),
    ).toEqual(['same title', null]);
  });
});

/** The definition: the share of common trigrams, for titles without numbers. */
function shareOf(one: string, other: string): number {
  const trigrams = (text: string) => {
    const padded = `  ${text.toLowerCase().replace(/[^a-z]/g, '')} `;
    return new Set(Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3)));
  };
  const [a, b] = [trigrams(one), trigrams(other)];
  const common = [...a].filter((each) => b.has(each)).length;
  return common / (a.size + b.size - common);
}

it('the index finds exactly the pairs that share enough trigrams, as a comparison of each with each does', () => {
  const prng = new Prng(7);
  const words = ['wave', 'waves', 'optics', 'optical', 'sound', 'sounds', 'light', 'history', 'histories'];
  const word = () => prng.pick(words);
  const titles = Array.from({ length: 120 }, () => ({ title: `${word()} ${word()} ${word()}` }));
  let pairs = 0;
  for (const item of titles) {
    const expected = titles.map(({ title }) => shareOf(title, item.title) >= 0.65);
    expect(found(titles, [item]).map((each) => each !== null)).toEqual(expected);
    pairs += expected.filter(Boolean).length;
  }
  expect(pairs).toBeGreaterThan(titles.length * 1.5);
});

it('the work for 10,000 titles that all items have stays bounded', () => {
  const same = Array.from({ length: 10_000 }, () => ({ title: 'the same title for all' }));
  const result = found(same, same);
  expect(result.every((each) => each === 'the same title for all')).toBe(true);
});
