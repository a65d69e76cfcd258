import type { Site } from '../site/site.ts';
import { embedCode } from './embed.ts';
import { filesOf } from './files.ts';
import { type MediaRow, renderMedia } from './media-row.ts';
import { thumbsOf } from './thumb-list.ts';

/** A media item with the linked data that was asked for, each bundle under the name of its join. */
export function joinMedia(site: Site, row: MediaRow, joins: ReadonlySet<string>) {
  return {
    ...renderMedia(row),
    ...(joins.has('files') ? { files: filesOf(site.store, row.id) } : {}),
    ...(joins.has('thumbs') ? { thumbs: thumbsOf(site, 'media', row.id) } : {}),
    ...(joins.has('embedcode') ? { embedcode: embedCode(site, row.id) } : {}),
  };
}
