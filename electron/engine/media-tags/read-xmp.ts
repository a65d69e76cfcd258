import { readXml, XmlError } from '../common/read-xml.ts';

/** The values of an XMP packet that patterns can use; several of one name are in the order of the file. */
export interface XmpValues {
  title?: string;
  description?: string;
  rights?: string;
  creator?: string;
  subject?: string;
  /** When the picture was taken, as written: `2026-05-06T09:30:00+02:00`, or less exact. */
  taken?: string;
}

const TEXTS = ['title', 'description', 'rights', 'creator', 'subject'] as const;
/** Names of the time at which a picture was taken, the best one first. */
const TIMES = ['DateTimeOriginal', 'DateCreated', 'CreateDate'];
const PROPERTIES: ReadonlySet<string> = new Set([...TEXTS, ...TIMES]);
const MOST_ELEMENTS = 20_000;
const DEEPEST = 64;

/**
 * Reads an XMP packet. A property is an attribute of its description, an element with a text, or one with a list; of a list of
 * translations the default one counts. A damaged packet has the values before the damage.
 */
export function readXmp(packet: string): XmpValues {
  const reader = new XmpReader();
  const start = packet.indexOf('<');
  try {
    readXml(start < 0 ? '' : packet.slice(start), reader);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
  }
  return reader.values();
}

class XmpReader {
  readonly #found = new Map<string, string[]>();
  /** The names of the open elements. */
  readonly #open: string[] = [];
  #elements = 0;
  #text = '';
  #isDefault = false;

  readonly open = (name: string, attributes: Readonly<Record<string, string>>) => {
    this.#elements += 1;
    if (this.#elements > MOST_ELEMENTS || this.#open.length > DEEPEST) throw new XmlError('too large');
    this.#open.push(name);
    this.#text = '';
    if (name === 'li') this.#isDefault = attributes['xml:lang'] === 'x-default';
    if (name !== 'Description' || this.#open.at(-2) !== 'RDF') return;
    for (const [attribute, value] of Object.entries(attributes)) this.#add(withoutPrefix(attribute), value, false);
  };

  readonly text = (text: string) => {
    this.#text += text;
  };

  readonly close = (name: string) => {
    this.#open.pop();
    const parents = this.#open.slice(-4);
    // <rdf:RDF> <rdf:Description> <dc:title> <rdf:Alt> <rdf:li>
    if (name === 'li' && parents[0] === 'RDF' && parents[1] === 'Description')
      this.#add(parents[2] ?? '', this.#text, this.#isDefault && parents[3] === 'Alt');
    else if (this.#open.at(-1) === 'Description' && this.#open.at(-2) === 'RDF') this.#add(name, this.#text, false);
    this.#text = '';
  };

  values(): XmpValues {
    const taken = TIMES.map((name) => this.#found.get(name)?.[0]).find((value) => value !== undefined);
    const texts = TEXTS.flatMap((name) => {
      const all = this.#found.get(name);
      if (all === undefined) return [];
      const isList = name === 'creator' || name === 'subject';
      return [[name, isList ? all.join(', ') : (all[0] ?? '')]];
    });
    return { ...Object.fromEntries(texts), ...(taken === undefined ? {} : { taken }) };
  }

  #add(name: string, value: string, isFirst: boolean): void {
    const text = value.trim();
    if (!PROPERTIES.has(name) || text === '') return;
    const all = this.#found.get(name) ?? [];
    if (isFirst) all.unshift(text);
    else all.push(text);
    this.#found.set(name, all);
  }
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
