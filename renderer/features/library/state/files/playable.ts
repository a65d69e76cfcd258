import type { Encoding, MediaFile } from '../../../../../shared/api/files.ts';

/** How a file is shown: in the player, as a picture, in a window for documents, or in the browser. */
export type Showing = 'video' | 'audio' | 'image' | 'document' | 'web';

/** Formats that the player certainly can't show. Every other format is tried: containers are free text of the library. */
const UNSHOWN = /^(?:mkv|matroska|avi|wmv|asf|flv|mpg|mpeg|mpegts|mts|m2ts|wma|aiff?|tiff?|psd|raw|svg)$/i;
/** Containers that every version of the player shows, best first. */
const SAFE = ['mp4', 'm4v', 'webm', 'm4a', 'mp3', 'ogg', 'opus', 'wav', 'flac', 'mov'];
/** The preferred height: more lines need more computing time, and a window does not show them. */
const ENOUGH_LINES = 1080;

/** Returns how a file can be shown; null when it can't. */
export function showingOf(file: MediaFile | Encoding): Showing | null {
  if (file.status !== 'complete') return null;
  if (isElsewhere(file)) return 'web';
  if (UNSHOWN.test(file.container ?? '')) return null;
  switch (file.type) {
    case 'video':
    case 'audio':
    case 'image':
      return file.type;
    case 'doc':
      return file.container === null || /pdf/i.test(file.container) ? 'document' : null;
    default:
      return null;
  }
}

/** Returns whether the library only embeds the content from another website. */
export function isElsewhere({ source }: MediaFile | Encoding): boolean {
  return source !== null && source !== 'upload' && source !== 'encoding';
}

export interface Playable {
  file: MediaFile | Encoding;
  showing: Showing;
}

/** Returns the versions of one original that can be shown: the best one first. */
export function versionsOf(original: MediaFile): Playable[] {
  return [original, ...(original.encodings ?? [])]
    .flatMap((file) => {
      const showing = showingOf(file);
      return showing === null ? [] : [{ file, showing }];
    })
    .filter(({ showing }, _index, [first]) => showing === first?.showing || isMedia(showing))
    .sort((one, other) => rank(one.file) - rank(other.file));
}

/** Returns the versions of the original that “Play” of the item plays: of the first one that has any; the best one first. */
export function bestVersions(files: readonly MediaFile[]): Playable[] {
  for (const file of files) {
    const versions = versionsOf(file);
    if (versions.length > 0) return versions;
  }
  return [];
}

/** Returns the version that “Play” of the item plays. */
export function bestOf(files: readonly MediaFile[]): Playable | null {
  return bestVersions(files)[0] ?? null;
}

/** Returns the captions of the item that are ready, one for each uploaded file. */
export function playableCaptions(files: readonly MediaFile[]): (MediaFile | Encoding)[] {
  return files
    .filter(({ type }) => type === 'captions')
    .flatMap((file) => {
      const versions = [file, ...(file.encodings ?? [])].filter(({ status }) => status === 'complete');
      return versions.find(({ container }) => /vtt/i.test(container ?? '')) ?? versions[0] ?? [];
    });
}

const isMedia = (showing: Showing) => showing === 'video' || showing === 'audio';

/**
 * Returns the rank of a version, lower is better: a container that certainly plays, then the size nearest to that of a window.
 */
function rank({ container, height }: MediaFile | Encoding): number {
  const at = SAFE.indexOf((container ?? '').toLowerCase());
  const lines = height ?? ENOUGH_LINES;
  return (at < 0 ? SAFE.length : at) * 100_000 + (lines > ENOUGH_LINES ? lines : ENOUGH_LINES - lines);
}
