import type { ContainerVerdict } from '../observations.ts';
import type { BoundedBytes, Bytes } from './bounded-bytes.ts';
import { hasDenseTracks, hasUnwrittenEnd } from './iso-tracks.ts';
import { COMPLETE, NOT_CLOSED, PART_MISSING, TOO_SHORT, UNKNOWN } from './verdicts.ts';
import { hasZeroTail } from './zero-tail.ts';

/** Types of boxes that a file of this family begins with; QuickTime files may have no `ftyp`. */
export const ISO_MEDIA_STARTS: ReadonlySet<string> = new Set(['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot']);

/**
 * Checks MP4, MOV, M4A, 3GP, HEIF and their relatives (ISO 14496-12): the sizes of the boxes add up to the size of the file,
 * and one of them is the index (`moov`, or `meta` of pictures). A recorder writes the index when it closes the file.
 *
 * A fragmented file without an index of its fragments (`mfra`) has no end mark: it can be complete after any fragment.
 */
export async function checkIsoMedia(file: BoundedBytes): Promise<ContainerVerdict> {
  const boxes = await readBoxes(file);
  if (!('end' in boxes)) return boxes;
  const { types, end, lastType, indexAt } = boxes;
  if (end > file.sizeBytes) return TOO_SHORT;
  if (!hasIndex(types)) return PART_MISSING;
  if (lastType === 'moov' && (await hasUnwrittenEnd(file, indexAt, file.sizeBytes))) return NOT_CLOSED;
  // Recorders that know the length write the index first, and reserve space for the data.
  const tail = isSpace(lastType) || !(await hasZeroTail(file)) ? 'filled' : 'zero';
  if (tail === 'zero') return !types.has('moov') || (await hasDenseTracks(file, indexAt)) ? NOT_CLOSED : UNKNOWN;
  if (types.has('moof')) return types.has('mfra') ? COMPLETE : UNKNOWN;
  const isPicture = types.has('meta') && !types.has('moov');
  return isPicture || types.has('mdat') ? COMPLETE : PART_MISSING;
}

interface Boxes {
  types: ReadonlySet<string>;
  lastType: string;
  /** Where the index begins. */
  indexAt: number;
  /** Where the last box ends. */
  end: number;
}

/** Reads the headers of all boxes. Returns the verdict about the file when they can't be read. */
async function readBoxes(file: BoundedBytes): Promise<Boxes | ContainerVerdict> {
  const types = new Set<string>();
  let indexAt = 0;
  let lastType = '';
  let at = 0;
  while (at < file.sizeBytes) {
    const box = readBox(await file.read(at, 16));
    // After the index, foreign bytes prove nothing; before it, they show that the index is missing.
    if (!('size' in box)) return hasIndex(types) ? UNKNOWN : box;
    types.add(box.type);
    lastType = box.type;
    if (box.type === 'moov') indexAt = at;
    if (box.size === 0) break;
    if (box.size < box.headerLength) return UNKNOWN;
    at += box.size;
  }
  return { types, lastType, indexAt, end: at };
}

/** Space for more boxes may be reserved at the end of a complete file. */
function isSpace(type: string): boolean {
  return type === 'free' || type === 'skip' || type === 'wide';
}

interface Box {
  type: string;
  /** 0: to the end of the file, such as the data of a recording that runs. */
  size: number;
  headerLength: number;
}

/** Reads the header of a box. Without a valid header, returns the verdict about the file. */
function readBox(header: Bytes): Box | ContainerVerdict {
  const type = header.text(4, 4);
  const size32 = header.uint32(0);
  const size = size32 === 1 ? header.uint64(8) : size32;
  if (Number.isNaN(size) || type.length < 4) return TOO_SHORT;
  // Space that is still to be filled.
  if (size32 === 0 && type === '\0\0\0\0') return NOT_CLOSED;
  if (!/^[ -~\u00a9]{4}$/.test(type)) return PART_MISSING;
  return { type, size, headerLength: size32 === 1 ? 16 : 8 };
}

function hasIndex(types: ReadonlySet<string>): boolean {
  return types.has('moov') || types.has('meta');
}
