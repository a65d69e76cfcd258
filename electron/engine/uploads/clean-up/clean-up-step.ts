import type { Upload } from '../../../../shared/model/upload-machine.ts';
import { listFiles } from '../../api/files.ts';
import { deleteMedia } from '../../api/media.ts';
import { lookUpItem } from '../delivery/items/item-lookup.ts';
import { isGone, isLeftover, type StepTools } from '../delivery/upload-steps.ts';

/**
 * Removes the item of an upload that was cancelled or skipped, unless it has come to hold something all the same. Where it
 * is not known whether an item was made, that is found out first: throws what `lookUpItem` throws.
 */
export async function cleanUp(upload: Upload, tools: StepTools): Promise<void> {
  const { client, journal, store, signal } = tools;
  if (upload.mediaId === null && upload.itemIntentAt !== null) await lookUpItem(upload, upload.itemIntentAt, tools);
  const mediaId = store.get(upload.id)?.mediaId ?? null;
  if (mediaId === null) return;
  const isEmpty = await holdsNothing(upload, mediaId, tools);
  // Retried meanwhile: the item is wanted again.
  const state = store.get(upload.id)?.state;
  if (state !== 'cancelled' && state !== 'skipped') return;
  if (isEmpty) await deleteMedia(client, mediaId, signal);
  journal.record(upload.id, { kind: 'cleaned-up' });
}

/** Nothing but what the upload itself brought, files that it gave up included. True also for an item that somebody has deleted already. */
async function holdsNothing(upload: Upload, mediaId: string, { client, signal }: StepTools): Promise<boolean> {
  try {
    for await (const file of listFiles(client, mediaId, signal)) {
      const isOurs = file.id === upload.fileId || upload.spoiledFileIds.includes(file.id);
      if (!isLeftover(file) && !isOurs) return false;
    }
    return true;
  } catch (error) {
    if (isGone(error)) return true;
    throw error;
  }
}
