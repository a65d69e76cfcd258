/**
 * Descriptions in a table cell. A description is HTML; a user types plain text. A text with tags of HTML counts as HTML, so that
 * formatted descriptions can be copied between cells without loss.
 */

const FORMATTED = /<(?!\/?(?:p|br)\b)\/?[a-z]/i;
const KNOWN_TAG =
  /<\/?(?:p|br|b|strong|i|em|u|s|a|ul|ol|li|h[1-6]|blockquote|code|pre|span|div|sub|sup|hr|img|table|tr|td|th)(?:\s[^<>]*)?\/?>/i;

/** Returns the text of a cell for a description: plain text, or the HTML itself when it has formatting. */
export function descriptionCell(html: string): string {
  if (FORMATTED.test(html)) return html;
  return html
    .replace(/\r\n?/g, '\n')
    .replace(/<\/p>\s*<p(?:\s[^<>]*)?>/gi, '\n\n')
    .replace(/<br\s*\/?>\n?/gi, '\n')
    .replace(/<\/?p(?:\s[^<>]*)?>/gi, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .trim();
}

/** Returns the description that a cell means. A blank line separates paragraphs; a single line break stays one. */
export function descriptionOfCell(text: string): string {
  const plain = text.replace(/\r\n?/g, '\n').trim();
  if (KNOWN_TAG.test(plain)) return plain;
  return plain
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${escapeText(paragraph).replaceAll('\n', '<br />')}</p>`)
    .join('\n');
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
