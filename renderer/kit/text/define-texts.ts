import { formatCount } from './format.ts';
import { shownName } from './shown-name.ts';

/**
 * The languages of the app's screens. Each catalog of texts must contain all of them: a language that is added here is missing in
 * every catalog until it is translated, and the compiler reports those places.
 */
type Language = 'en';

const LANGUAGE: Language = 'en';

/**
 * Returns the texts of one view in the current language. Each view keeps its texts in a `texts.ts` beside its components:
 * plain strings, and functions for sentences with values in them, so that word order and plural belong to the language. Names in
 * these values can't change how the rest of the sentence looks, see `shownName`.
 */
export function defineTexts<T>(catalogs: Readonly<Record<Language, T>>): T {
  return withShownNames(catalogs[LANGUAGE]) as T;
}

function withShownNames(texts: unknown): unknown {
  if (typeof texts === 'function') return (...values: unknown[]) => texts(...values.map(shown));
  if (typeof texts !== 'object' || texts === null || Object.getPrototypeOf(texts) !== Object.prototype) return texts;
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, withShownNames(text)]));
}

function shown(value: unknown): unknown {
  if (typeof value === 'string') return shownName(value);
  return Array.isArray(value) ? value.map(shown) : value;
}

const PLURALS: Readonly<Record<Language, Intl.PluralRules>> = { en: new Intl.PluralRules('en') };

/** The forms of a sentence that contains a count; `#` stands for the count. English has `one` and `other`. */
type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/**
 * Returns the form for a count: `plural(2, { one: '# upload', other: '# uploads' })` is `2 uploads`. Counts are grouped, as in
 * `1,204`.
 */
export function plural(count: number, forms: PluralForms): string {
  const form = forms[PLURALS[LANGUAGE].select(count)] ?? forms.other;
  return form.replaceAll('#', formatCount(count));
}

/** Counts with their noun, such as `1 item` and `1,204 items`. */
export const counts = defineTexts({
  en: {
    items: (count: number) => plural(count, { one: '# item', other: '# items' }),
    files: (count: number) => plural(count, { one: '# file', other: '# files' }),
    uploads: (count: number) => plural(count, { one: '# upload', other: '# uploads' }),
    collections: (count: number) => plural(count, { one: '# collection', other: '# collections' }),
    rows: (count: number) => plural(count, { one: '# row', other: '# rows' }),
  },
});
