import {
  DATE_QUALIFIERS,
  type ParsedQuery,
  QUERY_FIELDS,
  QUERY_STATES,
  type QueryCondition,
  type QueryHint,
  type QueryTerm,
  TEXT_QUALIFIERS,
} from './library-query.ts';
import { readDate, readDuration, readRange } from './ranges.ts';

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
const NAME = /^[A-Za-z]{1,20}$/;

/**
 * Parses a text that a user typed. Every text has a meaning: a qualifier that does not exist, or without a valid value, is
 * searched as words and listed in `hints`. Takes linear time and never throws.
 */
export function parseQuery(text: string): ParsedQuery {
  const hints: QueryHint[] = [];
  const groups: QueryTerm[][] = [];
  let joinsNext = false;
  for (const token of tokensOf(text)) {
    if (token.raw === OR && !token.isQuoted && !token.isNegated) {
      joinsNext = groups.length > 0;
      continue;
    }
    const term = termOf(token, hints);
    if (term === null) continue;
    const last = groups.at(-1);
    if (joinsNext && last !== undefined) last.push(term);
    else groups.push([term]);
    joinsNext = false;
  }
  return { query: { groups }, hints };
}

function* tokensOf(text: string): Generator<Token> {
  let at = 0;
  while (at < text.length) {
    if (SPACE.test(text[at] ?? '')) {
      at += 1;
      continue;
    }
    const start = at;
    const isNegated = text[at] === '-' && at + 1 < text.length && !SPACE.test(text[at + 1] ?? '');
    if (isNegated) at += 1;
    const { end, name, value, isQuoted } = readToken(text, at);
    yield { isNegated, name, value, isQuoted, raw: text.slice(isNegated ? start + 1 : start, end) };
    at = end;
  }
}

/** Reads `word`, `"phrase"`, `name:word` or `name:"phrase"`. A quotation without an end reaches to the end of the text. */
function readToken(text: string, start: number) {
  if (text[start] === '"') return { name: null, isQuoted: true, ...readQuoted(text, start + 1) };
  let colon = -1;
  let end = start;
  while (end < text.length && !SPACE.test(text[end] ?? '')) {
    if (text[end] === ':' && colon < 0) {
      colon = end;
      if (text[end + 1] === '"' && NAME.test(text.slice(start, end))) {
        return { name: text.slice(start, end).toLowerCase(), isQuoted: true, ...readQuoted(text, end + 2) };
      }
    }
    end += 1;
  }
  const name = colon < 0 ? '' : text.slice(start, colon);
  if (!NAME.test(name)) return { end, name: null, value: text.slice(start, end), isQuoted: false };
  return { end, name: name.toLowerCase(), value: text.slice(colon + 1, end), isQuoted: false };
}

function readQuoted(text: string, start: number): { end: number; value: string } {
  const close = text.indexOf('"', start);
  return close < 0
    ? { end: text.length, value: text.slice(start) }
    : { end: close + 1, value: text.slice(start, close) };
}

function termOf(token: Token, hints: QueryHint[]): QueryTerm | null {
  const { isNegated, name, value, isQuoted } = token;
  if (name === null) return textTerm(value, isQuoted, isNegated);
  const condition = conditionOf(name, value);
  // `no:tags` is the same as `-has:tags`, and `-no:tags` the same as `has:tags`.
  if (condition !== null) return { ...condition, isNegated: name === 'no' ? !isNegated : isNegated };
  hints.push({ kind: isQualifier(name) ? 'value' : 'unknown', qualifier: name, value });
  return textTerm(isQuoted ? `${name}:${value}` : token.raw, isQuoted, isNegated);
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
    const range = readRange(value, readDate);
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

const OTHER_QUALIFIERS = ['duration', 'has', 'no', 'is'];

function isQualifier(name: string): boolean {
  return [...TEXT_QUALIFIERS, ...DATE_QUALIFIERS, ...OTHER_QUALIFIERS].some((each) => each === name);
}
