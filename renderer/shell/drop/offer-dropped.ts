import { mayOfferFiles } from '../../features/common/state/add-rights-store.ts';
import { openAddSheet } from '../../features/uploads/state/add-store.ts';
import { takeDroppedFiles } from '../../features/uploads/state/local-sound.ts';
import type { DroppedFile } from '../../kit/bridge/files-and-clipboard.ts';
import { isSheetOpen } from '../asks.ts';

/**
 * Opens the sheet for dropped files and reads the waveforms that it shows; or shows why the account can't add items to the
 * collection.
 */
export async function offerDropped(siteId: string, collectionId: string | null, files: DroppedFile[]): Promise<void> {
  if (!(await mayOfferFiles(siteId, collectionId)) || isSheetOpen()) return;
  openAddSheet(
    siteId,
    collectionId,
    files.map(({ path }) => path),
  );
  takeDroppedFiles(files);
}
