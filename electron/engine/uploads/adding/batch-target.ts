import { appError, toAppError } from '../../../../shared/contract/app-error.ts';
import { endsRetries } from '../../../../shared/contract/errors/error-catalog.ts';
import { isLocalId } from '../../../../shared/model/edits/collection-ops.ts';
import type { BatchRecord } from '../journal/batch-store.ts';

/** The collection of a batch: known by its id, or named by the user and not resolved yet (`collectionId` empty). */
export type BatchTarget = Pick<BatchRecord, 'collectionId' | 'collectionName' | 'collectionRef'>;

/**
 * Returns the collection of new uploads. A collection that is not in the library yet is resolved once the library has it. Throws
 * for an id that the library refuses; when the library does not answer, or the account can't send requests now, the uploads
 * resolve it later.
 */
export async function batchTargetOf(
  siteId: string,
  { collectionId, collectionRef }: { collectionId?: string | undefined; collectionRef?: string | undefined },
  nameOf: (siteId: string, collectionId: string) => Promise<string>,
): Promise<BatchTarget> {
  if ((collectionId === undefined) === (collectionRef === undefined)) {
    throw appError('input.invalid', { details: { reason: 'either collectionId or collectionRef' } });
  }
  if (collectionRef !== undefined) return { collectionId: '', collectionName: collectionRef, collectionRef };
  const id = collectionId ?? '';
  if (isLocalId(id)) return { collectionId: '', collectionName: await nameOf(siteId, id), collectionRef: id };
  try {
    return { collectionId: id, collectionName: await nameOf(siteId, id), collectionRef: null };
  } catch (error) {
    if (endsRetries(toAppError(error).code)) throw error;
    return { collectionId: '', collectionName: id, collectionRef: id };
  }
}
