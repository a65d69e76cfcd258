import { showView } from '../../common/state/app-store.ts';
import { cancelUploads, clearUploads } from './cancel-uploads.ts';
import { openUploads, showBatch } from './load-uploads.ts';
import { selectUploads } from './outline/outline-store.ts';
import { command } from './upload-commands.ts';

const one = (id: string) => ({ kind: 'ids' as const, ids: [id] });

/** Retries a failed upload and its failed follow-ups. */
export function retryUpload(id: string): Promise<void> {
  return command('retry', one(id));
}

/** Cancels an upload; asks first when bytes were sent. */
export function cancelUpload(id: string): Promise<void> {
  return cancelUploads(one(id));
}

/** Removes an ended upload from lists; its receipt stays. */
export function removeUpload(id: string): Promise<void> {
  return clearUploads(one(id), 'ended');
}

/** Shows one upload in the list of its batch, and selects it. */
export function showUpload(uploadId: string, batchId: string | null): void {
  if (batchId === null) openUploads();
  else showBatch(batchId);
  selectUploads([uploadId]);
  showView('uploads');
}
