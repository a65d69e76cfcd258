import { thumbsOf } from '../../signed-urls/thumb-list.ts';
import type { Site } from '../../site/site.ts';
import { embedCode } from './embed.ts';
import { type MediaRow, renderMedia } from './media-row.ts';

/** The joins of the API: resources that can be requested together with an item. */
export const MEDIA_JOINS = ['files', 'thumbs', 'embedcode'] as const;

/**
 * Returns the files of an item in the form of their list. The folder of files supplies this function, because it depends on this
 * folder.
 */
export type FilesOf = (site: Site, mediaId: number) => Promise<unknown>;

/** Returns a media item with the requested joins, each under its own name. */
export async function joinMedia(site: Site, row: MediaRow, joins: ReadonlySet<string>, filesOf: FilesOf) {
  return {
    ...renderMedia(row),
    ...(joins.has('files') ? { files: await filesOf(site, row.id) } : {}),
    ...(joins.has('thumbs') ? { thumbs: await thumbsOf(site, 'media', row.id) } : {}),
    ...(joins.has('embedcode') ? { embedcode: embedCode(site, row.id) } : {}),
  };
}
