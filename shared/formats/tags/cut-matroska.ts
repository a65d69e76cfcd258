import { Bytes } from '../bytes/bounded-bytes.ts';
import type { ByteSource } from '../bytes/byte-source.ts';
import {
  CLUSTER,
  ELEMENT_HEADER_BYTES,
  elementAt,
  elementsIn,
  SEEK_HEAD,
  SEGMENT,
  seekEntries,
} from '../containers/ebml.ts';
import { joined } from './bytes-out.ts';
import { MOST_VALUE, type ValueBudget } from './cut-source.ts';
import type { MediaCut } from './media-cut.ts';

// Matroska and WebM: the elements that describe the file are before or after the clusters. The SeekHead at the beginning lists
// their positions.

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
    reader: 'sound',
    type: 'video/matroska',
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
      const element = elementAt(await this.#read(at, ELEMENT_HEADER_BYTES), 0);
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
      for (const { id, place } of seekEntries(...contentsOf(part))) {
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
    const element = elementAt(await this.#read(at, ELEMENT_HEADER_BYTES), 0);
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

/** Returns the bytes of a part, and where its contents begin and end. */
function contentsOf({ data }: Part): [bytes: Bytes, from: number, end: number] {
  const bytes = new Bytes(data);
  return [bytes, elementAt(bytes, 0)?.from ?? bytes.length, bytes.length];
}

function isWanted(id: number): boolean {
  return id === SEEK_HEAD || PARTS.includes(id);
}

/** Returns the elements that describe the file, composed again without others and without the rest of long values. */
function describingIn(bytes: Bytes, budget: ValueBudget, depth = 0): Uint8Array[] {
  const all: Uint8Array[] = [];
  for (const { id, from, end } of elementsIn(bytes, 0, bytes.length)) {
    const data = bytes.data.subarray(from, end);
    const isContainer = CONTAINERS.has(id) && depth < DEEPEST;
    budget.count(VALUES.has(id) ? Math.min(data.length, MOST_VALUE) : 0);
    if (isContainer) {
      const inner = describingIn(new Bytes(data), budget, depth + 1);
      // The parser reads the title only beside a duration, which recordings of live streams lack.
      if (id === INFO) inner.push(elementOf(DURATION, new Uint8Array(4)));
      all.push(elementOf(id, joined(inner)));
    } else if (VALUES.has(id)) all.push(elementOf(id, data.subarray(0, MOST_VALUE)));
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
  if (info === undefined) return null;
  for (const { id, from, end } of elementsIn(...contentsOf(info))) {
    if (id !== DATE || end - from !== 8) continue;
    const nanoseconds = new DataView(info.data.buffer, info.data.byteOffset + from, 8).getBigInt64(0);
    return MATROSKA_EPOCH_MS + Number(nanoseconds) / 1e6;
  }
  return null;
}
