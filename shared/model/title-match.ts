/**
 * Compares titles that a library shows with requested titles. Libraries change titles: they trim, collapse
 * blanks, escape HTML, drop characters outside the Basic Multilingual Plane, normalize, change case, or cut.
 */

/** The agreement of a shown title with the requested title; higher is better. */
export const AGREEMENT = { none: 0, cut: 1, changed: 2, exact: 3 } as const;
export type Agreement = (typeof AGREEMENT)[keyof typeof AGREEMENT];

/** Shorter titles are not taken for cut ones: no library cuts that early, and people write such titles. Code points. */
const SHORTEST_CUT = 10;
/** Libraries escape once, and sometimes once more when they show the title. */
const MOST_ESCAPES = 2;

/** What other titles of the same list prove: a library that shows a longer title does not cut at a shorter length. */
export interface LongestTitle {
  codePoints: number;
  bytes: number;
}

/** How `shown` agrees with `asked`. `longest`: the longest title of the same list, `shown` included. */
export function titleAgreement(asked: string, shown: string, longest: LongestTitle): Agreement {
  if (asked === shown) return AGREEMENT.exact;
  const wanted = canonicalForms(asked);
  const found = canonicalTitle(shown);
  if (found === '') return AGREEMENT.none;
  if (wanted.includes(found)) return AGREEMENT.changed;
  if (wanted.some((form) => isNumbered(form, found))) return AGREEMENT.cut;
  return isCut(asked, wanted, shown, longest) ? AGREEMENT.cut : AGREEMENT.none;
}

/** The longest of these titles, as shown and without HTML escapes. */
export function longestOf(titles: Iterable<string>): LongestTitle {
  const longest = { codePoints: 0, bytes: 0 };
  for (const title of titles) {
    const { codePoints, bytes } = lengthOf(title);
    longest.codePoints = Math.max(longest.codePoints, codePoints);
    longest.bytes = Math.max(longest.bytes, bytes);
  }
  return longest;
}

/** The shorter of the title and its unescaped form counts: escapes make a title longer after it was cut. */
function lengthOf(title: string): LongestTitle {
  const text = unescaped(title);
  const codePoints = [...text];
  return { codePoints: codePoints.length, bytes: codePoints.reduce((sum, each) => sum + utf8Length(each), 0) };
}

/** Bytes of one code point in UTF-8; a lone surrogate counts as the replacement character, three bytes. */
function utf8Length(character: string): number {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

/** A title without everything that libraries change: equal for a title and its changed form, unless it was cut. */
export function canonicalTitle(title: string): string {
  return withoutAstral(
    unescaped(title)
      .normalize('NFKD')
      // Before marks are removed: in upper case a Greek iota below a letter becomes a letter of its own.
      .toUpperCase()
      // Before the change to lower case: a sigma is another letter at the end of a word.
      .replace(/\p{C}|\p{Z}|\s|\p{Mn}|[?\uFFFD\\]/gu, ''),
  )
    .toLowerCase()
    .replace(/[‘’‚‛′`´]/g, "'")
    .replace(/[“”„‟″«»]/g, '"')
    .replace(/[‐-―−]/g, '-')
    .replace(/ς/g, 'σ');
}

/** A library may drop characters before it normalizes, which turns some of them into letters; and it may strip markup. */
function canonicalForms(asked: string): string[] {
  const forms = [asked, withoutAstral(asked), withoutTags(asked)].map(canonicalTitle);
  return [...new Set(forms)].filter((form) => form !== '');
}

/** Some libraries make titles unique: “Optics” becomes “Optics (2)”. */
function isNumbered(form: string, found: string): boolean {
  return found.startsWith(form) && /^(?:\(\d{1,4}\)|\[\d{1,4}\])$/.test(found.slice(form.length));
}

function isCut(asked: string, wanted: readonly string[], shown: string, longest: LongestTitle): boolean {
  const { codePoints, bytes } = lengthOf(shown);
  if (longest.codePoints > codePoints && longest.bytes > bytes) return false;
  const beforeAstral = canonicalTitle(asked.replace(/[\u{10000}-\u{10FFFF}].*$/su, ''));
  const hasEllipsis = /(?:…|\.\.\.)$/.test(shown);
  // A cut may leave a part of an escape behind.
  const found = canonicalTitle(shown.replace(/(?:…|\.\.\.)$/, '').replace(/&[#a-z0-9]{0,8}$/i, ''));
  if (found === '') return false;
  // A database that knows three bytes a character ends a title before the first longer one.
  if (found === beforeAstral && [...shown].length > 2) return true;
  if (!hasEllipsis && codePoints < SHORTEST_CUT) return false;
  return wanted.some((form) => form.length > found.length && form.startsWith(found) && !isInsideNumber(form, found));
}

/** “Part 1” is not the beginning of “Part 12”: people number their recordings. */
function isInsideNumber(form: string, beginning: string): boolean {
  return /\d$/.test(beginning) && /^\d/.test(form.slice(beginning.length));
}

function withoutAstral(text: string): string {
  return text.replace(/[\u{10000}-\u{10FFFF}]/gu, '');
}

function withoutTags(text: string): string {
  return text.replace(/<[^<>]{0,200}>/g, '');
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function unescaped(text: string): string {
  let plain = text;
  for (let count = 0; count < MOST_ESCAPES; count += 1) {
    plain = plain.replace(
      /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi,
      (whole, name, ten, hex) => {
        if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole;
        const code = ten === undefined ? Number.parseInt(hex, 16) : Number(ten);
        return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
      },
    );
  }
  return plain;
}
