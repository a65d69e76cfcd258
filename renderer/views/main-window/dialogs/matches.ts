/** Returns whether `name` contains every word of `wanted`. */
export function matches(name: string, wanted: string): boolean {
  const text = fold(name);
  return fold(wanted)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Removes accents and upper case. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLocaleLowerCase()
    .trim();
}
