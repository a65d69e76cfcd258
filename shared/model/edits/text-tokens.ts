/**
 * A piece of a text that a merge never cuts: a word with its accents, a single character of a script without blanks, a run of
 * blanks or of punctuation, and in HTML a whole tag, comment or entity.
 */
export interface TextToken {
  text: string;
  /** `blank` and `sign` contain no letter and no digit. */
  kind: 'word' | 'blank' | 'sign' | 'tag';
  /** In HTML: the effect of the tag on the open elements; null when it has none. */
  element: { name: string; closes: boolean } | null;
}

const PLAIN =
  /(?<blank>\s+)|(?<word>[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]\p{M}*|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}_'’])+)|[^\s\p{L}\p{N}\p{M}_'’]+/gu;
const ENTITY = /&(?:#\w{1,10}|[a-z]\w{1,30});/gi;
const TAG_START = /^<(?:(\/?)([a-z][a-z0-9:-]{0,30})|[!?/])/i;
const MOST_TAG_START = 34;
/** Elements without contents. */
const VOID: ReadonlySet<string> = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

/** Splits a text into tokens. Joined, they are the text again. Takes linear time for any input. */
export function textTokens(text: string, isHtml: boolean): TextToken[] {
  const tokens: TextToken[] = [];
  if (!isHtml) {
    pushPlain(tokens, text);
    return tokens;
  }
  let plainFrom = 0;
  for (let open = text.indexOf('<'); open >= 0; open = text.indexOf('<', open)) {
    const match = TAG_START.exec(text.slice(open, open + MOST_TAG_START));
    if (match === null) {
      // The `<` opens no markup: it is a less-than sign.
      open += 1;
      continue;
    }
    pushEntities(tokens, text.slice(plainFrom, open));
    const end = text.startsWith('<!--', open) ? endOfComment(text, open) : endOfTag(text, open);
    tokens.push({ text: text.slice(open, end), kind: 'tag', element: elementOf(match, text.charAt(end - 2)) });
    plainFrom = end;
    open = end;
  }
  pushEntities(tokens, text.slice(plainFrom));
  return tokens;
}

function elementOf([, slash = '', given = '']: RegExpExecArray, beforeEnd: string): TextToken['element'] {
  const name = given.toLowerCase();
  if (name === '' || VOID.has(name) || beforeEnd === '/') return null;
  return { name, closes: slash === '/' };
}

function endOfComment(text: string, open: number): number {
  const end = text.indexOf('-->', open + 4);
  return end < 0 ? text.length : end + 3;
}

/** Returns the end of a tag. A tag that is never closed extends to the end of the text, as in a browser. */
function endOfTag(text: string, open: number): number {
  let before = '';
  for (let at = open + 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '>') return at + 1;
    // A quote begins a value only after `=`; a `>` inside a value does not end the tag.
    if ((char === '"' || char === "'") && before === '=') {
      const close = text.indexOf(char, at + 1);
      if (close < 0) return text.length;
      at = close;
    }
    if (char.trim() !== '') before = char;
  }
  return text.length;
}

function pushEntities(tokens: TextToken[], text: string): void {
  let from = 0;
  for (const { 0: entity, index } of text.matchAll(ENTITY)) {
    pushPlain(tokens, text.slice(from, index));
    tokens.push({ text: entity, kind: entity.toLowerCase() === '&nbsp;' ? 'blank' : 'word', element: null });
    from = index + entity.length;
  }
  pushPlain(tokens, text.slice(from));
}

function pushPlain(tokens: TextToken[], text: string): void {
  for (const { 0: piece, groups } of text.matchAll(PLAIN)) {
    const kind = groups?.blank !== undefined ? 'blank' : groups?.word !== undefined ? 'word' : 'sign';
    tokens.push({ text: piece, kind, element: null });
  }
}
