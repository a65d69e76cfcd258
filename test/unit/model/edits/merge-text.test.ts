import { describe, expect, it } from 'vitest';
import { decidedText, mergeText } from '../../../../shared/model/edits/merge-text.ts';
import { steepGrowth } from '../../../helpers/time/growth.ts';
import { MERGE_LAWS } from '../../../laws/merge-laws.ts';

it.each(MERGE_LAWS.map(({ name, check }) => [name, check] as const))('%s', (_, check) => {
  check(400);
});

describe('a merge of a line', () => {
  it('contains the words that each side changed', () => {
    const texts = {
      base: 'The old bridge in Basel',
      mine: 'The new bridge in Basel',
      theirs: 'The old bridge in Bern',
    };
    expect(mergeText(texts, { isHtml: false })).toEqual({
      parts: [{ kind: 'text', text: 'The new bridge in Bern' }],
      conflicts: 0,
    });
  });

  it('asks about a word that both sides changed, and merges the others', () => {
    const texts = { base: 'Week 7: optics', mine: 'Week 8: optics, part 2', theirs: 'Week 9: optics' };
    expect(mergeText(texts, { isHtml: false })).toEqual({
      parts: [
        { kind: 'text', text: 'Week ' },
        { kind: 'conflict', base: '7', mine: '8', theirs: '9' },
        { kind: 'text', text: ': optics, part 2' },
      ],
      conflicts: 1,
    });
  });

  it('asks about two additions at the same place', () => {
    const merged = mergeText({ base: 'Talk', mine: 'Talk one', theirs: 'Talk two' }, { isHtml: false });
    expect(merged.parts).toEqual([
      { kind: 'text', text: 'Talk' },
      { kind: 'conflict', base: '', mine: ' one', theirs: ' two' },
    ]);
  });
});

describe('a merge of HTML', () => {
  it('treats an element that one side adds as one change with its contents', () => {
    const texts = {
      base: '<p>one two three</p>',
      mine: '<p>one <b>two</b> three</p>',
      theirs: '<p>one zwei three</p>',
    };
    expect(mergeText(texts, { isHtml: true }).parts).toEqual([
      { kind: 'text', text: '<p>one ' },
      { kind: 'conflict', base: 'two', mine: '<b>two</b>', theirs: 'zwei' },
      { kind: 'text', text: ' three</p>' },
    ]);
  });

  it('keeps a new paragraph of one side and a changed address of the other', () => {
    const texts = {
      base: '<p>See <a href="/a">here</a>. And there.</p>',
      mine: '<p>See <a href="/a">here</a>.</p><p>And there.</p>',
      theirs: '<p>See <a href="/b?x=1&amp;y=2">here</a>. And there.</p>',
    };
    expect(decidedText(mergeText(texts, { isHtml: true }), 'mine')).toBe(
      '<p>See <a href="/b?x=1&amp;y=2">here</a>.</p><p>And there.</p>',
    );
  });
});

describe('a merge of a long text', () => {
  const words = (count: number, seed: number) =>
    Array.from({ length: count }, (_, index) => `w${(index * 7919 + seed * index * index) % 997}`);

  it.each([
    ['of different texts', (chars: number) => [1, 2, 3].map((seed) => words(chars / 5, seed).join(' '))],
    ['of one repeated word', (chars: number) => [0, 1, 2].map((more) => 'a '.repeat(chars / 2 + more * 300))],
    [
      'of two words in another order',
      (chars: number) => ['a b ', 'b a ', 'b b a '].map((each) => each.repeat(chars / each.length)),
    ],
    [
      'of open elements',
      (chars: number) => ['<b>', '<i>x', '<b>y</i>'].map((each) => each.repeat(chars / each.length)),
    ],
    [
      'of tags that never end',
      (chars: number) => ['<b "', "<b ='", '<b ='].map((each) => each.repeat(chars / each.length)),
    ],
    ['of comments', (chars: number) => ['<!--', '-->', '<!---->'].map((each) => each.repeat(chars / each.length))],
  ] as const)('%s takes linear time', (_, versionsOf) => {
    const run = ([base = '', mine = '', theirs = '']: string[]) => mergeText({ base, mine, theirs }, { isHtml: true });
    expect(
      steepGrowth(
        (text: string) => run(versionsOf(text.length) as string[]),
        (chars: number) => 'x'.repeat(chars),
      ),
    ).toBeNull();
  });

  it('finds two changes far from each other in 200,000 characters', () => {
    const base = words(40_000, 1);
    const mine = base.with(5, 'mine');
    const theirs = base.with(39_000, 'theirs');
    const texts = { base: base.join(' '), mine: mine.join(' '), theirs: theirs.join(' ') };
    expect(texts.base.length).toBeGreaterThan(180_000);
    const merged = mergeText(texts, { isHtml: false });
    expect(merged.conflicts).toBe(0);
    expect(decidedText(merged, 'mine')).toBe(mine.with(39_000, 'theirs').join(' '));
  });
});
