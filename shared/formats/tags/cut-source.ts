import { isUtf8 } from 'node:buffer';
import { BoundedBytes, Bytes, type ReadAt, TooMuchToRead } from '../watch/readiness/containers/bounded-bytes.ts';

/** Bytes that are read piece by piece: a file, or a part of one in memory. Reads have the rules of `BoundedBytes`. */
export type ByteSource = Pick<BoundedBytes, 'sizeBytes' | 'read'>;

/** The maximum number of bytes, and of reads, for one file. */
export const CUT_LIMITS = { bytes: 4 * 1024 * 1024, reads: 2000 };

/** The size of the pieces that a `BlockReader` reads. */
const BLOCK_BYTES = 4096;

/** Reads a file in blocks, because descriptive values are many small pieces side by side. */
export class BlockReader implements ByteSource {
  /** The file itself, for pieces that are far apart. */
  readonly file: ByteSource;
  #block: Bytes | null = null;
  #blockAt = 0;

  constructor(file: ByteSource) {
    this.file = file;
  }

  get sizeBytes(): number {
    return this.file.sizeBytes;
  }

  async read(position: number, length: number): Promise<Bytes> {
    if (!(length < BLOCK_BYTES && position >= 0)) return this.file.read(position, length);
    const isInBlock =
      this.#block !== null && position >= this.#blockAt && position + length <= this.#blockAt + this.#block.length;
    if (!isInBlock) {
      this.#block = await this.file.read(position, BLOCK_BYTES);
      this.#blockAt = position;
    }
    const from = position - this.#blockAt;
    return new Bytes((this.#block as Bytes).data.subarray(from, from + length));
  }
}

/** For parts of a file whose own reads are limited, or that are in memory. */
const UNLIMITED = { bytes: Number.POSITIVE_INFINITY, reads: Number.POSITIVE_INFINITY };

/** Returns a source without limits of its own. */
export function sourceFrom(sizeBytes: number, readAt: ReadAt): ByteSource {
  return new BoundedBytes(sizeBytes, readAt, UNLIMITED);
}

/** Bytes in memory as a source. */
export function sourceOf(data: Uint8Array): ByteSource {
  return sourceFrom(data.length, async (position, length) => data.subarray(position, position + length));
}

/** Returns a part of a source. */
export function partOf(source: ByteSource, from: number, end: number): ByteSource {
  const size = Math.max(0, Math.min(end, source.sizeBytes) - from);
  return sourceFrom(
    Number.isNaN(size) ? 0 : size,
    async (position, length) => (await source.read(from + position, length)).data,
  );
}

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
  if (isUtf8(data)) return new TextDecoder().decode(data);
  // As a stream, because Node 20 otherwise decodes Windows-1252 as Latin-1.
  return new TextDecoder('windows-1252').decode(data, { stream: true });
}
