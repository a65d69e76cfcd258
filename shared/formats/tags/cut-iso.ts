import { Bytes } from '../bytes/bounded-bytes.ts';
import type { BlockReader, ByteSource } from '../bytes/byte-source.ts';
import { boxesIn, firstBox, type IsoBox } from '../containers/iso-boxes.ts';
import { decoded, encoded, isValid } from '../text/decode.ts';
import { ascii, joined } from './bytes-out.ts';
import { MOST_VALUE, type ValueBudget } from './cut-source.ts';
import type { MediaCut } from './media-cut.ts';

// MP4, QuickTime and 3GP: the index without its tracks, whose tables are long, and without pictures. Values are in a list
// (`meta` > `ilst`), or in older files directly in the user data; the parser gets them all as a list.

/** The maximum number of characters of a name in a list of keys. */
const MOST_KEY = 200;
/** The maximum number of bytes of a list of keys, and of other boxes that are copied whole. */
const MOST_BOX = 64 * 1024;
/** Items of a list that contain pictures. */
const PICTURES: ReadonlySet<string> = new Set(['covr', 'snal', 'tnal']);
/** The values that 3GP files have in the user data, and the items of a list that mean the same. */
const ITEMS_OF_3GP: Readonly<Record<string, string>> = {
  titl: '\xa9nam',
  auth: '\xa9ART',
  perf: '\xa9ART',
  albm: '\xa9alb',
  gnre: '\xa9gen',
  cprt: 'cprt',
  dscp: 'desc',
};

/** Cuts an MP4, QuickTime or 3GP file of this brand. Returns null without an index. */
export async function cutIso(file: BlockReader, brand: string, budget: ValueBudget): Promise<MediaCut | null> {
  const index = await firstBox(file.file, { from: 0, end: file.sizeBytes }, 'moov');
  if (index === null) return null;
  const isQuickTime = brand === 'qt  ';
  const values = new IndexValues(file, budget);
  for await (const box of boxesIn(file, index.from, index.end)) await values.take(box);
  const head = boxOf('ftyp', joined([ascii(brand), new Uint8Array(4), ascii(brand)]));
  return {
    reader: 'sound',
    type: 'video/mp4',
    isQuickTime,
    keys: values.keys,
    bytes: joined([head, boxOf('moov', joined(values.boxes()))]),
  };
}

/** Collects the boxes of an index that describe the file. */
class IndexValues {
  /** The names of values that the file only numbers, from its first list of keys. */
  keys: string[] = [];
  readonly #file: ByteSource;
  readonly #budget: ValueBudget;
  readonly #times: Uint8Array[] = [];
  readonly #lists: Uint8Array[] = [];
  readonly #listed = new Set<string>();
  readonly #userTexts = new Map<string, Uint8Array>();

  constructor(file: ByteSource, budget: ValueBudget) {
    this.#file = file;
    this.#budget = budget;
  }

  async take(box: IsoBox): Promise<void> {
    this.#budget.count();
    if (box.type === 'mvhd' && box.end - box.at <= MOST_BOX) this.#times.push(await this.#whole(box));
    else if (box.type === 'meta') await this.#takeMeta(box);
    else if (box.type === 'udta')
      for await (const child of boxesIn(this.#file, box.from, box.end)) {
        this.#budget.count();
        if (child.type === 'meta') await this.#takeMeta(child);
        else await this.#takeUserText(child);
      }
  }

  /** Returns the boxes. A list goes before user data with the same meaning, which old programs don't change. */
  boxes(): Uint8Array[] {
    const texts = [...this.#userTexts].filter(([type]) => !this.#listed.has(type));
    const items = texts.map(([type, text]) =>
      boxOf(type, boxOf('data', joined([Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 0), text]))),
    );
    const list = items.length === 0 ? [] : [boxOf('meta', joined([new Uint8Array(4), boxOf('ilst', joined(items))]))];
    return [...this.#times, ...[...this.#lists, ...list].map((meta) => boxOf('udta', meta))];
  }

  async #takeMeta(meta: IsoBox): Promise<void> {
    // QuickTime has no version before the first box, MP4 has one.
    const hasVersion = (await this.#file.read(meta.from + 4, 4)).text(0, 4) !== 'hdlr';
    const items: Uint8Array[] = [];
    for await (const box of boxesIn(this.#file, meta.from + (hasVersion ? 4 : 0), meta.end)) {
      if (box.type === 'keys' && this.keys.length === 0) await this.#takeKeys(box);
      if (box.type !== 'ilst') continue;
      for await (const item of boxesIn(this.#file, box.from, box.end)) {
        const isWanted = !PICTURES.has(item.type) && item.end - item.at <= MOST_VALUE;
        this.#budget.count(isWanted ? item.end - item.at : 0);
        if (!isWanted) continue;
        items.push(await this.#whole(item));
        this.#listed.add(item.type);
      }
    }
    if (items.length > 0) this.#lists.push(boxOf('meta', joined([new Uint8Array(4), boxOf('ilst', joined(items))])));
  }

  async #takeKeys(box: IsoBox): Promise<void> {
    if (box.end - box.at > MOST_BOX) return;
    const list = await this.#file.read(box.from + 4, box.end - box.from - 4);
    const count = list.uint32(0);
    for (let place = 4; this.keys.length < count; ) {
      const size = list.uint32(place);
      if (!(size >= 8) || place + size > list.length) break;
      this.#budget.count();
      this.keys.push(list.text(place + 8, Math.min(size - 8, MOST_KEY)));
      place += size;
    }
  }

  /** Takes a text of QuickTime (`©nam`: length, language, text) or 3GP (version, language, text). */
  async #takeUserText(box: IsoBox): Promise<void> {
    const isQuickTime = box.type.startsWith('\xa9');
    const type = isQuickTime ? box.type : ITEMS_OF_3GP[box.type];
    if (type === undefined) return;
    const head = await this.#file.read(box.from, 6);
    const from = box.from + (isQuickTime ? 4 : 6);
    const length = isQuickTime ? head.uint16(0) : box.end - from;
    if (!(length <= box.end - from)) return;
    const { data } = await this.#file.read(from, Math.min(length, MOST_VALUE));
    this.#budget.count(data.length);
    const text = userText(data, isQuickTime);
    if (text !== '' && !this.#userTexts.has(type)) this.#userTexts.set(type, encoded(text));
  }

  async #whole({ at, end }: IsoBox): Promise<Uint8Array> {
    return (await this.#file.read(at, end - at)).data;
  }
}

/** Decodes a text of the user data: UTF-16 with a mark, UTF-8, or in QuickTime the encoding of old Macintosh computers. */
function userText(data: Uint8Array, isQuickTime: boolean): string {
  const bytes = new Bytes(data);
  if (bytes.hasAt(0, [0xfe, 0xff])) return untilZero(decoded(data, 'utf-16be'));
  if (bytes.hasAt(0, [0xff, 0xfe])) return untilZero(decoded(data, 'utf-16le'));
  return untilZero(decoded(data, !isQuickTime || isValid(data, 'utf-8') ? 'utf-8' : 'macintosh'));
}

function untilZero(text: string): string {
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

function boxOf(type: string, body: Uint8Array): Uint8Array {
  const head = new Uint8Array(8);
  new DataView(head.buffer).setUint32(0, body.length + 8);
  head.set(ascii(type), 4);
  return joined([head, body]);
}
