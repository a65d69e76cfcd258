import { folded } from './library-query/searched-text.ts';

/** Letters that have no accent to remove, as most languages sort them. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};
const LETTER = /[ßæœøłđðþı]/g;
const DIGITS = /\d+/g;
/** Two digits give the length of a number. */
const MOST_DIGITS = 99;

/**
 * Returns the key by which lists sort a text: without accents, letter case and punctuation, and with numbers by their value. `Élan`
 * sorts like `elan`, and `Part 9` before `Part 10`. Keys are compared by their code units.
 */
export function sortKey(text: string): string {
  return folded(text)
    .replace(LETTER, (letter) => LETTERS[letter] ?? letter)
    .replace(DIGITS, numberKey);
}

/** A longer number is a greater one. */
function numberKey(digits: string): string {
  const value = digits.replace(/^0+(?=\d)/, '').slice(0, MOST_DIGITS);
  return String(value.length).padStart(2, '0') + value;
}
