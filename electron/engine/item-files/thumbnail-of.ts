import { toAppError } from '../../../shared/contract/app-error.ts';
import type { SiteClient } from '../api/http-client.ts';
import { type FetchedThumbnail, fetchThumbnail, THUMBNAIL_LIMITS } from '../library/thumbnails/fetch-thumbnail.ts';
import type { Thumbnails } from '../library/thumbnails/thumbnails.ts';
import type { Logger } from '../ports/logger.ts';

interface ThumbnailOfTools {
  clientFor(siteId: string): SiteClient;
  thumbnails: Pick<Thumbnails, 'get'>;
  userAgent: string;
  logger: Logger;
}

/**
 * Reads the thumbnail of an item, PNG or JPEG; null when it has none, or none of these formats. `version`: when the item was
 * changed. While the library can't be read, it is the one on this computer, null without one.
 */
export type ThumbnailOf = (siteId: string, mediaId: string, version: string) => Promise<FetchedThumbnail | null>;

export function createThumbnailOf({ clientFor, thumbnails, userAgent, logger }: ThumbnailOfTools): ThumbnailOf {
  return async (siteId, mediaId, version) => {
    const { signal } = new AbortController();
    const ref = { siteId, subject: 'media', id: mediaId, version, isStoredOnly: true } as const;
    const found = await fetchThumbnail(clientFor(siteId), ref, { limits: THUMBNAIL_LIMITS, userAgent, signal }).catch(
      (error: unknown) => {
        logger.warn('thumbnail.not-read', { mediaId, code: toAppError(error).code });
        return thumbnails.get(ref, signal);
      },
    );
    // Libraries take no other formats as a thumbnail.
    return found !== null && ['image/png', 'image/jpeg'].includes(found.contentType) ? found : null;
  };
}
