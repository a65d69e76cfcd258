/**
 * Converts descriptions: the library has HTML, the screen shows and edits plain text. HTML of the library is never inserted as
 * markup. HTML is created from escaped text; only a table cell can also contain HTML that a user wrote.
 */

import { decodeEntities } from '../api/html-entities.ts';
import { escapeHtml } from './escape-html.ts';

/** Formatting beyond paragraphs and line breaks. */
const FORMATTED = /<(?!\/?(?:p|br)\b)\/?[a-z]/i;
const KNOWN_TAG =
  /<\/?(?:p|br|b|strong|i|em|u|s|a|ul|ol|li|h[1-6]|blockquote|code|pre|span|div|sub|sup|hr|img|table|tr|td|th)(?:\s[^<>]*)?\/?>/i;

/** Returns whether HTML has formatting, which editing as text would remove. */
export function hasFormatting(html: string | null): boolean {
  return html !== null && FORMATTED.test(html);
}

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

/**
 * Returns the text of a table cell for a description: plain text, or the HTML itself when text could not be converted back to it,
 * as with formatting, text that looks like a tag, and unknown character references.
 */
export function descriptionCell(html: string): string {
  if (hasFormatting(html)) return html;
  let isKnown = true;
  const text = decodeEntities(
    html
      .replace(/\r\n?/g, '\n')
      .replace(/<\/p>\s*<p(?:\s[^<>]*)?>/gi, '\n\n')
      .replace(/<br\s*\/?>\n?/gi, '\n')
      .replace(/<\/?p(?:\s[^<>]*)?>/gi, ''),
    () => {
      isKnown = false;
    },
  ).trim();
  if (isKnown && !KNOWN_TAG.test(text)) return text;
  return KNOWN_TAG.test(html) ? html : `<p>${html}</p>`;
}

/**
 * Returns the description of a table cell. A text with tags of HTML counts as HTML, so that formatted descriptions can be copied
 * between cells without loss.
 */
export function descriptionOfCell(text: string): string {
  const plain = text.replace(/\r\n?/g, '\n').trim();
  return KNOWN_TAG.test(plain) ? plain : plainToHtml(plain);
}
