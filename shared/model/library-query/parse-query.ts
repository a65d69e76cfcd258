import {
  DATE_QUALIFIERS,
  type LibraryQuery,
  type ParsedQuery,
  QUALIFIER_ALIASES,
  QUALIFIERS,
  QUERY_FIELDS,
  QUERY_STATES,
  type QueryCondition,
  type QueryHint,
  type QueryRange,
  type QueryTerm,
  TEXT_QUALIFIERS,
  USUAL_VALUES,
} from './library-query.ts';
import { readDuration, readQueryDate, readRange } from './ranges.ts';
import { readRelative } from './relative-dates.ts';

/** A part of the text, without its `name:` and `"`. */
interface Token {
  isNegated: boolean;
  /** In lower case; null without a qualifier. */
  name: string | null;
  value: string;
  isQuoted: boolean;
  /** As typed, without the sign of negation. */
  raw: string;
}

const OR = 'OR';
const SPACE = /\s/;
const NAMED = /([A-Za-z]{1,20}):/y;
/** Parentheses inside so many others are letters of a word. */
const MOST_NESTED = 8;

/** A text that is being read. */
interface Reading {
  text: string;
  at: number;
  depth: number;
  hints: QueryHint[];
}

/**
 * Parses a text that a user typed. Every text has a meaning: a qualifier that does not exist, or without a valid value, is
 * searched as words and listed in `hints`; parentheses that are not closed reach to the end. Takes linear time and never throws.
 */
export function parseQuery(text: string): ParsedQuery {
  const hints: QueryHint[] = [];
  return { query: { groups: readGroups({ text, at: 0, depth: 0, hints }) }, hints };
}

/** What a part of a text means: groups that must match, `OR`, or nothing more before the end. */
type Part = { groups: QueryTerm[][] } | 'or' | 'end';

/** Reads to the end of the text, or past the parenthesis that closes the present ones. */
function readGroups(reading: Reading): QueryTerm[][] {
  /** What must match: one of several alternatives each. */
  const found: QueryTerm[][][][] = [];
  let joinsNext = false;
  for (let part = readPart(reading); part !== 'end'; part = readPart(reading)) {
    if (part === 'or') joinsNext = found.length > 0;
    else if (part.groups.length > 0) {
      const last = found.at(-1);
      if (joinsNext && last !== undefined) last.push(part.groups);
      else found.push([part.groups]);
      joinsNext = false;
    }
  }
  return found.flatMap(([first = [], ...others]) => {
    return others.length === 0 ? first : [[first, ...others].flatMap(asAlternatives)];
  });
}

function readPart(reading: Reading): Part {
  const { text } = reading;
  while (reading.at < text.length && SPACE.test(text[reading.at] ?? '')) reading.at += 1;
  if (reading.at >= text.length) return 'end';
  const isInside = reading.depth > 0;
  if (isInside && text[reading.at] === ')') {
    reading.at += 1;
    return 'end';
  }
  const next = text[reading.at + 1] ?? ' ';
  const isNegated = text[reading.at] === '-' && !SPACE.test(next) && !(next === ')' && isInside);
  if (isNegated) reading.at += 1;
  if (text[reading.at] === '(' && reading.depth < MOST_NESTED) {
    reading.at += 1;
    reading.depth += 1;
    const inner = readGroups(reading);
    reading.depth -= 1;
    return { groups: isNegated ? negated(inner) : inner };
  }
  const token = readNext(reading, isNegated);
  if (token.raw === OR && !token.isQuoted && !isNegated) return 'or';
  const term = termOf(token, reading.hints);
  return { groups: term === null ? [] : [[term]] };
}

function asAlternatives(groups: QueryTerm[][]): QueryTerm[] {
  const [only, ...others] = groups;
  return only !== undefined && others.length === 0 ? only : [groupTerm({ groups }, false)];
}

function negated(groups: QueryTerm[][]): QueryTerm[][] {
  const [only, ...others] = groups.flat();
  if (only === undefined) return [];
  if (only.kind === 'group' && others.length === 0 && only.isNegated) return only.query.groups;
  // The word of `-(-OR)` can't be written without its sign.
  const isWord = only.kind === 'text' && !only.isPhrase && only.isNegated;
  return [[others.length > 0 || isWord ? groupTerm({ groups }, true) : { ...only, isNegated: !only.isNegated }]];
}

function groupTerm(query: LibraryQuery, isNegated: boolean): QueryTerm {
  return { kind: 'group', query, isNegated };
}

function readNext(reading: Reading, isNegated: boolean): Token {
  const { text } = reading;
  const start = reading.at;
  const { end, name, value, isQuoted } = readToken(text, start, reading.depth > 0);
  reading.at = end;
  return { isNegated, name, value, isQuoted, raw: text.slice(start, end) };
}

/**
 * Reads `word`, `"phrase"`, `name:word` or `name:"phrase"`. A quotation without an end reaches to the end of the text.
 * `isInside`: a parenthesis that the word didn't open ends it.
 */
function readToken(text: string, start: number, isInside: boolean) {
  if (text[start] === '"') return { name: null, isQuoted: true, ...readQuoted(text, start + 1) };
  NAMED.lastIndex = start;
  const name = NAMED.exec(text)?.[1]?.toLowerCase() ?? null;
  const from = name === null ? start : start + name.length + 1;
  if (name !== null && text[from] === '"') return { name, isQuoted: true, ...readQuoted(text, from + 1) };
  const { end, isOpen } = wordEnd(text, start, isInside);
  const value = text.slice(from, end);
  // In quotes, its open parenthesis can't be taken for one of the search.
  return { end, name, value, isQuoted: isInside && isOpen };
}

/** Returns where a word ends: at a blank, or at a parenthesis that it didn't open; and whether it has an open parenthesis. */
function wordEnd(text: string, start: number, isInside: boolean): { end: number; isOpen: boolean } {
  let open = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (SPACE.test(char) || (char === ')' && isInside && open === 0)) return { end: at, isOpen: open > 0 };
    if (char === '(') open += 1;
    else if (char === ')') open = Math.max(0, open - 1);
  }
  return { end: text.length, isOpen: open > 0 };
}

/** Reads to the closing quote. `\\"` is a quote and `\\\\` a backslash of the value; other backslashes are letters. */
function readQuoted(text: string, start: number): { end: number; value: string } {
  let value = '';
  for (let at = start; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '"') return { end: at + 1, value };
    const next = text[at + 1];
    if (char === '\\' && (next === '"' || next === '\\')) {
      value += next;
      at += 1;
    } else value += char;
  }
  return { end: text.length, value };
}

function termOf(token: Token, hints: QueryHint[]): QueryTerm | null {
  const { isNegated, name, value, isQuoted } = token;
  if (name === null) return textTerm(value, isQuoted, isNegated);
  const known = QUALIFIER_ALIASES[name] ?? name;
  const condition = conditionOf(known, value);
  const doubt = condition === null ? null : doubtAbout(condition);
  if (doubt !== null) hints.push({ kind: doubt, qualifier: known, value });
  // `no:tags` is the same as `-has:tags`, and `-no:tags` the same as `has:tags`.
  if (condition !== null) return { ...condition, isNegated: known === 'no' ? !isNegated : isNegated };
  const isQualifier = QUALIFIERS.some((each) => each === known);
  hints.push({ kind: isQualifier ? 'value' : 'unknown', qualifier: known, value });
  return textTerm(isQuoted ? `${name}:${value}` : token.raw, isQuoted, isNegated);
}

/** Returns why a condition probably finds nothing; null: it has no such fault. */
function doubtAbout(condition: QueryCondition): 'unusual' | 'reversed' | null {
  if (condition.kind === 'type' || condition.kind === 'status') {
    const usual: readonly string[] = USUAL_VALUES[condition.kind];
    return usual.includes(condition.value.trim().toLowerCase()) ? null : 'unusual';
  }
  return 'range' in condition && isReversed(condition.range) ? 'reversed' : null;
}

/** Relative dates can't be compared without the present day. `2026-03-15..2026-03` reaches to the end of March. */
function isReversed({ from, to }: QueryRange<string> | QueryRange<number>): boolean {
  if (typeof from === 'number' && typeof to === 'number') return from > to;
  if (typeof from !== 'string' || typeof to !== 'string') return false;
  const areAbsolute = readRelative(from) === null && readRelative(to) === null;
  return areAbsolute && from > to && !from.startsWith(to);
}

function textTerm(text: string, isQuoted: boolean, isNegated: boolean): QueryTerm | null {
  if (text.trim() === '') return null;
  return { kind: 'text', text, isPhrase: isQuoted, isNegated };
}

function conditionOf(name: string, value: string): QueryCondition | null {
  const textQualifier = TEXT_QUALIFIERS.find((each) => each === name);
  if (textQualifier !== undefined) return value.trim() === '' ? null : { kind: textQualifier, value };
  const dateQualifier = DATE_QUALIFIERS.find((each) => each === name);
  if (dateQualifier !== undefined) {
    const range = readRange(value, readQueryDate);
    return range === null ? null : { kind: dateQualifier, range };
  }
  if (name === 'duration') {
    const range = readRange(value, readDuration);
    return range === null ? null : { kind: 'duration', range };
  }
  const word = value.toLowerCase();
  if (name === 'has' || name === 'no') {
    const field = QUERY_FIELDS.find((each) => each === word);
    return field === undefined ? null : { kind: 'has', field };
  }
  const state = name === 'is' ? QUERY_STATES.find((each) => each === word) : undefined;
  return state === undefined ? null : { kind: 'is', state };
}
