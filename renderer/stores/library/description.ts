import { htmlPieces } from '../../../shared/model/html-pieces.ts';

/**
 * Converts descriptions: the service has HTML, the screen shows and edits plain text. HTML of the service is never
 * inserted as markup, and the HTML that is sent is built here from escaped text only.
 */

/** Converts text to HTML. A blank line separates paragraphs; a single line break stays a line break. */
export function plainToHtml(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br />')}</p>`)
    .join('\n');
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

const BLOCKS: ReadonlySet<string> = new Set(
  'p div h1 h2 h3 h4 h5 h6 li ul ol blockquote tr table section article pre'.split(' '),
);
const HIDDEN: ReadonlySet<string> = new Set('script style title template noscript iframe object'.split(' '));

/**
 * Converts HTML to its text, for items without a plain-text description. The result is used as text only, so a hostile
 * description can at worst be unreadable. Takes linear time for any input.
 */
export function htmlToPlain(html: string): string {
  const kept: string[] = [];
  for (const piece of htmlPieces(html, HIDDEN)) {
    if (piece.kind === 'text') kept.push(piece.text.replace(/\s+/g, ' '));
    else if (piece.kind === 'tag' && piece.name === 'br') kept.push('\n');
    else if (piece.kind === 'tag' && piece.closes && BLOCKS.has(piece.name)) kept.push('\n\n');
  }
  return decodeEntities(kept.join(''))
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
};

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));/gi, (entity, hex, decimal, name) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? entity;
    const code = hex !== undefined ? Number.parseInt(hex, 16) : Number.parseInt(decimal, 10);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : entity;
  });
}

/** Returns the text to edit: the plain text of the service, otherwise the text of the HTML. */
export function editableDescription(item: { description: string | null; description_plain: string | null }): string {
  if (item.description_plain !== null && item.description_plain !== '') return item.description_plain;
  return item.description === null ? '' : htmlToPlain(item.description);
}

/** Returns whether HTML has formatting beyond paragraphs and line breaks, which editing as text would remove. */
export function hasFormatting(html: string | null): boolean {
  return html !== null && /<(?!\/?(?:p|br)\b)[a-z]/i.test(html);
}
