import { ITEM_FIELDS, type ItemField } from '../../../shared/item/fields.ts';
import type { Condition } from '../condition.ts';
import type { FullText, TextQuery } from '../full-text.ts';
import type { Word } from './words.ts';

/** What PostgreSQL can hold: the bytes of a word, its places in an item, and the largest place. */
const LIMITS = { wordBytes: 2046, placesOfWord: 255, place: 16_383 };
/** How much a word in each field counts. */
const WEIGHTS: Readonly<Record<ItemField, 'A' | 'B' | 'C' | 'D'>> = {
  title: 'A',
  byline: 'C',
  description: 'D',
  tags: 'B',
};
/** All words of longer items are found, but not words that must be next to each other: their places are left out. */
const MOST_WORDS = 50_000;

/** The index as a column of type tsvector. `split` makes the words of texts. */
export function postgresFullText(split: (texts: readonly string[]) => Word[]): FullText {
  const conditionOf = (query: TextQuery): Condition => {
    const text = queryText(query, split);
    return text === undefined
      ? { sql: 'FALSE', params: [] }
      : { sql: 'media_text.words @@ CAST(? AS tsquery)', params: [text] };
  };
  return {
    matching(query) {
      const { sql, params } = conditionOf(query);
      return { sql: `SELECT id FROM media_text WHERE ${sql}`, params };
    },
    ranked: (query) => ({
      table: 'media_text JOIN media m ON m.id = media_text.id',
      condition: conditionOf(query),
      rank: { sql: '-ts_rank(media_text.words, CAST(? AS tsquery))', params: [queryText(query, split) ?? ''] },
    }),
    insert: ({ id, ...texts }) => ({
      sql: 'INSERT INTO media_text (id, words) VALUES (?, CAST(? AS tsvector))',
      params: [id, vectorText(split(ITEM_FIELDS.map((field) => texts[field])))],
    }),
    remove: 'DELETE FROM media_text WHERE id IN (SELECT value FROM json_each(?))',
  };
}

/** The words of an item with their places and weights. Between two texts is a gap: no phrase begins in one and ends in the next. */
function vectorText(words: readonly Word[]): string {
  const begins = ITEM_FIELDS.map(() => 0);
  const weights = ITEM_FIELDS.map((field) => WEIGHTS[field]);
  for (let field = 1; field < begins.length; field += 1) {
    const length = words.reduce((most, word) => (word.field === field - 1 ? Math.max(most, word.place + 1) : most), 0);
    begins[field] = (begins[field - 1] ?? 0) + length + 1;
  }
  const places = new Map<string, string[]>();
  for (const { term, field, place } of words) {
    const key = lexeme(term);
    const known = places.get(key) ?? [];
    places.set(key, known);
    const at = Math.min((begins[field] ?? 0) + place + 1, LIMITS.place);
    if (known.length < LIMITS.placesOfWord && words.length <= MOST_WORDS) known.push(`${at}${weights[field]}`);
  }
  return [...places].map(([term, at]) => (at.length === 0 ? term : `${term}:${at.join(',')}`)).join(' ');
}

/** The query in the language of PostgreSQL; undefined when no item can match: a word has no letter that the index knows. */
function queryText({ words, isPrefix }: TextQuery, split: (texts: readonly string[]) => Word[]): string | undefined {
  const parts = words.map((word) => {
    const terms = split([word]).sort((a, b) => a.place - b.place);
    const phrase = terms.map(({ term }) => lexeme(term)).join(' <-> ');
    return phrase === '' ? undefined : `(${phrase}${isPrefix ? ':*' : ''})`;
  });
  return parts.includes(undefined) ? undefined : parts.join(' & ');
}

/** A word in quotes, cut to what fits. */
function lexeme(term: string): string {
  const bytes = Buffer.from(term);
  // A character that is cut in two is left out.
  const fitting =
    bytes.length <= LIMITS.wordBytes
      ? term
      : new TextDecoder().decode(bytes.subarray(0, LIMITS.wordBytes), { stream: true });
  return `'${fitting.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
