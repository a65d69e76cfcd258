/**
 * Titles from file names. A template is text with tokens in braces, see `TITLE_TOKENS`; `{{` and `}}` stand for the braces
 * themselves. A template with any other brace is refused (`titleTemplateProblem`).
 */
export interface TitleFacts {
  fileName: string;
  folderName: string;
  /** 1 for the first file of the batch. */
  number: number;
  /** YYYY-MM-DD. */
  date: string;
}

/** Every token with its meaning. `{n}` takes any number of letters: as many digits at least, with leading zeros. */
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

const MAX_TITLE_LENGTH = 500;

/** Escaped braces and tokens; what is in the braces of a token is its only group. */
const PARTS = /\{\{|\}\}|\{([^{}]*)\}/g;

export function renderTitle(template: string, facts: TitleFacts): string {
  const { stem } = splitFileName(facts.fileName);
  const title = template.replace(PARTS, (part, token: string | undefined) => {
    if (token === undefined) return part.charAt(0);
    return tokenValue(token, facts) ?? part;
  });
  return cleanTitle(title) || cleanTitle(stem) || facts.fileName;
}

/** Why a template can't be used, as a sentence for a person that names the known tokens; null when it can. */
export function titleTemplateProblem(template: string): string | null {
  const known = Object.keys(TITLE_TOKENS).map((token) => `{${token}}`);
  const help = `Known tokens: ${known.join(', ')}. For a brace itself, write {{ or }}.`;
  for (const [part, token] of template.matchAll(PARTS)) {
    if (token !== undefined && !isToken(token)) return `“${part}” is not a title token. ${help}`;
  }
  if (/[{}]/.test(template.replace(PARTS, ''))) return `A brace in the title template has no partner. ${help}`;
  return null;
}

function isToken(token: string): boolean {
  return Object.hasOwn(TITLE_TOKENS, token) || /^n+$/.test(token);
}

/** Undefined for what is no token. */
function tokenValue(token: string, { fileName, folderName, number, date }: TitleFacts): string | undefined {
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

/** `lecture.final.mp4` → `lecture.final` and `mp4`; a leading dot belongs to the name. */
export function splitFileName(fileName: string): { stem: string; extension: string } {
  const dot = fileName.lastIndexOf('.');
  if (dot <= 0) return { stem: fileName, extension: '' };
  return { stem: fileName.slice(0, dot), extension: fileName.slice(dot + 1) };
}

/** One line, no control characters, composed letters (NFC), at most 500 characters. */
function cleanTitle(text: string): string {
  const oneLine = text
    .normalize('NFC')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is being removed
    .replace(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .trim();
  return Array.from(oneLine).slice(0, MAX_TITLE_LENGTH).join('');
}
