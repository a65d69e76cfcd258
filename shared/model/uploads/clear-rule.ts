import { isEnded, type UploadState } from './upload-states.ts';

interface ClearableUpload {
  state: UploadState;
  followUps: readonly { state: string }[];
  clearedAt?: number | null;
}

/** Returns whether an upload can be removed from the list: it has ended, and nothing of it is still to be done. */
export function canClear({ state, followUps, clearedAt = null }: ClearableUpload): boolean {
  if (clearedAt !== null || !isEnded(state)) return false;
  return state !== 'complete' || followUps.every((followUp) => followUp.state !== 'pending');
}

/**
 * Returns whether "Clear completed" removes an upload: it is complete, cancelled or skipped, and none of its follow-ups
 * failed. Uploads that failed or need a decision stay until the user removes those explicitly.
 */
export function isClearedAsCompleted(upload: ClearableUpload): boolean {
  if (!canClear(upload) || upload.state === 'failed') return false;
  return upload.state !== 'complete' || upload.followUps.every((followUp) => followUp.state !== 'failed');
}
