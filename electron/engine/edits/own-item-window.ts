import type { MediaItem } from '../../../shared/api/media.ts';
import type { Permission } from '../../../shared/api/permissions.ts';
import { AppError, appError } from '../../../shared/contract/app-error.ts';
import type { SiteClient } from '../api/http-client.ts';
import { permissionsIn } from '../api/memberships.ts';

/** How long an account with media-create may edit and delete its own items (API, “Limits”). */
const OWN_ITEM_WINDOW_MS = 3 * 3_600_000;

/** Whether the time in which accounts may edit their own items is over: three hours, or until the item is published. */
function isWindowOver({ created_on: createdOn, status }: MediaItem, nowMs: number): boolean {
  const createdAt = createdOn === null ? Number.NaN : Date.parse(createdOn);
  return status === 'published' || nowMs - createdAt > OWN_ITEM_WINDOW_MS;
}

/**
 * Returns the exact reason of a refused write: `edit.window-over` when the account may only edit its own items and that
 * time is over; otherwise the error itself. The service says only that the permission is missing, so the permissions of
 * the account are read; an account that may not read them keeps the general reason.
 */
export async function reasonOfRefusal(
  error: AppError,
  item: MediaItem,
  needed: Permission,
  { client, userId, nowMs, signal }: { client: SiteClient; userId: string | null; nowMs: number; signal: AbortSignal },
): Promise<AppError> {
  if (error.code !== 'api.forbidden' || userId === null || !isWindowOver(item, nowMs)) return error;
  try {
    const permissions = await permissionsIn(client, { userId, collectionId: item.collection_id }, signal);
    if (permissions.has(needed) || !permissions.has('media-create')) return error;
  } catch (thrown) {
    if (thrown instanceof AppError) return error;
    throw thrown;
  }
  const until = item.created_on === null ? null : Date.parse(item.created_on) + OWN_ITEM_WINDOW_MS;
  return appError('edit.window-over', { details: { ...error.details, until }, cause: error });
}
