import { z } from 'zod';
import { bodyOf, line } from '../http/body.ts';
import { forbidden, invalid, notFound } from '../http/problem.ts';
import { parseId } from '../http/query.ts';
import type { Call } from '../site/site.ts';
import { type Descriptor, descriptorFor } from '../storage/descriptor.ts';
import { readableCollection } from './collections.ts';
import { mayChange } from './media-rights.ts';
import { visibleMedia } from './media-row.ts';
import { type ThumbResource, thumbsOf } from './thumb-list.ts';

const MAX_THUMB_BYTES = 10 * 1024 * 1024;

/** The thumbnail list in the shape of the dialect. */
export function listThumbs(call: Call, resource: ThumbResource, idText: string): unknown {
  const id = subject(call, resource, idText, 'read');
  const items = thumbsOf(call.site, resource, id);
  switch (call.site.dialect().thumbList) {
    case 'empty-object':
      return {};
    case 'array':
      return items;
    default:
      return { items, links: { self: `/api2/${resource}/${id}/thumbs` } };
  }
}

const creation = z.object({ upload_name: line(500), upload_size: z.number().int().min(1, 'must be above 0') });

/** Says where a thumbnail is to be sent. It is in use as soon as it has arrived. */
export function createThumbUpload(
  call: Call,
  resource: ThumbResource,
  idText: string,
  body: unknown,
): { upload: Descriptor } {
  const id = subject(call, resource, idText, 'change');
  const { upload_size: size } = bodyOf(creation, body);
  if (size > MAX_THUMB_BYTES) throw invalid([{ field: 'upload_size', message: `must be at most ${MAX_THUMB_BYTES}` }]);
  return { upload: descriptorFor(call.site, { k: 'thumb', id, size, resource }) };
}

/** The id of what the thumbnail belongs to, if the caller may see it, or change it. */
function subject(call: Call, resource: ThumbResource, idText: string, purpose: 'read' | 'change'): number {
  if (resource === 'media') {
    const media = visibleMedia(call, idText);
    if (purpose === 'change' && !mayChange(call, media, 'media-update')) throw forbidden();
    return media.id;
  }
  if (resource === 'collections') {
    const { id } = readableCollection(call, idText);
    if (purpose === 'change' && !call.site.access.of(call.caller).may('collection-update', id)) throw forbidden();
    return id;
  }
  const id = parseId(idText);
  const known = id !== undefined && call.site.store.get('SELECT 1 FROM users WHERE id = ?', id) !== undefined;
  if (!known) throw notFound('User');
  if (!call.caller.isAdmin && call.caller.userId !== id) throw forbidden();
  return id;
}
