import { thumbsOf } from '../../signed-urls/thumb-list.ts';
import type { Site } from '../../site/site.ts';
import { embedCode } from './embed.ts';
import { type MediaRow, renderMedia } from './media-row.ts';

/** The joins of the API: what a request may ask for together with an item. */
export const MEDIA_JOINS = ['files', 'thumbs', 'embedcode'] as const;

/** Reads the files of an item in the shape of their list. The resource of files supplies it, which builds on this one. */
export type FilesOf = (site: Site, mediaId: number) => unknown;

/** A media item with the linked data that was asked for, each bundle under the name of its join. */
export function joinMedia(site: Site, row: MediaRow, joins: ReadonlySet<string>, filesOf: FilesOf) {
  return {
    ...renderMedia(row),
    ...(joins.has('files') ? { files: filesOf(site, row.id) } : {}),
    ...(joins.has('thumbs') ? { thumbs: thumbsOf(site, 'media', row.id) } : {}),
    ...(joins.has('embedcode') ? { embedcode: embedCode(site, row.id) } : {}),
  };
}
