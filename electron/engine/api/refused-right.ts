import type { MediaItem } from '../../../shared/api/media.ts';
import { AppError, appError } from '../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../shared/contract/errors/error-catalog.ts';
import { isInformative, type MediaAction, mediaRight, NEEDED } from '../../../shared/model/media-rights.ts';
import type { SiteClient } from './http-client.ts';
import { permissionsIn } from './memberships.ts';

const MISSING: Readonly<Record<MediaAction, ErrorCode>> = {
  edit: 'edit.needs-update',
  publish: 'edit.needs-publish',
  delete: 'edit.needs-delete',
};

/** Returns the error of an action that these permissions don't allow; null when they allow it, or may allow it. */
export function errorOfRight(
  action: MediaAction,
  item: Pick<MediaItem, 'created_on' | 'status'>,
  permissions: ReadonlySet<string>,
  nowMs: number,
): AppError | null {
  if (!isInformative(permissions)) return null;
  const right = mediaRight(action, item, permissions, nowMs);
  if (right === 'window-over') return appError('edit.window-over', { details: { permission: NEEDED[action] } });
  return right === 'missing' ? appError(MISSING[action], { details: { permission: NEEDED[action] } }) : null;
}

/** Returns the error when these permissions don't allow to add items to a collection; null when they do, or may do so. */
export function errorOfAdding(permissions: ReadonlySet<string>): AppError | null {
  if (!isInformative(permissions) || permissions.has('media-create')) return null;
  return appError('upload.needs-create', { details: { permission: 'media-create' } });
}

/**
 * Returns the exact reason of a refused write: the missing permission, or the end of the time for own items. The library reports
 * only that it is forbidden, so the permissions of the account are read; an account that may not read them keeps the general
 * reason.
 */
export async function reasonOfRefusal(
  error: AppError,
  item: MediaItem,
  action: MediaAction,
  { client, userId, nowMs, signal }: { client: SiteClient; userId: string | null; nowMs: number; signal: AbortSignal },
): Promise<AppError> {
  if (error.code !== 'api.forbidden' || userId === null) return error;
  try {
    const permissions = await permissionsIn(client, { userId, collectionId: item.collection_id }, signal);
    const exact = errorOfRight(action, item, permissions, nowMs);
    if (exact === null) return error;
    return appError(exact.code as ErrorCode, { details: { ...error.details, ...exact.details }, cause: error });
  } catch (thrown) {
    if (thrown instanceof AppError) return error;
    throw thrown;
  }
}
