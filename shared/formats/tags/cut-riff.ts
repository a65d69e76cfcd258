import type { Bytes } from '../watch/readiness/containers/bounded-bytes.ts';
import { ascii, joined } from './bytes-out.ts';
import { cutId3, id3Of } from './cut-id3.ts';
import { type ByteSource, decodedText, MOST_VALUE, type ValueBudget } from './cut-source.ts';
import type { MediaCut } from './media-cut.ts';

// WAV, AVI and AIFF: the chunks beside the recording that describe it.

/** The chunks that are copied, without the rest of long ones. */
const COPIED: ReadonlySet<string> = new Set(['fmt ', 'bext', 'COMM']);
/** The texts of AIFF, and the frames of ID3 that mean the same: the parser reads only ASCII in the texts. */
const AIFF_TEXTS: Readonly<Record<string, string>> = { NAME: 'TIT2', AUTH: 'TPE1', '(c) ': 'TCOP', ANNO: 'COMM' };

/** Cuts a WAV, AVI or AIFF file; null for other files of this kind. */
export async function cutRiff(file: ByteSource, start: Bytes, budget: ValueBudget): Promise<MediaCut | null> {
  const kind = start.text(8, 4);
  const isAiff = start.text(0, 4) === 'FORM' && (kind === 'AIFF' || kind === 'AIFC');
  // Sizes above 4 GB are in a chunk of their own, and only that of the sound can be so large. The parser gets AVI as WAV, because
  // its texts are the same.
  const isWave = ['RIFF', 'RF64', 'BW64'].includes(start.text(0, 4)) && (kind === 'WAVE' || kind === 'AVI ');
  if (!isAiff && !isWave) return null;
  const chunks = new DescribingChunks(file, isAiff, budget);
  for (let at = 12; at + 8 <= file.sizeBytes; ) {
    const header = await file.read(at, 8);
    budget.count();
    const type = header.text(0, 4);
    const size32 = header.uint32(4, isWave);
    const size = type === 'data' && size32 === 0xffffffff ? await longSize(file, size32) : size32;
    await chunks.take({ type, from: at + 8, size, isAiff });
    at += 8 + size + (size % 2);
  }
  return {
    ...{ reader: 'sound', type: isAiff ? 'audio/aiff' : 'audio/wav' },
    bytes: chunkOf(isAiff ? 'FORM' : 'RIFF', joined([ascii(isAiff ? kind : 'WAVE'), ...chunks.all()]), isAiff),
  };
}

interface Chunk {
  type: string;
  /** The start of its contents. */
  from: number;
  size: number;
  isAiff: boolean;
}

/** Collects the chunks that describe a file. The texts of AIFF become a tag when the file has none. */
class DescribingChunks {
  readonly #file: ByteSource;
  readonly #isAiff: boolean;
  readonly #budget: ValueBudget;
  readonly #chunks: { type: string; chunk: Uint8Array }[] = [];
  readonly #texts = new Map<string, string>();

  constructor(file: ByteSource, isAiff: boolean, budget: ValueBudget) {
    this.#file = file;
    this.#isAiff = isAiff;
    this.#budget = budget;
  }

  async take(chunk: Chunk): Promise<void> {
    const { type, from, size } = chunk;
    const frame = this.#isAiff ? AIFF_TEXTS[type] : undefined;
    if (frame === undefined) {
      const data = await copyOf(this.#file, chunk, this.#budget);
      if (data !== null) this.#chunks.push({ type, chunk: chunkOf(type, data, this.#isAiff) });
    } else if (!this.#texts.has(frame)) {
      const { data } = await this.#file.read(from, Math.min(size, MOST_VALUE));
      this.#budget.count(data.length);
      this.#texts.set(frame, decodedText(data));
    }
  }

  all(): Uint8Array[] {
    const chunks = this.#chunks.map(({ chunk }) => chunk);
    const hasTag = this.#texts.size === 0 || this.#chunks.some(({ type }) => type === 'ID3 ');
    return hasTag ? chunks : [...chunks, chunkOf('ID3 ', id3Of([...this.#texts]), this.#isAiff)];
  }
}

/** Returns what the parser gets of a chunk; null for nothing. */
async function copyOf(file: ByteSource, chunk: Chunk, budget: ValueBudget): Promise<Uint8Array | null> {
  const { type, from, size } = chunk;
  if (type === 'LIST') return listOf(file, chunk, budget);
  if (type.toUpperCase() === 'ID3 ') return (await cutId3(file, from, budget))?.tag ?? null;
  if (!COPIED.has(type)) return null;
  const { data } = await file.read(from, Math.min(size, MOST_VALUE));
  budget.count(data.length);
  return data;
}

/** Returns a list of texts (`INFO`) without the rest of long values; null for other lists. */
async function listOf(
  file: ByteSource,
  { from, size, isAiff }: Chunk,
  budget: ValueBudget,
): Promise<Uint8Array | null> {
  if ((await file.read(from, 4)).text(0, 4) !== 'INFO') return null;
  const values: Uint8Array[] = [];
  for (let at = from + 4; at + 8 <= from + size; ) {
    const header = await file.read(at, 8);
    const length = header.uint32(4, !isAiff);
    const { data } = await file.read(at + 8, Math.min(length, MOST_VALUE, from + size - at - 8));
    budget.count(data.length);
    values.push(chunkOf(header.text(0, 4), data, isAiff));
    at += 8 + length + (length % 2);
  }
  return joined([ascii('INFO'), ...values]);
}

/** Returns the size of the sound of a file above 4 GB, which is in the chunk `ds64` at its beginning. */
async function longSize(file: ByteSource, otherwise: number): Promise<number> {
  const start = await file.read(12, 28);
  return start.text(0, 4) === 'ds64' ? start.uint64(16, true) : otherwise;
}

/** Composes a chunk with an even length, as the format requires. */
function chunkOf(type: string, data: Uint8Array, isBig: boolean): Uint8Array {
  const head = new Uint8Array(8);
  head.set(ascii(type), 0);
  new DataView(head.buffer).setUint32(4, data.length, !isBig);
  return joined([head, data, new Uint8Array(data.length % 2)]);
}
