/** A word of the library, and in how many items it is. */
export interface CountedWord {
  word: string;
  items: number;
}

const SHORT_WORD = 4;

/** Returns how many letters may be wrong in a word; 0: it is too short to guess what was meant. */
function mostTypos(word: string): number {
  const { length } = [...word];
  return length < SHORT_WORD ? 0 : length <= SHORT_WORD + 1 ? 1 : 2;
}

/**
 * Returns the word that was probably meant by a mistyped one: with the fewest wrong letters, then with the same first letter, then the
 * most frequent. null: no word is close enough. Takes time in the number of candidates.
 */
export function closestWord(typed: string, candidates: Iterable<CountedWord>): CountedWord | null {
  const letters = [...typed];
  let best: { counted: CountedWord; rank: readonly number[] } | null = null;
  let most = mostTypos(typed);
  if (most === 0) return null;
  for (const counted of candidates) {
    const { word, items } = counted;
    const typos = typosBetween(letters, [...word], most);
    if (typos === null || typos === 0) continue;
    const rank = [typos, word[0] === typed[0] ? 0 : 1, -items];
    if (best === null || isBefore(rank, best.rank)) best = { counted, rank };
    most = Math.min(most, typos);
  }
  return best?.counted ?? null;
}

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0);
}

/**
 * Returns how many letters must be inserted, left out, replaced or exchanged with their neighbor to turn one word into another; null when
 * these are more than `most`.
 */
export function typosBetween(one: readonly string[], other: readonly string[], most: number): number | null {
  if (Math.abs(one.length - other.length) > most) return null;
  /** The costs of the row before the last one, and of the last one. */
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const now = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (now[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isExchanged =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (isExchanged) cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      now.push(cost);
    }
    if (Math.min(...now) > most) return null;
    [before, last] = [last, now];
  }
  const cost = last.at(-1) ?? 0;
  return cost <= most ? cost : null;
}
