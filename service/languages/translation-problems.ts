import english from './en.json' with { type: 'json' };
import { PLACE, type TextKey, type Translation } from './texts.ts';

const KEYS = Object.keys(english) as TextKey[];

/** A translation, or everything that is wrong with it: a sentence for each. */
export type CheckedTranslation = { kind: 'ok'; translation: Translation } | { kind: 'wrong'; problems: string[] };

/**
 * Checks the content of a language file: it must have each text of the English one, no other, with the same places for values; forms
 * by number where the English one has them, by the plural rules of the language.
 */
export function checkTranslation(language: string, content: unknown): CheckedTranslation {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    return { kind: 'wrong', problems: ['it must be a JSON object with a text for each key'] };
  }
  const given = content as Readonly<Record<string, unknown>>;
  const known = new Set<string>(KEYS);
  const problems = [
    ...namedList(
      'unknown keys',
      Object.keys(given).filter((key) => !known.has(key)),
    ),
    ...namedList(
      'missing keys',
      KEYS.filter((key) => !Object.hasOwn(given, key)),
    ),
    ...KEYS.filter((key) => Object.hasOwn(given, key)).flatMap((key) => entryProblems(language, key, given[key])),
  ];
  return problems.length === 0 ? { kind: 'ok', translation: given as Translation } : { kind: 'wrong', problems };
}

function namedList(what: string, keys: readonly string[]): string[] {
  return keys.length === 0 ? [] : [`${what}: ${keys.map((key) => JSON.stringify(key)).join(', ')}`];
}

function entryProblems(language: string, key: TextKey, given: unknown): string[] {
  const original: string | Readonly<Record<string, string>> = english[key];
  const name = JSON.stringify(key);
  if (typeof given === 'string') return textProblems(name, formOf(original), given);
  if (typeof original === 'string') return [`${name} must be a text`];
  if (typeof given !== 'object' || given === null)
    return [`${name} must be a text, or an object with a text for each form`];
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const forms = Object.entries(given);
  return [
    ...categories.filter((each) => !Object.hasOwn(given, each)).map((each) => `${name} has no form ${each}`),
    ...forms.flatMap(([form, text]) => {
      const path = `${name}, form ${JSON.stringify(form)}`;
      if (!(categories as string[]).includes(form)) return [`${path}: the language has no such form`];
      return typeof text === 'string' ? textProblems(path, formOf(original), text, form) : [`${path} must be a text`];
    }),
  ];
}

const formOf = (entry: string | Readonly<Record<string, string>>): string =>
  typeof entry === 'string' ? entry : (entry.other ?? '');

/** A form for few numbers may write the number as a word. */
function textProblems(path: string, original: string, given: string, form = 'other'): string[] {
  if (given.trim() === '') return [`${path} is empty`];
  if (!given.isWellFormed() || /\p{Cc}/u.test(given)) return [`${path} has characters that can’t be used`];
  const [wanted, found] = [placesOf(original), placesOf(given)];
  const missing = [...wanted].filter((each) => !found.has(each) && (each !== 'count' || form === 'other'));
  return [
    ...missing.map((each) => `${path} lacks {${each}}`),
    ...[...found].filter((each) => !wanted.has(each)).map((each) => `${path} has the unknown place {${each}}`),
  ];
}

function placesOf(text: string): Set<string> {
  return new Set([...text.matchAll(PLACE)].map(([, name = '']) => name));
}
