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
  parser.on('openTag', (name, attributesOf, decode) =>
    guarded(() => open?.(local(name), open === undefined ? {} : decodedAll(attributesOf(), decode))),
  );
  parser.on('closeTag', (name) => guarded(() => close?.(local(name))));
  parser.on('text', (value, decode) => guarded(() => text?.(decode(value))));
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

function decodedAll(attributes: Record<string, string>, decode: (text: string) => string): Record<string, string> {
  const decoded: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) decoded[name] = decode(value);
  return decoded;
}
