import { AppError } from '../../../../shared/contract/app-error.ts';
import type { Library } from '../create-library.ts';
import type { CollectionIndex } from './collection-index.ts';

/** Returns the collections that an account may list; null when it may not list any. Throws the errors of the request. */
export async function listableCollections(
  library: Pick<Library, 'collectionIndex'>,
  siteId: string,
): Promise<CollectionIndex | null> {
  try {
    return await library.collectionIndex(siteId);
  } catch (error) {
    if (error instanceof AppError && error.code === 'api.forbidden') return null;
    throw error;
  }
}
