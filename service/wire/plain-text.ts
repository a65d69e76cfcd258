const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  mdash: '—',
  ndash: '–',
};

/**
 * Converts HTML to plain text: blocks become lines, markup is removed, entities are decoded, spaces are collapsed.
 * Takes linear time for any input.
 */
export function plainText(html: string): string {
  return withoutMarkup(html)
    .replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, name: string) => entity(name) ?? whole)
    .replace(/[ \t\r\f\v\u00a0]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const BLOCKS = new Set('p div li h1 h2 h3 h4 h5 h6 blockquote tr ul ol'.split(' '));
const UNREADABLE: Readonly<Record<string, RegExp>> = { script: /<\/script\s*>/gi, style: /<\/style\s*>/gi };

/**
 * Each step continues after the text it has read. A construct without an end has none later either, so no text is read
 * twice.
 */
function withoutMarkup(html: string): string {
  const kept: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    const close = open < 0 ? -1 : html.indexOf('>', open);
    const isComment = open >= 0 && html.startsWith('<!--', open);
    if (!isComment && close < 0) {
      kept.push(html.slice(at));
      break;
    }
    kept.push(html.slice(at, open));
    if (isComment) {
      at = endOf(html, '-->', open + 4);
      continue;
    }
    const [, slash, given = ''] = /^<(\/?)([a-z][a-z0-9]*)/i.exec(html.slice(open, Math.min(close, open + 16))) ?? [];
    const name = given.toLowerCase();
    if (name === 'br' || (slash === '/' && BLOCKS.has(name))) kept.push('\n');
    const end = slash === '' ? UNREADABLE[name] : undefined;
    at = end === undefined ? close + 1 : endOf(html, end, close + 1);
  }
  return kept.join('');
}

/** The position after the next occurrence, or the end of the text. */
function endOf(text: string, wanted: string | RegExp, from: number): number {
  if (typeof wanted === 'string') {
    const found = text.indexOf(wanted, from);
    return found < 0 ? text.length : found + wanted.length;
  }
  wanted.lastIndex = from;
  return wanted.test(text) ? wanted.lastIndex : text.length;
}

function entity(name: string): string | undefined {
  if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()];
  const code = name[1] === 'x' || name[1] === 'X' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  const valid = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return valid ? String.fromCodePoint(code) : '';
}

/** Escapes text for HTML, attribute values included. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
