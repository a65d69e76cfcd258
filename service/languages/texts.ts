import { escapeHtml } from '../wire/escape-html.ts';
import english from './en.json' with { type: 'json' };

export type TextKey = keyof typeof english;
/** A text, or its forms by the plural rules of the language for `{count}`. */
type Entry = string | Readonly<Record<string, string>>;
/** The texts of a language, as its file has them. */
export type Translation = Readonly<Record<TextKey, Entry>>;

/** HTML in which everything from outside is escaped already. */
interface Markup {
  html: string;
}
type Value = string | number | Markup;
type Values = Readonly<Record<string, Value>>;

/** A sentence that is not in a language yet. */
export interface Message {
  key: TextKey;
  values?: Readonly<Record<string, string | number>>;
}

/** The texts of the pages in one language. Values fill the places in braces; numbers are written as the language does. */
export interface Texts {
  /** The language as a tag of BCP 47. */
  language: string;
  direction: 'ltr' | 'rtl';
  /** Plain text, which is not escaped. */
  text(key: TextKey, values?: Message['values']): string;
  /** HTML: the text and its values are escaped, except markup. */
  html(key: TextKey, values?: Values): string;
  /** Plain text of a message. */
  of(message: Message): string;
}

export const say = (key: TextKey, values?: Message['values']): Message => ({ key, ...(values ? { values } : {}) });

/** A value in bold. */
export const strong = (text: string): Markup => ({ html: `<b>${escapeHtml(text)}</b>` });

/** A value that is HTML: the caller has escaped it. */
export const markup = (html: string): Markup => ({ html });

/** Returns the texts of a language. `language`: a valid tag; `translation`: one that has passed `translationProblems`. */
export function createTexts(language: string, translation: Translation): Texts {
  // Created when first needed: loading their data takes a twentieth of the time in which the service starts.
  let plurals: Intl.PluralRules | undefined;
  let numbers: Intl.NumberFormat | undefined;

  function form(key: TextKey, count: Value | undefined): string {
    const entry: Entry = translation[key];
    if (typeof entry === 'string') return entry;
    if (typeof count !== 'number') return entry.other ?? '';
    plurals ??= new Intl.PluralRules(language);
    return entry[plurals.select(count)] ?? entry.other ?? '';
  }

  function fill(template: string, values: Values, write: (value: string | Markup) => string): string {
    return template.replace(PLACE, (place, name: string) => {
      const value = values[name];
      if (value === undefined) return place;
      if (typeof value !== 'number') return write(value);
      numbers ??= new Intl.NumberFormat(language);
      return write(numbers.format(value));
    });
  }

  const text: Texts['text'] = (key, values = {}) => fill(form(key, values.count), values, (value) => value as string);
  return {
    language,
    get direction() {
      return directionOf(language);
    },
    text,
    // The places have no characters that escaping changes.
    html: (key, values = {}) =>
      fill(escapeHtml(form(key, values.count)), values, (value) =>
        typeof value === 'string' ? escapeHtml(value) : value.html,
      ),
    of: ({ key, values }) => text(key, values),
  };
}

/** A place that a value fills. */
export const PLACE = /\{([a-z]+)\}/g;

function directionOf(language: string): 'ltr' | 'rtl' {
  const script = new Intl.Locale(language).maximize().script ?? '';
  return ['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm'].includes(script) ? 'rtl' : 'ltr';
}
