/** One piece of a text that may be HTML, in the order of the text. */
export type HtmlPiece =
  | { kind: 'text'; text: string }
  /** `name` in lower case; empty for `<!…>` and `<?…>`. */
  | { kind: 'tag'; name: string; closes: boolean }
  | { kind: 'comment' }
  /** A tag that never ends, to the end of the text. */
  | { kind: 'unclosed'; text: string };

const TAG = /^<(\/?)([a-z][a-z0-9:-]{0,30})/i;
/** The characters that may follow `<` in markup; any other leaves it a less-than sign. */
const OPENS_MARKUP = /[a-z/!?]/i;
const MAX_NAME_CHARS = 33;

/**
 * Splits a text into its tags, comments and the text between them. What stands between an opening tag of one of the
 * `hidden` elements and its closing tag is left out, up to the end of the text where it is never closed; so is a comment.
 *
 * Takes linear time for any text: each step continues behind everything that it read, and what has no end ends the text.
 */
export function* htmlPieces(html: string, hidden: ReadonlySet<string>): Generator<HtmlPiece> {
  let at = 0;
  while (at < html.length) {
    const open = nextMarkup(html, at);
    if (open > at) yield { kind: 'text', text: html.slice(at, open) };
    if (open === html.length) return;
    if (html.startsWith('<!--', open)) {
      yield { kind: 'comment' };
      at = behind(html, '-->', open + 4);
      continue;
    }
    const close = html.indexOf('>', open);
    if (close < 0) {
      yield { kind: 'unclosed', text: html.slice(open) };
      return;
    }
    const [, slash = '', given = ''] = TAG.exec(html.slice(open, Math.min(close, open + MAX_NAME_CHARS))) ?? [];
    const tag = { name: given.toLowerCase(), closes: slash === '/' };
    yield { kind: 'tag', ...tag };
    at = close + 1;
    if (!tag.closes && hidden.has(tag.name)) at = closingTag(html, tag.name, at);
  }
}

/** The place of the next `<` that opens markup, or the end of the text. */
function nextMarkup(html: string, from: number): number {
  for (let open = html.indexOf('<', from); open >= 0; open = html.indexOf('<', open + 1)) {
    if (OPENS_MARKUP.test(html.charAt(open + 1))) return open;
  }
  return html.length;
}

/** The place behind the next occurrence of `wanted`, or the end of the text. */
function behind(text: string, wanted: string, from: number): number {
  const found = text.indexOf(wanted, from);
  return found < 0 ? text.length : found + wanted.length;
}

/** The place of the closing tag of this element, or the end of the text. */
function closingTag(html: string, name: string, from: number): number {
  for (let open = html.indexOf('</', from); open >= 0; open = html.indexOf('</', open + 2)) {
    const end = open + 2 + name.length;
    if (html.slice(open + 2, end).toLowerCase() === name && !/[a-z0-9]/i.test(html.charAt(end))) return open;
  }
  return html.length;
}
