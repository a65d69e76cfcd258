import type { Site } from '../site/site.ts';
import { signedThumbUrl } from './content-url.ts';

export const THUMB_RESOURCES = ['media', 'collections', 'users'] as const;
export type ThumbResource = (typeof THUMB_RESOURCES)[number];

interface ThumbRow {
  id: number;
  width: number | null;
  height: number | null;
  content_type: string;
  stored_name: string;
}

/** The thumbnails of a resource, newest first. */
export async function thumbsOf(site: Site, resource: ThumbResource, resourceId: number) {
  return (
    await site.store.all<ThumbRow>(
      'SELECT * FROM thumbs WHERE resource = ? AND resource_id = ? ORDER BY id DESC',
      resource,
      resourceId,
    )
  ).map((row) => ({
    id: String(row.id),
    width: row.width,
    height: row.height,
    content_url: signedThumbUrl(site, row),
  }));
}
