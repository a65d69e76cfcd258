/**
 * Compares titles shown by a library with requested titles. Libraries change titles: they trim, collapse blanks, escape
 * HTML, drop characters outside the Basic Multilingual Plane, normalize, change the case, or truncate.
 */

/** How well a shown title agrees with the requested title; higher is better. */
export const AGREEMENT = { none: 0, cut: 1, changed: 2, exact: 3 } as const;
export type Agreement = (typeof AGREEMENT)[keyof typeof AGREEMENT];

/**
 * In code points. Shorter titles are never treated as truncated: no library truncates that early, and users write such
 * titles.
 */
const SHORTEST_CUT = 10;
/** Libraries escape a title once, and sometimes a second time when they show it. */
const MOST_ESCAPES = 2;

/** The longest title of a list. A library that shows a longer title does not truncate at a shorter length. */
export interface LongestTitle {
  codePoints: number;
  bytes: number;
}

/** Returns how well `shown` agrees with `asked`. `longest`: the longest title of the same list, including `shown`. */
export function titleAgreement(asked: string, shown: string, longest: LongestTitle): Agreement {
  if (asked === shown) return AGREEMENT.exact;
  const wanted = canonicalForms(asked);
  const found = canonicalTitle(shown);
  if (found === '') return AGREEMENT.none;
  if (wanted.includes(found)) return AGREEMENT.changed;
  if (wanted.some((form) => isNumbered(form, found))) return AGREEMENT.cut;
  return isCut(asked, wanted, shown, longest) ? AGREEMENT.cut : AGREEMENT.none;
}

/** Returns the longest of these titles, as shown and without HTML escapes. */
export function longestOf(titles: Iterable<string>): LongestTitle {
  const longest = { codePoints: 0, bytes: 0 };
  for (const title of titles) {
    const { codePoints, bytes } = lengthOf(title);
    longest.codePoints = Math.max(longest.codePoints, codePoints);
    longest.bytes = Math.max(longest.bytes, bytes);
  }
  return longest;
}

/**
 * Returns the length of the shorter of the title and its unescaped form: escapes can make a title longer after the library
 * truncated it.
 */
function lengthOf(title: string): LongestTitle {
  const text = unescaped(title);
  const codePoints = [...text];
  return { codePoints: codePoints.length, bytes: codePoints.reduce((sum, each) => sum + utf8Length(each), 0) };
}

/** Returns the length of one code point in UTF-8. A lone surrogate counts as the replacement character, three bytes. */
function utf8Length(character: string): number {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

/** Removes everything that libraries change: a title and its changed form are then equal, unless it was truncated. */
export function canonicalTitle(title: string): string {
  return withoutAstral(
    unescaped(title)
      .normalize('NFKD')
      // Before combining marks are removed: in upper case, a Greek iota below a letter becomes a letter.
      .toUpperCase()
      // Before the change to lower case, because a sigma at the end of a word has another lower-case form.
      .replace(/\p{C}|\p{Z}|\s|\p{Mn}|[?\uFFFD\\]/gu, ''),
  )
    .toLowerCase()
    .replace(/[‘’‚‛′`´]/g, "'")
    .replace(/[“”„‟″«»]/g, '"')
    .replace(/[‐-―−]/g, '-')
    .replace(/ς/g, 'σ');
}

/**
 * Returns several forms: a library may drop characters before it normalizes, which turns some of them into letters, and
 * it may strip markup.
 */
function canonicalForms(asked: string): string[] {
  const forms = [asked, withoutAstral(asked), withoutTags(asked)].map(canonicalTitle);
  return [...new Set(forms)].filter((form) => form !== '');
}

/** Some libraries make titles unique with a number: “Optics” becomes “Optics (2)”. */
function isNumbered(form: string, found: string): boolean {
  return found.startsWith(form) && /^(?:\(\d{1,4}\)|\[\d{1,4}\])$/.test(found.slice(form.length));
}

function isCut(asked: string, wanted: readonly string[], shown: string, longest: LongestTitle): boolean {
  const { codePoints, bytes } = lengthOf(shown);
  if (longest.codePoints > codePoints && longest.bytes > bytes) return false;
  const beforeAstral = canonicalTitle(asked.replace(/[\u{10000}-\u{10FFFF}].*$/su, ''));
  const hasEllipsis = /(?:…|\.\.\.)$/.test(shown);
  // Truncation can leave a part of an HTML escape at the end.
  const found = canonicalTitle(shown.replace(/(?:…|\.\.\.)$/, '').replace(/&[#a-z0-9]{0,8}$/i, ''));
  if (found === '') return false;
  // A database with three-byte UTF-8 truncates a title before the first longer character.
  if (found === beforeAstral && [...shown].length > 2) return true;
  if (!hasEllipsis && codePoints < SHORTEST_CUT) return false;
  return wanted.some((form) => form.length > found.length && form.startsWith(found) && !isInsideNumber(form, found));
}

/** “Part 1” is no truncated “Part 12”: users number their recordings. */
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
