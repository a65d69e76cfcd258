import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatQuery } from '../../../../shared/model/library-query/format-query.ts';
import {
  DATE_QUALIFIERS,
  type LibraryQuery,
  QUERY_FIELDS,
  QUERY_STATES,
  type QueryTerm,
  TEXT_QUALIFIERS,
} from '../../../../shared/model/library-query/library-query.ts';
import { parseQuery } from '../../../../shared/model/library-query/parse-query.ts';
import { steepGrowth } from '../../../helpers/time/growth.ts';

const RUNS = { numRuns: 20_000 };
const quotable = fc
  .string({ minLength: 1, unit: 'grapheme' })
  .filter((text) => text.trim() !== '' && !text.includes('"'));
const word = fc.string({ minLength: 1 }).filter((text) => /^[^\s"':-][^\s":]*$/.test(text) && text !== 'OR');
const date = fc.constantFrom('2026', '2026-02', '2026-02-28', '1999-12-31');
const seconds = fc.integer({ min: 0, max: 400_000 });

function rangeOf<T>(value: fc.Arbitrary<T>) {
  const closed = fc
    .record({ from: fc.option(value), to: fc.option(value), isOpen: fc.constant(false) })
    .filter(({ from, to }) => from !== null || to !== null);
  const open = fc.oneof(
    fc.record({ from: value, to: fc.constant(null), isOpen: fc.constant(true) }),
    fc.record({ from: fc.constant(null), to: value, isOpen: fc.constant(true) }),
  );
  return fc.oneof(closed, open);
}

const condition = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text: word, isPhrase: fc.constant(false) }),
  fc.record({ kind: fc.constant('text' as const), text: quotable, isPhrase: fc.constant(true) }),
  fc.record({ kind: fc.constantFrom(...TEXT_QUALIFIERS), value: quotable }),
  fc.record({ kind: fc.constantFrom(...DATE_QUALIFIERS), range: rangeOf(date) }),
  fc.record({ kind: fc.constant('duration' as const), range: rangeOf(seconds) }),
  fc.record({ kind: fc.constant('has' as const), field: fc.constantFrom(...QUERY_FIELDS) }),
  fc.record({ kind: fc.constant('is' as const), state: fc.constantFrom(...QUERY_STATES) }),
);
const term = fc
  .tuple(condition, fc.boolean())
  .map(([each, isNegated]): QueryTerm => ({ ...each, isNegated }) as QueryTerm);
const query = fc.record({ groups: fc.array(fc.array(term, { minLength: 1, maxLength: 3 }), { maxLength: 5 }) });

const groupsOf = (text: string) => parseQuery(text).query.groups;

describe('a library query', () => {
  it('is the same after it was written and parsed', () => {
    fc.assert(
      fc.property(query, (given: LibraryQuery) => {
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

  it('finds words, phrases, negation and alternatives', () => {
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
  ])('understands %s', (text, expected) => {
    expect(parseQuery(text)).toEqual({ query: { groups: [[{ ...expected, isNegated: false }]] }, hints: [] });
  });

  it('reads no: as the negation of has:', () => {
    expect(groupsOf('no:captions')).toEqual(groupsOf('-has:captions'));
    expect(groupsOf('-no:captions')).toEqual(groupsOf('has:captions'));
  });

  it.each([
    ['colour:red', { kind: 'unknown', qualifier: 'colour', value: 'red' }],
    ['created:yesterdayish', { kind: 'value', qualifier: 'created', value: 'yesterdayish' }],
    ['created:2026-02-30', { kind: 'value', qualifier: 'created', value: '2026-02-30' }],
    ['tag:', { kind: 'value', qualifier: 'tag', value: '' }],
    ['is:nice', { kind: 'value', qualifier: 'is', value: 'nice' }],
  ])('takes %s as text, with a hint', (text, hint) => {
    const { query: found, hints } = parseQuery(text);
    expect(found.groups).toEqual([[{ kind: 'text', text, isPhrase: false, isNegated: false }]]);
    expect(hints).toEqual([hint]);
  });
});
