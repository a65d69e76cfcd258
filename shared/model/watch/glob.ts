/**
 * Globs of watched folders, matched in time proportional to path length × pattern length.
 *
 * - `*` any characters of one name, `?` one character, `[a-z]` one of, `[!a-z]` none of, `{a,b}` alternatives;
 * - `**` as a whole name: any number of folders; at the end: everything in the folder;
 * - without a slash a glob matches the name of a file in any folder; with one it matches the path from the watched folder;
 * - a slash at the start binds a glob to the watched folder, a slash at the end selects everything in a folder.
 *
 * Case and Unicode composition do not count: recorders write `.MP4` and `.mp4`, file systems compose letters differently.
 */
export interface Glob {
  readonly alternatives: readonly Alternative[];
}

/** Names of a path, each a list of tokens; null is `**`. */
type Alternative = readonly (readonly Token[] | null)[];

type Token = { kind: 'character'; text: string } | { kind: 'any' } | { kind: 'star' } | ClassToken;

interface ClassToken {
  kind: 'class';
  negated: boolean;
  /** Code points, both ends included. */
  ranges: readonly (readonly [number, number])[];
}

/**
 * Why a glob is invalid. `backslash`: folders are separated by `/`; `brace` and `bracket`: without partner or empty;
 * `alternatives`: its braces expand to too many; `folder-name`: an empty name, `.` or `..` in the path.
 */
export type GlobProblem = 'empty' | 'too-long' | 'backslash' | 'brace' | 'bracket' | 'alternatives' | 'folder-name';

export const MOST_GLOB_CHARACTERS = 250;
/** The maximum number of alternatives to which the braces of one glob expand. */
const MOST_ALTERNATIVES = 64;

/** Returns why a glob is invalid; null when it is valid. */
export function globProblem(text: string): GlobProblem | null {
  const glob = compileGlob(text);
  return typeof glob === 'string' ? glob : null;
}

/** Compiles a glob. Returns the problem of an invalid one. */
export function compileGlob(text: string): Glob | GlobProblem {
  if (text.trim() === '') return 'empty';
  if (text.length > MOST_GLOB_CHARACTERS) return 'too-long';
  if (text.includes('\\')) return 'backslash';
  const expanded = expandBraces(text.normalize('NFC'));
  if (typeof expanded === 'string') return expanded;
  const alternatives: Alternative[] = [];
  for (const each of expanded) {
    const names = namesOf(each);
    if (names === null) return 'folder-name';
    const alternative: (Token[] | null)[] = [];
    for (const name of names) {
      const tokens = name === '**' ? null : tokensOf(name);
      if (tokens === 'bracket') return tokens;
      alternative.push(tokens);
    }
    alternatives.push(alternative);
  }
  return { alternatives };
}

/** The names of the last path, in characters, cached because one path is compared with many globs. */
let last: { path: string; names: readonly (readonly string[])[] } = { path: '', names: [[]] };

/** Returns whether a glob matches a path that is relative to the watched folder. */
export function matchesGlob(glob: Glob, path: string): boolean {
  if (path !== last.path) last = { path, names: path.split('/').map((name) => Array.from(folded(name))) };
  const { names } = last;
  return glob.alternatives.some((alternative) => matchesItems(alternative, names, isAnyFolders, matchesName));
}

/** Compares without case and composition. */
function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

const isAnyFolders = (part: readonly Token[] | null) => part === null;
const isStar = (token: Token) => token.kind === 'star';

function matchesName(tokens: readonly Token[] | null, name: readonly string[]): boolean {
  return tokens !== null && matchesItems(tokens, name, isStar, matchesCharacter);
}

function matchesCharacter(token: Token, character: string): boolean {
  if (token.kind === 'character') return token.text === character;
  return token.kind === 'class' ? isInClass(token, character) : true;
}

function isInClass({ negated, ranges }: ClassToken, character: string): boolean {
  const codes = [character, character.toUpperCase()].map((each) => each.codePointAt(0) ?? 0);
  return ranges.some(([from, to]) => codes.some((code) => from <= code && code <= to)) !== negated;
}

/**
 * Matches a sequence of items with a sequence of parts, some of which represent any number of items. Only the last such part has
 * to be tried again with more items: the choice of the earlier ones can't prevent a match. So no input takes more than parts ×
 * items steps.
 */
function matchesItems<Part, Item>(
  parts: readonly Part[],
  items: readonly Item[],
  isWild: (part: Part) => boolean,
  matchesOne: (part: Part, item: Item) => boolean,
): boolean {
  let part = 0;
  let item = 0;
  let wild = -1;
  let wildEnd = 0;
  while (item < items.length) {
    const here = part < parts.length ? (parts[part] as Part) : undefined;
    if (here !== undefined && isWild(here)) {
      wild = part;
      wildEnd = item;
      part += 1;
    } else if (here !== undefined && matchesOne(here, items[item] as Item)) {
      part += 1;
      item += 1;
    } else if (wild >= 0) {
      wildEnd += 1;
      item = wildEnd;
      part = wild + 1;
    } else {
      return false;
    }
  }
  while (part < parts.length && isWild(parts[part] as Part)) part += 1;
  return part === parts.length;
}

/** Returns the names of a glob's path, completed by `**` if it is not bound to the watched folder; null when one is no name. */
function namesOf(glob: string): string[] | null {
  const isBound = glob.startsWith('/');
  const isFolder = glob.endsWith('/');
  const names = glob.slice(isBound ? 1 : 0, isFolder ? -1 : undefined).split('/');
  if (names.some((name) => name === '' || name === '.' || name === '..')) return null;
  const whole = [...(isBound || names.length > 1 ? [] : ['**']), ...names, ...(isFolder ? ['**'] : [])];
  // A glob that ends in `**` matches what is in the folder, not the folder itself: so a name below it is required.
  return whole.at(-1) === '**' ? [...whole, '*'] : whole;
}

/** Expands `{a,b}`, also nested. */
function expandBraces(text: string): string[] | 'brace' | 'alternatives' {
  const open = indexOutsideClass(text, '{', 0);
  const close = indexOutsideClass(text, '}', 0);
  if (open < 0) return close < 0 ? [text] : 'brace';
  const group = readGroup(text, open);
  if (group === null || (close >= 0 && close < open) || group.choices.length < 2) return 'brace';
  const expanded: string[] = [];
  for (const choice of group.choices) {
    const rest = expandBraces(`${text.slice(0, open)}${choice}${text.slice(group.end)}`);
    if (typeof rest === 'string') return rest;
    expanded.push(...rest);
    if (expanded.length > MOST_ALTERNATIVES) return 'alternatives';
  }
  return expanded;
}

/** Returns the alternatives of the group that begins at `open`, and the position after it; null when it does not end. */
function readGroup(text: string, open: number): { choices: string[]; end: number } | null {
  const choices: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open; at < text.length; at = afterItem(text, at)) {
    const character = text[at];
    if (character === '{') depth += 1;
    else if (character === ',' && depth === 1) {
      choices.push(text.slice(from, at));
      from = at + 1;
    } else if (character === '}') {
      depth -= 1;
      if (depth === 0) return { choices: [...choices, text.slice(from, at)], end: at + 1 };
    }
  }
  return null;
}

function indexOutsideClass(text: string, wanted: string, from: number): number {
  for (let at = from; at < text.length; at = afterItem(text, at)) if (text[at] === wanted) return at;
  return -1;
}

/** Returns the position after a character, or after a class: braces and commas in a class are characters. */
function afterItem(text: string, at: number): number {
  return text[at] === '[' ? (classEnd(text, at) ?? at) + 1 : at + 1;
}

/** Returns the position of the `]` that ends the class; null without one. A `]` at its start is a character of the class. */
function classEnd(text: string, open: number): number | null {
  const first = /[!^]/.test(text[open + 1] ?? '') ? open + 2 : open + 1;
  const end = text.indexOf(']', first + 1);
  const slash = text.indexOf('/', open);
  return end < 0 || (slash >= 0 && slash < end) ? null : end;
}

function tokensOf(name: string): Token[] | 'bracket' {
  const tokens: Token[] = [];
  for (let at = 0; at < name.length; ) {
    const character = String.fromCodePoint(name.codePointAt(at) ?? 0);
    if (character === '[') {
      const end = classEnd(name, at);
      const token = end === null ? null : classOf(name.slice(at + 1, end));
      if (end === null || token === null) return 'bracket';
      tokens.push(token);
      at = end + 1;
      continue;
    }
    at += character.length;
    if (character === '?') tokens.push({ kind: 'any' });
    else if (character !== '*') tokens.push(...charactersOf(character));
    // Adjacent stars are one.
    else if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' });
  }
  return tokens;
}

/** Returns the tokens of a character in lower case: two for some letters, which have a lower case of two characters. */
function charactersOf(character: string): Token[] {
  return Array.from(folded(character), (text) => ({ kind: 'character', text }) as const);
}

/** Returns null for a range whose ends are in the wrong order. */
function classOf(content: string): ClassToken | null {
  const negated = /^[!^]/.test(content);
  const codes = Array.from(negated ? content.slice(1) : content, (character) => character.codePointAt(0) ?? 0);
  const ranges: [number, number][] = [];
  for (let at = 0; at < codes.length; ) {
    const from = codes[at] ?? 0;
    const isRange = codes[at + 1] === 0x2d && at + 2 < codes.length;
    const to = isRange ? (codes[at + 2] ?? 0) : from;
    if (to < from) return null;
    // A name is compared in lower case and, by `isInClass`, in upper case.
    ranges.push([from, to]);
    at += isRange ? 3 : 1;
  }
  return { kind: 'class', negated, ranges };
}
