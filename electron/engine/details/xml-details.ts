import { type DetailsResult, fieldsOfNames } from '../../../shared/model/details/details-fields.ts';
import { readXml, XmlError } from '../common/read-xml.ts';

const DEEPEST = 32;
const MOST_ELEMENTS = 10_000;
const DAMAGED = { kind: 'problem', code: 'details.damaged' } as const;

/**
 * Reads the texts of the elements directly below the root, such as those of Dublin Core. Names count without their prefix.
 * A document type is refused, so no document defines or loads entities.
 */
export function xmlDetails(xml: string): DetailsResult {
  if (/<!DOCTYPE/i.test(xml)) return DAMAGED;
  const declared = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([^"']{1,40})["']/.exec(xml)?.[1];
  if (declared !== undefined && declared.toLowerCase() !== 'utf-8')
    return { kind: 'problem', code: 'details.encoding' };
  const reader = new DetailsReader();
  try {
    readXml(xml, reader);
  } catch (error) {
    if (error instanceof XmlError) return DAMAGED;
    if (error instanceof LimitError) return { kind: 'problem', code: 'details.too-large' };
    throw error;
  }
  return reader.result();
}

class LimitError extends Error {
  override readonly name = 'LimitError';
}

/** Collects the texts of elements on the second level. */
class DetailsReader {
  readonly #values = new Map<string, string[]>();
  readonly #nested = new Set<string>();
  #depth = 0;
  #elements = 0;
  #name = '';
  #text = '';

  readonly open = (name: string) => {
    this.#depth += 1;
    this.#elements += 1;
    if (this.#depth > DEEPEST || this.#elements > MOST_ELEMENTS) throw new LimitError('too deep or too many elements');
    if (this.#depth === 2) {
      this.#name = name.toLowerCase();
      this.#text = '';
    } else if (this.#depth > 2) this.#nested.add(this.#name);
  };

  readonly text = (text: string) => {
    if (this.#depth === 2) this.#text += text;
  };

  readonly close = () => {
    if (this.#depth === 2) {
      const texts = this.#values.get(this.#name);
      if (texts === undefined) this.#values.set(this.#name, [this.#text]);
      else texts.push(this.#text);
    }
    this.#depth -= 1;
  };

  /** Returns the fields. An element that contains others has no usable value. */
  result(): DetailsResult {
    if (this.#elements === 0 || this.#depth !== 0) return DAMAGED;
    const oneOrAll = (texts: string[]) => (texts.length === 1 ? texts[0] : texts);
    return fieldsOfNames(
      new Map([...this.#values].map(([name, texts]) => [name, this.#nested.has(name) ? {} : oneOrAll(texts)])),
    );
  }
}
