import type { BoundedBytes } from './bounded-bytes.ts';

/** A box, with the start of its contents. */
interface Box {
  type: string;
  from: number;
  end: number;
}

/** Boxes that contain nothing but boxes, on the way to the description of a track. */
const CONTAINERS: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'udta', 'edts', 'dinf']);
/** The maximum number of boxes that are visited in one box. */
const MOST_BOXES = 64;

/** The coded pictures and sounds that never contain 64 KiB of zero bytes. Others fill frames of a constant size with zeros. */
const DENSE: ReadonlySet<string> = new Set([
  ...['avc1', 'avc3', 'hvc1', 'hev1', 'vvc1', 'av01', 'vp08', 'vp09'],
  ...['mp4a', 'alac', 'Opus', 'fLaC', 'ac-3', 'ec-3', '.mp3', 'samr', 'sawb'],
]);

/** Returns whether every track with pictures or sound in an index (`moov`) has a code that never contains 64 KiB of zero bytes. */
export async function hasDenseTracks(file: BoundedBytes, indexAt: number): Promise<boolean> {
  let tracks = 0;
  for await (const track of childrenOf(file, indexAt)) {
    if (track.type !== 'trak') continue;
    const code = await codeOf(file, track);
    if (code === null) continue;
    if (!DENSE.has(code)) return false;
    tracks += 1;
  }
  return tracks > 0;
}

/** Returns the four letters of how a track is coded; null for a track without pictures and sound. */
async function codeOf(file: BoundedBytes, track: Box): Promise<string | null> {
  const media = await childOf(file, track, 'mdia');
  const handler = await childOf(file, media, 'hdlr');
  const kind = handler === null ? '' : (await file.read(handler.from + 8, 4)).text(0, 4);
  if (kind !== 'vide' && kind !== 'soun') return null;
  const tables = await childOf(file, await childOf(file, media, 'minf'), 'stbl');
  const description = await childOf(file, tables, 'stsd');
  // A version, the number of entries, and the size of the first one come before its code.
  return description === null ? '' : (await file.read(description.from + 12, 4)).text(0, 4);
}

/**
 * Returns whether the end of the box at a place, which must end at `end`, consists of zero bytes in place of the boxes that
 * it has to contain.
 */
export async function hasUnwrittenEnd(file: BoundedBytes, at: number, end: number): Promise<boolean> {
  let last: Box | null = null;
  for await (const child of childrenOf(file, at)) last = child;
  if (last === null) return false;
  // QuickTime ends user data with four zero bytes.
  if (last.end < end) {
    const rest = await file.read(last.end, Math.min(end - last.end, 16));
    return end - last.end >= 8 && rest.isZero();
  }
  return CONTAINERS.has(last.type) && hasUnwrittenEnd(file, last.from - 8, end);
}

async function childOf(file: BoundedBytes, parent: Box | null, type: string): Promise<Box | null> {
  if (parent === null) return null;
  for await (const child of childrenOf(file, parent.from - 8)) if (child.type === type) return child;
  return null;
}

/** Visits the boxes in the box at a place, up to one that is not valid. */
async function* childrenOf(file: BoundedBytes, at: number): AsyncGenerator<Box> {
  const end = at + (await file.read(at, 4)).uint32(0);
  let from = at + 8;
  for (let visited = 0; visited < MOST_BOXES && from + 8 <= end; visited += 1) {
    const header = await file.read(from, 8);
    const size = header.uint32(0);
    if (!(size >= 8 && from + size <= end)) return;
    yield { type: header.text(4, 4), from: from + 8, end: from + size };
    from += size;
  }
}
