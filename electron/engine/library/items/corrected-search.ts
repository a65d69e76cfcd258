import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CountedWord, closestWord } from '../../../../shared/model/library-query/close-words.ts';
import { formatQuery } from '../../../../shared/model/library-query/format-query.ts';
import type { QueryTerm } from '../../../../shared/model/library-query/library-query.ts';
import { parseQuery } from '../../../../shared/model/library-query/parse-query.ts';
import { folded } from '../../../../shared/model/library-query/searched-text.ts';

export interface LibraryWords {
  /** Returns how many items of the list a search finds. */
  count(search: string): number;
  /** Returns whether any item of the library has a word. */
  has(word: string): boolean;
  /** Returns the words of titles, tags and bylines with an initial letter, whose length is near that of a word. */
  near(word: string, initial: string): Iterable<CountedWord>;
}

/** A search with more words is rather a pasted text. */
const MOST_WORDS = 12;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Returns a search that finds nothing with its mistyped words corrected; null when no word that the library lacks is close to one that it
 * has, or when the corrected search finds nothing either. Other work runs between its steps.
 */
export async function correctedSearch(search: string, words: LibraryWords): Promise<string | null> {
  const { query } = parseQuery(search);
  const missing = new Set(
    query.groups
      .flat()
      .map(correctable)
      .filter((word) => word !== null)
      .slice(0, MOST_WORDS)
      .filter((word) => !words.has(word)),
  );
  const meant = new Map<string, string>();
  for (const word of missing) {
    const closest = await closestInLibrary(word, words);
    if (closest !== null) meant.set(word, closest);
  }
  if (meant.size === 0) return null;
  const correct = (term: QueryTerm): QueryTerm => {
    const text = meant.get(correctable(term) ?? '');
    return term.kind === 'text' && text !== undefined ? { ...term, text } : term;
  };
  const corrected = formatQuery({ groups: query.groups.map((terms) => terms.map(correct)) });
  return words.count(corrected) > 0 ? corrected : null;
}

/** Returns the searched form of a single plain word; null for every other part of a search. */
function correctable(term: QueryTerm): string | null {
  if (term.kind !== 'text' || term.isPhrase || term.isNegated) return null;
  const word = folded(term.text);
  return word === '' || word.includes(' ') ? null : word;
}

/** The first letter is rarely mistyped, so words with the same one come first. */
async function closestInLibrary(word: string, words: LibraryWords): Promise<string | null> {
  const [first = ''] = word;
  for (const initials of [[first], [...LETTERS].filter((letter) => letter !== first)]) {
    const found: CountedWord[] = [];
    for (const initial of initials) {
      await nextTurn();
      const closest = closestWord(word, words.near(word, initial));
      if (closest !== null) found.push(closest);
    }
    const closest = closestWord(word, found);
    if (closest !== null) return closest.word;
  }
  return null;
}
