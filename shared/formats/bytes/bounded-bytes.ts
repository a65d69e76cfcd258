/** Reads up to `length` bytes at `position`; fewer at the end of the file. */
export type ReadAt = (position: number, length: number) => Promise<Uint8Array>;

/** What one check may read at most. A share may need milliseconds for each read. */
export const MOST_BYTES = 320 * 1024;
export const MOST_READS = 1500;

/** The most bytes and separate reads. */
export interface ReadLimits {
  bytes: number;
  reads: number;
}

/** The check would have to read more than it may. */
export class TooMuchToRead extends Error {
  override name = 'TooMuchToRead';
}

/** The bytes of a file, of which only a bounded part is read. Positions outside of the file give no bytes. */
export class BoundedBytes {
  readonly sizeBytes: number;
  readonly #readAt: ReadAt;
  readonly #limits: ReadLimits;
  #reads = 0;
  #bytes = 0;

  constructor(sizeBytes: number, readAt: ReadAt, limits: ReadLimits = { bytes: MOST_BYTES, reads: MOST_READS }) {
    this.sizeBytes = sizeBytes;
    this.#readAt = readAt;
    this.#limits = limits;
  }

  /** Reads the bytes from `position` on, fewer at the end and none at a place that is no number. Throws `TooMuchToRead`. */
  async read(position: number, length: number): Promise<Bytes> {
    if (Number.isNaN(position) || Number.isNaN(length)) return new Bytes(new Uint8Array(0));
    const from = Math.min(Math.max(position, 0), this.sizeBytes);
    const wanted = Math.min(Math.max(length, 0), this.sizeBytes - from);
    if (wanted === 0) return new Bytes(new Uint8Array(0));
    this.#reads += 1;
    this.#bytes += wanted;
    if (this.#reads > this.#limits.reads || this.#bytes > this.#limits.bytes) throw new TooMuchToRead();
    return new Bytes(await this.#readAt(from, wanted));
  }

  /** Reads the last bytes. */
  async readEnd(length: number): Promise<Bytes> {
    return this.read(Math.max(0, this.sizeBytes - length), length);
  }
}

/** Some bytes of a file. A number that is not completely in them is NaN, so that every comparison with it is false. */
export class Bytes {
  readonly data: Uint8Array;
  readonly #view: DataView;

  constructor(data: Uint8Array) {
    this.data = data;
    this.#view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  }

  get length(): number {
    return this.data.length;
  }

  byte(at: number): number {
    return this.#has(at, 1) ? this.#view.getUint8(at) : Number.NaN;
  }

  uint16(at: number, isLittle = false): number {
    return this.#has(at, 2) ? this.#view.getUint16(at, isLittle) : Number.NaN;
  }

  uint32(at: number, isLittle = false): number {
    return this.#has(at, 4) ? this.#view.getUint32(at, isLittle) : Number.NaN;
  }

  /** Exact up to 2^53; larger numbers are larger than any file all the same. */
  uint64(at: number, isLittle = false): number {
    return this.#has(at, 8) ? Number(this.#view.getBigUint64(at, isLittle)) : Number.NaN;
  }

  /** Characters of one byte each; shorter at the end. */
  text(at: number, length: number): string {
    return String.fromCharCode(...this.data.subarray(at, at + length));
  }

  /** Whether these bytes are at this place. */
  hasAt(at: number, bytes: readonly number[]): boolean {
    return bytes.every((byte, index) => this.data[at + index] === byte);
  }

  /** The last place of these bytes; -1 without one. */
  lastIndexOf(bytes: readonly number[]): number {
    for (let at = this.length - bytes.length; at >= 0; at -= 1) if (this.hasAt(at, bytes)) return at;
    return -1;
  }

  isZero(): boolean {
    return this.data.every((byte) => byte === 0);
  }

  #has(at: number, length: number): boolean {
    return at >= 0 && at + length <= this.data.length;
  }
}
