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
        const { query, hints } = parseQuery(formatQuery(given));
        expect(query).toEqual(given);
        expect(hints.filter(({ kind }) => kind === 'unknown' || kind === 'value')).toEqual([]);
      }),
      RUNS,
    );
  });

  it('has one written form: any text, parsed and written, parses to the same', () => {
    const pieces = fc.constantFrom(
      '-',
      '"',
      '\\',
      ':',
      ' ',
      'OR',
      ' OR ',
      'tag:',
      'no:',
      'is:',
      '(',
      ')',
      'last-week',
      '..',
      '>',
      '2026',
      'a',
      'é',
    );
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

  it.each(['"', 'a:', 'tag:"a', '\\"', '(', 'a(', '-(', ')('])('takes linear time for repetitions of %s', (piece) => {
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

  it.each([
    ['(a b) c', 'a b c'],
    ['(a OR b) c', 'a OR b c'],
    ['a OR (b OR c)', 'a OR b OR c'],
    ['-(a)', '-a'],
    ['-(-a)', '-(-a)'],
    ['-(-tag:a)', 'tag:a'],
    ['-(-(-a))', '-a'],
    ['-(-(a b))', 'a b'],
    ['(a b) OR c', '(a b) OR c'],
    ['-(a OR b)', '-(a OR b)'],
    ['-(a b)', '-(a b)'],
    ['(a (b OR (c d))', 'a b OR (c d)'],
    ['Lecture (part 2)', 'Lecture part 2'],
    ['f(x) OR (g(x) h)', 'f(x) OR (g(x) h)'],
    ['() a', 'a'],
    ['(', ''],
    ['a)', 'a)'],
    ['length:>30m publish:next-week tags:"(x)" by:ada', 'duration:>30m published:next-week tag:"(x)" byline:ada'],
    ['tag:"say \\"hi\\""', 'tag:"say \\"hi\\""'],
    ['tag:a"b', 'tag:"a\\"b"'],
    ['tag:"C:\\x"', 'tag:C:\\x'],
    ['created:LAST-7-Days..today', 'created:last-7-days..today'],
  ])('%s is written as %s', (text, expected) => {
    const { query, hints } = parseQuery(text);
    expect(formatQuery(query)).toBe(expected);
    expect(hints).toEqual([]);
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

  it.each([
    ['type:xyz', { kind: 'unusual', qualifier: 'type', value: 'xyz' }],
    ['-status:secret', { kind: 'unusual', qualifier: 'status', value: 'secret' }],
    ['created:2026-03..2026-01', { kind: 'reversed', qualifier: 'created', value: '2026-03..2026-01' }],
    ['length:30m..5m', { kind: 'reversed', qualifier: 'duration', value: '30m..5m' }],
  ])('keeps the condition of %s, with a hint that it finds nothing', (text, hint) => {
    const { query: found, hints } = parseQuery(text);
    expect(found.groups[0]?.[0]?.kind).toBe(hint.qualifier);
    expect(hints).toEqual([hint]);
  });

  it.each(['type:Video', 'status:draft', 'created:2026-03-15..2026-03', 'created:today..2026', 'created:2026..2026'])(
    'has no hint for %s',
    (text) => expect(parseQuery(text).hints).toEqual([]),
  );
});
