import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatQuery } from '../../../../shared/model/library-query/format-query.ts';
import type { LibraryQuery } from '../../../../shared/model/library-query/library-query.ts';
import { parseQuery } from '../../../../shared/model/library-query/parse-query.ts';
import { queries } from '../../../helpers/model/library-queries.ts';
import { steepGrowth } from '../../../helpers/time/growth.ts';

const RUNS = { numRuns: 20_000 };
const groupsOf = (text: string) => parseQuery(text).query.groups;

describe('a library query', () => {
  it('is the same after it was written and parsed', () => {
    fc.assert(
      fc.property(queries, (given: LibraryQuery) => {
        expect(parseQuery(formatQuery(given))).toEqual({ query: given, hints: [] });
      }),
      RUNS,
    );
  });

  it('has one written form: any text, parsed and written, parses to the same', () => {
    const pieces = fc.constantFrom('-', '"', ':', ' ', 'OR', ' OR ', 'tag:', 'no:', 'is:', '..', '>', '2026', 'a', 'é');
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces, { maxLength: 30 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const first = parseQuery(text).query;
        expect(parseQuery(formatQuery(first)).query).toEqual(first);
      }),
      { numRuns: 100_000 },
    );
  });

  it.each(['"', 'a:', 'tag:"a'])('takes linear time for repetitions of %s', (piece) => {
    expect(steepGrowth(parseQuery, (chars) => piece.repeat(chars / piece.length))).toBeNull();
  });

  it('consists of words, phrases, negated words and alternatives', () => {
    const text = { kind: 'text', isPhrase: false, isNegated: false };
    expect(groupsOf('river OR lake -draft "two words"')).toEqual([
      [
        { ...text, text: 'river' },
        { ...text, text: 'lake' },
      ],
      [{ ...text, text: 'draft', isNegated: true }],
      [{ ...text, text: 'two words', isPhrase: true }],
    ]);
  });

  it.each([
    ['created:2026-01..2026-03', { kind: 'created', range: { from: '2026-01', to: '2026-03', isOpen: false } }],
    ['duration:>30m', { kind: 'duration', range: { from: 1800, to: null, isOpen: true } }],
    ['duration:<=1:30:00', { kind: 'duration', range: { from: null, to: 5400, isOpen: false } }],
    ['TYPE:video', { kind: 'type', value: 'video' }],
    ['tag:"two words"', { kind: 'tag', value: 'two words' }],
    ['in:#12', { kind: 'in', value: '#12' }],
    ['is:Pending', { kind: 'is', state: 'pending' }],
  ])('contains the condition that is written as %s', (text, expected) => {
    expect(parseQuery(text)).toEqual({ query: { groups: [[{ ...expected, isNegated: false }]] }, hints: [] });
  });

  it('has the same condition for no: as for the negation of has:', () => {
    expect(groupsOf('no:captions')).toEqual(groupsOf('-has:captions'));
    expect(groupsOf('-no:captions')).toEqual(groupsOf('has:captions'));
  });

  it.each([
    ['colour:red', { kind: 'unknown', qualifier: 'colour', value: 'red' }],
    ['created:yesterdayish', { kind: 'value', qualifier: 'created', value: 'yesterdayish' }],
    ['created:2026-02-30', { kind: 'value', qualifier: 'created', value: '2026-02-30' }],
    ['tag:', { kind: 'value', qualifier: 'tag', value: '' }],
    ['is:nice', { kind: 'value', qualifier: 'is', value: 'nice' }],
  ])('contains %s as a text, with a hint about the problem', (text, hint) => {
    const { query: found, hints } = parseQuery(text);
    expect(found.groups).toEqual([[{ kind: 'text', text, isPhrase: false, isNegated: false }]]);
    expect(hints).toEqual([hint]);
  });
});
