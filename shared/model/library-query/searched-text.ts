const DIACRITICS = /[\u0300-\u036f]/g;
const SEPARATORS = /[^\p{L}\p{N}\p{M}]+/gu;

/**
 * Returns a text in the form in which it is searched: lower case, without accents, its words separated by one space.
 * `Café — Paris` and `CAFE PARIS` have the same form.
 */
export function folded(text: string): string {
  return text.normalize('NFD').replace(DIACRITICS, '').normalize('NFC').toLowerCase().replace(SEPARATORS, ' ').trim();
}

/** Returns a test for folded texts: whether one contains all words of `text`. A text without words is contained in each. */
export function hasWords(text: string): (searched: string) => boolean {
  const words = folded(text).split(' ').filter(Boolean);
  return (searched) => words.every((word) => searched.includes(word));
}
