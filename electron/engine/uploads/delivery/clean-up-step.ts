import type { Upload } from '../../../../shared/model/upload-machine.ts';
import { listFiles } from '../../api/files.ts';
import { deleteMedia } from '../../api/media.ts';
import { DONE, type Progress } from '../../scheduler/step-result.ts';
import { lookUpItem } from './items/item-lookup.ts';
import type { StepTools } from './step-tools.ts';
import { isGone, isLeftover } from './upload-steps.ts';

/**
 * Removes the item of an upload that was cancelled or skipped, unless it has come to hold something all the same. Where it
 * is not known whether an item was made, that is found out first: returns and throws what `lookUpItem` does.
 */
export async function cleanUp(upload: Upload, tools: StepTools): Promise<Progress> {
  const { client, journal, store, signal } = tools;
  if (upload.mediaId === null && upload.itemIntentAt !== null) {
    const found = await lookUpItem(upload, upload.itemIntentAt, tools);
    if (found.kind !== 'done') return found;
  }
  const mediaId = store.get(upload.id)?.mediaId ?? null;
  if (mediaId === null) return DONE;
  const isEmpty = await holdsNothing(upload, mediaId, tools);
  // Retried meanwhile: the item is wanted again.
  const state = store.get(upload.id)?.state;
  if (state !== 'cancelled' && state !== 'skipped') return DONE;
  if (isEmpty) await deleteMedia(client, mediaId, signal);
  journal.record(upload.id, { kind: 'cleaned-up' });
  return DONE;
}

/** Nothing but what the upload itself brought, files that it gave up included. True also for an item that is gone. */
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
