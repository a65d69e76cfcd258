import { cutText, ITEM_FIELD } from '../item/fields.ts';
import {
  contentToken,
  contentTokenProblem,
  contentValue,
  dateFormatProblem,
  type FileContents,
  formattedDate,
} from './recipes/content-tokens.ts';

/**
 * The facts about a file from which a template makes its title. A template is text with tokens in braces, see `TITLE_TOKENS`;
 * `{{` and `}}` are literal braces. A template with any other brace is invalid (`titleTemplateProblem`).
 */
export interface TitleFacts {
  fileName: string;
  folderName: string;
  /** 1 for the first file of the batch. */
  number: number;
  /** YYYY-MM-DD. */
  date: string;
  /** The facts inside the file; null: not read, or it can't be read. Only needed if `needsTitleContents`. */
  contents: FileContents | null;
}

/** A title, and why it differs from its template. */
export interface ComposedTitle {
  title: string;
  /** Tokens that have no value for this file. If there are any, the title is the file name without its extension. */
  missing: readonly string[];
}

/**
 * Every token with its meaning. `{n}` can have several letters: their number is the minimum number of digits, filled
 * with leading zeros.
 */
export const TITLE_TOKENS = {
  name: 'file name without its extension',
  file: 'whole file name',
  ext: 'extension of the file',
  folder: 'folder that holds the file',
  n: 'number in this batch',
  nn: 'number in this batch, two digits',
  nnn: 'number in this batch, three digits',
  date: 'day the file was changed; {date:D MMMM YYYY} with a format',
  recorded: 'when it was recorded; {recorded:DD.MM.YYYY} with a format',
  'tag.title': 'title in the tags of the file',
  'tag.artist': 'artist in the tags of the file',
} as const;

const MAX_TEMPLATE_LENGTH = 500;

/** Matches escaped braces and tokens; the only group is the content of a token's braces. */
const PARTS = /\{\{|\}\}|\{([^{}]*)\}/g;

export function composeTitle(template: string, facts: TitleFacts): ComposedTitle {
  return fillTemplate(template, facts.fileName, facts.contents, (token) => tokenValue(token, facts));
}

/**
 * Renders a template with the values of `valueFor`, which returns undefined for an unknown token, and with values inside the file.
 * The title is never empty.
 */
export function fillTemplate(
  template: string,
  fileName: string,
  contents: FileContents | null,
  valueFor: (token: string) => string | undefined,
): ComposedTitle {
  const missing: string[] = [];
  const title = template.replace(PARTS, (part, token: string | undefined) => {
    if (token === undefined) return part.charAt(0);
    const inside = contentToken(token);
    if (inside === null) return valueFor(token) ?? part;
    const value = contents === null ? '' : cleanTitle(contentValue(inside, contents) ?? '');
    if (value === '') missing.push(token);
    return value;
  });
  const own = missing.length > 0 ? '' : cleanTitle(title);
  return { title: own || cleanTitle(splitFileName(fileName).stem) || fileName, missing };
}

/** Whether a title template has tokens whose values are inside the files. */
export function needsTitleContents(template: string): boolean {
  return [...template.matchAll(PARTS)].some(([, token]) => token !== undefined && contentToken(token) !== null);
}

/** Whether a title template has the date of the recording. */
export function titleUsesRecordingDate(template: string): boolean {
  return [...template.matchAll(PARTS)].some(([, token]) => contentToken(token ?? '')?.token === 'recorded');
}

/**
 * Returns why a template is invalid, as a sentence for the user that names the known tokens; null when it is valid. `tokens`: the
 * known ones, of which `{n}` may have any number of letters.
 */
export function titleTemplateProblem(
  template: string,
  tokens: Readonly<Record<string, string>> = TITLE_TOKENS,
): string | null {
  if (template.length > MAX_TEMPLATE_LENGTH) {
    return `A title template has at most ${MAX_TEMPLATE_LENGTH} characters.`;
  }
  const known = Object.keys(tokens).map((token) => `{${token}}`);
  const help = `You can use ${known.join(', ')}. To write a brace, use {{ or }}.`;
  for (const [part, token] of template.matchAll(PARTS)) {
    if (token === undefined) continue;
    const inside = contentToken(token);
    const problem = inside === null ? null : contentTokenProblem(inside);
    if (problem !== null) return problem;
    const format = Object.hasOwn(tokens, 'date') ? formatOfDay(token) : null;
    if (format !== null) {
      const wrong = dateFormatProblem(format) ?? dayFormatProblem(format);
      if (wrong !== null) return wrong;
      continue;
    }
    if (inside === null && !isToken(token, tokens)) return `“${part}” isn’t a title token. ${help}`;
  }
  if (/[{}]/.test(template.replace(PARTS, ''))) return `The title template has an unpaired brace. ${help}`;
  return null;
}

/** Returns the format of `{date:FORMAT}`; null for another token. */
function formatOfDay(token: string): string | null {
  return /^date:(.+)$/.exec(token)?.[1] ?? null;
}

/** Returns why a format can't write the day on which a file was changed, which has no time; null when it can. */
function dayFormatProblem(format: string): string | null {
  if (formattedDate('2000-01-01', format) !== null) return null;
  return `“{date:${format}}” can’t have a time. {recorded} can.`;
}

function isToken(token: string, tokens: Readonly<Record<string, string>>): boolean {
  return Object.hasOwn(tokens, token) || /^n+$/.test(token);
}

/** Returns the value of a token of `TITLE_TOKENS`; undefined for an unknown token. */
export function tokenValue(token: string, { fileName, folderName, number, date }: TitleFacts): string | undefined {
  switch (token) {
    case 'name':
      return splitFileName(fileName).stem;
    case 'file':
      return fileName;
    case 'ext':
      return splitFileName(fileName).extension;
    case 'folder':
      return folderName;
    case 'date':
      return date;
    default: {
      const format = formatOfDay(token);
      if (format !== null) return formattedDate(date, format) ?? undefined;
      return /^n+$/.test(token) ? String(number).padStart(token.length, '0') : undefined;
    }
  }
}

/** Splits `lecture.final.mp4` into `lecture.final` and `mp4`; a leading dot belongs to the stem. */
export function splitFileName(fileName: string): { stem: string; extension: string } {
  const dot = fileName.lastIndexOf('.');
  if (dot <= 0) return { stem: fileName, extension: '' };
  return { stem: fileName.slice(0, dot), extension: fileName.slice(dot + 1) };
}

/** Returns the text as one line without control characters, in NFC, with as many characters as a title may have. */
export function cleanTitle(text: string): string {
  const oneLine = text
    .normalize('NFC')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is being removed
    .replace(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .trim();
  return cutText(oneLine, ITEM_FIELD.title.most).trimEnd();
}
