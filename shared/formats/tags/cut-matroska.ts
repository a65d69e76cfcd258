import { Bytes } from '../watch/readiness/containers/bounded-bytes.ts';
import { joined } from './bytes-out.ts';
import { type ByteSource, MOST_VALUE, type ValueBudget } from './cut-source.ts';
import type { MediaCut } from './media-cut.ts';

// Matroska and WebM: the elements that describe the file are before or after the clusters. The SeekHead at the beginning lists
// their positions.

const SEGMENT = 0x18538067;
const SEEK_HEAD = 0x114d9b74;
const SEEK = 0x4dbb;
const SEEK_ID = 0x53ab;
const SEEK_POSITION = 0x53ac;
const INFO = 0x1549a966;
const TITLE = 0x7ba9;
const DURATION = 0x4489;
const TAGS = 0x1254c367;
/** A group of tags with what it is about, and its tags: a name with a text, or with further tags. */
const TAG = 0x7373;
const TARGETS = 0x63c0;
const SIMPLE_TAG = 0x67c8;
const TAG_NAME = 0x45a3;
const TAG_STRING = 0x4487;
const CLUSTER = 0x1f43b675;
const DATE = 0x4461;
/** The parts that the parser gets, in this order. */
const PARTS = [INFO, TAGS];
/** The elements that the parser gets of these parts: containers, and values. */
const CONTAINERS: ReadonlySet<number> = new Set([INFO, TAGS, TAG, TARGETS, SIMPLE_TAG]);
const TARGET_TYPE = 0x68ca;
const TARGET_NAME = 0x63ca;
const VALUES: ReadonlySet<number> = new Set([TITLE, TAG_NAME, TAG_STRING, TARGET_TYPE, TARGET_NAME]);
/** Tags inside tags that are followed. */
const DEEPEST = 8;
/** Dates of Matroska count nanoseconds from 2001. */
const MATROSKA_EPOCH_MS = Date.UTC(2001, 0, 1);

/** The most bytes of one part. */
const MOST_PART = 512 * 1024;
/** The maximum number of parts that are read. A file has about five. */
const MOST_PARTS = 32;
/** The maximum number of elements that are visited before the sound, and of entries in a SeekHead. */
const MOST_ELEMENTS = 200;
/** The maximum length of the id and the size of an element. */
const HEADER_BYTES = 12;
/** The number of bytes that usually contain all descriptive elements, or a SeekHead with their positions. */
const HEAD_BYTES = 64 * 1024;

/** The header of a segment of unknown size, as in a live stream, because the cut omits sound and pictures. */
const OPEN_SEGMENT = Uint8Array.of(0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);

/**
 * Cuts a Matroska file: the information about its segment, its tracks and its tags, wherever they are. Returns null without a
 * segment.
 */
export async function cutMatroska(file: ByteSource, budget: ValueBudget): Promise<MediaCut | null> {
  const head = await file.read(0, HEAD_BYTES);
  const header = elementAt(head, 0);
  const segmentAt = header === null ? -1 : header.from + (header.size ?? Number.NaN);
  const segment = elementAt(head, segmentAt);
  if (segment === null || segment.id !== SEGMENT) return null;
  const search = new PartSearch(file, head, segment.from);
  await search.walk();
  await search.followSeekHeads();
  const parts = search.inOrder();
  const cut: MediaCut = {
    ...{ reader: 'sound', type: 'video/matroska' },
    bytes: joined([
      head.data.subarray(0, segmentAt),
      OPEN_SEGMENT,
      ...parts.flatMap(({ data }) => describingIn(new Bytes(data), budget)),
    ]),
  };
  const recordedMs = dateIn(parts.find(({ id }) => id === INFO));
  return recordedMs === null ? cut : { ...cut, recordedMs };
}

/** A part of the file with its header. */
interface Part {
  id: number;
  data: Uint8Array;
}

/** Finds the parts of a segment. Each position is read at most once, so that a SeekHead that names itself ends. */
class PartSearch {
  readonly #file: ByteSource;
  readonly #head: Bytes;
  /** The start of the segment's contents, from which all positions count. */
  readonly #origin: number;
  readonly #byPlace = new Map<number, Part>();

  constructor(file: ByteSource, head: Bytes, origin: number) {
    this.#file = file;
    this.#head = head;
    this.#origin = origin;
  }

  /** Reads the parts before the first sound or picture. */
  async walk(): Promise<void> {
    let at = this.#origin;
    for (let visited = 0; visited < MOST_ELEMENTS && at < this.#file.sizeBytes; visited += 1) {
      const element = elementAt(await this.#read(at, HEADER_BYTES), 0);
      if (element === null || element.id === CLUSTER || element.size === null) return;
      if (isWanted(element.id)) await this.#take(at, element.id);
      at += element.from + element.size;
    }
  }

  /** Reads the parts that SeekHeads name, also further SeekHeads. */
  async followSeekHeads(): Promise<void> {
    let followed = 0;
    // A SeekHead that is found during the loop is added to the end of the map.
    for (const part of this.#byPlace.values()) {
      if (part.id !== SEEK_HEAD) continue;
      for (const { id, place } of placesIn(part.data)) {
        if (followed >= MOST_ELEMENTS) return;
        followed += 1;
        if (isWanted(id)) await this.#take(this.#origin + place, id);
      }
    }
  }

  inOrder(): Part[] {
    return PARTS.flatMap((wanted) => [...this.#byPlace.values()].filter(({ id }) => id === wanted));
  }

  /** Reads the part at a position, if it exists, is complete, and is not too long. */
  async #take(at: number, id: number): Promise<void> {
    if (this.#byPlace.has(at) || this.#byPlace.size >= MOST_PARTS) return;
    const element = elementAt(await this.#read(at, HEADER_BYTES), 0);
    if (element === null || element.id !== id || element.size === null) return;
    const length = element.from + element.size;
    if (element.size > MOST_PART || at + length > this.#file.sizeBytes) return;
    this.#byPlace.set(at, { id, data: (await this.#read(at, length)).data });
  }

  async #read(at: number, length: number): Promise<Bytes> {
    if (at + length <= this.#head.length) return new Bytes(this.#head.data.subarray(at, at + length));
    return this.#file.read(at, length);
  }
}

function isWanted(id: number): boolean {
  return id === SEEK_HEAD || PARTS.includes(id);
}

/** Returns the ids and positions in a SeekHead, given with its header. */
function placesIn(list: Uint8Array): { id: number; place: number }[] {
  return childrenOf(new Bytes(list)).flatMap((seek) => {
    if (seek.id !== SEEK) return [];
    const [ids, positions] = [SEEK_ID, SEEK_POSITION].map((wanted) => seek.children().find(({ id }) => id === wanted));
    const [id, place] = [numberOf(ids?.data), numberOf(positions?.data)];
    return id === null || place === null ? [] : [{ id, place }];
  });
}

/** Returns the elements that describe the file, composed again without others and without the rest of long values. */
function describingIn(bytes: Bytes, budget: ValueBudget, depth = 0): Uint8Array[] {
  const all: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const element = elementAt(bytes, at);
    if (element === null || element.size === null || element.from + element.size > bytes.length) break;
    const { id, from } = element;
    const data = bytes.data.subarray(from, from + element.size);
    const isContainer = CONTAINERS.has(id) && depth < DEEPEST;
    budget.count(VALUES.has(id) ? Math.min(data.length, MOST_VALUE) : 0);
    if (isContainer) {
      const inner = describingIn(new Bytes(data), budget, depth + 1);
      // The parser reads the title only beside a duration, which recordings of live streams lack.
      if (id === INFO) inner.push(elementOf(DURATION, new Uint8Array(4)));
      all.push(elementOf(id, joined(inner)));
    } else if (VALUES.has(id)) all.push(elementOf(id, data.subarray(0, MOST_VALUE)));
    at = from + element.size;
  }
  return all;
}

/** Composes an element. Its size has four bytes. */
function elementOf(id: number, data: Uint8Array): Uint8Array {
  const head = new Uint8Array(8);
  const view = new DataView(head.buffer);
  view.setUint32(0, id);
  view.setUint32(4, 0x10000000 + data.length);
  return joined([head.subarray(Math.floor(Math.clz32(id) / 8)), data]);
}

/** The date in the information about the segment; epoch milliseconds. */
function dateIn(info: Part | undefined): number | null {
  const date = info === undefined ? undefined : childrenOf(new Bytes(info.data)).find(({ id }) => id === DATE)?.data;
  if (date?.length !== 8) return null;
  const nanoseconds = new DataView(date.buffer, date.byteOffset, 8).getBigInt64(0);
  return MATROSKA_EPOCH_MS + Number(nanoseconds) / 1e6;
}

interface Child {
  id: number;
  data: Uint8Array;
  children(): Child[];
}

/** Returns the elements inside an element. A damaged element ends the list. */
function childrenOf(bytes: Bytes): Child[] {
  const outer = elementAt(bytes, 0);
  const children: Child[] = [];
  for (let at = outer?.from ?? bytes.length; at < bytes.length && children.length < MOST_ELEMENTS; ) {
    const element = elementAt(bytes, at);
    if (element === null || element.size === null) break;
    const end = element.from + element.size;
    if (end > bytes.length) break;
    const whole = bytes.data.subarray(at, end);
    const data = bytes.data.subarray(element.from, end);
    children.push({ id: element.id, data, children: () => childrenOf(new Bytes(whole)) });
    at = end;
  }
  return children;
}

/** Returns the id of an element, the start of its contents, and their size (null: unknown); null without a valid header. */
function elementAt(bytes: Bytes, at: number): { id: number; from: number; size: number | null } | null {
  const idLength = Math.clz32(bytes.byte(at)) - 23;
  const sizeLength = Math.clz32(bytes.byte(at + idLength)) - 23;
  if (!(idLength >= 1 && idLength <= 4 && sizeLength >= 1 && sizeLength <= 8)) return null;
  const from = at + idLength + sizeLength;
  const id = numberOf(bytes.data.subarray(at, at + idLength));
  if (id === null || from > bytes.length) return null;
  const marker = 0x80 >> (sizeLength - 1);
  let size = bytes.byte(at + idLength) & (marker - 1);
  for (let index = 1; index < sizeLength; index += 1) size = size * 256 + bytes.byte(at + idLength + index);
  // All bits set: the size is unknown. Numbers above 2^53 are imprecise, but larger than any file.
  return { id, from, size: size >= 2 ** (7 * sizeLength) - 1 ? null : size };
}

/** An unsigned number of at most eight bytes; null without bytes, or with more. */
function numberOf(data: Uint8Array | undefined): number | null {
  if (data === undefined || data.length === 0 || data.length > 8) return null;
  return data.reduce((value, byte) => value * 256 + byte, 0);
}
