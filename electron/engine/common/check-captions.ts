import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../shared/contract/errors/error-catalog.ts';
import type { CaptionsFacts } from '../../../shared/contract/file-calls.ts';
import type { CaptionsEncoding } from '../../../shared/formats/captions/captions-kinds.ts';
import {
  CaptionsError,
  type CaptionsProblem,
  MAX_CAPTIONS_BYTES,
  type ReadCaptions,
  readCaptions,
} from '../../../shared/formats/captions/read-captions.ts';
import { firstSrtText } from '../../../shared/formats/captions/srt.ts';

const CODES: Readonly<Record<CaptionsProblem, ErrorCode>> = {
  unknown: 'captions.unknown-format',
  empty: 'captions.empty',
  'vtt-encoding': 'captions.not-utf8',
  'vtt-first-line': 'captions.vtt-first-line',
  'vtt-times': 'captions.vtt-times',
  'vtt-lines': 'captions.vtt-lines',
};

/** Captions of this computer that libraries accept. */
export interface CheckedCaptions {
  read: ReadCaptions;
  /** The bytes for the library: SRT in UTF-8, whatever the encoding of the file is, because SRT names none; otherwise the file’s. */
  bytes: Uint8Array;
}

/**
 * Reads captions by their bytes, whatever their name says. `chosen`: the encoding that the user chose; null: detected. Takes linear
 * time. Throws `captions.…`.
 */
export function checkCaptions(bytes: Uint8Array, chosen: CaptionsEncoding | null = null): CheckedCaptions {
  if (bytes.length > MAX_CAPTIONS_BYTES) throw appError('captions.too-large');
  try {
    const read = readCaptions(bytes, chosen);
    const isRewritten = read.format === 'srt' && read.encoding !== 'utf-8';
    return { read, bytes: isRewritten ? new TextEncoder().encode(read.text) : bytes };
  } catch (error) {
    throw error instanceof CaptionsError ? asAppError(error) : error;
  }
}

/** Returns what a screen shows of captions before they are sent. */
export function shownFacts({
  format,
  text,
  encoding,
  isGuessed,
}: ReadCaptions): Omit<CaptionsFacts, 'label' | 'language'> {
  return { format, encoding, isGuessed, sample: format === 'srt' ? firstSrtText(text) : '' };
}

function asAppError({ problem, format }: CaptionsError): AppError {
  const code = CODES[problem];
  if (format === null) return appError(code);
  return appError('captions.other-format', {
    message: `These captions are in the format ${format}, which libraries don’t accept.`,
    details: { format },
  });
}
