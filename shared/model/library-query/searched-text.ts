const DIACRITICS = /[\u0300-\u036f]/g;
const SEPARATORS = /[^\p{L}\p{N}\p{M}]+/gu;

/**
 * Returns a text in the form in which it is searched: lower case, without accents, its words separated by one space.
 * `Café — Paris` and `CAFE PARIS` have the same form.
 */
export function folded(text: string): string {
  return text.normalize('NFD').replace(DIACRITICS, '').normalize('NFC').toLowerCase().replace(SEPARATORS, ' ').trim();
}
