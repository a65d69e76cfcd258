import { isUtf8 } from 'node:buffer';
import { appError } from '../../../shared/contract/app-error.ts';
import type { CaptionsFacts } from '../../../shared/contract/file-calls.ts';
import { captionsAsVtt } from '../../../shared/model/caption-text.ts';

/** The maximum size of captions; a film of three hours has about 200 KiB. */
export const MAX_CAPTIONS_BYTES = 10 * 1024 * 1024;
/** The number of characters in which the format can be detected. */
const HEAD_CHARS = 256 * 1024;

/**
 * Detects the format and the encoding of a captions file by its bytes, whatever its name says. Takes linear time. Throws
 * `captions.too-large`, `captions.unknown-format` and, for WebVTT, `captions.not-utf8`: players read WebVTT as UTF-8 only.
 */
export function checkCaptions(bytes: Uint8Array): Pick<CaptionsFacts, 'format' | 'isUtf8'> {
  if (bytes.length > MAX_CAPTIONS_BYTES) throw appError('captions.too-large');
  const isMarked16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const encoding = isMarked16
    ? bytes[0] === 0xff
      ? 'utf-16le'
      : 'utf-16be'
    : isUtf8(bytes)
      ? 'utf-8'
      : 'windows-1252';
  // `TextDecoder` drops a byte order mark.
  const text = new TextDecoder(encoding).decode(bytes.subarray(0, HEAD_CHARS * 2)).slice(0, HEAD_CHARS);
  const format = formatOf(text.trimStart());
  // A recording or a picture under the name of captions can contain the right bytes by chance.
  if (format === null || text.includes('\0')) throw appError('captions.unknown-format');
  if (format === 'vtt' && encoding !== 'utf-8') throw appError('captions.not-utf8');
  return { format, isUtf8: encoding === 'utf-8' };
}

function formatOf(text: string): CaptionsFacts['format'] | null {
  if (/^WEBVTT(?:[ \t\r\n]|$)/.test(text)) return 'vtt';
  if (text.startsWith('<')) return /<(?:[A-Za-z_][\w.-]{0,100}:)?tt[\s>]/.test(text) ? 'dfxp' : null;
  return captionsAsVtt(text) === null ? null : 'srt';
}
