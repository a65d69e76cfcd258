import type { Permission } from '../../../shared/api/permission-sets.ts';
import type { Access } from '../../access/access.ts';
import type { Call } from '../../site/site.ts';
import type { MediaRow } from './media-row.ts';

/** The time in seconds during which users may change items that they created. */
const OWN_ITEM_WINDOW_S = 3 * 3600;

/**
 * Returns whether the caller may edit or delete the item: with the full permission always; with media-create only the caller's
 * own items, within three hours and only if the item was never published. To delete one of its files, `made` is that file: its
 * creator and its time of creation count.
 */
export async function mayChange(
  call: Call,
  media: MediaRow,
  permission: Extract<Permission, 'media-update' | 'media-delete'>,
  made: { created_by: number | null; created_on: number } = media,
): Promise<boolean> {
  const access = await call.site.access.of(call.caller);
  if (access.may(permission, media.collection_id)) return true;
  if (!access.may('media-create', media.collection_id) || made.created_by !== call.caller.userId) return false;
  const isOver = media.status === 'published' || media.was_published === 1;
  return !isOver && call.nowOn - made.created_on <= OWN_ITEM_WINDOW_S;
}

/** Returns whether the caller may add files: with media-update to any item, with media-create to the caller's own items. */
export async function mayAddFiles(call: Call, media: MediaRow): Promise<boolean> {
  const access = await call.site.access.of(call.caller);
  if (access.may('media-update', media.collection_id)) return true;
  return access.may('media-create', media.collection_id) && media.created_by === call.caller.userId;
}

/** Returns whether the caller may fetch the content, to play or to download it. */
export async function mayFetch(call: Call, media: MediaRow): Promise<boolean> {
  return mayFetchContent(await call.site.access.of(call.caller), call.caller.userId, media);
}

/** Returns the same for any viewer; `userId` is undefined for an anonymous viewer. */
export function mayFetchContent(access: Access, userId: number | undefined, media: MediaRow): boolean {
  const { collection_id: id, created_by: creatorId } = media;
  return access.may('media-play', id) || access.may('media-download', id) || creatorId === userId;
}
