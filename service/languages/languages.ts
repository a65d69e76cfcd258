import german from './de.json' with { type: 'json' };
import english from './en.json' with { type: 'json' };
import { createTexts, type Texts, type Translation } from './texts.ts';

/** The languages in which the pages can be shown. */
export interface Languages {
  /** Tags of BCP 47. */
  names: readonly string[];
  /** Returns the texts of a language; the English ones when it has none. */
  named(language: string): Texts;
  /** Returns the texts for a header `Accept-Language`. `otherwise`: the language when the header names none that exists. */
  chosen(header: string | undefined, otherwise: string): Texts;
}

const BUILT_IN: Readonly<Record<string, Translation>> = { en: english, de: german };

/** Returns the languages of the service, with those of an operator, which replace built-in ones of the same tag. */
export function createLanguages(own: Readonly<Record<string, Translation>> = {}): Languages {
  const all = new Map<string, Texts>();
  for (const [name, translation] of Object.entries({ ...BUILT_IN, ...own })) {
    all.set(name.toLowerCase(), createTexts(name, translation));
  }
  const fallback = all.get('en') as Texts;
  const named = (language: string) => all.get(language.toLowerCase()) ?? fallback;
  return {
    names: [...all.values()].map(({ language }) => language),
    named,
    chosen: (header, otherwise) => named(chooseLanguage(header, [...all.keys()]) ?? otherwise),
  };
}

/** Browsers send a few; a longer header is no browser's. */
const MAX_HEADER = 500;

/**
 * Returns the language that a header `Accept-Language` asks for first, as RFC 4647 (3.4) looks it up: `de-AT` finds `de`. Beyond that,
 * `pt` finds `pt-BR`. undefined: none. `available`: in lower case.
 */
export function chooseLanguage(header: string | undefined, available: readonly string[]): string | undefined {
  const ranges = (header ?? '').slice(0, MAX_HEADER).toLowerCase().split(',').map(rangeOf);
  const wanted = ranges.filter(({ quality }) => quality > 0).toSorted((one, other) => other.quality - one.quality);
  for (const { tag } of wanted) {
    if (tag === '*') return undefined;
    for (let part = tag; part !== ''; part = part.slice(0, Math.max(0, part.lastIndexOf('-')))) {
      if (available.includes(part)) return part;
    }
    const longer = available.find((each) => tag !== '' && each.startsWith(`${tag}-`));
    if (longer !== undefined) return longer;
  }
  return undefined;
}

function rangeOf(text: string): { tag: string; quality: number } {
  const [tag = '', ...parameters] = text.split(';').map((each) => each.trim());
  const given = parameters.find((each) => each.startsWith('q='));
  const quality = given === undefined ? 1 : Number(given.slice(2));
  return { tag, quality: Number.isFinite(quality) ? quality : 0 };
}
