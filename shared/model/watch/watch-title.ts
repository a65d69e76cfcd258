import { isCalendarDay, localDay } from '../local-day.ts';
import { type ComposedTitle, fillTemplate, splitFileName, TITLE_TOKENS, tokenValue } from '../title-template.ts';
import { foldersOf, nameOf, type WatchedFileFacts } from './watched-file.ts';

/** The tokens of title templates in watched folders: the tokens of other uploads, and some for recordings. */
export const WATCH_TITLE_TOKENS = {
  ...TITLE_TOKENS,
  n: 'number of the file in this watched folder',
  nn: 'number of the file in this watched folder, two digits',
  nnn: 'number of the file in this watched folder, three digits',
  clean: 'file name without date and extension, with spaces for underscores',
  day: 'day in the file name, otherwise the day the file was changed',
  top: 'first sub-folder of the watched folder',
  folders: 'all sub-folders, joined by “ / ”',
} as const;

/** A day, YYYY-MM-DD, and its source: the file name, its mtime, or the time at which a sweep found the file. */
export interface TitleDay {
  day: string;
  from: 'name' | 'mtime' | 'first-seen';
}

/** The characters that represent bytes of names that are not UTF-8; titles show U+FFFD for them. */
const NO_TEXT = /[\u{10fd80}-\u{10fdff}]/gu;

/** Returns a name as titles and collections show it: composed letters, and U+FFFD for each byte that is not valid text. */
export function shownText(name: string): string {
  return name.replace(NO_TEXT, '\ufffd').normalize('NFC');
}

/** Composes the title of a file. `folderName`: the name of the watched folder. */
export function watchTitle(template: string, facts: WatchedFileFacts, folderName: string): ComposedTitle {
  const fileName = shownText(nameOf(facts.path));
  const folders = foldersOf(facts.path).map(shownText);
  const own: Readonly<Record<string, () => string>> = {
    clean: () => cleanedName(fileName),
    day: () => titleDay(facts).day,
    top: () => folders[0] ?? folderName,
    folders: () => folders.join(' / '),
  };
  const common = {
    fileName,
    folderName: folders.at(-1) ?? folderName,
    number: facts.number,
    date: changedDay(facts).day,
    contents: facts.contents ?? null,
  };
  return fillTemplate(template, fileName, common.contents, (token) =>
    Object.hasOwn(own, token) ? own[token]?.() : tokenValue(token, common),
  );
}

/** Returns the day of a recording for its title, and its source. */
export function titleDay(facts: WatchedFileFacts): TitleDay {
  const found = dayInName(splitFileName(nameOf(facts.path)).stem);
  return found === null ? changedDay(facts) : { day: found.day, from: 'name' };
}

/** Disks and cameras without a clock report times in 1904, 1970 or at the beginning of 1980. */
const EARLIEST_MS = Date.UTC(1980, 0, 3);
const LATEST_MS = Date.UTC(2200, 0, 1);

function changedDay({ mtimeMs, firstSeenMs }: WatchedFileFacts): TitleDay {
  return mtimeMs >= EARLIEST_MS && mtimeMs < LATEST_MS
    ? { day: localDay(mtimeMs), from: 'mtime' }
    : { day: localDay(firstSeenMs), from: 'first-seen' };
}

/** Year first, with or without separators; or day first with dots. Other orders are ambiguous. */
const DAYS: readonly RegExp[] = [
  /(?<!\d)(?<year>(?:19|20)\d\d)-(?<month>\d\d)-(?<day>\d\d)(?!\d)/,
  /(?<!\d)(?<year>(?:19|20)\d\d)_(?<month>\d\d)_(?<day>\d\d)(?!\d)/,
  /(?<!\d)(?<year>(?:19|20)\d\d)\.(?<month>\d\d)\.(?<day>\d\d)(?!\d)/,
  /(?<!\d)(?<year>(?:19|20)\d\d)(?<month>\d\d)(?<day>\d\d)(?!\d)/,
  /(?<!\d)(?<day>\d\d)\.(?<month>\d\d)\.(?<year>(?:19|20)\d\d)(?!\d)/,
];
/** A time after a date: `14-30-05`, `14h30`, `T1430`, `143005`. After a space `2024` is no time, but a year or a number. */
const TIMES: readonly RegExp[] = [
  /^[ _T.-]{0,3}(?:[01]\d|2[0-3])[-_.h:][0-5]\d(?:[-_.m:][0-5]\d)?s?(?![\d\p{L}])/u,
  /^[ _T.-]{0,3}(?:[01]\d|2[0-3])[0-5]\d[0-5]\d(?![\d\p{L}])/u,
  /^[_T-](?:[01]\d|2[0-3])[0-5]\d(?![\d\p{L}])/u,
];

/** Returns the first valid day in a name, and its position. */
export function dayInName(stem: string): { day: string; at: number; length: number } | null {
  for (const pattern of DAYS) {
    const match = pattern.exec(stem);
    const { year = '', month = '', day = '' } = match?.groups ?? {};
    if (match !== null && isCalendarDay(Number(year), Number(month), Number(day))) {
      return { day: `${year}-${month}-${day}`, at: match.index, length: match[0].length };
    }
  }
  return null;
}

/** Returns the words of a file name: `2026-11-22_10-00_Wave_optics.mp4` → `Wave optics`. The whole stem when no words remain. */
export function cleanedName(fileName: string): string {
  const { stem } = splitFileName(fileName);
  const found = dayInName(stem);
  let words = stem;
  if (found !== null) {
    const after = stem.slice(found.at + found.length);
    const time = TIMES.map((pattern) => pattern.exec(after)?.[0] ?? '').find((text) => text !== '') ?? '';
    words = `${stem.slice(0, found.at)} ${after.slice(time.length)}`;
  }
  const clean = words
    .replace(/[_\s]+/g, ' ')
    .replace(/(?<=\p{L})\.(?=\p{L})/gu, ' ')
    .split(' ')
    .filter((word) => word !== '')
    .join(' ');
  const trimmed = trimMarks(clean);
  return /[\p{L}\p{N}]/u.test(trimmed) ? trimmed : stem;
}

/** Returns a text without separators at both ends. */
function trimMarks(text: string): string {
  const marks = ' -–.,';
  let from = 0;
  let to = text.length;
  while (from < to && marks.includes(text.charAt(from))) from += 1;
  while (to > from && marks.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}
