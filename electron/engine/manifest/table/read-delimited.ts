import { DelimitedReader, type Separator } from '../../../../shared/model/table/delimited-reader.ts';
import { type DetectedSeparator, detectSeparator } from '../../../../shared/model/table/detect-separator.ts';
import type { TextEncoding } from '../../../../shared/model/table/encodings.ts';
import {
  TABLE_LIMITS,
  TableError,
  type TableLimits,
  type TableRow,
} from '../../../../shared/model/table/table-error.ts';
import { type DetectedEncoding, detectEncoding, EncodingError, TextDecoding } from './decode-text.ts';
import { refuseOtherFiles } from './other-formats.ts';

export interface ReadOptions {
  /** null: detected. */
  encoding: TextEncoding | null;
  separator: Separator | null;
  /** Whether a header names a known column. */
  isKnown: (header: string) => boolean;
  limits?: TableLimits;
}

/** A file of separated values: its rows with the header, and how it was read. */
export interface DelimitedTable {
  rows: TableRow[];
  encoding: DetectedEncoding;
  separator: DetectedSeparator;
}

/** Characters from which the separator is detected. */
const HEAD_CHARS = 65_536;

/**
 * Reads a file of separated values from pieces of bytes. Stops at the first problem: a file of any size needs no more
 * memory than the limits. Throws `TableError`.
 */
export async function readDelimited(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: ReadOptions,
): Promise<DelimitedTable> {
  const rows: TableRow[] = [];
  const reading = new Reading(options, (row) => rows.push(row));
  for await (const piece of pieces) reading.push(piece);
  const { encoding, separator } = reading.end();
  if (rows.length === 0) throw new TableError('empty');
  return { rows, encoding, separator };
}

/** The first bytes are kept until encoding and separator are detected. */
const HEAD_BYTES = 4096;

class Reading {
  readonly #options: ReadOptions;
  readonly #onRow: (row: TableRow) => void;
  #bytes: Uint8Array | null = new Uint8Array();
  #encoding: DetectedEncoding | null = null;
  #decoding: TextDecoding | null = null;
  /** Text before the separator is known; null afterwards. */
  #head: string | null = '';
  #separator: DetectedSeparator | null = null;
  #reader: DelimitedReader | null = null;

  constructor(options: ReadOptions, onRow: (row: TableRow) => void) {
    this.#options = options;
    this.#onRow = onRow;
  }

  push(piece: Uint8Array): void {
    if (this.#bytes === null) {
      this.#decode(piece);
      return;
    }
    const bytes = new Uint8Array(this.#bytes.length + piece.length);
    bytes.set(this.#bytes);
    bytes.set(piece, this.#bytes.length);
    this.#bytes = bytes;
    if (bytes.length >= HEAD_BYTES) this.#begin();
  }

  end(): { encoding: DetectedEncoding; separator: DetectedSeparator } {
    if (this.#bytes !== null) this.#begin();
    this.#atPlace(() => this.#decoding?.end());
    const reader = this.#split(true);
    reader?.end();
    if (this.#encoding === null || this.#separator === null) throw new TableError('empty');
    return { encoding: this.#encoding, separator: this.#separator };
  }

  #begin(): void {
    const bytes = this.#bytes ?? new Uint8Array();
    this.#bytes = null;
    refuseOtherFiles(bytes);
    this.#encoding = detectEncoding(bytes, this.#options.encoding);
    this.#decoding = new TextDecoding(this.#encoding.encoding);
    this.#decode(bytes.subarray(this.#encoding.bomBytes));
  }

  #decode(bytes: Uint8Array): void {
    this.#text(this.#atPlace(() => this.#decoding?.push(bytes) ?? ''));
  }

  #text(text: string): void {
    if (this.#head === null) this.#reader?.push(text);
    else {
      this.#head += text;
      this.#split(false);
    }
  }

  /** Detects the separator when enough of the text is known, and reads that text. */
  #split(isEnd: boolean): DelimitedReader | null {
    const head = this.#head;
    if (head === null || (!isEnd && head.length < HEAD_CHARS)) return this.#reader;
    if (head.includes('\0')) this.#refuseNul(head);
    this.#head = null;
    const { isKnown, separator, limits = TABLE_LIMITS } = this.#options;
    this.#separator = detectSeparator(head.slice(0, HEAD_CHARS), isKnown, separator);
    this.#reader = new DelimitedReader(this.#separator.separator, this.#onRow, limits);
    this.#reader.push(head.slice(this.#separator.skip));
    return this.#reader;
  }

  /** Throws `nul` with its position. A file with a NUL is not text. If its separator is unclear, the comma is used. */
  #refuseNul(head: string): void {
    const { isKnown, separator } = this.#options;
    let found: Pick<DetectedSeparator, 'separator' | 'skip'> = { separator: ',', skip: 0 };
    try {
      found = detectSeparator(head.slice(0, head.indexOf('\0')), isKnown, separator);
    } catch (error) {
      if (!(error instanceof TableError)) throw error;
    }
    new DelimitedReader(found.separator, () => {}).push(head.slice(found.skip));
  }

  /** Runs a step of the decoding. Invalid bytes become an error with their position: the text before them is read first. */
  #atPlace<T>(decode: () => T): T {
    try {
      return decode();
    } catch (error) {
      if (!(error instanceof EncodingError)) throw error;
      this.#text(error.text);
      const reader = this.#split(true);
      throw new TableError('encoding', reader?.place ?? null);
    }
  }
}
