import fc from 'fast-check';
import {
  DATE_QUALIFIERS,
  type LibraryQuery,
  QUERY_FIELDS,
  QUERY_STATES,
  type QueryTerm,
  TEXT_QUALIFIERS,
} from '../../../shared/model/library-query/library-query.ts';

// Searches of every kind, for properties.

const quotable = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.trim() !== '');
const word = fc.string({ minLength: 1 }).filter((text) => /^[^\s"':()-][^\s":()]*$/.test(text) && text !== 'OR');
const date = fc.constantFrom('2026', '2026-02', '2026-02-28', '1999-12-31', 'last-7-days', 'next-month', 'today');
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

export const terms = fc
  .tuple(condition, fc.boolean())
  .map(([each, isNegated]): QueryTerm => ({ ...each, isNegated }) as QueryTerm);

const plain = fc.record({
  groups: fc.array(fc.array(terms, { minLength: 1, maxLength: 3 }), { maxLength: 5 }),
});

/** Searches in parentheses as a search keeps them: with several groups as an alternative, with several conditions when negated. */
function groupOf(inner: fc.Arbitrary<LibraryQuery>) {
  const several = inner.filter(({ groups }) => groups.flat().length > 1);
  const alternative = several
    .filter(({ groups }) => groups.length > 1)
    .map((query): QueryTerm => ({ kind: 'group', query, isNegated: false }));
  const negated = several.map((query): QueryTerm => ({ kind: 'group', query, isNegated: true }));
  return fc.oneof(
    negated.map((term) => [term]),
    fc.tuple(terms, fc.oneof(alternative, negated)).map(([one, other]) => [one, other]),
    fc.tuple(fc.oneof(alternative, negated), terms).map(([one, other]) => [one, other]),
  );
}

function nestedIn(inner: fc.Arbitrary<LibraryQuery>): fc.Arbitrary<LibraryQuery> {
  return fc
    .tuple(plain, fc.array(groupOf(inner), { maxLength: 2 }))
    .map(([{ groups }, others]) => ({ groups: [...groups, ...others] }));
}

export const queries = fc.oneof(plain, nestedIn(plain), nestedIn(nestedIn(plain)));
