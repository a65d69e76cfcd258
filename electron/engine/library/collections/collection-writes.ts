import type { Collection } from '../../../../shared/api/collections.ts';
import { AppError, appError, toAppError } from '../../../../shared/contract/app-error.ts';
import { tookNoEffect } from '../../api/classify.ts';
import { getCollection, moveCollection, reslugifyCollection } from '../../api/collections.ts';
import type { SiteClient } from '../../api/http-client.ts';

/** The error of a creation or an update with a slug that another collection has. */
export function slugTaken(error: AppError, slug: string): AppError {
  return appError('collection.slug-taken', { details: { ...error.details, slug }, cause: error });
}

/** Generates the slug again from the name. A lost reply is harmless: a second try has the same result. */
export async function renewSlug(client: SiteClient, id: string): Promise<Collection> {
  await reslugifyCollection(client, id);
  return getCollection(client, id);
}

/** Errors that would also occur at the next request. */
const ENDS_ALL = /^(network|sign-in|keychain|site)\.|^api\.(read-only|too-many-requests)$/;

/** Returns whether an error concerns the whole library and not one collection. */
export function concernsLibrary(error: AppError): boolean {
  return ENDS_ALL.test(error.code);
}

/** Returns why a collection can't be moved to a parent: it is the collection itself or below it, or a collection can't be read. */
export async function errorOfPlace(client: SiteClient, id: string, newParentId: string): Promise<AppError | null> {
  try {
    if (!(await isBelow(client, newParentId, id))) return null;
  } catch (thrown) {
    return toAppError(thrown);
  }
  return appError('collection.into-itself', { details: { collectionId: id, newParentId } });
}

/**
 * Moves one collection, after `errorOfPlace`. A root is refused without a request. A move whose reply was lost counts as done when
 * the collection is at the target.
 */
export async function moveToParent(client: SiteClient, collection: Collection, newParentId: string): Promise<void> {
  const { id, parent_id: parentId } = collection;
  if (parentId === null) throw appError('collection.is-root', { details: { collectionId: id } });
  if (parentId === newParentId) return;
  try {
    await moveCollection(client, id, newParentId);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (tookNoEffect(error)) throw error;
    if ((await afterLostReply(client, id, error)).parent_id !== newParentId) throw error;
  }
}

const MAX_LEVELS = 200;

/** Returns whether `id` is `ancestorId` or below it, as far as the account sees the collections above it. */
async function isBelow(client: SiteClient, id: string, ancestorId: string): Promise<boolean> {
  let at: string | null = id;
  for (let level = 0; at !== null && level < MAX_LEVELS; level += 1) {
    if (at === ancestorId) return true;
    at = await parentOf(client, at, at === id);
  }
  return false;
}

/** Returns the parent of a collection. Collections above it may be hidden: then the library itself decides about the move. */
async function parentOf(client: SiteClient, id: string, isRequired: boolean): Promise<string | null> {
  try {
    return (await getCollection(client, id)).parent_id;
  } catch (error) {
    const isHidden = error instanceof AppError && (error.code === 'api.not-found' || error.code === 'api.forbidden');
    if (isHidden && !isRequired) return null;
    throw error;
  }
}

/**
 * Returns the collection after a write without a reply. Throws the error of the write when the collection can't be read either.
 */
async function afterLostReply(client: SiteClient, id: string, error: AppError): Promise<Collection> {
  try {
    return await getCollection(client, id);
  } catch {
    // The error of the write is more exact than that of the check.
    throw error;
  }
}
