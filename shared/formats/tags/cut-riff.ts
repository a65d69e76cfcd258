import type { Bytes } from '../bytes/bounded-bytes.ts';
import type { ByteSource } from '../bytes/byte-source.ts';
import { chunksIn, type RiffChunk, riffForm } from '../containers/riff-chunks.ts';
import { ascii, joined } from './bytes-out.ts';
import { cutId3, id3Of } from './cut-id3.ts';
import { decodedText, MOST_VALUE, type ValueBudget } from './cut-source.ts';
import type { MediaCut } from './media-cut.ts';

// WAV, AVI and AIFF: the chunks beside the recording that describe it.

/** The chunks that are copied, without the rest of long ones. */
const COPIED: ReadonlySet<string> = new Set(['fmt ', 'bext', 'COMM']);
/** The texts of AIFF, and the frames of ID3 that mean the same: the parser reads only ASCII in the texts. */
const AIFF_TEXTS: Readonly<Record<string, string>> = { NAME: 'TIT2', AUTH: 'TPE1', '(c) ': 'TCOP', ANNO: 'COMM' };

/** Cuts a WAV, AVI or AIFF file; null for other files of this kind. */
export async function cutRiff(file: ByteSource, start: Bytes, budget: ValueBudget): Promise<MediaCut | null> {
  const form = riffForm(start);
  const kind = form?.type ?? '';
  const isAiff = form?.id === 'FORM' && (kind === 'AIFF' || kind === 'AIFC');
  // The parser gets AVI as WAV, because its texts are the same.
  const isWave = form?.isLittle === true && (kind === 'WAVE' || kind === 'AVI ');
  if (form === null || (!isAiff && !isWave)) return null;
  const chunks = new DescribingChunks(file, isAiff, budget);
  for await (const chunk of chunksIn(file, form, 12, file.sizeBytes)) {
    budget.count();
    await chunks.take(chunk);
  }
  return {
    reader: 'sound',
    type: isAiff ? 'audio/aiff' : 'audio/wav',
    bytes: chunkOf(isAiff ? 'FORM' : 'RIFF', joined([ascii(isAiff ? kind : 'WAVE'), ...chunks.all()]), isAiff),
  };
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

  async take(chunk: RiffChunk): Promise<void> {
    const { type, from, size } = chunk;
    const frame = this.#isAiff ? AIFF_TEXTS[type] : undefined;
    if (frame === undefined) {
      const data = await this.#copyOf(chunk);
      if (data !== null) this.#chunks.push({ type, chunk: chunkOf(type, data, this.#isAiff) });
    } else if (!this.#texts.has(frame)) this.#texts.set(frame, decodedText(await this.#valueAt(from, size)));
  }

  all(): Uint8Array[] {
    const chunks = this.#chunks.map(({ chunk }) => chunk);
    const hasTag = this.#texts.size === 0 || this.#chunks.some(({ type }) => type === 'ID3 ');
    return hasTag ? chunks : [...chunks, chunkOf('ID3 ', id3Of([...this.#texts]), this.#isAiff)];
  }

  /** Returns what the parser gets of a chunk; null for nothing. */
  async #copyOf({ type, listType, from, size }: RiffChunk): Promise<Uint8Array | null> {
    if (type === 'LIST') return listType === 'INFO' ? this.#listOf(from + 4, from + size) : null;
    if (type.toUpperCase() === 'ID3 ') return (await cutId3(this.#file, from, this.#budget))?.tag ?? null;
    return COPIED.has(type) ? this.#valueAt(from, size) : null;
  }

  /** Returns a list of texts (`INFO`) without the rest of long values. */
  async #listOf(from: number, end: number): Promise<Uint8Array> {
    const values = [ascii('INFO')];
    const order = { isLittle: !this.#isAiff, dataSize: null };
    for await (const value of chunksIn(this.#file, order, from, end)) {
      const data = await this.#valueAt(value.from, Math.min(value.size, end - value.from));
      values.push(chunkOf(value.type, data, this.#isAiff));
    }
    return joined(values);
  }

  /** Reads a value without the rest of a long one, and counts it. */
  async #valueAt(from: number, size: number): Promise<Uint8Array> {
    const { data } = await this.#file.read(from, Math.min(size, MOST_VALUE));
    this.#budget.count(data.length);
    return data;
  }
}

/** Composes a chunk with an even length, as the format requires. */
function chunkOf(type: string, data: Uint8Array, isBig: boolean): Uint8Array {
  const head = new Uint8Array(8);
  head.set(ascii(type), 0);
  new DataView(head.buffer).setUint32(4, data.length, !isBig);
  return joined([head, data, new Uint8Array(data.length % 2)]);
}
