import type { BoundedBytes } from '../../../../../shared/formats/bytes/bounded-bytes.ts';
import { chunksIn, FORM_BYTES, type RiffForm, riffForm } from '../../../../../shared/formats/containers/riff-chunks.ts';
import type { ContainerVerdict } from '../observations.ts';
import { COMPLETE, NOT_CLOSED, PART_MISSING, TOO_SHORT, UNKNOWN } from './verdicts.ts';
import { hasZeroTail } from './zero-tail.ts';

const WRAP = 2 ** 32;
/** Sizes that programs write before they know the real one. */
const PLACEHOLDERS: ReadonlySet<number> = new Set([0, 0xffff_ffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fff0]);
/** The maximum number of chunks after the data, and of further forms, that are visited. */
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
const EMPTY_NAME = '\0\0\0\0';

/** A form with the place where it ends. */
type Form = RiffForm & { end: number };

/**
 * Checks WAV, RF64, BW64, AVI, WebP and AIFF: the declared sizes add up to the size of the file. A recorder writes them when
 * it closes the file, or every few seconds; until then the file is longer than its header says.
 */
export async function checkRiff(file: BoundedBytes): Promise<ContainerVerdict> {
  const form = await formAt(file, 0);
  if (form === null) return PART_MISSING;
  if (hasNoSize(form)) return NOT_CLOSED;
  const data = await findData(file, form);
  if (data !== COMPLETE) return data;
  return checkEnd(file, form);
}

async function formAt(file: BoundedBytes, at: number): Promise<Form | null> {
  const form = riffForm(await file.read(at, FORM_BYTES));
  return form === null ? null : { ...form, end: at + form.length };
}

function hasNoSize({ dataSize, length }: Form): boolean {
  return dataSize === null && PLACEHOLDERS.has(length - 8);
}

/** Finds the chunk with the contents and checks that it lies in the file. */
async function findData(file: BoundedBytes, form: Form): Promise<ContainerVerdict> {
  const wanted = DATA_CHUNKS[form.type];
  // The picture of WebP is coded.
  if (wanted === undefined) return (await hasZeroTail(file)) ? NOT_CLOSED : COMPLETE;
  for await (const { type, listType, from, size } of chunksIn(file, form, 12, file.sizeBytes)) {
    if ((listType || type) === wanted) {
      const data = checkData(file, form, from, size);
      const hasIndex = form.type === 'AVI ' && data === COMPLETE;
      return hasIndex ? checkAfter(file, form, from + size + (size % 2)) : data;
    }
    if (type === EMPTY_NAME) return NOT_CLOSED;
  }
  return PART_MISSING;
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
  let count = 0;
  for await (const { type } of chunksIn(file, form, from, Math.min(form.end, file.sizeBytes))) {
    if (type === EMPTY_NAME) return NOT_CLOSED;
    count += 1;
    if (count === MOST_CHUNKS) break;
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
    const name = (await file.read(start, 4)).text(0, 4);
    if (name !== 'RIFF') return APPENDED.test(name) ? UNKNOWN : NOT_CLOSED;
    const next = await formAt(file, start);
    if (next === null) return TOO_SHORT;
    if (hasNoSize(next)) return NOT_CLOSED;
    form = next;
  }
  return UNKNOWN;
}
