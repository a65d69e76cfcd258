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

/** Returns whether HTML has formatting beyond paragraphs and line breaks, which editing as text would remove. */
export function hasFormatting(html: string | null): boolean {
  return html !== null && /<(?!\/?(?:p|br)\b)[a-z]/i.test(html);
}
