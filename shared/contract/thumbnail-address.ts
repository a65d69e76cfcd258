// The address at which the window shows the thumbnail of an item. It names the item, never a file: the shell asks the engine,
// which answers from its cache or from the library.

/** The path of all thumbnails below the origin of the screens. */
const PREFIX = '/thumbnails/';
const MAX_LENGTH = 1000;

export interface ThumbnailRef {
  siteId: string;
  mediaId: string;
  /** Changes with the item (`modified_on`), so that a changed item has another address. Empty when unknown. */
  version: string;
}

/** Returns the path of a thumbnail, for an `img` of the screens. Half a surrogate pair can't be escaped, so it is replaced. */
export function thumbnailPath({ siteId, mediaId, version }: ThumbnailRef): string {
  return `${PREFIX}${[siteId, mediaId, version].map((part) => encodeURIComponent(`_${part}`.replace(/\p{Surrogate}/gu, '\ufffd'))).join('/')}`;
}

/** Returns what a path names; null when it is not the path of a thumbnail. */
export function parseThumbnailPath(pathname: string): ThumbnailRef | null {
  if (!pathname.startsWith(PREFIX) || pathname.length > MAX_LENGTH) return null;
  const parts = pathname.slice(PREFIX.length).split('/').map(decoded);
  const [siteId, mediaId, version] = parts;
  if (parts.length !== 3 || !siteId || !mediaId || version === undefined || version === null) return null;
  return { siteId, mediaId, version };
}

/** Each part begins with a mark, because addresses lose empty parts, `.` and `..`. null without it, and for broken escapes. */
function decoded(part: string): string | null {
  try {
    const text = decodeURIComponent(part);
    return text.startsWith('_') ? text.slice(1) : null;
  } catch {
    return null;
  }
}
