import type { Store } from '../../database/store.ts';
import { wordsOf } from './media-filter.ts';
import { type MediaRow, tagsOf } from './media-row.ts';

/** Maximum number of related items. */
const MAX_RELATED = 1000;
/** The maximum number of items that count for a very common word: the newest ones. */
const NEWEST_WITH_WORD = 2000;
const MAX_WORDS = 12;
const SHORTEST_WORD = 4;

/**
 * Returns the ids of the items that share words of the title or tags with this item. The more and the rarer these words, the
 * earlier an item is in the list.
 */
export async function relatedIds(store: Store, row: MediaRow): Promise<number[]> {
  const words = [...new Set([row.title, ...tagsOf(row)].flatMap(wordsOf))].filter(
    (word) => word.length >= SHORTEST_WORD,
  );
  const scores = new Map<number, number>();
  for (const word of words.slice(0, MAX_WORDS)) {
    const ids = await newestWith(store, word);
    const weight = Math.log2(1 + NEWEST_WITH_WORD / ids.length);
    for (const id of ids) scores.set(id, (scores.get(id) ?? 0) + weight);
  }
  scores.delete(row.id);
  return [...scores]
    .sort(([idA, scoreA], [idB, scoreB]) => scoreB - scoreA || idB - idA)
    .slice(0, MAX_RELATED)
    .map(([id]) => id);
}

async function newestWith(store: Store, word: string): Promise<number[]> {
  const { sql, params } = store.fullText.matching({ words: [word], isPrefix: false });
  const row = await store.get<{ ids: string | null }>(
    `SELECT json_group_array(id) AS ids FROM (${sql} ORDER BY id DESC LIMIT ?) AS newest`,
    ...params,
    NEWEST_WITH_WORD,
  );
  return JSON.parse(row?.ids ?? '[]') as number[];
}
