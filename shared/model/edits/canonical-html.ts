import { decodeEntities } from '../../api/html-entities.ts';

/** Marks that change only the look, or nothing. Editors add them and libraries remove them. */
const WITHOUT_MEANING: ReadonlySet<string> = new Set(['span', 'font']);
/** Two names of the same mark. */
const SAME_MARK: Readonly<Record<string, string>> = { b: 'strong', i: 'em' };
/** Tags around which blanks have no effect. */
const BLOCKS: ReadonlySet<string> = new Set(
  'p div br hr h1 h2 h3 h4 h5 h6 li ul ol dl dt dd blockquote tr td th table tbody thead section article pre'.split(
    ' ',
  ),
);
/** Attributes that change what a mark means; all others are ignored. */
const WITH_MEANING: ReadonlySet<string> = new Set(['href', 'src']);

/**
 * Returns HTML in the form in which descriptions are compared: NFC, entities decoded, single blanks, marks in lower
 * case with the attributes that have a meaning. A text without markup, and the same text in one paragraph, are equal.
 * The result is HTML again, but it is only compared and never shown. Takes linear time for any input.
 */
export function canonicalHtml(html: string): string {
  const pieces = piecesOf(html);
  const joined: string[] = [];
  let isAfterBlock = true;
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === 'tag') {
      joined.push(`<${piece.text}>`);
      isAfterBlock = BLOCKS.has(piece.name);
      continue;
    }
    let text = decoded(piece.text).replace(/\s+/g, ' ');
    if (isAfterBlock) text = text.trimStart();
    const next = pieces[index + 1];
    if (next === undefined || (next.kind === 'tag' && BLOCKS.has(next.name))) text = text.trimEnd();
    if (text !== '') isAfterBlock = false;
    joined.push(escaped(text));
  }
  const result = joined.join('');
  const only = /^<p>([^<]*)<\/p>$/.exec(result);
  return only?.[1] ?? result;
}

type Piece = { kind: 'text'; text: string } | { kind: 'tag'; name: string; text: string };

/** Splits HTML into tags and text. Two pieces of text are never adjacent. */
function piecesOf(html: string): Piece[] {
  const pieces: Piece[] = [];
  let text = '';
  let at = 0;
  const endText = () => {
    if (text !== '') pieces.push({ kind: 'text', text });
    text = '';
  };
  while (at < html.length) {
    const open = html.indexOf('<', at);
    const close = open < 0 ? -1 : html.indexOf('>', open);
    if (close < 0) {
      text += html.slice(at);
      break;
    }
    text += html.slice(at, open);
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 4);
      at = end < 0 ? html.length : end + 3;
      continue;
    }
    const tag = tagOf(html.slice(open + 1, close));
    at = close + 1;
    if (tag === null) {
      // The less-than sign opens no markup.
      text += html.slice(open, at);
    } else if (!WITHOUT_MEANING.has(tag.name)) {
      endText();
      pieces.push({ kind: 'tag', ...tag });
    }
  }
  endText();
  return pieces;
}

/** Returns the name of a tag and its canonical text; null when the source is no tag. */
function tagOf(source: string): { name: string; text: string } | null {
  const match = /^(\/?)([a-z][a-z0-9:-]{0,30})(?![a-z0-9:-])/i.exec(source);
  if (match === null) return null;
  const [whole, slash = '', given = ''] = match;
  const lower = given.toLowerCase();
  const name = SAME_MARK[lower] ?? lower;
  if (slash === '/') return { name, text: `/${name}` };
  const attributes: string[] = [];
  for (const { key, value } of attributesIn(source.slice(whole.length))) {
    const attribute = key.toLowerCase();
    if (WITH_MEANING.has(attribute)) attributes.push(`${attribute}="${escaped(decoded(value).trim())}"`);
  }
  return { name, text: [name, ...attributes.sort()].join(' ') };
}

const LETTER = /[a-z]/i;
const KEY = /[a-z-]/i;
const BARE = /[^\s"'>]/;

/** Returns the attributes of a tag, with values in quotes or without. Reads every character once. */
function attributesIn(source: string): { key: string; value: string }[] {
  const found: { key: string; value: string }[] = [];
  const endOf = (from: number, pattern: RegExp) => {
    let at = from;
    while (at < source.length && pattern.test(source.charAt(at))) at += 1;
    return at;
  };
  for (let at = 0; at < source.length; ) {
    const start = at;
    if (!LETTER.test(source.charAt(at))) {
      at += 1;
      continue;
    }
    at = endOf(at + 1, KEY);
    if (source.charAt(at) !== '=') continue;
    const key = source.slice(start, at);
    const quote = source.charAt(at + 1);
    if (quote === '"' || quote === "'") {
      const end = source.indexOf(quote, at + 2);
      // Without a closing quote the rest of the tag is unreadable.
      if (end < 0) return found;
      found.push({ key, value: source.slice(at + 2, end) });
      at = end + 1;
    } else {
      const end = endOf(at + 1, BARE);
      if (end > at + 1) found.push({ key, value: source.slice(at + 1, end) });
      at = end;
    }
  }
  return found;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function decoded(text: string): string {
  return decodeEntities(text).normalize('NFC');
}
