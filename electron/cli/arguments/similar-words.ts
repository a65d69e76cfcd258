/** The minimum length of a word that is compared by its parts: shorter ones are part of many words. */
const LEAST_PART = 3;

/** Returns the words that a user may have meant: those that contain it or are part of it, otherwise those with few other letters. */
export function similarTo(typed: string, words: readonly string[]): string[] {
  const parts = words.filter((word) => typed.length >= LEAST_PART && (word.includes(typed) || typed.includes(word)));
  if (parts.length > 0) return parts;
  const most = Math.min(2, Math.floor(typed.length / 2));
  const near = words.map((word) => ({ word, distance: distanceOf(typed, word) }));
  const least = Math.min(...near.map(({ distance }) => distance));
  return near.flatMap(({ word, distance }) => (distance === least && least <= most ? [word] : []));
}

/** Returns ` Did you mean A or B?`; empty without words. */
export function hintOf(words: readonly string[]): string {
  return words.length === 0 ? '' : ` Did you mean ${words.join(' or ')}?`;
}

/**
 * Returns how many letters must be added, removed, replaced, or swapped with the next one to make `a` of `b` (optimal string
 * alignment).
 */
function distanceOf(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
