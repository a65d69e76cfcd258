import { decodeEntities } from './html-entities.ts';

/** How the structure of HTML appears in its text. */
export interface TextStyle {
  /** Replaces `<br>`. */
  br: string;
  /** Stands between paragraphs, headings, list items and other blocks, and between them and the text around them. */
  betweenBlocks: string;
  /** Replaces every other tag. */
  otherTag: string;
  /** Whether line breaks of the source are kept; otherwise they become spaces, as in a browser. */
  keepsLineBreaks: boolean;
  /** Whether spaces are kept that browsers don't collapse, such as ideographic ones. No-break spaces become spaces. */
  keepsOtherSpaces: boolean;
}

/** Paragraphs with a blank line between them. */
export const PARAGRAPHS: TextStyle = {
  br: '\n',
  betweenBlocks: '\n\n',
  otherTag: '',
  keepsLineBreaks: false,
  keepsOtherSpaces: true,
};
/** A line for each block: the plain form of descriptions in the API. */
export const LINES: TextStyle = {
  br: '\n',
  betweenBlocks: '\n',
  otherTag: '',
  keepsLineBreaks: true,
  keepsOtherSpaces: false,
};
/** Words in one line. */
export const WORDS: TextStyle = {
  br: ' ',
  betweenBlocks: ' ',
  otherTag: ' ',
  keepsLineBreaks: false,
  keepsOtherSpaces: false,
};

/** Elements that begin and end a line. */
const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer ' +
    'form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol p pre search section summary table tbody tfoot thead ' +
    'tr ul'
  ).split(' '),
);
/** Elements beside each other. */
const CELLS: ReadonlySet<string> = new Set(['td', 'th']);
/** Elements whose contents are not shown. */
const HIDDEN: ReadonlySet<string> = new Set('script style template noscript iframe object'.split(' '));

/**
 * Converts HTML to the text that it shows: tags and comments are removed, entities are decoded, spaces are collapsed. Text that
 * is not HTML is kept. The result must only be used as text: escaped markup becomes markup again. Takes linear time for any
 * input.
 */
export function htmlToText(html: string, style: TextStyle): string {
  const kept: string[] = [];
  let isBorder = false;
  for (const piece of htmlPieces(html)) {
    if (piece.kind === 'tag') {
      if (BLOCKS.has(piece.name)) isBorder = true;
      else kept.push(replacementOf(piece.name, style));
      continue;
    }
    // Of several borders without a text between them, one counts.
    if (isBorder && /\S/.test(piece.text)) {
      kept.push(style.betweenBlocks);
      isBorder = false;
    }
    kept.push(style.keepsLineBreaks ? piece.text : piece.text.replaceAll(/[\r\n]+/g, ' '));
  }
  return decodeEntities(kept.join(''))
    .replace(style.keepsOtherSpaces ? /[ \t\v\f\r\u00a0]+/g : /[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function replacementOf(name: string, style: TextStyle): string {
  if (name === 'br') return style.br;
  return CELLS.has(name) ? ' ' : style.otherTag;
}

/** One piece of a text that may be HTML, in the order of the text. */
type HtmlPiece =
  | { kind: 'text'; text: string }
  /** `name` in lower case; empty for `<!…>` and `<?…>`. */
  | { kind: 'tag'; name: string; closes: boolean };

/** Begins a part of XHTML that is text as it is. */
const CDATA = '<![CDATA[';
const TAG = /^<(\/?)([a-z][a-z0-9:-]{0,30})/i;
/** The characters that may follow `<` in markup; before any other character, `<` is a less-than sign. */
const OPENS_MARKUP = /[a-z/!?]/i;
const MAX_NAME_CHARS = 33;

/**
 * Splits a text into its tags and the text between them, without comments and hidden elements; those extend to the end of the
 * text when they are never closed. A tag that is never closed is text.
 *
 * Takes linear time for any text: each step continues after the part that it read, and a part without an end extends to the end
 * of the text.
 */
function* htmlPieces(html: string): Generator<HtmlPiece> {
  let at = 0;
  while (at < html.length) {
    const open = nextMarkup(html, at);
    if (open > at) yield { kind: 'text', text: html.slice(at, open) };
    if (open === html.length) return;
    if (html.startsWith('<!--', open)) {
      at = behind(html, '-->', open + 4);
      continue;
    }
    if (html.startsWith(CDATA, open)) {
      at = behind(html, ']]>', open + CDATA.length);
      // Its text has no entities.
      yield {
        kind: 'text',
        text: html
          .slice(open + CDATA.length, at)
          .replace(/\]\]>$/, '')
          .replaceAll('&', '&amp;'),
      };
      continue;
    }
    const close = endOfTag(html, open + 1);
    if (close < 0) {
      yield { kind: 'text', text: html.slice(open) };
      return;
    }
    const [, slash = '', given = ''] = TAG.exec(html.slice(open, Math.min(close, open + MAX_NAME_CHARS))) ?? [];
    const tag = { name: given.toLowerCase(), closes: slash === '/' };
    yield { kind: 'tag', ...tag };
    at = close + 1;
    if (!tag.closes && HIDDEN.has(tag.name)) at = closingTag(html, tag.name, at);
  }
}

/** Returns the position of the next `<` that opens markup, or the end of the text. */
function nextMarkup(html: string, from: number): number {
  for (let open = html.indexOf('<', from); open >= 0; open = html.indexOf('<', open + 1)) {
    if (OPENS_MARKUP.test(html.charAt(open + 1))) return open;
  }
  return html.length;
}

/**
 * Returns the position of the `>` that ends a tag; -1 when there is none. One in a quoted value ends no tag, unless the quote is never
 * closed.
 */
function endOfTag(html: string, from: number): number {
  let isValue = false;
  for (let at = from; at < html.length; at += 1) {
    const sign = html.charAt(at);
    if (sign === '>') return at;
    if (isValue && (sign === '"' || sign === "'")) at = Math.max(at, html.indexOf(sign, at + 1));
    isValue = sign === '=' || (isValue && sign.trim() === '');
  }
  return -1;
}

/** Returns the position after the next occurrence of `wanted`, or the end of the text. */
function behind(text: string, wanted: string, from: number): number {
  const found = text.indexOf(wanted, from);
  return found < 0 ? text.length : found + wanted.length;
}

/** Returns the position of the closing tag of this element, or the end of the text. */
function closingTag(html: string, name: string, from: number): number {
  for (let open = html.indexOf('</', from); open >= 0; open = html.indexOf('</', open + 2)) {
    const end = open + 2 + name.length;
    if (html.slice(open + 2, end).toLowerCase() === name && !/[a-z0-9]/i.test(html.charAt(end))) return open;
  }
  return html.length;
}
