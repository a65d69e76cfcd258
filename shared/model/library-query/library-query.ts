/** The fields that `has:` and `no:` can name. */
export const QUERY_FIELDS = ['captions', 'description', 'byline', 'tags'] as const;
type QueryField = (typeof QUERY_FIELDS)[number];

/** The possible values of `is:`. */
export const QUERY_STATES = ['pending', 'deleted', 'published', 'scheduled', 'draft', 'podcast'] as const;
type QueryState = (typeof QUERY_STATES)[number];

/**
 * Qualifiers whose value is any text. `in`: a collection by name or id, with everything below it. `related`: items
 * related to an item, by its id.
 */
export const TEXT_QUALIFIERS = ['type', 'status', 'tag', 'in', 'byline', 'related'] as const;
type TextQualifier = (typeof TEXT_QUALIFIERS)[number];

export const DATE_QUALIFIERS = ['created', 'modified', 'published'] as const;
export type DateQualifier = (typeof DATE_QUALIFIERS)[number];

/** Limits of a range; null: no limit. The limits belong to the range. `isOpen`: it has one limit, which does not belong to it. */
export interface QueryRange<T> {
  from: T | null;
  to: T | null;
  isOpen: boolean;
}

/** A condition of a query. */
export type QueryCondition =
  /** Words of the item: `isPhrase` in this order, otherwise one word. */
  | { kind: 'text'; text: string; isPhrase: boolean }
  | { kind: TextQualifier; value: string }
  /** Dates as `2026`, `2026-03` or `2026-03-31`, in the time zone of the user. */
  | { kind: DateQualifier; range: QueryRange<string> }
  /** Whole seconds. */
  | { kind: 'duration'; range: QueryRange<number> }
  | { kind: 'has'; field: QueryField }
  | { kind: 'is'; state: QueryState };

export type QueryTerm = QueryCondition & { isNegated: boolean };

/** A search: every group must match, and a group matches when one of its terms does. */
export interface LibraryQuery {
  groups: QueryTerm[][];
}

/** A part of a text that is searched as words, because it is not a qualifier. */
export interface QueryHint {
  /** `unknown`: there is no such qualifier; `value`: it does not have such a value. */
  kind: 'unknown' | 'value';
  qualifier: string;
  value: string;
}

export interface ParsedQuery {
  query: LibraryQuery;
  hints: QueryHint[];
}
