// The address at which the window shows the thumbnail of an item, a collection or a user. It names the resource, never a file: the
// shell calls the engine, which answers from its cache or from the library.

import { escapedPath, readParts } from './address-parts.ts';

/** The path of all thumbnails below the origin of the screens. */
const PREFIX = '/thumbnails/';

/** The kinds of resources with a thumbnail, named as in the API. */
export type ThumbnailSubject = 'media' | 'collections' | 'users';

export interface ThumbnailRef {
  siteId: string;
  subject: ThumbnailSubject;
  id: string;
  /**
   * Changes with the item (`modified_on`), so that a changed item has another address. Empty when unknown. The API gives a
   * collection no time of change: its version is always `COLLECTION_VERSION`. That of a user is always empty, so that its picture is not
   * stored on this computer.
   */
  version: string;
  /** Only the bytes on this computer are used: the library gets no request. */
  isStoredOnly: boolean;
}

export const COLLECTION_VERSION = 'collection';

/** The first part of a path. */
const SOURCES: Readonly<Record<string, Pick<ThumbnailRef, 'subject' | 'isStoredOnly'>>> = {
  media: { subject: 'media', isStoredOnly: false },
  collections: { subject: 'collections', isStoredOnly: false },
  users: { subject: 'users', isStoredOnly: false },
  'stored-media': { subject: 'media', isStoredOnly: true },
  'stored-collections': { subject: 'collections', isStoredOnly: true },
};

/** Returns the path of a thumbnail, for an `img` of the screens. */
export function thumbnailPath({ siteId, subject, id, version, isStoredOnly }: ThumbnailRef): string {
  return escapedPath(PREFIX, [isStoredOnly ? `stored-${subject}` : subject, siteId, id, version]);
}

/** Returns the thumbnail that a path refers to; null when it is not the path of a thumbnail. */
export function parseThumbnailPath(pathname: string): ThumbnailRef | null {
  const parts = readParts(PREFIX, pathname, 4);
  if (parts === null) return null;
  const [from = '', siteId = '', id = '', version = ''] = parts;
  const source = Object.hasOwn(SOURCES, from) ? SOURCES[from] : undefined;
  return siteId === '' || id === '' || source === undefined ? null : { siteId, ...source, id, version };
}
