import { DATE_FORMAT, writeInFormat, writtenFormatOf } from './date-format.ts';

// Tokens whose values are inside a file: `{recorded}`, `{recorded:DD.MM.YYYY}` and `{tag.artist}`. Recipes and title templates
// share them.

/** The facts inside a file that templates can use. */
export interface FileContents {
  /** `YYYY-MM-DD`, or with `THH:mm:ss`; null: there is no date at all. */
  recorded: { at: string } | null;
  /** Tags by their names, such as `artist`. */
  mediaTags: Readonly<Record<string, string>>;
}

/** The tags that Mediadesk reads. A file has some of them. */
const MEDIA_TAGS = [
  ...(['title', 'artist', 'album', 'albumartist', 'track', 'disc', 'year', 'date', 'genre', 'composer'] as const),
  ...(['comment', 'description', 'copyright', 'publisher', 'show', 'episode', 'keywords', 'camera'] as const),
] as const;
export type MediaTag = (typeof MEDIA_TAGS)[number];

/** The prefix of a token for a tag inside a file: `{tag.artist}`. */
export const TAG_PREFIX = 'tag.';
const TOKEN = /^(recorded|tag\.[^:]*)(?::(.+))?$/;

/** A token whose value is inside a file. `format`: of a date; null: `YYYY-MM-DD`. */
export interface ContentToken {
  token: string;
  format: string | null;
}

/** Reads the content of a token's braces; null for a token of another kind. */
export function contentToken(content: string): ContentToken | null {
  const [, token, format = null] = TOKEN.exec(content) ?? [];
  return token === undefined ? null : { token, format };
}

/** Returns why such a token can't be used, as a sentence for the user; null when it can. */
export function contentTokenProblem({ token, format }: ContentToken): string | null {
  if (token.startsWith(TAG_PREFIX)) {
    const isKnown = (MEDIA_TAGS as readonly string[]).includes(token.slice(TAG_PREFIX.length));
    if (!isKnown) return `“{${token}}” isn’t a tag that Mediadesk reads. You can use ${tagTokens().join(', ')}.`;
    if (format !== null) return `“{${token}:${format}}” can’t have a format. Only dates have one.`;
  }
  return format === null ? null : dateFormatProblem(format);
}

/** Returns why a date format can't be used; null when it can. */
export function dateFormatProblem(format: string): string | null {
  if (writtenFormatOf(format) !== null) return null;
  return `“${format}” isn’t a date format. Use YYYY, MM, DD, HH, mm, ss, and names: MMMM, MMM, dddd, ddd.`;
}

/** Returns the value of such a token for a file; null when the file has none. */
export function contentValue({ token, format }: ContentToken, { recorded, mediaTags }: FileContents): string | null {
  if (token.startsWith(TAG_PREFIX)) return ownValue(mediaTags, token.slice(TAG_PREFIX.length));
  return recorded === null ? null : formattedDate(recorded.at, format ?? DATE_FORMAT);
}

/** Returns a date in a format; null when it lacks a part that the format needs. */
export function formattedDate(value: string, format: string): string | null {
  const parts = writtenFormatOf(format);
  return parts === null ? null : writeInFormat(parts, value);
}

function tagTokens(): string[] {
  return MEDIA_TAGS.map((tag) => `{${TAG_PREFIX}${tag}}`);
}

function ownValue(values: Readonly<Record<string, string>>, key: string): string | null {
  return Object.hasOwn(values, key) ? (values[key] ?? null) : null;
}
