import type { BoundedBytes } from '../../../../../shared/formats/bytes/bounded-bytes.ts';
import { BOX_HEADER_BYTES, boxHeader } from '../../../../../shared/formats/containers/iso-boxes.ts';
import type { ContainerVerdict } from '../observations.ts';
import { hasDenseTracks, hasUnwrittenEnd } from './iso-tracks.ts';
import { COMPLETE, NOT_CLOSED, PART_MISSING, TOO_SHORT, UNKNOWN } from './verdicts.ts';
import { hasZeroTail } from './zero-tail.ts';

/**
 * Checks MP4, MOV, M4A, 3GP, HEIF and their relatives (ISO 14496-12): the sizes of the boxes add up to the size of the file,
 * and one of them is the index (`moov`, or `meta` of pictures). A recorder writes the index when it closes the file.
 *
 * A fragmented file without an index of its fragments (`mfra`) has no end mark: it can be complete after any fragment.
 */
export async function checkIsoMedia(file: BoundedBytes): Promise<ContainerVerdict> {
  const boxes = await readBoxes(file);
  if (!('end' in boxes)) return boxes;
  const { types, end, lastType, index } = boxes;
  if (end > file.sizeBytes) return TOO_SHORT;
  if (!hasIndex(types)) return PART_MISSING;
  if (lastType === 'moov' && (await hasUnwrittenEnd(file, index.from, file.sizeBytes))) return NOT_CLOSED;
  // Recorders that know the length write the index first, and reserve space for the data.
  const tail = isSpace(lastType) || !(await hasZeroTail(file)) ? 'filled' : 'zero';
  if (tail === 'zero') return !types.has('moov') || (await hasDenseTracks(file, index)) ? NOT_CLOSED : UNKNOWN;
  if (types.has('moof')) return types.has('mfra') ? COMPLETE : UNKNOWN;
  const isPicture = types.has('meta') && !types.has('moov');
  return isPicture || types.has('mdat') ? COMPLETE : PART_MISSING;
}

interface Boxes {
  types: ReadonlySet<string>;
  lastType: string;
  /** The contents of the index. */
  index: { from: number; end: number };
  /** Where the last box ends. */
  end: number;
}

/** Reads the headers of all boxes. Returns the verdict about the file when they can't be read. */
async function readBoxes(file: BoundedBytes): Promise<Boxes | ContainerVerdict> {
  const types = new Set<string>();
  let index = { from: 0, end: 0 };
  let lastType = '';
  let at = 0;
  while (at < file.sizeBytes) {
    const { type, size, headerBytes } = boxHeader(await file.read(at, BOX_HEADER_BYTES));
    const damage = damageOf(type, size);
    // After the index, foreign bytes prove nothing; before it, they show that the index is missing.
    if (damage !== null) return hasIndex(types) ? UNKNOWN : damage;
    types.add(type);
    lastType = type;
    if (type === 'moov') index = { from: at + headerBytes, end: size === 0 ? file.sizeBytes : at + size };
    // To the end of the file, such as the data of a recording that runs.
    if (size === 0) break;
    if (size < headerBytes) return UNKNOWN;
    at += size;
  }
  return { types, lastType, index, end: at };
}

/** Space for more boxes may be reserved at the end of a complete file. */
function isSpace(type: string): boolean {
  return type === 'free' || type === 'skip' || type === 'wide';
}

/** Returns the verdict about a file by a header that is no valid one; null for a valid one. */
function damageOf(type: string, size: number): ContainerVerdict | null {
  if (Number.isNaN(size) || type.length < 4) return TOO_SHORT;
  // Space that is still to be filled.
  if (size === 0 && type === '\0\0\0\0') return NOT_CLOSED;
  return /^[ -~\u00a9]{4}$/.test(type) ? null : PART_MISSING;
}

function hasIndex(types: ReadonlySet<string>): boolean {
  return types.has('moov') || types.has('meta');
}
