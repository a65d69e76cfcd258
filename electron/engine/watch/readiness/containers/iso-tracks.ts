import type { BoundedBytes } from '../../../../../shared/formats/bytes/bounded-bytes.ts';
import { boxesIn, firstBox, type IsoBox } from '../../../../../shared/formats/containers/iso-boxes.ts';

/** Boxes that contain nothing but boxes, on the way to the description of a track. */
const CONTAINERS: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'udta', 'edts', 'dinf']);

/** The coded pictures and sounds that never contain 64 KiB of zero bytes. Others fill frames of a constant size with zeros. */
const DENSE: ReadonlySet<string> = new Set([
  ...['avc1', 'avc3', 'hvc1', 'hev1', 'vvc1', 'av01', 'vp08', 'vp09'],
  ...['mp4a', 'alac', 'Opus', 'fLaC', 'ac-3', 'ec-3', '.mp3', 'samr', 'sawb'],
]);

/** A box by its contents. */
type Contents = Pick<IsoBox, 'from' | 'end'>;

/** Returns whether every track with pictures or sound in an index (`moov`) has a code that never contains 64 KiB of zero bytes. */
export async function hasDenseTracks(file: BoundedBytes, index: Contents): Promise<boolean> {
  let tracks = 0;
  for await (const track of boxesIn(file, index.from, index.end)) {
    if (track.type !== 'trak') continue;
    const code = await codeOf(file, track);
    if (code === null) continue;
    if (!DENSE.has(code)) return false;
    tracks += 1;
  }
  return tracks > 0;
}

/** Returns the four letters of how a track is coded; null for a track without pictures and sound. */
async function codeOf(file: BoundedBytes, track: Contents): Promise<string | null> {
  const media = await firstBox(file, track, 'mdia');
  const handler = await firstBox(file, media, 'hdlr');
  const kind = handler === null ? '' : (await file.read(handler.from + 8, 4)).text(0, 4);
  if (kind !== 'vide' && kind !== 'soun') return null;
  const tables = await firstBox(file, await firstBox(file, media, 'minf'), 'stbl');
  const description = await firstBox(file, tables, 'stsd');
  // A version, the number of entries, and the size of the first one come before its code.
  return description === null ? '' : (await file.read(description.from + 12, 4)).text(0, 4);
}

/**
 * Returns whether the end of a box, whose contents begin at `from` and must end at `end`, consists of zero bytes in place of the
 * boxes that it has to contain.
 */
export async function hasUnwrittenEnd(file: BoundedBytes, from: number, end: number): Promise<boolean> {
  let last: IsoBox | null = null;
  for await (const child of boxesIn(file, from, end)) last = child;
  if (last === null) return false;
  // QuickTime ends user data with four zero bytes.
  if (last.end < end) {
    const rest = await file.read(last.end, Math.min(end - last.end, 16));
    return end - last.end >= 8 && rest.isZero();
  }
  return CONTAINERS.has(last.type) && hasUnwrittenEnd(file, last.from, end);
}
