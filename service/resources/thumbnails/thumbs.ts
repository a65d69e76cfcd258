import { z } from 'zod';
import { type ThumbResource, thumbsOf } from '../../signed-urls/thumb-list.ts';
import { type Descriptor, descriptorFor } from '../../signed-urls/upload-descriptor.ts';
import { type Call, checkSpace } from '../../site/site.ts';
import { bodyOf, line } from '../../wire/body.ts';
import { forbidden, invalid, notFound } from '../../wire/problem.ts';
import { parseId } from '../../wire/query.ts';
import { findCollection } from '../collections/collection-row.ts';
import { readableCollection } from '../collections/collections.ts';
import { mayChange } from '../media/media-rights.ts';
import { findMedia, maySee, visibleMedia } from '../media/media-row.ts';

const MAX_THUMB_BYTES = 10 * 1024 * 1024;

/** Lists thumbnails in the form that the dialect defines. */
export async function listThumbs(call: Call, resource: ThumbResource, idText: string): Promise<unknown> {
  const id = await subject(call, resource, idText, 'read');
  const items = await thumbsOf(call.site, resource, id);
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

/** The bodies of the requests about thumbnails. */
export const THUMB_BODIES = { creation };

/** The lifetime of an upload URL for a thumbnail; the API gives media files the same time. */
const ADDRESS_MS = 30 * 60_000;

/**
 * Issues the upload descriptor of a thumbnail, which is in use as soon as it has arrived. Its URL accepts one thumbnail within 30
 * minutes, as long as the caller may still change the resource.
 */
export async function createThumbUpload(
  call: Call,
  resource: ThumbResource,
  idText: string,
  body: unknown,
): Promise<{ upload: Descriptor }> {
  const id = await subject(call, resource, idText, 'change');
  const { upload_size: size } = bodyOf(creation, body);
  if (size > MAX_THUMB_BYTES) throw invalid([{ field: 'upload_size', message: `must be at most ${MAX_THUMB_BYTES}` }]);
  await checkSpace(call.site, size);
  const u = await call.site.store.insert(
    'INSERT INTO thumb_uploads (resource, resource_id, user_id, expires_at) VALUES (?, ?, ?, ?) RETURNING id',
    resource,
    id,
    call.caller.userId,
    call.site.now() + ADDRESS_MS,
  );
  return { upload: descriptorFor(call.site, { k: 'thumb', id, size, resource, u }) };
}

/** Returns whether the caller may change the resource of a thumbnail; false when it does not exist. */
export async function mayChangeThumbs(call: Call, resource: ThumbResource, id: number): Promise<boolean> {
  if (resource === 'users') return call.caller.isAdmin || call.caller.userId === id;
  if (resource === 'media') {
    const media = await findMedia(call.site.store, id);
    return media !== undefined && (await maySee(call, media)) && (await mayChange(call, media, 'media-update'));
  }
  const rights = await call.site.access.of(call.caller);
  const exists = (await findCollection(call.site.store, id)) !== undefined;
  return exists && rights.may('collection-read', id) && rights.may('collection-update', id);
}

/** Returns the id of the thumbnail's resource if the caller may see or, for an upload, change it. */
async function subject(
  call: Call,
  resource: ThumbResource,
  idText: string,
  purpose: 'read' | 'change',
): Promise<number> {
  if (resource === 'users') return await userSubject(call, idText);
  const { id } = resource === 'media' ? await visibleMedia(call, idText) : await readableCollection(call, idText);
  if (purpose === 'change' && !(await mayChangeThumbs(call, resource, id))) throw forbidden();
  return id;
}

/**
 * Returns the caller's own id, or any id for an administrator. Other ids get the same refusal whether such a user exists or not.
 */
async function userSubject(call: Call, idText: string): Promise<number> {
  const id = parseId(idText);
  if (!call.caller.isAdmin && call.caller.userId !== id) throw forbidden();
  const exists = id !== undefined && (await call.site.store.get('SELECT 1 FROM users WHERE id = ?', id)) !== undefined;
  if (!exists) throw notFound('User');
  return id;
}
