import { isUtf8 } from 'node:buffer';

/** Maximum size of captions; a larger file is not treated as captions. */
export const MAX_CAPTIONS_BYTES = 10 * 1024 * 1024;

const TIME = /^(\d{1,3}):(\d{2}):(\d{2})[,.](\d{1,3})$/;
/** Maximum length of a timing line: two times and some settings. */
const MAX_TIMING_CHARS = 1000;
/** The first cue of an SRT file must begin within this length. */
const FIRST_CUE_CHARS = 256 * 1024;
/** Longer lines are cut: no screen shows more. */
const MAX_ROW_CHARS = 10_000;
/** Maximum length of the name of a root element with its prefix. */
const MAX_NAME_CHARS = 200;

export type CaptionsFormat = 'srt' | 'vtt' | 'dfxp';

/** Detects the format of captions by their content; undefined when it is none of the three formats. Takes linear time. */
export function captionsFormat(text: string): CaptionsFormat | undefined {
  const clean = withoutMark(text).trimStart();
  if (/^WEBVTT(?:[ \t\r\n]|$)/.test(clean.slice(0, 7))) return 'vtt';
  if (isDfxp(clean)) return 'dfxp';
  for (const row of rowsOf(clean.slice(0, FIRST_CUE_CHARS))) if (timingOf(row) !== undefined) return 'srt';
  return undefined;
}

/** Returns whether a text begins with the byte order mark of UTF-16, as Windows programs write it. */
export function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/**
 * Decodes captions. SRT names no encoding: without a UTF-16 mark, bytes that are not valid UTF-8 are read as
 * Windows-1252.
 */
export function captionsText(bytes: Uint8Array): string {
  if (isUtf16(bytes)) return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes);
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  // As a stream, because Node 20 otherwise decodes Windows-1252 as Latin-1: quotation marks become control characters.
  return new TextDecoder('windows-1252').decode(bytes, { stream: true });
}

function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Returns whether the root element is `tt`, after everything that XML allows before it. */
function isDfxp(text: string): boolean {
  let at = 0;
  for (let end = behindMisc(text, at); end > at; end = behindMisc(text, at)) at = behindBlanks(text, end);
  return /^<(?:\w+:)?tt[\s>]/.test(text.slice(at, at + MAX_NAME_CHARS));
}

/**
 * Returns the position after the declaration, processing instruction, comment or document type that begins at `at`; `at` itself
 * when there is none. A document type that defines entities is not accepted.
 */
function behindMisc(text: string, at: number): number {
  if (text.startsWith('<?', at)) return behind(text, '?>', at + 2);
  if (text.startsWith('<!--', at)) return behind(text, '-->', at + 4);
  if (!text.startsWith('<!DOCTYPE', at)) return at;
  const end = behind(text, '>', at + 9);
  return text.slice(at, end).includes('[') ? at : end;
}

/** Returns the position after the next occurrence of `wanted`, or the end of the text. */
function behind(text: string, wanted: string, from: number): number {
  const found = text.indexOf(wanted, from);
  return found < 0 ? text.length : found + wanted.length;
}

function behindBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1;
  return at;
}

/** Yields the lines of a text one at a time, with any of the three line endings. */
function* rowsOf(text: string): Generator<string> {
  const end = /\r\n|\n|\r/g;
  let from = 0;
  for (let found = end.exec(text); found; found = end.exec(text)) {
    yield text.slice(from, found.index);
    from = end.lastIndex;
  }
  yield text.slice(from);
}

function timingOf(row: string): string | undefined {
  if (row.length > MAX_TIMING_CHARS || !row.includes('-->')) return undefined;
  const [from = '', arrow, to = ''] = row.trim().split(/\s+/);
  const [start, end] = [vttTime(from), vttTime(to)];
  return arrow === '-->' && start && end ? `${start} --> ${end}` : undefined;
}

function vttTime(text: string): string | undefined {
  const match = TIME.exec(text);
  if (!match) return undefined;
  const [, hours = '', minutes = '', seconds = '', fraction = ''] = match;
  return `${hours.padStart(2, '0')}:${minutes}:${seconds}.${fraction.padEnd(3, '0')}`;
}

/**
 * Converts SRT to WebVTT: removes cue numbers, replaces decimal commas with points, and escapes markup except bold,
 * italics and underline, which both formats have. Takes linear time. Yields one piece for each input line, so that the
 * caller can let other work run in between.
 */
export function* srtToVtt(srt: string): Generator<string> {
  let cue: string[] = [];
  const finish = () => {
    const done = cue.length > 1 ? `\n${cue.join('\n')}\n` : '';
    cue = [];
    return done;
  };
  yield 'WEBVTT\n';
  for (const row of rowsOf(withoutMark(srt))) {
    const timing = timingOf(row);
    if (timing) {
      yield finish();
      cue = [timing];
    } else if (row.trim() === '') {
      yield finish();
    } else {
      if (cue.length > 0) cue.push(cueText(row.slice(0, MAX_ROW_CHARS)));
      yield '';
    }
  }
  yield finish();
}

/**
 * Converts a line of a cue: escapes its text, keeps the tags that WebVTT knows as well, and removes other tags. A tag never
 * extends beyond the next `<`, so each character is read for one tag only.
 */
function cueText(row: string): string {
  return row
    .replace(/&(?!(?:amp|lt|gt|nbsp);)/g, '&amp;')
    .replace(/<[^<>]*>|</g, (tag) => {
      if (/^<\/?[biu]>$/.test(tag)) return tag;
      return /^<[a-z/][^<]*>$/i.test(tag) ? '' : tag.replace('<', '&lt;');
    })
    .replaceAll('-->', '→');
}
