import { mayOfferFiles } from '../../features/common/state/add-rights-store.ts';
import { openAddSheet } from '../../features/uploads/state/add-store.ts';
import { takeFiles } from '../../features/uploads/state/local-sound.ts';
import type { FileWithPath } from '../../kit/bridge/files-and-clipboard.ts';
import { isSheetOpen } from '../asks.ts';

/**
 * Opens the sheet for dropped files and reads the waveforms that it shows; or shows why the account can't add items to the
 * collection.
 */
export async function offerDropped(siteId: string, collectionId: string | null, files: FileWithPath[]): Promise<void> {
  if (!(await mayOfferFiles(siteId, collectionId)) || isSheetOpen()) return;
  openAddSheet(
    siteId,
    collectionId,
    files.map(({ path }) => path),
  );
  takeFiles(files);
}
