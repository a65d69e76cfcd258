import { useMemo } from 'react';
import type { CollectionRow } from '../../../../shared/contract/library.ts';
import {
  DATE_QUALIFIERS,
  QUERY_FIELDS,
  QUERY_STATES,
  type QueryHint,
  type QueryRange,
  type QueryTerm,
  USUAL_VALUES,
} from '../../../../shared/model/library-query/library-query.ts';
import { writeDuration } from '../../../../shared/model/library-query/ranges.ts';
import { readRelative } from '../../../../shared/model/library-query/relative-dates.ts';
import { formatDay } from '../../../kit/text/format.ts';
import { useItemNames } from '../state/query/query-store.ts';
import { useTree } from '../state/tree-store.ts';
import { texts } from './texts.ts';

/** The names of objects that a query refers to by id; null for unknown names. */
interface QueryNames {
  collection: (value: string) => string | null;
  item: (id: string) => string | null;
}

/** Returns the label of a chip, such as `Tag: physics` or `Type: Video or Audio`. */
export function chipText(terms: readonly QueryTerm[], names: QueryNames): string {
  const [first] = terms;
  const isAlike = first !== undefined && terms.every(({ kind, isNegated }) => kind === first.kind && !isNegated);
  if (isAlike && isNamed(first)) {
    return texts.valueOf(texts.kinds[first.kind], texts.or(terms.map((term) => valueText(term, names))));
  }
  return texts.or(terms.map((term) => termText(term, names)));
}

type NamedTerm = Exclude<QueryTerm, { kind: 'text' | 'has' | 'is' | 'group' }>;

function isNamed(term: QueryTerm): term is NamedTerm {
  return term.kind !== 'text' && term.kind !== 'has' && term.kind !== 'is' && term.kind !== 'group';
}

function termText(term: QueryTerm, names: QueryNames): string {
  if (term.kind === 'has') return (term.isNegated ? texts.without : texts.with)[term.field];
  const value = valueText(term, names);
  if (isNamed(term)) return texts.valueOf(texts.kinds[term.kind], term.isNegated ? texts.isNot(value) : value);
  return term.isNegated ? texts.not(value) : value;
}

function valueText(term: QueryTerm, names: QueryNames): string {
  switch (term.kind) {
    case 'group':
      return texts.inParentheses(term.query.groups.map((terms) => chipText(terms, names)));
    case 'text':
      return texts.phrase(term.text);
    case 'type':
      return known(texts.types, term.value);
    case 'status':
      return known(texts.statuses, term.value);
    case 'is':
      return texts.states[term.state];
    case 'has':
      return (term.isNegated ? texts.without : texts.with)[term.field];
    case 'in':
      return names.collection(term.value) ?? term.value;
    case 'related':
      return names.item(term.value.replace(/^#/, '')) ?? term.value;
    case 'duration':
      return lengthText(term.range);
    case 'created':
    case 'modified':
    case 'published':
      return dateText(term.range);
    default:
      return term.value;
  }
}

function known(names: Readonly<Record<string, string>>, value: string): string {
  const key = value.toLowerCase();
  return Object.hasOwn(names, key) ? (names[key] ?? value) : value;
}

function dateText({ from, to, isOpen }: QueryRange<string>): string {
  const { between, since, until, after, before } = texts.ranges;
  const [first, last] = [from, to].map((date) => (date === null ? null : queryDateText(date)));
  if (first && last) return from === to ? first : between(first, last);
  if (first) return (isOpen ? after : since)(first);
  return (isOpen ? before : until)(last ?? '');
}

/** Returns a date of a search in words: `last 7 days`, `19 Nov 2026`, `November 2026`, `2026`. */
export function queryDateText(date: string): string {
  return readRelative(date) === null ? formatDay(date) : date.replaceAll('-', ' ');
}

function lengthText({ from, to, isOpen }: QueryRange<number>): string {
  const { between, atLeast, atMost, longer, shorter } = texts.ranges;
  if (from !== null && to !== null) {
    return from === to ? writeDuration(from) : between(writeDuration(from), writeDuration(to));
  }
  if (from !== null) return (isOpen ? longer : atLeast)(writeDuration(from));
  return (isOpen ? shorter : atMost)(writeDuration(to ?? 0));
}

/** Returns a sentence that explains why a part of a search that looks like a filter is none. */
export function hintText({ kind, qualifier, value }: QueryHint): string {
  if (kind === 'unknown') return texts.hints.unknown(qualifier);
  if (kind === 'unusual') {
    const usual = qualifier === 'type' ? USUAL_VALUES.type : USUAL_VALUES.status;
    return texts.hints.unusual(qualifier, value, usual.join(', '));
  }
  if (kind === 'reversed') return texts.hints.reversed(qualifier, value);
  const { date, duration, other, text } = texts.hints.values;
  if (value === '') return text(qualifier);
  if (DATE_QUALIFIERS.some((each) => each === qualifier)) return date(qualifier, value);
  if (qualifier === 'duration') return duration(value);
  if (qualifier === 'is') return other(qualifier, value, QUERY_STATES.join(', '));
  if (qualifier === 'has' || qualifier === 'no') return other(qualifier, value, QUERY_FIELDS.join(', '));
  return text(qualifier);
}

/** Returns the name of a collection, with its id if another collection has the same name. */
function collectionText(rows: ReadonlyMap<string, CollectionRow>, id: string): string | null {
  const name = rows.get(id)?.displayName;
  if (name === undefined) return null;
  const isOnly = ![...rows.values()].some((other) => other.displayName === name && other.id !== id);
  return isOnly ? name : texts.withId(name, id);
}

/** Returns the loaded names of collections and items that conditions refer to by id. */
export function useQueryNames(): QueryNames {
  const rows = useTree((state) => state.rows);
  const items = useItemNames();
  return useMemo(
    () => ({
      collection: (value) => collectionText(rows, value.replace(/^#/, '')),
      item: (id) => items.get(id) ?? null,
    }),
    [rows, items],
  );
}
