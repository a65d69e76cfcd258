import { showView } from '../stores/app/app-store.ts';
import { openUploads, showBatch } from '../stores/uploads/load-uploads.ts';
import { selectUploads } from '../stores/uploads/outline/outline-store.ts';

/** Shows one upload in the list of its batch, and selects it. */
export function showUpload(uploadId: string, batchId: string | null): void {
  if (batchId === null) openUploads();
  else showBatch(batchId);
  selectUploads([uploadId]);
  showView('uploads');
}
