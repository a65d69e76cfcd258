import { groupedBy } from '../grouped-by.ts';
import { folded } from '../library-query/searched-text.ts';

/**
 * Returns the names that differ only in letter case, accents, separators or a plural `s`, as groups of at least two, in the order of
 * the names. Takes time in proportion to the texts.
 */
export function similarNames<T extends { name: string }>(rows: readonly T[]): T[][] {
  return [...groupedBy(rows, ({ name }) => keyOf(name)).values()].filter((group) => group.length > 1);
}

/** The least letters of a word whose last `s` may be that of a plural. */
const LEAST_PLURAL = 4;

function keyOf(name: string): string {
  const words = folded(name).split(' ');
  const singular = words.map((word) =>
    word.length >= LEAST_PLURAL && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word,
  );
  // A name of signs only, such as `C++` beside `C#`, is no other name without them.
  const key = singular.join('');
  return key.length < 2 ? `=${name}` : key;
}
