/** True when every word of `wanted` begins a word of `name`, or stands somewhere in it. */
export function matches(name: string, wanted: string): boolean {
  const text = fold(name);
  return fold(wanted)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Without accents and case. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLocaleLowerCase()
    .trim();
}
