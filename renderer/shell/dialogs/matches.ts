/** Returns whether `name` contains every word of `wanted`. */
export function matches(name: string, wanted: string): boolean {
  const text = fold(name);
  return fold(wanted)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/**
 * Returns a compare function for matching names: names that begin with the wanted text come first, all others keep their order.
 */
export function byBeginning(wanted: string): (one: string, other: string) => number {
  const beginning = fold(wanted);
  const rank = (name: string) => (fold(name).startsWith(beginning) ? 0 : 1);
  return (one, other) => rank(one) - rank(other);
}

/** Removes accents and upper case. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLocaleLowerCase()
    .trim();
}
