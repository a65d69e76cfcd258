import { TooMuchToRead } from '../bytes/bounded-bytes.ts';
import { decoded, isValid } from '../text/decode.ts';

/** The maximum number of bytes, and of reads, for one file. */
export const CUT_LIMITS = { bytes: 4 * 1024 * 1024, reads: 2000 };

/** The maximum number of bytes of one value. The values that patterns use are shorter still. */
export const MOST_VALUE = 8 * 1024;
/** The maximum number of values that are visited, and of bytes that are copied, in one file. */
const MOST_VALUES = 2000;
const MOST_COPIED = 256 * 1024;

/** The tags of a file are not what their format says. */
export class DamagedTags extends Error {
  override name = 'DamagedTags';
}

/**
 * Counts the values of a file. A parser makes objects of every value, so bytes alone do not limit its memory: a megabyte of values
 * without contents would fill it, and the heap limit of a thread can end the whole process.
 */
export class ValueBudget {
  #values = 0;
  #bytes = 0;

  /** Counts one value, and how many of its bytes are copied. Throws `TooMuchToRead` beyond the limits. */
  count(bytes = 0): void {
    this.#values += 1;
    this.#bytes += bytes;
    if (this.#values > MOST_VALUES || this.#bytes > MOST_COPIED) throw new TooMuchToRead();
  }
}

/** Decodes a text whose encoding the file does not name: UTF-8 where its bytes are, as new programs write it, else Windows-1252. */
export function decodedText(data: Uint8Array): string {
  return decoded(data, isValid(data, 'utf-8') ? 'utf-8' : 'windows-1252');
}
