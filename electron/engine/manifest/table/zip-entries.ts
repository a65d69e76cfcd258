import { Inflate, inflateSync } from 'fflate/browser';
import { TableError } from '../../../../shared/model/table/table-error.ts';

/** The maximum size of one expanded file. */
export const MOST_EXPANDED_BYTES = 256 * 1024 * 1024;
const MOST_ENTRIES = 10_000;

/** One file of a zip file. */
export interface ZipEntry {
  name: string;
  /** Expands the file piece by piece, so that a reader can stop early. Throws `TableError` `damaged` or `too-large`. */
  pieces(): Generator<Uint8Array>;
}

interface Stored {
  method: number;
  /** The size in the zip file, and expanded as the file declares it. */
  size: number;
  expanded: number;
  /** The position of the local header. */
  position: number;
}

const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const CENTRAL_BYTES = 46;
const MOST_COMMENT_BYTES = 0xffff;

/** Lists the files of a zip file without expanding any. Throws `TableError` `damaged` or `too-large`. */
export function zipEntries(bytes: Uint8Array): ZipEntry[] {
  try {
    return entriesOf(bytes);
  } catch (error) {
    // A position outside of the file.
    throw error instanceof RangeError ? new TableError('damaged') : error;
  }
}

function entriesOf(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let { count, position } = directoryOf(view);
  if (count > MOST_ENTRIES) throw new TableError('too-large');
  const entries: ZipEntry[] = [];
  for (; count > 0; count -= 1) {
    if (view.getUint32(position, true) !== CENTRAL) throw new TableError('damaged');
    const nameEnd = position + CENTRAL_BYTES + view.getUint16(position + 28, true);
    const extraEnd = nameEnd + view.getUint16(position + 30, true);
    const stored: Stored = {
      method: view.getUint16(position + 10, true),
      size: view.getUint32(position + 20, true),
      expanded: view.getUint32(position + 24, true),
      position: view.getUint32(position + 42, true),
    };
    widen(view, stored, nameEnd, extraEnd);
    const name = new TextDecoder().decode(bytes.subarray(position + CENTRAL_BYTES, nameEnd));
    entries.push({ name, pieces: () => piecesOf(bytes, stored) });
    position = extraEnd + view.getUint16(position + 32, true);
  }
  return entries;
}

/** Returns where the list of files begins, and how many it has. */
function directoryOf(view: DataView): { count: number; position: number } {
  let end = view.byteLength - END_BYTES;
  const first = Math.max(0, end - MOST_COMMENT_BYTES);
  while (end >= first && view.getUint32(end, true) !== END) end -= 1;
  if (end < first) throw new TableError('damaged');
  const count = view.getUint16(end + 10, true);
  const position = view.getUint32(end + 16, true);
  if (count !== 0xffff && position !== 0xffff_ffff) return { count, position };
  if (end < 20 || view.getUint32(end - 20, true) !== LOCATOR_64) return { count, position };
  const end64 = wide(view, end - 12);
  if (view.getUint32(end64, true) !== END_64) throw new TableError('damaged');
  return { count: wide(view, end64 + 32), position: wide(view, end64 + 48) };
}

/** Takes sizes that need 64 bits from the extra field; programs that write without seeking use it for small files, too. */
function widen(view: DataView, stored: Stored, begin: number, end: number): void {
  for (let at = begin; at + 4 <= end; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    let field = at + 4;
    for (const key of ['expanded', 'size', 'position'] as const) {
      if (stored[key] !== 0xffff_ffff) continue;
      stored[key] = wide(view, field);
      field += 8;
    }
  }
}

function wide(view: DataView, at: number): number {
  const value = view.getBigUint64(at, true);
  if (value > Number.MAX_SAFE_INTEGER) throw new TableError('damaged');
  return Number(value);
}

/** Bytes expanded in one step. Deflate makes at most a thousand bytes of one. */
const STEP_BYTES = 4096;

function* piecesOf(bytes: Uint8Array, { method, size, expanded, position }: Stored): Generator<Uint8Array> {
  if (expanded > MOST_EXPANDED_BYTES) throw new TableError('too-large');
  const packed = packedOf(bytes, position, size);
  if (packed === null || (method !== 0 && method !== 8)) throw new TableError('damaged');
  let made = 0;
  for (const piece of method === 0 ? [packed] : inflated(packed, expanded)) {
    made += piece.length;
    // Other programs refuse a wrong size, too.
    if (made > expanded) throw new TableError('damaged');
    yield piece;
  }
}

function packedOf(bytes: Uint8Array, position: number, size: number): Uint8Array | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (position + 30 > bytes.length || view.getUint32(position, true) !== LOCAL) return null;
  const begin = position + 30 + view.getUint16(position + 26, true) + view.getUint16(position + 28, true);
  return begin + size > bytes.length ? null : bytes.subarray(begin, begin + size);
}

/** Up to this size, a file is expanded in one step into memory of just that size, which costs less. */
const SMALL_BYTES = 64 * 1024;

function* inflated(packed: Uint8Array, expanded: number): Generator<Uint8Array> {
  if (expanded <= SMALL_BYTES) {
    yield inflatedAtOnce(packed, expanded);
    return;
  }
  let made: Uint8Array | null = null;
  const inflate = new Inflate((piece) => {
    made = piece;
  });
  for (let at = 0; at < packed.length; at += STEP_BYTES) {
    made = null;
    try {
      inflate.push(packed.subarray(at, at + STEP_BYTES), at + STEP_BYTES >= packed.length);
    } catch {
      throw new TableError('damaged');
    }
    if (made !== null) yield made;
  }
}

/** Never returns more than the declared size. */
function inflatedAtOnce(packed: Uint8Array, expanded: number): Uint8Array {
  try {
    return inflateSync(packed, { out: new Uint8Array(expanded) });
  } catch {
    throw new TableError('damaged');
  }
}
