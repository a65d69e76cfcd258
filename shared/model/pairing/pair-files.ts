import { CAPTION_ENDINGS, mimeTypeOf } from '../media-types.ts';
import { splitFileName } from '../title-template.ts';
import { stemsOfCaptions } from './caption-stems.ts';

// Pairs the files of a folder with recordings by their names alone: for files that are added and for watched folders. An exact
// name decides; in all other cases the user decides.

/** `details`: title, description and tags of the recording, in a text, JSON or XML file. */
export type CompanionKind = 'captions' | 'thumbnail' | 'details';

interface Companion {
  kind: CompanionKind;
  fileName: string;
}

/**
 * Why the recording of a file is not certain:
 * - `several`  its name fits several recordings
 * - `spelling` its name is that of a recording except for letter case or blanks
 * - `part`     its name begins like that of a recording, or the other way round
 * - `taken`    the recording that the user chose can't get it, such as a second thumbnail
 */
export const DOUBTS = ['several', 'spelling', 'part', 'taken'] as const;
type Doubt = (typeof DOUBTS)[number];

export interface DoubtfulCompanion extends Companion {
  doubt: Doubt;
  /** Recordings to which it may belong, the most probable first; at least one. */
  candidates: string[];
}

/** What belongs together in a folder, by file name. Each companion is in one of `recordingOf` and `doubtful`. */
export interface Pairing {
  /** By recording, in the order of their names. */
  companionsOf: ReadonlyMap<string, readonly Companion[]>;
  recordingOf: ReadonlyMap<string, string>;
  doubtful: ReadonlyMap<string, DoubtfulCompanion>;
}

const PICTURES: ReadonlySet<string> = new Set(['jpg', 'jpeg', 'png']);
const DETAILS: ReadonlySet<string> = new Set(['json', 'xml', 'txt']);
/** Name suffixes of pictures that are no items of their own. */
const PICTURE_OF = /[ ._-](?:thumb(?:nail)?|poster|cover)$/i;
const MOST_CANDIDATES = 5;
/** The minimum length of a common beginning; shorter ones are not significant. */
const SHORTEST_PART = 3;
/** The maximum number of names that are compared because they begin with the same text. */
const MOST_LOOKED_AT = 100;

/** Returns the kind of companion that a file can be, by its extension; null for all others. */
export function companionKindOf(fileName: string): CompanionKind | null {
  const ending = splitFileName(fileName).extension.toLowerCase();
  if (CAPTION_ENDINGS.has(ending)) return 'captions';
  if (PICTURES.has(ending)) return 'thumbnail';
  return DETAILS.has(ending) ? 'details' : null;
}

/** Returns true for audio and video, which can have captions, a thumbnail and files with details. */
export function isRecordingName(fileName: string): boolean {
  return /^(video|audio)\//.test(mimeTypeOf(fileName));
}

/**
 * Pairs the files of one folder. Names that differ only in how their accents are stored (NFC, NFD) are equal, unless both forms
 * exist: then the equal form decides. Each file has at most one recording, and each recording at most one thumbnail: a second
 * picture with its name is an item of its own.
 */
export function pairFiles(names: Iterable<string>): Pairing {
  const all = [...new Set(names)].sort();
  const recordings = new Recordings(all.filter(isRecordingName));
  const companionsOf = new Map<string, Companion[]>();
  const recordingOf = new Map<string, string>();
  const doubtful = new Map<string, DoubtfulCompanion>();
  for (const fileName of all) {
    const kind = companionKindOf(fileName);
    if (kind === null) continue;
    const found = recordings.find(fileName, kind);
    if (found === null) continue;
    if ('doubt' in found) {
      doubtful.set(fileName, { kind, fileName, ...found });
      continue;
    }
    const companions = companionsOf.get(found.owner) ?? [];
    if (kind === 'thumbnail' && companions.some((each) => each.kind === 'thumbnail')) continue;
    companionsOf.set(found.owner, [...companions, { kind, fileName }]);
    recordingOf.set(fileName, found.owner);
  }
  return { companionsOf, recordingOf, doubtful };
}

type Found = { owner: string } | { doubt: Doubt; candidates: string[] } | null;

/** The recordings of a folder by the forms of their names. */
class Recordings {
  readonly #exact: Map<string, string[]>;
  readonly #composed: Map<string, string[]>;
  readonly #loose: Map<string, string[]>;
  /** Loose forms of the names without extension, sorted. */
  readonly #sorted: readonly string[];
  /** The lengths of the loose forms, the longest first: no other prefix can be one. */
  readonly #lengths: readonly number[];

  constructor(names: readonly string[]) {
    const grouped = (formOf: (stem: string) => string) => {
      const groups = new Map<string, string[]>();
      // A file can also be named after the recording with its extension: `talk.mp4.srt`.
      for (const name of names) {
        for (const form of new Set([formOf(splitFileName(name).stem), formOf(name)])) {
          groups.set(form, [...(groups.get(form) ?? []), name]);
        }
      }
      return groups;
    };
    this.#exact = grouped((stem) => stem);
    this.#composed = grouped((stem) => stem.normalize('NFC'));
    this.#loose = grouped(looseForm);
    this.#lengths = [...new Set([...this.#loose.keys()].map(({ length }) => length))].sort((a, b) => b - a);
    this.#sorted = [...new Set(names.map((name) => looseForm(splitFileName(name).stem)))].sort();
  }

  /** Returns the recording with the longest name that the file's name allows. */
  find(fileName: string, kind: CompanionKind): Found {
    const { stem } = splitFileName(fileName);
    const stems = stemsOf(fileName, kind);
    for (const each of stems) {
      const owners = this.#exact.get(each) ?? this.#composed.get(each.normalize('NFC')) ?? [];
      const [owner, another] = owners;
      if (owner !== undefined && another === undefined) return { owner };
      if (owner !== undefined) return { doubt: 'several', candidates: videosFirst(owners) };
    }
    const picture = kind === 'thumbnail' ? withoutPictureEnd(stem) : stem;
    for (const each of [...stems, picture]) {
      const owners = this.#loose.get(looseForm(each));
      const isPart = kind === 'thumbnail' && each === picture && picture !== stem;
      if (owners !== undefined) return { doubt: isPart ? 'part' : 'spelling', candidates: videosFirst(owners) };
    }
    // Pictures and texts are often items of their own.
    return kind === 'captions' ? this.#partly(looseForm(stem)) : null;
  }

  /** Returns first the recordings whose names begin this name, the longest first, then those whose names begin with this name. */
  #partly(loose: string): Found {
    const forms: string[] = [];
    for (const end of this.#lengths) {
      if (end < SHORTEST_PART || end >= loose.length) continue;
      if (!isWordSign(loose.charAt(end)) && this.#loose.has(loose.slice(0, end))) forms.push(loose.slice(0, end));
    }
    if (loose.length >= SHORTEST_PART) forms.push(...this.#longerThan(loose));
    const candidates = [...new Set(forms.flatMap((form) => this.#loose.get(form) ?? []))];
    return candidates.length === 0 ? null : { doubt: 'part', candidates: candidates.slice(0, MOST_CANDIDATES) };
  }

  #longerThan(loose: string): string[] {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle] ?? '') < loose) low = middle + 1;
      else high = middle;
    }
    const found: string[] = [];
    for (let at = low; at < Math.min(low + MOST_LOOKED_AT, this.#sorted.length); at += 1) {
      const form = this.#sorted[at] ?? '';
      if (!form.startsWith(loose)) break;
      if (form.length > loose.length && !isWordSign(form.charAt(loose.length))) found.push(form);
    }
    return found;
  }
}

/** Returns the names, without extension, that the recording of a file can have, the longest first. */
export function stemsOf(fileName: string, kind: CompanionKind): string[] {
  const { stem } = splitFileName(fileName);
  if (kind === 'captions') return stemsOfCaptions(stem);
  return kind === 'details' ? stemsOfDetails(fileName) : [stem];
}

/** Returns the name of a picture without `-thumb`, `-poster` and the like. */
export function withoutPictureEnd(stem: string): string {
  return stem.replace(PICTURE_OF, '');
}

/** Returns the names that the recording of a file with its details can have: download programs write `talk.info.json`. */
function stemsOfDetails(fileName: string): string[] {
  const { stem } = splitFileName(fileName);
  const plain = /\.info\.json$/i.test(fileName) ? stem.slice(0, -'.info'.length) : '';
  return plain === '' ? [stem] : [stem, plain];
}

function isWordSign(sign: string): boolean {
  return /[\p{L}\p{N}]/u.test(sign);
}

/**
 * Returns a name without letter case, with one kind of blank, and without blanks around dots. For two texts joined by a dot it is
 * the two forms joined by a dot, so the form of a companion begins with that of its recording.
 */
export function looseForm(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      // Which small sigma a capital one becomes depends on the next character.
      .replaceAll('ς', 'σ')
      .replace(/[\s_]+/g, ' ')
      .replace(/ ?\. ?/g, '.')
      .trim()
  );
}

function videosFirst(names: readonly string[]): string[] {
  const rank = (name: string) => (mimeTypeOf(name).startsWith('video/') ? 0 : 1);
  return [...names].sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1)).slice(0, MOST_CANDIDATES);
}
