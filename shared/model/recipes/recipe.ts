import { ITEM_FIELD, ITEM_FIELDS, type ItemField } from '../../item/fields.ts';
import { escapeHtml } from '../escape-html.ts';
import { piecesOf, UNPAIRED } from './braces.ts';
import {
  contentToken,
  contentTokenProblem,
  contentValue,
  dateFormatProblem,
  formattedDate,
  TAG_PREFIX,
} from './content-tokens.ts';
import { DATE_FORMAT } from './date-format.ts';
import { type NameValues, type PatternPart, patternOf, readName, tokensOf } from './name-pattern.ts';
import type { RecordingDate } from './recording-date.ts';

// A recipe describes files: a pattern reads values out of each name, and templates build fields from those values, from the
// folders, from the recording date and from the tags inside the file.

export interface Recipe {
  /** The pattern of the name without its extension; empty: no values are read. */
  pattern: string;
  /** Templates by field. A field without one, or with an empty one, is left as it is. `tags`: separated by commas. */
  fields: Readonly<Partial<Record<ItemField, string>>>;
  /** Underscores in values that were read become blanks. */
  hasUnderscores: boolean;
}

/** The known facts about a file. */
export interface RecipeFacts {
  /** The name without its extension, or another text to read. */
  stem: string;
  /** Without its dot; empty: none. */
  extension: string;
  /** Names of the folders that contain it, the innermost last. */
  folders: readonly string[];
  /** 1 for the first file. */
  number: number;
  /** The time of the last change, `YYYY-MM-DDTHH:mm:ss` in the computer's zone; null for an item without a file. */
  changed: string | null;
  recorded: RecordingDate | null;
  /** Tags inside the file by their names, such as `artist`. */
  mediaTags: Readonly<Record<string, string>>;
  /** The values that the fields have now. */
  current: Readonly<Record<ItemField, string>>;
}

/** The result of a recipe for a file. */
export interface RecipeResult {
  /** Values by token that were read out of the name. null: the name does not match the pattern. */
  read: NameValues | null;
  /** Filled fields. A missing field is not changed. */
  fields: Partial<Record<ItemField, string>>;
  /** Fields that are not changed because these tokens have no value for this file. */
  missing: Partial<Record<ItemField, string[]>>;
}

/** A recipe whose pattern and templates were read. */
export interface CompiledRecipe {
  pattern: readonly PatternPart[] | null;
  fields: readonly { field: ItemField; parts: readonly TemplatePart[] }[];
  hasUnderscores: boolean;
}

export interface RecipeProblem {
  place: 'pattern' | ItemField;
  /** A sentence for the user. */
  problem: string;
}

type TemplatePart = { text: string } | { token: string; format: string | null };

/** The tokens of templates in addition to the tokens of the pattern, with their meanings. */
export const FIXED_TOKENS = {
  name: 'file name without its extension',
  file: 'whole file name',
  ext: 'extension of the file',
  folder: 'folder that holds the file',
  folder2: 'folder above it',
  folder3: 'folder above that',
  n: 'number of the file; {nn} and {nnn} have leading zeros',
  changed: 'when the file was changed; {changed:DD.MM.YYYY} with a format',
  recorded: 'when it was recorded; with a format, too',
  now: 'value that the field has now',
} as const;

const TOKEN = /^([a-z][a-z0-9]*)(?::(.+))?$/;
const MAX_TEMPLATE_LENGTH = 2000;

/** Reads a recipe; returns all its problems when it has any. */
export function compileRecipe(recipe: Recipe): CompiledRecipe | { problems: RecipeProblem[] } {
  const problems: RecipeProblem[] = [];
  let pattern: readonly PatternPart[] | null = null;
  if (recipe.pattern !== '') {
    const read = patternOf(recipe.pattern);
    if ('problem' in read) problems.push({ place: 'pattern', problem: read.problem });
    else pattern = read.parts;
  }
  const known = new Set([...Object.keys(FIXED_TOKENS), ...(pattern === null ? [] : tokensOf(pattern))]);
  const fields: CompiledRecipe['fields'][number][] = [];
  for (const field of ITEM_FIELDS) {
    const template = recipe.fields[field];
    if (template === undefined || template === '') continue;
    const parts = templateOf(template, known);
    if (typeof parts === 'string') problems.push({ place: field, problem: parts });
    else fields.push({ field, parts });
  }
  return problems.length > 0 ? { problems } : { pattern, fields, hasUnderscores: recipe.hasUnderscores };
}

/** Applies a recipe to one file. A field whose template needs a value that the file does not have stays as it is. */
export function applyRecipe(recipe: CompiledRecipe, facts: RecipeFacts): RecipeResult {
  const found = recipe.pattern === null ? {} : readName(recipe.pattern, facts.stem);
  const read = found === null ? null : withBlanks(found, recipe.hasUnderscores);
  const result: RecipeResult = { read, fields: {}, missing: {} };
  for (const { field, parts } of recipe.fields) {
    const { value, missing } = fill(parts, (token, format) => {
      const found = tokenValue(token, format, field, read, facts);
      // A description is HTML, so values are escaped, except its present value, which is HTML already.
      return field !== 'tags' && ITEM_FIELD[field].kind === 'html' && token !== 'now' && found !== null
        ? escapeHtml(found)
        : found;
    });
    if (missing.length > 0) result.missing[field] = missing;
    else result.fields[field] = field === 'tags' ? recipeTagsOf(value).join(', ') : value.trim();
  }
  return result;
}

/** Whether a recipe needs values from inside the files, or the time of their last change. */
export function needsContents(recipe: CompiledRecipe): boolean {
  return usesToken(recipe, (token) => token === 'recorded' || token === 'changed' || token.startsWith(TAG_PREFIX));
}

/** Whether a recipe uses the date of the recording. */
export function usesRecordingDate(recipe: CompiledRecipe): boolean {
  return usesToken(recipe, (token) => token === 'recorded');
}

/** Whether a template has a wanted token that the pattern does not read: a value from the name would have precedence. */
function usesToken({ pattern, fields }: CompiledRecipe, isWanted: (token: string) => boolean): boolean {
  const read = new Set(pattern === null ? [] : tokensOf(pattern));
  return fields.some(({ parts }) =>
    parts.some((part) => 'token' in part && !read.has(part.token) && isWanted(part.token)),
  );
}

function fill(
  parts: readonly TemplatePart[],
  valueFor: (token: string, format: string | null) => string | null,
): { value: string; missing: string[] } {
  const missing: string[] = [];
  let value = '';
  for (const part of parts) {
    const piece = 'text' in part ? part.text : (valueFor(part.token, part.format) ?? '');
    if (piece === '' && 'token' in part && part.token !== 'now') missing.push(part.token);
    value += piece;
  }
  return { value, missing };
}

/** Splits a list of tags as a template builds it; blank and repeated ones are omitted. */
export function recipeTagsOf(value: string): string[] {
  const tags = new Map<string, string>();
  for (const piece of value.split(',')) {
    const tag = piece.trim();
    if (tag !== '' && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag);
  }
  return [...tags.values()];
}

/** Returns the parts of a template, or its problem. */
function templateOf(template: string, known: ReadonlySet<string>): TemplatePart[] | string {
  if (template.length > MAX_TEMPLATE_LENGTH) return `A template has at most ${MAX_TEMPLATE_LENGTH} characters.`;
  const pieces = piecesOf(template);
  if (pieces === null) return UNPAIRED;
  const parts: TemplatePart[] = [];
  for (const piece of pieces) {
    const part = 'text' in piece ? piece : templateToken(piece.token, known);
    if (typeof part === 'string') return part;
    parts.push(part);
  }
  return parts;
}

function templateToken(content: string, known: ReadonlySet<string>): TemplatePart | string {
  const inside = contentToken(content);
  if (inside !== null) return contentTokenProblem(inside) ?? inside;
  const [, token = '', format = null] = TOKEN.exec(content) ?? [];
  if (!known.has(token) && !/^n+$/.test(token)) {
    const list = [...known].map((name) => `{${name}}`).join(', ');
    return `“{${content}}” isn’t a token. You can use ${list} and {tag.artist}.`;
  }
  return (format === null ? null : dateFormatProblem(format)) ?? { token, format };
}

/** Returns the value of a token for a file; null when it has none. Values that were read out of the name come first. */
function tokenValue(
  token: string,
  format: string | null,
  field: ItemField,
  read: NameValues | null,
  facts: RecipeFacts,
): string | null {
  const fromName = read?.[token];
  if (fromName !== undefined && !/^n+$/.test(token)) {
    return format === null ? fromName : formattedDate(fromName, format);
  }
  if (/^n+$/.test(token)) return (read?.n ?? String(facts.number)).padStart(token.length, '0');
  const inside = contentToken(token);
  if (inside !== null) return contentValue({ ...inside, format }, facts);
  const { stem, extension } = facts;
  switch (token) {
    case 'name':
      return stem;
    case 'file':
      return extension === '' ? stem : `${stem}.${extension}`;
    case 'ext':
      return extension;
    case 'folder':
      return facts.folders.at(-1) ?? null;
    case 'folder2':
      return facts.folders.at(-2) ?? null;
    case 'folder3':
      return facts.folders.at(-3) ?? null;
    case 'changed':
      return facts.changed === null ? null : formattedDate(facts.changed, format ?? DATE_FORMAT);
    case 'now':
      return facts.current[field];
    default:
      return null;
  }
}

function withBlanks(values: NameValues, hasUnderscores: boolean): NameValues {
  const clean = (value: string) => (hasUnderscores ? value.replaceAll('_', ' ') : value).trim();
  return Object.fromEntries(Object.entries(values).map(([token, value]) => [token, clean(value)]));
}
