import { BoundedBytes, Bytes, type ReadAt } from './bounded-bytes.ts';

/** Bytes that are read piece by piece: a file, or a part of one in memory. Reads have the rules of `BoundedBytes`. */
export type ByteSource = Pick<BoundedBytes, 'sizeBytes' | 'read'>;

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
