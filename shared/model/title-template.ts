/**
 * Makes titles from file names. A template is text with tokens in braces, see `TITLE_TOKENS`; `{{` and `}}` are literal
 * braces. A template with any other brace is invalid (`titleTemplateProblem`).
 */
export interface TitleFacts {
  fileName: string;
  folderName: string;
  /** 1 for the first file of the batch. */
  number: number;
  /** YYYY-MM-DD. */
  date: string;
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
  date: 'day the file was changed',
} as const;

/** Characters of the title of a new item. */
export const MAX_TITLE_LENGTH = 500;

/** Matches escaped braces and tokens; the only group is the content of a token's braces. */
const PARTS = /\{\{|\}\}|\{([^{}]*)\}/g;

export function renderTitle(template: string, facts: TitleFacts): string {
  return fillTemplate(template, facts.fileName, (token) => tokenValue(token, facts));
}

/** Renders a template with the values of `valueFor`, which returns undefined for an unknown token. Never empty. */
export function fillTemplate(
  template: string,
  fileName: string,
  valueFor: (token: string) => string | undefined,
): string {
  const title = template.replace(PARTS, (part, token: string | undefined) => {
    return token === undefined ? part.charAt(0) : (valueFor(token) ?? part);
  });
  return cleanTitle(title) || cleanTitle(splitFileName(fileName).stem) || fileName;
}

/**
 * Returns why a template is invalid, as a sentence for the user that names the known tokens; null when it is valid. `tokens`: the
 * known ones, of which `{n}` takes any number of letters.
 */
export function titleTemplateProblem(
  template: string,
  tokens: Readonly<Record<string, string>> = TITLE_TOKENS,
): string | null {
  const known = Object.keys(tokens).map((token) => `{${token}}`);
  const help = `You can use ${known.join(', ')}. To write a brace, use {{ or }}.`;
  for (const [part, token] of template.matchAll(PARTS)) {
    if (token !== undefined && !isToken(token, tokens)) return `“${part}” isn’t a title token. ${help}`;
  }
  if (/[{}]/.test(template.replace(PARTS, ''))) return `The title template has an unpaired brace. ${help}`;
  return null;
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
    default:
      return /^n+$/.test(token) ? String(number).padStart(token.length, '0') : undefined;
  }
}

/** Splits `lecture.final.mp4` into `lecture.final` and `mp4`; a leading dot belongs to the stem. */
export function splitFileName(fileName: string): { stem: string; extension: string } {
  const dot = fileName.lastIndexOf('.');
  if (dot <= 0) return { stem: fileName, extension: '' };
  return { stem: fileName.slice(0, dot), extension: fileName.slice(dot + 1) };
}

/** Returns the text as one line without control characters, in NFC, with at most 500 characters. */
export function cleanTitle(text: string): string {
  const oneLine = text
    .normalize('NFC')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is being removed
    .replace(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .trim();
  return Array.from(oneLine).slice(0, MAX_TITLE_LENGTH).join('');
}
