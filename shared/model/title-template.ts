/**
 * Titles from file names. A template is text with tokens in braces:
 * `{name}` the file name without its extension · `{file}` the whole file name · `{ext}` the extension ·
 * `{folder}` the folder that holds it · `{n}` its number in the batch, `{nn}`, `{nnn}` with leading zeros ·
 * `{date}` the file's modification day (YYYY-MM-DD, local). A token that is not known stays as it is.
 */
export interface TitleFacts {
  fileName: string;
  folderName: string;
  /** 1 for the first file of the batch. */
  number: number;
  /** YYYY-MM-DD. */
  date: string;
}

const MAX_TITLE_LENGTH = 500;

export function renderTitle(template: string, facts: TitleFacts): string {
  const { stem, extension } = splitFileName(facts.fileName);
  const title = template.replace(/\{([a-z]+)\}/g, (token, name: string) => {
    switch (name) {
      case 'name':
        return stem;
      case 'file':
        return facts.fileName;
      case 'ext':
        return extension;
      case 'folder':
        return facts.folderName;
      case 'date':
        return facts.date;
      default:
        return /^n+$/.test(name) ? String(facts.number).padStart(name.length, '0') : token;
    }
  });
  return cleanTitle(title) || cleanTitle(stem) || facts.fileName;
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
