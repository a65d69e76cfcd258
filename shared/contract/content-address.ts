// The address at which the window plays or shows a file of an item. It names the file, never its signed address: the shell calls
// the engine, which opens a newly signed address.
import { escapedPath, readParts } from './address-parts.ts';

/** How a file is served: bytes with ranges, captions as WebVTT, or a PDF in a separate origin. */
export const CONTENT_KINDS = ['media', 'captions', 'document'] as const;
type ContentKind = (typeof CONTENT_KINDS)[number];

export interface ContentRef {
  kind: ContentKind;
  siteId: string;
  mediaId: string;
  fileId: string;
}

/** The origin of the screens. */
const SCREEN_ORIGIN = 'app://mediadesk';
/** The origin of documents. A document never has the origin of the screens, whatever its bytes are. */
const DOCUMENT_ORIGIN = 'app://documents';

const originOf = (kind: ContentKind) => (kind === 'document' ? DOCUMENT_ORIGIN : SCREEN_ORIGIN);
const prefixOf = (kind: ContentKind) => `/content/${kind}/`;

/** The addresses of recordings and pictures. */
export const MEDIA_FILES = `${SCREEN_ORIGIN}${prefixOf('media')}`;

/** Returns the address of a file for an element of the screens: a path, or for a document a full address. */
export function contentAddress({ kind, siteId, mediaId, fileId }: ContentRef): string {
  const path = escapedPath(prefixOf(kind), [siteId, mediaId, fileId]);
  return kind === 'document' ? `${DOCUMENT_ORIGIN}${path}` : path;
}

/** Returns the file that an address names; null when it is not the address of a file. `origin`: `app://…` of the request. */
export function parseContentAddress(origin: string, pathname: string): ContentRef | null {
  for (const kind of CONTENT_KINDS) {
    if (origin !== originOf(kind)) continue;
    const [siteId = '', mediaId = '', fileId = ''] = readParts(prefixOf(kind), pathname, 3) ?? [];
    if (siteId !== '' && mediaId !== '' && fileId !== '') return { kind, siteId, mediaId, fileId };
  }
  return null;
}
