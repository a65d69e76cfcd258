import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { existing } from '../../api/existing.ts';
import { deleteMedia, getMedia } from '../../api/media.ts';
import { LATE_EFFECT_MS } from '../../api/request-times.ts';
import { DONE, pollAgain, type StepResult } from '../../scheduler/job-result.ts';
import { removeAddition } from './additions.ts';
import { lookUpItem } from './items/item-lookup.ts';
import { hasNothingElse } from './leftover-files.ts';
import type { StepTools } from './step-tools.ts';
import { isAsWanted, mediaIdOf } from './upload-steps.ts';

/**
 * Cleans up after a cancelled or skipped upload: removes its item, or, if its file was already processed, finds out whether the
 * item was published. Returns a wait while a request without a reply may still take effect.
 */
export async function cleanUp(upload: Upload, tools: StepTools): Promise<StepResult> {
  if (upload.completedAt !== null) return settlePublication(upload, tools);
  return upload.addition === null ? removeItem(upload, tools) : removeAddition(upload, mediaIdOf(upload), tools);
}

/**
 * The upload was cancelled while a publication was in flight: records whether it took effect. If it did, the upload is
 * complete. A request whose reply was lost can still take effect for `LATE_EFFECT_MS`.
 */
async function settlePublication(upload: Upload, tools: StepTools): Promise<StepResult> {
  const { client, journal, store, clock, unanswered, signal } = tools;
  const lookedAt = clock.monotonic();
  const item = await existing(getMedia(client, mediaIdOf(upload), signal));
  // The user retried the upload in the meantime, so its item is published anyway.
  if (store.get(upload.id)?.state !== 'cancelled') return DONE;
  if (item !== null && isAsWanted(item, upload)) {
    unanswered.settled(upload);
    journal.record(upload.id, { kind: 'published', at: clock.now() });
    return DONE;
  }
  const openForMs = LATE_EFFECT_MS - unanswered.missedForMs(upload, lookedAt);
  if (item !== null && openForMs > 0) return pollAgain(openForMs);
  unanswered.settled(upload);
  journal.record(upload.id, { kind: 'cleaned-up' });
  return DONE;
}

/**
 * Removes the item of a cancelled or skipped upload, unless the item contains other files. If it is unknown whether an item was
 * created, searches for it first, with the results and errors of `lookUpItem`.
 */
async function removeItem(upload: Upload, tools: StepTools): Promise<StepResult> {
  const { client, journal, store, signal } = tools;
  if (upload.mediaId === null && upload.itemIntentAt !== null) {
    const found = await lookUpItem(upload, upload.itemIntentAt, tools);
    if (found.kind !== 'done') return found;
  }
  const mediaId = store.get(upload.id)?.mediaId ?? null;
  if (mediaId === null) return DONE;
  const mayDelete = await hasNothingElse(upload, mediaId, tools);
  // The user retried the upload in the meantime, so the item is needed again.
  const state = store.get(upload.id)?.state;
  if (state !== 'cancelled' && state !== 'skipped') return DONE;
  if (mayDelete) await deleteMedia(client, mediaId, signal);
  journal.record(upload.id, { kind: 'cleaned-up' });
  return DONE;
}
