/** The fields that `has:` and `no:` can name. */
export const QUERY_FIELDS = ['captions', 'description', 'byline', 'tags'] as const;
type QueryField = (typeof QUERY_FIELDS)[number];

/** The types and states of items that libraries usually have, the most frequent types first. Others may exist. */
export const USUAL_VALUES = {
  type: ['video', 'audio', 'doc', 'image'],
  status: ['published', 'scheduled', 'draft'],
} as const;

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
  /** Dates as `2026`, `2026-03`, `2026-03-31` or relative as `last-7-days`, in the time zone of the user. */
  | { kind: DateQualifier; range: QueryRange<string> }
  /** Whole seconds. */
  | { kind: 'duration'; range: QueryRange<number> }
  | { kind: 'has'; field: QueryField }
  | { kind: 'is'; state: QueryState }
  /** A search in parentheses, where its groups can't be groups of the whole search: in `(a b) OR c` and `-(a b)`. */
  | { kind: 'group'; query: LibraryQuery };

export type QueryTerm = QueryCondition & { isNegated: boolean };

/** Other names of qualifiers, as users and other programs call them. */
export const QUALIFIER_ALIASES: Readonly<Record<string, string>> = {
  length: 'duration',
  publish: 'published',
  added: 'created',
  changed: 'modified',
  by: 'byline',
  author: 'byline',
  tags: 'tag',
  collection: 'in',
  without: 'no',
  with: 'has',
};

/** All qualifiers by the name that a written search has. */
export const QUALIFIERS = [...TEXT_QUALIFIERS, ...DATE_QUALIFIERS, 'duration', 'has', 'no', 'is'] as const;

/** A search: every group must match, and a group matches when one of its terms does. */
export interface LibraryQuery {
  groups: QueryTerm[][];
}

/** A part of a text that probably does not mean what the user wants. */
export interface QueryHint {
  /**
   * `unknown`: there is no such qualifier; `value`: it does not have such a value. Both are searched as words. `unusual`: items usually
   * have other values; `reversed`: the range ends before it begins. Both are conditions that find nothing.
   */
  kind: 'unknown' | 'value' | 'unusual' | 'reversed';
  qualifier: string;
  value: string;
}

export interface ParsedQuery {
  query: LibraryQuery;
  hints: QueryHint[];
}
