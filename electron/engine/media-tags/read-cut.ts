import ExifReader from 'exifreader';
import { parseBuffer } from 'music-metadata';
import { decodedText } from '../../../shared/formats/tags/cut-source.ts';
import type { MediaCut } from '../../../shared/formats/tags/media-cut.ts';
import type { MediaTag } from '../../../shared/model/recipes/content-tokens.ts';
import { readXmp, type XmpValues } from './read-xmp.ts';

// Runs in the thread: the parsers of foreign formats, and the conversion of their results to the names of our tokens.

/** A date as a file has it. */
export interface EmbeddedDate {
  source: 'apple' | 'exif' | 'mp4' | 'matroska' | 'quicktime' | 'wav' | 'tag';
  /** As local time, `YYYY-MM-DD` or with `THH:mm:ss`, or as an instant in epoch milliseconds. */
  at: string | number;
  /** Of a local time: `+01:00`; null when the file has none. */
  zone: string | null;
}

/** The contents of a file. */
export interface EmbeddedTags {
  tags: Partial<Record<MediaTag, string>>;
  dates: EmbeddedDate[];
}

/** The maximum number of characters of a value; the rest is cut off. */
const MOST_CHARACTERS = 2000;

/** Parses a cut. Throws the errors of the parsers. */
export async function readCut(cut: MediaCut): Promise<EmbeddedTags> {
  const { tags, dates } = cut.reader === 'sound' ? await readSound(cut) : await readPicture(cut);
  const clean = Object.entries(tags).flatMap(([name, value]) => {
    const text = value === undefined ? '' : cleanText(value);
    // Control characters are what is left of an encoding that could not be read.
    return text === '' || NOT_LATIN.test(text) ? [] : [[name, text]];
  });
  return { tags: Object.fromEntries(clean), dates };
}

type Found = { tags: Partial<Record<MediaTag, string | undefined>>; dates: EmbeddedDate[] };

async function readSound({ bytes, type, isQuickTime, keys = [], recordedMs }: MediaCut): Promise<Found> {
  const { common, format, native } = await parseBuffer(bytes, type, { skipCovers: true, duration: false });
  const own = new Map<string, string>();
  for (const [id, value] of Object.values(native).flatMap((all) => all.map((tag) => [tag.id, tag.value] as const)))
    if (typeof value === 'string') own.set(nameOf(id, keys), value);
  const text = (...names: string[]) => names.map((name) => own.get(name)).find((value) => value !== undefined);
  const date =
    common.date ??
    dayOfYear(text('TYER', 'TYE'), text('TDAT', 'TDA')) ??
    text('DATE_RECORDED', 'DATE', 'com.apple.quicktime.year', 'date');
  const track = common.track.no ?? text('PART_NUMBER', 'IPRT', 'track');
  const dates: EmbeddedDate[] = [
    ...zonedDate(text('com.apple.quicktime.creationdate')),
    ...waveDate(text('bext.originationDate'), text('bext.originationTime')),
    ...muxingDate(recordedMs, text('DATE_RECORDED')),
    ...indexDate(format.creationTime, isQuickTime === true),
    ...(date !== undefined && /^\d{4}-\d\d-\d\d/.test(date)
      ? [{ source: 'tag' as const, at: date.slice(0, 10), zone: null }]
      : []),
  ];
  const tags = {
    title: common.title ?? text('TITLE', 'com.apple.quicktime.title', 'com.apple.quicktime.displayname', 'title'),
    artist: common.artist ?? text('ARTIST', 'com.apple.quicktime.artist', 'com.apple.quicktime.author', 'artist'),
    album: common.album ?? text('ALBUM', 'com.apple.quicktime.album', 'album'),
    albumartist: common.albumartist,
    track: track === undefined ? undefined : String(track),
    disc: common.disk.no === null ? undefined : String(common.disk.no),
    year: common.year === undefined ? date?.slice(0, 4) : String(common.year),
    date,
    genre: common.genre?.join(', ') ?? text('com.apple.quicktime.genre', 'genre'),
    composer: common.composer?.join(', '),
    comment: common.comment?.[0]?.text ?? text('COMMENT', 'com.apple.quicktime.comment', 'comment'),
    description: common.description?.[0] ?? text('com.apple.quicktime.description', 'description'),
    copyright: common.copyright ?? text('com.apple.quicktime.copyright'),
    publisher: common.label?.join(', '),
    show: common.tvShow,
    episode: common.tvEpisode === undefined ? undefined : String(common.tvEpisode),
  };
  return { tags: corrected(tags, native), dates };
}

/** The tags whose characters have one byte each, in an encoding that the file does not name. */
const UNNAMED_ENCODING: ReadonlySet<string> = new Set(['exif', 'ID3v1']);
/** In Latin-1 they are control characters: the text has another encoding than its file says. */
const NOT_LATIN = /[\u0080-\u009f]/;
/** Texts of Windows-1252 hardly have these, and those of East Asia do. */
const FOREIGN = /[\u0080-\u009fƒ†‡ˆ‰‹˜›]/;

/**
 * Decodes values again of which the parser read each byte as one character, wrongly: those of RIFF and ID3v1, and those of other tags
 * that are not in Latin-1. An unreadable one becomes empty.
 */
function corrected<Tags extends object>(tags: Tags, native: Awaited<ReturnType<typeof parseBuffer>>['native']): Tags {
  const better = new Map<unknown, string>();
  for (const [kind, found] of Object.entries(native)) {
    const isWrong = UNNAMED_ENCODING.has(kind) ? /[\u0080-\u00ff]/ : NOT_LATIN;
    for (const { value } of found) {
      if (typeof value !== 'string' || !isWrong.test(value) || /[\u0100-\uffff]/.test(value)) continue;
      const text = decodedText(Buffer.from(value, 'latin1'));
      better.set(value, FOREIGN.test(text) ? '' : text);
    }
  }
  return Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, better.get(value) ?? value])) as Tags;
}

/** Returns the day of a year (`2026`) and a day in it (`0506`: 5 June), as ID3v2.3 has them. */
function dayOfYear(year: string | undefined, day: string | undefined): string | undefined {
  const [, date, month] = /^(\d\d)(\d\d)$/.exec(day ?? '') ?? [];
  return date === undefined || !/^\d{4}$/.test(year ?? '') ? undefined : `${year}-${month}-${date}`;
}

/** Returns the name of a value: Matroska prefixes its subject, and QuickTime has its number in a list of names. */
function nameOf(id: string, keys: readonly string[]): string {
  if (id.length === 4 && id.startsWith('\0')) {
    const number = [...id].reduce((sum, sign) => sum * 256 + sign.charCodeAt(0), 0);
    return keys[number - 1] ?? id;
  }
  return id.replace(/^(?:segment|track|edition|chapter|attachment):/, '');
}

function indexDate(time: Date | undefined, isQuickTime: boolean): EmbeddedDate[] {
  if (time === undefined || Number.isNaN(time.getTime())) return [];
  return isQuickTime
    ? [{ source: 'quicktime', at: time.toISOString().slice(0, 19), zone: null }]
    : [{ source: 'mp4', at: time.getTime(), zone: null }];
}

/**
 * Returns the time at which a Matroska file was written; nothing if its tags name another day for the recording. `recordedMs`:
 * epoch milliseconds. `tagged`: `YYYY-MM-DD`, and more.
 */
function muxingDate(recordedMs: number | undefined, tagged: string | undefined): EmbeddedDate[] {
  if (recordedMs === undefined || !Number.isFinite(new Date(recordedMs).getTime())) return [];
  const day = /^\d{4}-\d\d-\d\d/.exec(tagged ?? '')?.[0];
  const isOther = day !== undefined && day !== new Date(recordedMs).toISOString().slice(0, 10);
  return isOther ? [] : [{ source: 'matroska', at: recordedMs, zone: null }];
}

function zonedDate(value: string | undefined): EmbeddedDate[] {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|([+-]\d\d):?(\d\d)?)$/.exec(value ?? '');
  if (match === null) return [];
  return [{ source: 'apple', at: match[1] ?? '', zone: `${match[2] ?? '+00'}:${match[3] ?? '00'}` }];
}

function waveDate(day: string | undefined, time: string | undefined): EmbeddedDate[] {
  // Some recorders separate the parts with characters other than those of the standard.
  const [, year, month, date] = /^(\d{4}).(\d\d).(\d\d)/.exec(day ?? '') ?? [];
  if (year === undefined) return [];
  const [, hours, minutes, seconds] = /^(\d\d).(\d\d).(\d\d)/.exec(time ?? '') ?? [];
  const clock = hours === undefined ? '' : `T${hours}:${minutes}:${seconds}`;
  return [{ source: 'wav', at: `${year}-${month}-${date}${clock}`, zone: null }];
}

async function readPicture({ bytes }: MediaCut): Promise<Found> {
  const view = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const packets: string[] = [];
  const { exif = {}, iptc = {} } = await ExifReader.load(view, {
    expanded: true,
    async: true,
    includeUnknown: false,
    domParser: collectorOf(packets),
    excludeTags: { mpf: true, icc: true, makerNotes: true, thumbnail: true, gps: true },
  });
  const xmp = Object.assign({}, ...packets.map(readXmp).toReversed()) as XmpValues;
  const text = (group: object, ...names: string[]): string | undefined => {
    for (const name of names) {
      const tag = (group as Record<string, unknown>)[name] as { description?: unknown } | undefined;
      const { description } = tag ?? {};
      if (typeof description === 'string' && description.trim() !== '') return description;
    }
    return undefined;
  };
  const taken = pictureTime(text(exif, 'DateTimeOriginal', 'DateTimeDigitized')) ?? pictureTime(xmp.taken);
  const zone =
    taken?.zone ?? /^[+-]\d\d:\d\d$/.exec(text(exif, 'OffsetTimeOriginal', 'OffsetTimeDigitized') ?? '')?.[0] ?? null;
  const tags = {
    title: xmp.title ?? text(iptc, 'Object Name', 'Headline'),
    artist: text(exif, 'Artist') ?? xmp.creator ?? text(iptc, 'By-line'),
    description: xmp.description ?? text(iptc, 'Caption/Abstract') ?? text(exif, 'ImageDescription'),
    copyright: text(exif, 'Copyright') ?? xmp.rights ?? text(iptc, 'Copyright Notice'),
    keywords: xmp.subject ?? text(iptc, 'Keywords'),
    camera: text(exif, 'Model'),
    year: taken?.date.slice(0, 4),
    date: taken?.date,
  };
  return { tags, dates: taken === null ? [] : [{ source: 'exif', at: `${taken.date}T${taken.time}`, zone }] };
}

/** Takes the XMP packets of a picture from their parser, which needs a document object model that only browsers have. */
function collectorOf(packets: string[]) {
  return {
    parseFromString(packet: string): never {
      packets.push(packet);
      throw new Error('read elsewhere');
    },
  };
}

/** Reads a time of EXIF (`2026:05:06 09:30:00`) or XMP (`2026-05-06T09:30:00+02:00`); null without a time of day. */
function pictureTime(value: string | undefined): { date: string; time: string; zone: string | null } | null {
  const match = /^(\d{4}).(\d\d).(\d\d)[ T](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?/.exec(value ?? '');
  if (match === null) return null;
  const [, year, month, day, clock = '', zone] = match;
  const time = clock.length === 5 ? `${clock}:00` : clock;
  return { date: `${year}-${month}-${day}`, time, zone: zone === 'Z' ? '+00:00' : (zone ?? null) };
}

/** Returns a text as one line without control characters. */
function cleanText(value: string): string {
  return (
    value
      .slice(0, MOST_CHARACTERS)
      .normalize('NFC')
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is being removed
      .replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ')
      .trim()
  );
}
