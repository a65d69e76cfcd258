import { piecesOf, UNPAIRED } from './braces.ts';
import { DATE_FORMAT, dateFormatOf, type FormatPart, readDateAt, widthOf, writeInFormat } from './date-format.ts';

// Patterns read values out of names and build names from values: `{date:YYYYMMDD}_{course}_{title}` reads
// `20261104_Optics_Polarization` as date 2026-11-04, course Optics, title Polarization.
//
//   {title}         any text, at least one character
//   {n}, {nnn}      a number; the letters are the least number of digits
//   {date:YYYYMMDD} a date by its format, see `date-format.ts`; without a format YYYY-MM-DD
//   {*}             any text that is not of interest
//   {{ and }}       braces

/** A piece of a pattern. */
export type PatternPart =
  | { kind: 'text'; text: string }
  | { kind: 'any'; name: string }
  | { kind: 'number'; name: string; digits: number }
  | { kind: 'date'; name: string; format: readonly FormatPart[] };

type Token = Exclude<PatternPart, { kind: 'text' }>;

export type Pattern = { parts: readonly PatternPart[] } | { problem: string };

/** The values of a name by their tokens. Dates are `YYYY-MM-DD` or `YYYY-MM-DDTHH:mm:ss`; numbers keep their leading zeros. */
export type NameValues = Readonly<Record<string, string>>;

/** The token for text that is ignored. */
const IGNORED = '*';
const MAX_PATTERN_LENGTH = 500;
/** File systems allow 255 bytes; a title can be longer. */
const MAX_NAME_LENGTH = 1000;
const TOKEN = /^(\*|[a-z][a-z0-9]*)(?::(.+))?$/;

/** Reads a pattern; returns the problem as a sentence for the user when it is invalid. */
export function patternOf(pattern: string): Pattern {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    return { problem: `A pattern has at most ${MAX_PATTERN_LENGTH} characters.` };
  }
  const pieces = piecesOf(pattern);
  if (pieces === null) return { problem: UNPAIRED };
  const parts: PatternPart[] = [];
  const names = new Set<string>();
  for (const piece of pieces) {
    if ('text' in piece) {
      addText(parts, piece.text);
      continue;
    }
    const part = tokenPart(piece.token);
    if (typeof part === 'string') return { problem: part };
    const problem = problemAfter(parts.at(-1), part, names);
    if (problem !== null) return { problem };
    names.add(part.name);
    parts.push(part);
  }
  return names.size === 0 ? { problem: 'The pattern has no token, such as {title}.' } : { parts };
}

/** Returns why a token can't follow the part before it; null when it can. */
function problemAfter(before: PatternPart | undefined, part: Token, names: ReadonlySet<string>): string | null {
  if (part.name !== IGNORED && names.has(part.name)) return `“{${part.name}}” is in the pattern twice.`;
  if (before === undefined || before.kind === 'text' || isSeparate(before, part)) return null;
  return `Write something between “{${before.name}}” and “{${part.name}}”: nothing shows where one ends.`;
}

/** Returns the names of the values that a pattern reads, in their order. */
export function tokensOf(parts: readonly PatternPart[]): string[] {
  return parts.flatMap((part) => (part.kind === 'text' || part.name === IGNORED ? [] : [part.name]));
}

/**
 * Reads the values of a name; null when the name does not match as a whole. Each token takes as little as the rest of the
 * pattern allows. The time is linear in the length of the name.
 */
export function readName(parts: readonly PatternPart[], name: string): NameValues | null {
  const text = name.normalize('NFC');
  if (text.length > MAX_NAME_LENGTH) return null;
  const ends = endsOf(parts, text);
  if (ends[0]?.[0] === NO_MATCH) return null;
  const values: Record<string, string> = {};
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const end = ends[index]?.[at] ?? NO_MATCH;
    if (part.kind === 'date') values[part.name] = readDateAt(part.format, text, at) ?? '';
    else if (part.kind !== 'text' && part.name !== IGNORED) values[part.name] = text.slice(at, end);
    at = end;
  }
  return values;
}

/** Builds a name from values; returns instead the tokens that have no value, or an invalid one. */
export function buildName(parts: readonly PatternPart[], values: NameValues): { name: string } | { missing: string[] } {
  const missing: string[] = [];
  let name = '';
  for (const part of parts) {
    const piece = part.kind === 'text' ? part.text : writtenValue(part, values[part.name] ?? '');
    if (piece === '' && part.kind !== 'text') missing.push(part.name);
    name += piece;
  }
  return missing.length > 0 ? { missing } : { name: name.normalize('NFC') };
}

/**
 * Returns whether the name that is built from these values is read as the same values. It is not when a value contains the text
 * after its token.
 */
export function isReadable(parts: readonly PatternPart[], values: NameValues): boolean {
  const built = buildName(parts, values);
  if ('missing' in built) return false;
  const read = readName(parts, built.name);
  return read !== null && tokensOf(parts).every((token) => read[token] === values[token]);
}

/** Returns whether the end of a token can be found although the next token follows directly: a date has a fixed length. */
function isSeparate(before: PatternPart, part: PatternPart): boolean {
  if (before.kind === 'date') return true;
  return part.kind === 'date' && (before.kind === 'any' || typeof part.format[0] !== 'string');
}

const NO_MATCH = -1;

/**
 * Returns, for each part and each position of the text, the end of the part when it starts there and the rest of the pattern
 * matches; `NO_MATCH` when it doesn't. Computed from the end, so that no position is tried twice.
 */
function endsOf(parts: readonly PatternPart[], text: string): Int16Array[] {
  const ends: Int16Array[] = parts.map(() => new Int16Array(text.length + 1).fill(NO_MATCH));
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    const part = parts[index] as PatternPart;
    const next = ends[index + 1];
    const canFollow = (place: number) => (next === undefined ? place === text.length : next[place] !== NO_MATCH);
    fillEnds(ends[index] as Int16Array, part, text, canFollow);
  }
  return ends;
}

function fillEnds(ends: Int16Array, part: PatternPart, text: string, canFollow: (place: number) => boolean): void {
  /** The nearest position after the current one at which the rest can start. */
  let nearest = NO_MATCH;
  for (let at = text.length; at >= 0; at -= 1) {
    switch (part.kind) {
      case 'text':
        if (text.startsWith(part.text, at) && canFollow(at + part.text.length)) ends[at] = at + part.text.length;
        break;
      case 'date': {
        const end = at + widthOf(part.format);
        if (end <= text.length && canFollow(end) && readDateAt(part.format, text, at) !== null) ends[at] = end;
        break;
      }
      case 'number':
        ends[at] = numberEnd(ends, text, at, part.digits, canFollow);
        break;
      case 'any':
        ends[at] = nearest;
        if (canFollow(at)) nearest = at;
        break;
    }
  }
}

/** Returns the end of a number, which includes all digits, so that `{n}` reads 12 from `12.wav` and never 1. */
function numberEnd(
  ends: Int16Array,
  text: string,
  at: number,
  digits: number,
  canFollow: (place: number) => boolean,
): number {
  if (!isDigit(text, at)) return NO_MATCH;
  let end = at + 1;
  while (end - at < digits && isDigit(text, end)) end += 1;
  if (end - at < digits) return NO_MATCH;
  if (!isDigit(text, end)) return canFollow(end) ? end : NO_MATCH;
  // A digit follows: a number that starts at the next position has the same end.
  return ends[at + 1] ?? NO_MATCH;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

function addText(parts: PatternPart[], text: string): void {
  const last = parts.at(-1);
  if (last?.kind === 'text') parts[parts.length - 1] = { kind: 'text', text: last.text + text.normalize('NFC') };
  else parts.push({ kind: 'text', text: text.normalize('NFC') });
}

/** Returns the part of a token, or its problem. */
function tokenPart(token: string): Token | string {
  const match = TOKEN.exec(token);
  if (match === null) {
    return `“{${token}}” isn’t a token. A token has small letters and digits, such as {title} or {date:YYYYMMDD}.`;
  }
  const [, name = '', format] = match;
  if (/^n+$/.test(name)) {
    return format === undefined ? { kind: 'number', name: 'n', digits: name.length } : `“{${token}}” takes no format.`;
  }
  if (name !== 'date')
    return format === undefined ? { kind: 'any', name } : `“{${name}}” takes no format; {date} does.`;
  const parts = dateFormatOf(format ?? DATE_FORMAT);
  if (parts === null) return `“${format}” isn’t a date format. Use YYYY, MM, DD, and HH, mm, ss for the time.`;
  return { kind: 'date', name, format: parts };
}

function writtenValue(part: Token, value: string): string {
  switch (part.kind) {
    case 'date':
      return writeInFormat(part.format, value) ?? '';
    case 'number':
      return /^[0-9]+$/.test(value) ? value.padStart(part.digits, '0') : '';
    case 'any':
      return value;
  }
}
