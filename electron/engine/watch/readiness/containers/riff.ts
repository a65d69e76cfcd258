import type { ContainerVerdict } from '../observations.ts';
import type { BoundedBytes, Bytes } from './bounded-bytes.ts';
import { COMPLETE, NOT_CLOSED, PART_MISSING, TOO_SHORT, UNKNOWN } from './verdicts.ts';
import { hasZeroTail } from './zero-tail.ts';

const WRAP = 2 ** 32;
/** Sizes that programs write before they know the real one. */
const PLACEHOLDERS: ReadonlySet<number> = new Set([0, 0xffff_ffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fff0]);
/** The maximum number of chunks that are visited in search of the data. */
const MOST_CHUNKS = 200;
/** Chunks that some programs append without counting them. */
const APPENDED = /^(?:ID3|TAG|id3 |LIST|bext|iXML|_PMX|APET)/;

/** The chunk without which a form is not complete. */
const DATA_CHUNKS: Readonly<Record<string, string>> = {
  WAVE: 'data',
  'AVI ': 'movi',
  AIFF: 'SSND',
  AIFC: 'SSND',
};

/** Space that is still to be filled, in place of a chunk. */
const EMPTY_NAME = /^\0{4}$/;

interface Form {
  id: string;
  type: string;
  /** Where it ends. */
  end: number;
  isLittle: boolean;
  /** Of RF64 and BW64: the size of the data, which its own chunk does not have. */
  dataSize: number | null;
}

/**
 * Checks WAV, RF64, BW64, AVI, WebP and AIFF: the declared sizes add up to the size of the file. A recorder writes them when
 * it closes the file, or every few seconds; until then the file is longer than its header says.
 */
export async function checkRiff(file: BoundedBytes): Promise<ContainerVerdict> {
  const header = await file.read(0, 64);
  const form = formOf(header, 0);
  if (form === null) return PART_MISSING;
  const declared = header.uint32(4, form.isLittle);
  if (form.dataSize === null && PLACEHOLDERS.has(declared)) return NOT_CLOSED;
  const data = await findData(file, form);
  if (data !== COMPLETE) return data;
  return checkEnd(file, form);
}

function formOf(header: Bytes, at: number): Form | null {
  const id = header.text(at, 4);
  const type = header.text(at + 8, 4);
  const isLittle = id !== 'FORM' && id !== 'RIFX';
  const size = header.uint32(at + 4, isLittle);
  if (type.length < 4 || Number.isNaN(size)) return null;
  if (id !== 'RF64' && id !== 'BW64') return { id, type, end: at + 8 + size, isLittle, dataSize: null };
  if (header.text(at + 12, 4) !== 'ds64') return null;
  const dataSize = header.uint64(at + 28, true);
  return { id, type, end: at + 8 + header.uint64(at + 20, true), isLittle, dataSize };
}

/** Finds the chunk with the contents and checks that it lies in the file. */
async function findData(file: BoundedBytes, form: Form): Promise<ContainerVerdict> {
  const wanted = DATA_CHUNKS[form.type];
  // The picture of WebP is coded.
  if (wanted === undefined) return (await hasZeroTail(file)) ? NOT_CLOSED : COMPLETE;
  let at = 12;
  for (let count = 0; count < MOST_CHUNKS; count += 1) {
    if (at + 8 > file.sizeBytes) return PART_MISSING;
    const chunk = await file.read(at, 12);
    const name = chunk.text(0, 4) === 'LIST' ? chunk.text(8, 4) : chunk.text(0, 4);
    const size = chunk.uint32(4, form.isLittle);
    if (name === wanted) {
      const data = checkData(file, form, at + 8, size);
      const hasIndex = form.type === 'AVI ' && data === COMPLETE;
      return hasIndex ? checkAfter(file, form, at + 8 + size + (size % 2)) : data;
    }
    if (EMPTY_NAME.test(name)) return NOT_CLOSED;
    at += 8 + size + (size % 2);
  }
  return UNKNOWN;
}

function checkData(file: BoundedBytes, form: Form, at: number, size: number): ContainerVerdict {
  if (form.dataSize !== null) return at + form.dataSize > file.sizeBytes ? TOO_SHORT : COMPLETE;
  // Audio of no length is a header that was not written again.
  if (PLACEHOLDERS.has(size)) return NOT_CLOSED;
  const isWrapped = file.sizeBytes > WRAP;
  return at + size > file.sizeBytes && !isWrapped ? TOO_SHORT : COMPLETE;
}

/** Checks that the chunks after the data of AVI, such as its index, are not space that is still to be filled. */
async function checkAfter(file: BoundedBytes, form: Form, from: number): Promise<ContainerVerdict> {
  const end = Math.min(form.end, file.sizeBytes);
  let at = from;
  for (let count = 0; count < MOST_CHUNKS && at + 8 <= end; count += 1) {
    const chunk = await file.read(at, 8);
    if (EMPTY_NAME.test(chunk.text(0, 4))) return NOT_CLOSED;
    const size = chunk.uint32(4, form.isLittle);
    at += 8 + size + (size % 2);
  }
  return COMPLETE;
}

async function checkEnd(file: BoundedBytes, first: Form): Promise<ContainerVerdict> {
  let form = first;
  // AVI files of more than 1 GB have further forms.
  for (let count = 0; count < MOST_CHUNKS; count += 1) {
    const left = file.sizeBytes - form.end;
    if (left < 0) return TOO_SHORT;
    // A pad byte belongs to no chunk.
    if (left <= 1) return COMPLETE;
    // Programs that know no RF64 keep the lower 32 bits.
    if (form.dataSize === null && left >= WRAP - 1 && left % WRAP <= 1) return COMPLETE;
    const start = form.end + (form.end % 2);
    const after = await file.read(start, 12);
    if (after.text(0, 4) !== 'RIFF') return APPENDED.test(after.text(0, 4)) ? UNKNOWN : NOT_CLOSED;
    const next = formOf(after, 0);
    if (next === null) return TOO_SHORT;
    if (PLACEHOLDERS.has(after.uint32(4, true))) return NOT_CLOSED;
    form = { ...next, end: start + next.end };
  }
  return UNKNOWN;
}
