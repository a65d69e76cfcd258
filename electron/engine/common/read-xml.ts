import { Parser } from 'saxen';

export interface XmlHandlers {
  /** Names without their prefix. */
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** The text is not well-formed XML. */
export class XmlError extends Error {
  override readonly name: string = 'XmlError';
}

/** The XML exceeds a limit that bounds memory: no real document does. */
export class XmlLimitError extends XmlError {
  override readonly name = 'XmlLimitError';
}

const MOST_DEPTH = 1000;
const MOST_ATTRIBUTES = 1000;
/** The maximum length of a tag, comment or text when pieces are read: the longest cell as references to characters fits. */
const MOST_TOKEN_CHARS = 4 * 1024 * 1024;

/**
 * Reads XML from begin to end; pieces are read one after the other, so that a large document isn't kept. An empty
 * text has no elements. Entities that a document
 * defines itself are not expanded. Throws `XmlError` for XML that is not well formed, `XmlLimitError` beyond the limits, and the
 * errors of the handlers.
 */
export function readXml(xml: string | Iterable<string>, { open, text, close }: XmlHandlers): void {
  if (xml === '') return;
  let failure: unknown = null;
  let depth = 0;
  /** Characters of the piece without any event. */
  let waiting = 0;
  /** Calls a handler with its arguments. After one has thrown, none is called again. */
  const guarded =
    <Given extends unknown[]>(action: (...given: Given) => void) =>
    (...given: Given) => {
      waiting = 0;
      if (failure !== null) return;
      try {
        action(...given);
      } catch (error) {
        failure = error;
        parser.stop();
      }
    };
  const parser = new Parser();
  parser.on(
    'openTag',
    guarded((name: string, attributesOf: () => Record<string, string>) => {
      depth += 1;
      if (depth > MOST_DEPTH) throw new XmlLimitError('too deep');
      open?.(local(name), decodedAll(attributesOf()));
    }),
  );
  parser.on(
    'closeTag',
    guarded((name: string) => {
      depth -= 1;
      close?.(local(name));
    }),
  );
  parser.on(
    'text',
    guarded((value: string) => text?.(decoded(value))),
  );
  parser.on(
    'cdata',
    guarded((value: string) => text?.(value)),
  );
  parser.on('error', () => {
    failure ??= new XmlError('not well formed');
  });
  if (typeof xml === 'string') parser.parse(xml);
  else {
    let length = 0;
    for (const piece of completeTags(xml)) {
      length += piece.length;
      waiting += piece.length;
      parser.write(piece);
      if (failure === null && waiting > MOST_TOKEN_CHARS) failure = new XmlLimitError('a comment is too long');
      if (failure !== null) throw failure;
    }
    if (length > 0) parser.end();
  }
  if (failure !== null) throw failure;
}

/**
 * Yields the same text in pieces that end before a tag: the parser would take a `>` in an attribute for the end of a tag whose
 * quotes are closed in the next piece.
 */
function* completeTags(pieces: Iterable<string>): Generator<string> {
  let rest = '';
  for (const piece of pieces) {
    const at = piece.lastIndexOf('<');
    if (at < 0) rest += piece;
    else {
      yield rest + piece.slice(0, at);
      rest = piece.slice(at);
    }
    if (rest.length > MOST_TOKEN_CHARS) throw new XmlLimitError('a tag or text is too long');
  }
  yield rest;
}

function local(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}

/** Decodes the values in place: the parser makes a new object for each tag. */
function decodedAll(attributes: Record<string, string>): Record<string, string> {
  const names = Object.keys(attributes);
  if (names.length > MOST_ATTRIBUTES) throw new XmlLimitError('too many attributes');
  for (const name of names) {
    const value = attributes[name];
    if (value?.includes('&')) attributes[name] = decoded(value);
  }
  return attributes;
}

const REFERENCE = /&(?:#([0-9]+)|#x([0-9a-f]+)|(amp|apos|gt|lt|quot));/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' };

/**
 * Replaces references to characters. The parser's own function would cut numbers to 16 bits. Other uses of `&` stay as they are
 * written. Throws `XmlError` for a character that XML does not allow.
 */
function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    if (!isAllowed(code)) throw new XmlError('a reference to a character that XML does not allow');
    return String.fromCodePoint(code);
  });
}

/** Whether XML allows this character: no control characters, no halves of surrogate pairs. */
function isAllowed(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x1_0000 && code <= 0x10_ffff);
}
