import { writeValue } from './format-query.ts';
import {
  DATE_QUALIFIERS,
  QUALIFIER_ALIASES,
  QUALIFIERS,
  QUERY_FIELDS,
  QUERY_STATES,
  TEXT_QUALIFIERS,
  USUAL_VALUES,
} from './library-query.ts';
import { OFFERED_DATES } from './relative-dates.ts';

type Qualifier = (typeof QUALIFIERS)[number];

/** The part of a search that is being typed: `prefix` stands from `start` to `end`. */
export interface TypedPart {
  /** The qualifier whose value it is, by the name of a written search; null: the beginning of a word or of a qualifier. */
  qualifier: Qualifier | null;
  prefix: string;
  start: number;
  end: number;
}

/** Values that don't depend on the library; a qualifier without them has values of the library, or none. */
const VALUES: Partial<Record<Qualifier, readonly string[]>> = {
  ...USUAL_VALUES,
  is: QUERY_STATES,
  has: QUERY_FIELDS,
  no: QUERY_FIELDS,
  duration: ['<5m', '5m..30m', '>30m', '>1h'],
  created: OFFERED_DATES.past,
  modified: OFFERED_DATES.past,
  published: OFFERED_DATES.any,
};

/** Qualifiers that are offered; those that only other commands write are not. */
const OFFERED = QUALIFIERS.filter((name) => name !== 'related');
/** So many letters of a word are needed before qualifiers are offered: fewer match too often. */
const LEAST_LETTERS = 2;
const MOST_VALUES = 10;

/** Returns where the part begins that a caret is in: after the blank, parenthesis or sign of negation before it. */
function partStart(text: string, caret: number): number {
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < caret; at += 1) {
    const char = text[at] ?? '';
    if (isQuoted && char === '\\') at += 1;
    else if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (/[\s(]/.test(char) || (char === '-' && at === start))) start = at + 1;
  }
  return start;
}

/** Returns the part of a search that ends at a caret; null inside a phrase, and where nothing is typed. Takes linear time. */
export function typedPart(text: string, caret: number): TypedPart | null {
  const start = partStart(text, caret);
  const typed = text.slice(start, caret);
  const [, name, value = ''] = /^([A-Za-z]{1,20}):(.*)$/s.exec(typed) ?? [];
  if (name === undefined) {
    return typed === '' || typed.includes('"') ? null : { qualifier: null, prefix: typed, start, end: caret };
  }
  const known = QUALIFIER_ALIASES[name.toLowerCase()] ?? name.toLowerCase();
  const qualifier = QUALIFIERS.find((each) => each === known);
  if (qualifier === undefined) return null;
  // A limit of a range is completed alone: `last-week..tod`.
  const limit = DATE_QUALIFIERS.some((each) => each === qualifier)
    ? (/^(?:[<>]=?|.*\.\.)/s.exec(value)?.[0] ?? '')
    : '';
  const prefix = value.slice(limit.length);
  return { qualifier, prefix: plain(prefix), start: caret - prefix.length, end: caret };
}

/** Returns a typed value without its quotes. */
function plain(typed: string): string {
  return typed.startsWith('"') ? typed.slice(1).replace(/\\(["\\])|"/g, '$1') : typed;
}

/** Returns the qualifiers that begin with what is typed. */
export function qualifiersFor({ prefix }: TypedPart): readonly Qualifier[] {
  const typed = prefix.toLowerCase();
  if (typed.length < LEAST_LETTERS) return [];
  return OFFERED.filter((name) => {
    const names = [name, ...Object.keys(QUALIFIER_ALIASES).filter((alias) => QUALIFIER_ALIASES[alias] === name)];
    return names.some((each) => each.startsWith(typed));
  });
}

/** Returns the values of a qualifier that begin with what is typed; null when the library has its values. */
export function valuesFor({ qualifier, prefix }: TypedPart): readonly string[] | null {
  const values = qualifier === null ? [] : VALUES[qualifier];
  if (values === undefined) return TEXT_QUALIFIERS.some((each) => each === qualifier) ? null : [];
  const typed = prefix.toLowerCase();
  return values.filter((value) => value.startsWith(typed) && value !== typed).slice(0, MOST_VALUES);
}

/** Returns the search with the completed part, and the caret behind it. A qualifier awaits its value; a value ends the part. */
export function withCompletion(text: string, part: TypedPart, chosen: string): { text: string; caret: number } {
  const isValue = part.qualifier !== null;
  const written = isValue ? writeValue(chosen) : `${chosen}:`;
  const rest = text.slice(part.end);
  const gap = isValue && !/^\s/.test(rest) ? ' ' : '';
  const before = text.slice(0, part.start) + written + gap;
  return { text: before + rest, caret: before.length + (isValue && gap === '' ? 1 : 0) };
}
