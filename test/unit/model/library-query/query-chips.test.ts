import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatQuery } from '../../../../shared/model/library-query/format-query.ts';
import type { LibraryQuery, QueryTerm } from '../../../../shared/model/library-query/library-query.ts';
import { parseQuery } from '../../../../shared/model/library-query/parse-query.ts';
import {
  canRank,
  chipsOf,
  includesTerm,
  withGroup,
  withoutGroup,
  withoutTerm,
  withTerm,
} from '../../../../shared/model/library-query/query-chips.ts';
import { queries, terms } from '../../../helpers/model/library-queries.ts';

const RUNS = { numRuns: 20_000 };
const groupsOf = (text: string) => parseQuery(text).query.groups;
const termOf = (text: string): QueryTerm => {
  const [[term] = []] = groupsOf(text);
  if (term === undefined) throw new Error(`no condition: ${text}`);
  return term;
};
const chipTexts = (text: string) => chipsOf(parseQuery(text).query).map((chip) => chip.text);

describe('the chips of a search', () => {
  it('are the conditions of the search; words of the search stay words', () => {
    expect(chipTexts('river tag:physics -draft "two words" type:video OR type:audio no:captions')).toEqual([
      'tag:physics',
      'type:video OR type:audio',
      'no:captions',
    ]);
  });

  it('have texts from which the same conditions are parsed', () => {
    fc.assert(
      fc.property(queries, (query: LibraryQuery) => {
        const parsed = parseQuery(formatQuery(query)).query;
        const chips = chipsOf(parsed);
        for (const { index, terms: own, text } of chips) {
          expect(own).toEqual(query.groups[index]);
          expect(groupsOf(text)).toEqual([own]);
        }
        const isChip = (group: QueryTerm[]) => group.some(({ kind }) => kind !== 'text');
        expect(chips.length).toBe(query.groups.filter(isChip).length);
      }),
      RUNS,
    );
  });

  it('keep every other condition unchanged when one is removed or replaced', () => {
    fc.assert(
      fc.property(queries, terms, fc.nat(), (query, term, seed) => {
        fc.pre(query.groups.length > 0);
        const text = formatQuery(query);
        const at = seed % query.groups.length;
        expect(groupsOf(withoutGroup(text, at))).toEqual(query.groups.filter((_, index) => index !== at));
        expect(groupsOf(withGroup(text, at, [term]))).toEqual(
          query.groups.map((group, index) => (index === at ? [term] : group)),
        );
      }),
      RUNS,
    );
  });

  it('contain a condition after it was added, and adding it again changes nothing', () => {
    fc.assert(
      fc.property(queries, terms, (query, term) => {
        const once = withTerm(formatQuery(query), term);
        expect(includesTerm(parseQuery(once).query, term)).toBe(true);
        expect(withTerm(once, term)).toBe(once);
        expect(includesTerm(parseQuery(withoutTerm(once, term)).query, term)).toBe(false);
      }),
      RUNS,
    );
  });

  it.each([
    ['type:video', 'type:audio', 'type:video OR type:audio'],
    ['type:video OR type:audio', 'type:audio', 'type:video OR type:audio'],
    ['-type:video', 'type:audio', '-type:video type:audio'],
    ['has:captions river', 'no:captions', 'no:captions river'],
    ['has:captions', 'no:description', 'has:captions no:description'],
    ['created:2025', 'created:2026-01..2026-03', 'created:2026-01..2026-03'],
    ['tag:a', 'tag:b', 'tag:a tag:b'],
    ['river OR', 'type:video', 'river type:video'],
    ['"river', 'type:video', '"river" type:video'],
  ])('turn the search %s with the condition %s into %s', (search, term, expected) => {
    expect(withTerm(search, termOf(term))).toBe(expected);
  });

  it('keep the other alternatives when one of them is removed', () => {
    expect(withoutTerm('type:video OR type:audio river', termOf('type:video'))).toBe('type:audio river');
    expect(withoutTerm('type:video river', termOf('type:video'))).toBe('river');
    expect(withoutTerm('type:video OR river', termOf('type:video'))).toBe('type:video OR river');
  });

  it('belong to a search that can be ranked when it has words or a related item', () => {
    const ranked = (text: string) => canRank(parseQuery(text).query);
    expect(['river', 'tag:a river', 'related:#12'].map(ranked)).toEqual([true, true, true]);
    expect(['', 'tag:a -draft', '-related:#12', 'a OR b', '"two words"'].map(ranked)).toEqual(Array(5).fill(false));
  });
});
