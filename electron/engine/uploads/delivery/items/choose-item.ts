import { appError } from '../../../../../shared/contract/app-error.ts';
import { offeredItems } from '../../../../../shared/model/offered-items.ts';
import { asksAboutItem } from '../../../../../shared/model/uploads/upload-machine.ts';
import type { UploadJournal } from '../../journal/upload-journal.ts';
import type { UploadStore } from '../../journal/upload-store.ts';

/**
 * Applies the user's choice of the item of an upload, or of a new one (`mediaId` null). Returns how many rows changed:
 * none when the upload needs no choice any more. Throws `upload.unknown` for an unknown upload, and `input.invalid` for
 * an item that was not offered or that another upload owns in the meantime.
 */
export function chooseItem(
  { id, mediaId }: { id: string; mediaId: string | null },
  { store, journal }: { store: UploadStore; journal: UploadJournal },
): number {
  const upload = store.get(id);
  if (upload === null) throw appError('upload.unknown', { details: { id } });
  if (!asksAboutItem(upload)) return 0;
  if (mediaId !== null) {
    if (!offeredItems(upload).some((item) => item.id === mediaId)) {
      throw appError('input.invalid', {
        message: 'This item isn’t one of the choices for this upload.',
        details: { mediaId },
      });
    }
    if (store.ownsMedia(upload.siteId, mediaId)) {
      throw appError('input.invalid', { message: 'Another upload already uses this item.', details: { mediaId } });
    }
  }
  journal.record(id, { kind: 'retried', itemId: mediaId });
  return 1;
}
