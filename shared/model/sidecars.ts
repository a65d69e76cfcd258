import { CAPTION_ENDINGS, mimeTypeOf } from './media-types.ts';
import { stemsOfCaptions } from './pairing/caption-stems.ts';
import { splitFileName } from './title-template.ts';

/**
 * Sidecars: the files that belong to a recording, detected by the names in its folder. Captions are `name.srt`,
 * `name.vtt` or, with a language, `name.en.vtt` and `name.sdh.en.vtt`; a thumbnail is `name.jpg` or `name.png`.
 */
export interface SidecarName {
  kind: 'captions' | 'thumbnail';
  fileName: string;
}

const THUMBNAIL_ENDINGS: ReadonlySet<string> = new Set(['jpg', 'jpeg', 'png']);

/** Returns true for audio and video, which can have captions and a thumbnail. */
export function isRecording(fileName: string): boolean {
  return /^(video|audio)\//.test(mimeTypeOf(fileName));
}

/** Returns whether a file may be captions or a thumbnail, by its ending. */
export function isSidecarName(fileName: string): boolean {
  const ending = splitFileName(fileName).extension.toLowerCase();
  return CAPTION_ENDINGS.has(ending) || THUMBNAIL_ENDINGS.has(ending);
}

/**
 * Returns the sidecars of each recording in a watched folder. Files that the user adds are paired by `pairFiles`, which knows more
 * forms of names and leaves unclear ones to the user. A sidecar belongs to at most one recording; if two recordings have the same
 * name, to the video. A recording has at most one thumbnail; a second picture with its name is uploaded as an item of
 * its own.
 */
export function pairSidecars(names: Iterable<string>): Map<string, SidecarName[]> {
  const all = [...names];
  const recordings = all.filter(isRecording).sort(bestFirst).reverse();
  const byName = new Map(recordings.map((name) => [splitFileName(name).stem, name]));
  const byText = new Map(recordings.map((name) => [stemOf(name), name]));
  // Two recordings may differ only in how their accents are stored: then the equal form decides.
  const ownerOf = (stem: string) => byName.get(stem) ?? byText.get(stem.normalize('NFC'));
  const pairs = new Map<string, SidecarName[]>();
  for (const fileName of all.sort()) {
    const { stem, extension } = splitFileName(fileName);
    const ending = extension.toLowerCase();
    const owner = CAPTION_ENDINGS.has(ending)
      ? stemsOfCaptions(stem)
          .map(ownerOf)
          .find((found) => found !== undefined)
      : THUMBNAIL_ENDINGS.has(ending)
        ? ownerOf(stem)
        : undefined;
    if (owner === undefined) continue;
    const kind = CAPTION_ENDINGS.has(ending) ? 'captions' : 'thumbnail';
    const mates = pairs.get(owner) ?? [];
    if (kind === 'thumbnail' && mates.some((mate) => mate.kind === 'thumbnail')) continue;
    pairs.set(owner, [...mates, { kind, fileName }]);
  }
  return pairs;
}

/** File systems store accents in different forms (NFC, NFD), so names are compared in one form. */
function stemOf(name: string): string {
  return splitFileName(name.normalize('NFC')).stem;
}

function bestFirst(a: string, b: string): number {
  const rank = (name: string) => (mimeTypeOf(name).startsWith('video/') ? 0 : 1);
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}
