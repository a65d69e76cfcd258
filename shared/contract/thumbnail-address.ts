// The address at which the window shows the thumbnail of an item. It names the item, never a file: the shell asks the engine,
// which answers from its cache or from the library.

import { pathOf, readParts } from './address-parts.ts';

/** The path of all thumbnails below the origin of the screens. */
const PREFIX = '/thumbnails/';

export interface ThumbnailRef {
  siteId: string;
  mediaId: string;
  /** Changes with the item (`modified_on`), so that a changed item has another address. Empty when unknown. */
  version: string;
}

/** Returns the path of a thumbnail, for an `img` of the screens. */
export function thumbnailPath({ siteId, mediaId, version }: ThumbnailRef): string {
  return pathOf(PREFIX, [siteId, mediaId, version]);
}

/** Returns what a path names; null when it is not the path of a thumbnail. */
export function parseThumbnailPath(pathname: string): ThumbnailRef | null {
  const parts = readParts(PREFIX, pathname, 3);
  if (parts === null) return null;
  const [siteId = '', mediaId = '', version = ''] = parts;
  return siteId === '' || mediaId === '' ? null : { siteId, mediaId, version };
}
