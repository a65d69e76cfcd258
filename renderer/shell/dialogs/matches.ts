const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u;

/** Returns whether words of `name` begin with every word of `wanted`: `lect` finds lectures, but no collections. */
export function matches(name: string, wanted: string): boolean {
  const words = wordsOf(name);
  const beginnings = wordsOf(wanted);
  // A sign without letters is in no name.
  if (beginnings.length === 0) return wanted.trim() === '';
  return beginnings.every((word) => words.some((each) => each.startsWith(word)));
}

/**
 * Returns a compare function for matching names: names that begin with the wanted text come first, all others keep their order.
 */
export function byBeginning(wanted: string): (one: string, other: string) => number {
  const beginning = fold(wanted);
  const rank = (name: string) => (fold(name).startsWith(beginning) ? 0 : 1);
  return (one, other) => rank(one) - rank(other);
}

function wordsOf(text: string): string[] {
  return fold(text)
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '');
}

/** Removes accents and upper case. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLocaleLowerCase()
    .trim();
}
