import { showView } from '../../common/state/app-store.ts';
import { openUploads, showBatch } from './load-uploads.ts';
import { selectUploads } from './outline/outline-store.ts';

/** Shows one upload in the list of its batch, and selects it. */
export function showUpload(uploadId: string, batchId: string | null): void {
  if (batchId === null) openUploads();
  else showBatch(batchId);
  selectUploads([uploadId]);
  showView('uploads');
}
