import { ITEM_FIELDS, type ItemField } from '../../shared/item/fields.ts';
import type { Condition } from './condition.ts';

/** What the search for text looks for: items that have all of these words. */
export interface TextQuery {
  /** In lower case; without the characters that separate words. */
  words: readonly string[];
  /** Whether a word also matches longer words that begin with it. */
  isPrefix: boolean;
}

/** The texts of a media item that are searched: its fields as plain text. */
export interface ItemText extends Record<ItemField, string> {
  id: number;
}

/** A join of the index with the items, for lists in the order of relevance. */
interface RankedMatches {
  /** Tables: the index, and the items as `m`. */
  table: string;
  condition: Condition;
  /** An expression that is less for better matches. */
  rank: Condition;
}

/**
 * The full-text index of media items, as SQL of the engine: its statements are run by the caller. Each engine finds the same items; which
 * match is better may differ.
 */
export interface FullText {
  /** Returns a SELECT of the ids of the matching items, as `id`. */
  matching(query: TextQuery): Condition;
  ranked(query: TextQuery): RankedMatches;
  /** Returns the statement that adds an item, which must not be in the index. */
  insert(item: ItemText): Condition;
  /** A statement that deletes the items of a JSON list of ids, its only parameter. Unknown ids are ignored. */
  readonly remove: string;
}

const MATCH = 'media_text MATCH ?';

/** The index in FTS5. */
export const SQLITE_FULL_TEXT: FullText = {
  matching: (query) => ({ sql: `SELECT rowid AS id FROM media_text WHERE ${MATCH}`, params: [expressionOf(query)] }),
  ranked: (query) => ({
    table: 'media_text JOIN media m ON m.id = media_text.rowid',
    condition: { sql: MATCH, params: [expressionOf(query)] },
    rank: { sql: 'media_text.rank', params: [] },
  }),
  insert: ({ id, ...texts }) => ({
    sql: `INSERT INTO media_text (rowid, ${ITEM_FIELDS.join(', ')}) VALUES (?${', ?'.repeat(ITEM_FIELDS.length)})`,
    params: [id, ...ITEM_FIELDS.map((field) => texts[field])],
  }),
  remove: 'DELETE FROM media_text WHERE rowid IN (SELECT value FROM json_each(?))',
};

/** Returns the query in the language of FTS5. */
export function expressionOf({ words, isPrefix }: TextQuery): string {
  return words.map((word) => `"${word}"${isPrefix ? '*' : ''}`).join(' AND ');
}
