/** One piece of HTML in the order of the text. */
export type HtmlToken =
  | { kind: 'text'; text: string }
  /** `attributes`: names in lower case with their raw values, in their order. */
  | { kind: 'open'; name: string; attributes: readonly (readonly [name: string, value: string])[] }
  | { kind: 'close'; name: string }
  /** A comment, a declaration or a processing instruction. */
  | { kind: 'comment' };

const TAG_NAME = /^[a-z][a-z0-9:-]{0,30}(?=[\s/>])/i;
const OPENS_MARKUP = /[a-z/!?]/i;
const SPACE = /[\s/]/;
const NAME_END = /[\s/=]/;

/**
 * Splits HTML into tags and text. A less-than sign that opens no tag is text, and so is a tag without an end. Takes linear
 * time for any input.
 */
export function htmlTokens(html: string): HtmlToken[] {
  const tokens: HtmlToken[] = [];
  let text = '';
  let at = 0;
  const put = (token: HtmlToken) => {
    if (text !== '') tokens.push({ kind: 'text', text });
    text = '';
    tokens.push(token);
  };
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) {
      text += html.slice(at);
      break;
    }
    text += html.slice(at, open);
    if (!OPENS_MARKUP.test(html.charAt(open + 1))) {
      text += '<';
      at = open + 1;
      continue;
    }
    if (html.startsWith('<!--', open)) {
      put({ kind: 'comment' });
      const end = html.indexOf('-->', open + 4);
      at = end < 0 ? html.length : end + 3;
      continue;
    }
    const tag = tagAt(html, open);
    if (tag === null) {
      text += html.slice(open);
      break;
    }
    put(tag.token);
    at = tag.end;
  }
  if (text !== '') tokens.push({ kind: 'text', text });
  return tokens;
}

/** Reads a tag that begins at `open`; null when it has no end. */
function tagAt(html: string, open: number): { token: HtmlToken; end: number } | null {
  const second = html.charAt(open + 1);
  if (second === '!' || second === '?') {
    const end = html.indexOf('>', open);
    return end < 0 ? null : { token: { kind: 'comment' }, end: end + 1 };
  }
  const isClosing = second === '/';
  const start = open + (isClosing ? 2 : 1);
  const name = TAG_NAME.exec(html.slice(start, start + 33))?.[0].toLowerCase();
  const read = attributesFrom(html, start + (name?.length ?? 0));
  if (read === null) return null;
  const { attributes, end } = read;
  if (name === undefined) return { token: { kind: 'comment' }, end };
  return { token: isClosing ? { kind: 'close', name } : { kind: 'open', name, attributes }, end };
}

/** Reads attributes up to the end of a tag; null when the tag has no end. */
function attributesFrom(html: string, from: number): { attributes: [string, string][]; end: number } | null {
  const attributes: [string, string][] = [];
  let at = from;
  while (at < html.length) {
    const character = html.charAt(at);
    if (character === '>') return { attributes, end: at + 1 };
    if (SPACE.test(character)) {
      at += 1;
      continue;
    }
    const nameStart = at;
    // A name can begin with an equals sign.
    at += 1;
    while (at < html.length && !NAME_END.test(html.charAt(at)) && html.charAt(at) !== '>') at += 1;
    const name = html.slice(nameStart, at).toLowerCase();
    let behind = at;
    while (/\s/.test(html.charAt(behind))) behind += 1;
    if (html.charAt(behind) !== '=') {
      attributes.push([name, '']);
      continue;
    }
    const value = valueFrom(html, behind + 1);
    if (value === null) return null;
    attributes.push([name, value.text]);
    at = value.end;
  }
  return null;
}

/** Reads the value of an attribute, in quotes or without; null when its quotes are not closed. */
function valueFrom(html: string, from: number): { text: string; end: number } | null {
  let start = from;
  while (/\s/.test(html.charAt(start))) start += 1;
  const quote = html.charAt(start);
  if (quote === '"' || quote === "'") {
    const close = html.indexOf(quote, start + 1);
    return close < 0 ? null : { text: html.slice(start + 1, close), end: close + 1 };
  }
  let end = start;
  while (end < html.length && !/[\s>]/.test(html.charAt(end))) end += 1;
  return { text: html.slice(start, end), end };
}
