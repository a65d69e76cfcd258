import { thumbsOf } from '../../signed-urls/thumb-list.ts';
import type { Site } from '../../site/site.ts';
import { filesOf } from '../files/files.ts';
import { embedCode } from './embed.ts';
import { type MediaRow, renderMedia } from './media-row.ts';

/** A media item with the linked data that was asked for, each bundle under the name of its join. */
export function joinMedia(site: Site, row: MediaRow, joins: ReadonlySet<string>) {
  return {
    ...renderMedia(row),
    ...(joins.has('files') ? { files: filesOf(site.store, row.id) } : {}),
    ...(joins.has('thumbs') ? { thumbs: thumbsOf(site, 'media', row.id) } : {}),
    ...(joins.has('embedcode') ? { embedcode: embedCode(site, row.id) } : {}),
  };
}
