import { formatQuery } from './format-query.ts';
import type { LibraryQuery, QueryTerm } from './library-query.ts';
import { parseQuery } from './parse-query.ts';

/** A condition of a search as screens show it: a group that tests more than the words of an item. */
export interface QueryChip {
  /** The position of its group in the query. */
  index: number;
  /** An item matches when it meets one of them. */
  terms: readonly QueryTerm[];
  /** As a user would type it; unique in a query only together with `index`. */
  text: string;
}

/** Kinds of which a search has at most one condition: a new one replaces the earlier one. */
const SINGLE: readonly QueryTerm['kind'][] = ['created', 'modified', 'published', 'duration', 'related'];
/** Kinds of which an item has only one value: several conditions are alternatives. */
const ALTERNATIVES: readonly QueryTerm['kind'][] = ['type', 'status'];

/** Returns the conditions of a query that are not only words, in its order. */
export function chipsOf({ groups }: LibraryQuery): QueryChip[] {
  return groups.flatMap((terms, index) => {
    if (terms.every(({ kind }) => kind === 'text')) return [];
    return [{ index, terms, text: formatQuery({ groups: [terms] }) }];
  });
}

/** Returns whether the matches of a query can be ranked: it has words, or names an item as related. */
export function canRank({ groups }: LibraryQuery): boolean {
  return groups.some(([only, ...others]) => {
    if (only === undefined || others.length > 0 || only.isNegated) return false;
    return only.kind === 'related' || (only.kind === 'text' && !only.isPhrase);
  });
}

/** Returns a search without one group. */
export function withoutGroup(search: string, index: number): string {
  return withGroups(search, (groups) => groups.filter((_, at) => at !== index));
}

/** Returns a search in which one group is replaced. */
export function withGroup(search: string, index: number, terms: readonly QueryTerm[]): string {
  return withGroups(search, (groups) => groups.map((group, at) => (at === index ? [...terms] : group)));
}

/**
 * Returns a search with one more condition. Types and statuses become alternatives of existing ones; dates, lengths, related
 * items, and `has:` for the same field replace an existing one. The same condition is never added twice.
 */
export function withTerm(search: string, term: QueryTerm): string {
  return withGroups(search, (groups) => {
    if (groups.some((group) => group.length === 1 && isSame(group[0], term))) return groups;
    const place = placeFor(groups, term);
    if (place < 0) return [...groups, [term]];
    const group = groups[place] ?? [];
    const next = !ALTERNATIVES.includes(term.kind) ? [term] : hasTerm(group, term) ? group : [...group, term];
    return groups.map((each, at) => (at === place ? next : each));
  });
}

/** Returns a search without a condition, whether it is alone or among alternatives. */
export function withoutTerm(search: string, term: QueryTerm): string {
  return withGroups(search, (groups) =>
    groups
      .map((group) => (isOfOneKind(group, term) ? group.filter((each) => !isSame(each, term)) : group))
      .filter((group) => group.length > 0),
  );
}

/** Returns whether a query has a condition, alone or among alternatives of its kind. */
export function includesTerm({ groups }: LibraryQuery, term: QueryTerm): boolean {
  return groups.some((group) => isOfOneKind(group, term) && hasTerm(group, term));
}

function placeFor(groups: readonly QueryTerm[][], term: QueryTerm): number {
  if (ALTERNATIVES.includes(term.kind)) {
    return term.isNegated ? -1 : groups.findIndex((group) => isOfOneKind(group, term) && !group[0]?.isNegated);
  }
  if (SINGLE.includes(term.kind)) return groups.findIndex((group) => isOfOneKind(group, term));
  if (term.kind !== 'has') return -1;
  return groups.findIndex(([only, ...others]) => {
    return others.length === 0 && only?.kind === 'has' && only.field === term.field;
  });
}

function isOfOneKind(group: readonly QueryTerm[], { kind }: QueryTerm): boolean {
  return group.every((each) => each.kind === kind);
}

function hasTerm(group: readonly QueryTerm[], term: QueryTerm): boolean {
  return group.some((each) => isSame(each, term));
}

function isSame(one: QueryTerm | undefined, other: QueryTerm): boolean {
  return one !== undefined && formatQuery({ groups: [[one]] }) === formatQuery({ groups: [[other]] });
}

function withGroups(search: string, change: (groups: QueryTerm[][]) => QueryTerm[][]): string {
  return formatQuery({ groups: change(parseQuery(search).query.groups) });
}
