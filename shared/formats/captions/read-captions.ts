import { decoded, isValid } from '../text/decode.ts';
import { guessEncoding } from '../text/guess-encoding.ts';
import { markedUtf16, unmarkedUtf16 } from '../text/utf16.ts';
import type { CaptionsEncoding, CaptionsFormat } from './captions-kinds.ts';
import { hasDfxpCue, isDfxp } from './dfxp.ts';
import { srtState, srtToVtt } from './srt.ts';
import { vttState } from './vtt.ts';

/** The maximum size of captions; a film of three hours has about 200 KiB. */
export const MAX_CAPTIONS_BYTES = 10 * 1024 * 1024;

/**
 * Why captions are refused:
 * - `unknown`       no captions, or of a format that libraries don't accept
 * - `empty`         no cue that shows a text
 * - `vtt-encoding`  WebVTT that is not in UTF-8: players read it as UTF-8 only
 * - `vtt-first-line`, `vtt-times`, `vtt-lines`  WebVTT of which players show nothing, or only a part
 */
export type CaptionsProblem = 'unknown' | 'empty' | 'vtt-encoding' | 'vtt-first-line' | 'vtt-times' | 'vtt-lines';

export interface ReadCaptions {
  format: CaptionsFormat;
  /** Without a byte order mark, and without the NUL characters with which some programs fill the end. */
  text: string;
  encoding: CaptionsEncoding;
  /** Nothing names the encoding: it was guessed from the letters. */
  isGuessed: boolean;
}

/** Captions that can't be used. */
export class CaptionsError extends Error {
  override readonly name = 'CaptionsError';
  readonly problem: CaptionsProblem;
  /** The name of their real format, such as `Scenarist SCC`; null: unknown. */
  readonly format: string | null;

  constructor(problem: CaptionsProblem, format: string | null = null) {
    super(format === null ? problem : `${problem}: ${format}`);
    this.problem = problem;
    this.format = format;
  }
}

/**
 * Reads captions by their bytes, whatever their name says. App and library service use this function, so that both accept the same
 * files. `chosen`: the encoding that the user chose. Takes linear time. Throws `CaptionsError`.
 */
export function readCaptions(bytes: Uint8Array, chosen: CaptionsEncoding | null = null): ReadCaptions {
  const { text, encoding, isGuessed } = textOf(bytes, chosen);
  const format = formatOf(text);
  // A recording or a picture under the name of captions can contain the right bytes by chance.
  if (format === null || text.includes('\0')) throw new CaptionsError('unknown', otherFormat(bytes, text));
  if (format === 'vtt') checkVtt(text, encoding);
  else if (format === 'srt' ? srtState(text.trimStart()) === 'empty' : !hasDfxpCue(text))
    throw new CaptionsError('empty');
  return { format, text, encoding, isGuessed };
}

/**
 * Returns captions as WebVTT, for a player: SRT is converted, and WebVTT that players show only in part is repaired. null for other
 * formats.
 */
export function captionsAsVtt(bytes: Uint8Array): string | null {
  const { text } = textOf(bytes, null);
  const format = formatOf(text);
  if (format === null || format === 'dfxp') return null;
  if (format === 'vtt' && text.startsWith('WEBVTT') && vttState(text) === 'playable') return text;
  return [...srtToVtt(text)].join('');
}

function checkVtt(text: string, encoding: CaptionsEncoding): void {
  if (encoding !== 'utf-8') throw new CaptionsError('vtt-encoding');
  if (!text.startsWith('WEBVTT')) throw new CaptionsError('vtt-first-line');
  const state = vttState(text);
  if (state === 'times' || state === 'lines') throw new CaptionsError(`vtt-${state}`);
  if (state === 'empty') throw new CaptionsError('empty');
}

function formatOf(text: string): CaptionsFormat | null {
  const begin = text.trimStart();
  if (/^WEBVTT(?:[ \t\r\n]|$)/.test(begin.slice(0, 7))) return 'vtt';
  if (begin.startsWith('<') && isDfxp(begin)) return 'dfxp';
  return srtState(begin) === 'other' ? null : 'srt';
}

function textOf(bytes: Uint8Array, chosen: CaptionsEncoding | null): Omit<ReadCaptions, 'format'> {
  const wide = markedUtf16(bytes) ?? unmarkedUtf16(bytes);
  const certain = chosen ?? wide ?? (isValid(bytes, 'utf-8') ? 'utf-8' : null);
  const encoding = certain ?? guessEncoding(bytes);
  return { text: withoutFilling(decoded(bytes, encoding)), encoding, isGuessed: certain === null };
}

/** Returns a text without the NUL characters at its end. */
function withoutFilling(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0) end -= 1;
  return text.slice(0, end);
}

/** The first characters of formats of captions that the API doesn't accept. */
const OTHER_FORMATS: readonly (readonly [RegExp, string])[] = [
  [/^Scenarist_SCC/i, 'Scenarist SCC'],
  [/^\[Script Info\]/i, 'SubStation Alpha'],
  [/^<SAMI/i, 'SAMI'],
  [/^\{\d{1,9}\}\{\d{0,9}\}/, 'MicroDVD'],
  [/^\[\d{1,9}\]\[\d{0,9}\]/, 'MPL2'],
  [/^\[INFORMATION\]/i, 'SubViewer'],
  [/^\d{1,2}:\d{2}:\d{2}\.\d{1,3},\d{1,2}:\d{2}:\d{2}\.\d{1,3}/, 'YouTube SBV'],
  [/^\[(?:\d{1,3}:\d{2}(?:[.:]\d{1,3})?|(?:ar|ti|al|by|offset|length|la|re|ve):[^\]]{0,200})\]/i, 'LRC'],
  [/^# VobSub/i, 'VobSub'],
];

/** Returns the name of the format that captions really have; null when it is none that is known. */
function otherFormat(bytes: Uint8Array, text: string): string | null {
  // The header of EBU STL has its mark behind the number of the code page.
  if (String.fromCharCode(...bytes.subarray(3, 6)) === 'STL') return 'EBU STL';
  const begin = text.slice(0, 2000).trimStart();
  return OTHER_FORMATS.find(([mark]) => mark.test(begin))?.[1] ?? null;
}
