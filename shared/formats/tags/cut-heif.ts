import type { Bytes } from '../bytes/bounded-bytes.ts';
import { type BlockReader, partOf } from '../bytes/byte-source.ts';
import { boxesIn } from '../containers/iso-boxes.ts';
import type { ValueBudget } from './cut-source.ts';
import { cutPicture, type PictureParts } from './cut-tiff.ts';
import type { MediaCut } from './media-cut.ts';

// HEIF and AVIF: a list of items (`iinf`) with their kinds, and a list of their places (`iloc`).

/** The maximum number of bytes of a list, and of an XMP packet. */
const MOST_LIST = 256 * 1024;

/** Cuts a HEIF or AVIF file: its EXIF data and XMP, wherever they are. Returns null without any. */
export async function cutHeif(file: BlockReader, budget: ValueBudget): Promise<MediaCut | null> {
  const kinds = new Map<number, 'exif' | 'xmp'>();
  let places: Place[] = [];
  for await (const box of boxesIn(file.file, 0, file.sizeBytes)) {
    if (box.type !== 'meta') continue;
    for await (const list of boxesIn(file, box.from + 4, box.end)) {
      budget.count();
      if (list.type === 'iinf') await takeKinds(file, list.from, list.end, kinds, budget);
      if (list.type === 'iloc' && list.end - list.from <= MOST_LIST)
        places = placesIn(await file.read(list.from, list.end - list.from));
    }
    break;
  }
  const parts: PictureParts = {};
  for (const { item, at, length } of places) {
    const kind = kinds.get(item);
    if (kind === 'exif') {
      // The distance to the data comes first.
      const from = at + 4 + (await file.read(at, 4)).uint32(0);
      parts.exif ??= partOf(file, from, at + length);
    } else if (kind === 'xmp' && length <= MOST_LIST) parts.xmp ??= (await file.read(at, length)).data;
  }
  return cutPicture(parts);
}

async function takeKinds(
  file: BlockReader,
  from: number,
  end: number,
  kinds: Map<number, 'exif' | 'xmp'>,
  budget: ValueBudget,
) {
  const version = (await file.read(from, 1)).byte(0);
  for await (const box of boxesIn(file, from + (version === 0 ? 6 : 8), end)) {
    budget.count();
    const entry = await file.read(box.from, Math.min(box.end - box.from, 64));
    const isLong = entry.byte(0) >= 3;
    const item = isLong ? entry.uint32(4) : entry.uint16(4);
    const type = entry.text(isLong ? 10 : 8, 4);
    if (type === 'Exif') kinds.set(item, 'exif');
    else if (type === 'mime' && entry.text(0, entry.length).includes('application/rdf+xml')) kinds.set(item, 'xmp');
  }
}

/** The first piece of an item in the file. */
interface Place {
  item: number;
  at: number;
  length: number;
}

/** Reads a list of places. Its header says how many bytes its numbers have. Items that are not pieces of the file are omitted. */
function placesIn(list: Bytes): Place[] {
  const version = list.byte(0);
  const [offsetBytes, lengthBytes] = [list.byte(4) >> 4, list.byte(4) & 15];
  const [baseBytes, indexBytes] = [list.byte(5) >> 4, version === 0 ? 0 : list.byte(5) & 15];
  let at = 6;
  const number = (bytes: number) => {
    at += bytes;
    const value = list.data.subarray(at - bytes, at).reduce((sum, byte) => sum * 256 + byte, 0);
    return at <= list.length ? value : Number.NaN;
  };
  const places: Place[] = [];
  for (let left = number(version < 2 ? 2 : 4); left > 0 && at < list.length; left -= 1) {
    const item = number(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : number(2) & 15;
    number(2);
    const base = number(baseBytes);
    const pieces = number(2);
    for (let piece = 0; piece < pieces && at < list.length; piece += 1) {
      number(indexBytes);
      const from = base + number(offsetBytes);
      const length = number(lengthBytes);
      if (piece === 0 && method === 0) places.push({ item, at: from, length });
    }
  }
  return places;
}
