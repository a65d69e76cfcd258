/** The most words of a command's name. */
export const LONGEST_NAME = 3;

/** Returns the names of all families, such as `queue`, `admin` and `admin users`, in the order of the commands. */
export function familyNames(names: readonly string[]): string[] {
  const families = names.flatMap((name) => {
    const words = name.split(' ');
    return words.slice(1).map((_, index) => words.slice(0, index + 1).join(' '));
  });
  return [...new Set(families)];
}

/** Returns the longest name of a family at the start of `words`; empty: none. */
export function familyOf(names: readonly string[], words: readonly string[]): string {
  for (let length = LONGEST_NAME - 1; length > 0; length -= 1) {
    const family = words.slice(0, length).join(' ');
    if (words.length >= length && names.some((name) => name.startsWith(`${family} `))) return family;
  }
  return '';
}

/** Returns the words that may follow a family, each once. `family` empty: the first words of all commands. */
export function memberWords(names: readonly string[], family: string): string[] {
  const prefix = family === '' ? '' : `${family} `;
  const members = names
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length).split(' ')[0]);
  return [...new Set(members.map((word) => word ?? ''))];
}
