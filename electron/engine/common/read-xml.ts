import { Parser } from 'saxen';

export interface XmlHandlers {
  /** Names without their prefix. */
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** The text is not well-formed XML. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}

/**
 * Reads XML from begin to end. Entities that a document defines itself are not expanded. Throws `XmlError` for XML that is not
 * well formed, and the errors of the handlers.
 */
export function readXml(xml: string, { open, text, close }: XmlHandlers): void {
  if (xml === '') return;
  let failure: unknown = null;
  /** Calls a handler. After one has thrown, none is called again. */
  const guarded = (action: () => void) => {
    if (failure !== null) return;
    try {
      action();
    } catch (error) {
      failure = error;
      parser.stop();
    }
  };
  const parser = new Parser();
  parser.on('openTag', (name, attributesOf) =>
    guarded(() => open?.(local(name), open === undefined ? {} : decodedAll(attributesOf()))),
  );
  parser.on('closeTag', (name) => guarded(() => close?.(local(name))));
  parser.on('text', (value) => guarded(() => text?.(decoded(value))));
  parser.on('cdata', (value) => guarded(() => text?.(value)));
  parser.on('error', () => {
    failure ??= new XmlError('not well formed');
  });
  parser.parse(xml);
  if (failure !== null) throw failure;
}

function local(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}

function decodedAll(attributes: Record<string, string>): Record<string, string> {
  const all: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) all[name] = decoded(value);
  return all;
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
