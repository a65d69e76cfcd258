import type { Bytes } from '../bytes/bounded-bytes.ts';
import type { ByteSource } from '../bytes/byte-source.ts';

/** The beginning of a RIFF file (WAV, AVI, WebP), of its forms for more than 4 GB (RF64, BW64), or of AIFF. */
export interface RiffForm {
  id: string;
  /** Such as `WAVE`. */
  type: string;
  /** The number of bytes from the beginning to the end of the form. */
  length: number;
  isLittle: boolean;
  /** Of RF64 and BW64: the size of the data, which its own chunk does not have. */
  dataSize: number | null;
}

/** The bytes that `riffForm` needs. */
export const FORM_BYTES = 36;
/** The size of a chunk that is too large for its 32 bits. */
const TOO_LARGE = 0xffff_ffff;

/** Reads the beginning of a form; null when it is not complete, or no form. */
export function riffForm(start: Bytes): RiffForm | null {
  const id = start.text(0, 4);
  const type = start.text(8, 4);
  const isLittle = id !== 'FORM' && id !== 'RIFX';
  const size = start.uint32(4, isLittle);
  if (type.length < 4 || Number.isNaN(size)) return null;
  if (id !== 'RF64' && id !== 'BW64') return { id, type, length: 8 + size, isLittle, dataSize: null };
  if (start.text(12, 4) !== 'ds64') return null;
  return { id, type, length: 8 + start.uint64(20, true), isLittle, dataSize: start.uint64(28, true) };
}

/** A chunk, by its places in the file. */
export interface RiffChunk {
  type: string;
  /** Of a list, what it contains, such as `INFO`; otherwise empty. */
  listType: string;
  /** The start of its contents. */
  from: number;
  size: number;
}

/** Visits the chunks in a part of a file. Their contents may end after it. */
export async function* chunksIn(
  source: ByteSource,
  { isLittle, dataSize }: Pick<RiffForm, 'isLittle' | 'dataSize'>,
  from: number,
  end: number,
): AsyncGenerator<RiffChunk> {
  for (let at = from; at + 8 <= end; ) {
    const header = await source.read(at, 12);
    const type = header.text(0, 4);
    const size32 = header.uint32(4, isLittle);
    const size = type === 'data' && size32 === TOO_LARGE && dataSize !== null ? dataSize : size32;
    yield { type, listType: type === 'LIST' ? header.text(8, 4) : '', from: at + 8, size };
    // A pad byte makes the length even.
    at += 8 + size + (size % 2);
  }
}
