import { create } from 'zustand';
import type { UploadSelection } from '../../../../shared/contract/uploads.ts';
import type { Priority } from '../../../../shared/model/uploads/priorities.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { untilWords } from '../../../kit/text/until-text.ts';
import { announce, attempt, notify } from '../../common/state/messages-store.ts';
import { refreshUploads } from './load-uploads.ts';
import { texts } from './texts.ts';

/** The commands that need no answer. Cancelling is not one of them: see `cancelUploads`. */
type UploadCommand = 'pause' | 'resume' | 'retry';

export function command(name: UploadCommand, selection: UploadSelection): Promise<void> {
  return attempt(async () => {
    await call(`uploads.${name}`, selection);
  });
}

/** Pauses the whole queue until an instant in epoch milliseconds; null resumes the queue now. */
export function pauseUntil(until: number | null): Promise<void> {
  return attempt(async () => {
    await call('uploads.pauseUntil', { until });
    if (until === null) announce(texts.resumed);
    else announce(texts.pausedUntil(untilWords(until, Date.now())));
  });
}

/** Whether the dialog is open in which the user chooses the end of a pause. */
export const usePauseDialog = create<{ isOpen: boolean }>(() => ({ isOpen: false }));

export function openPauseDialog(isOpen: boolean): void {
  usePauseDialog.setState({ isOpen });
}

/** Skips files that the collection already contains, or uploads them again. */
export function resolveDuplicates(selection: UploadSelection, choice: 'skip' | 'upload'): Promise<void> {
  return attempt(async () => {
    const { changed } = await call('uploads.resolveDuplicates', { selection, choice });
    announce(choice === 'skip' ? texts.skipped(changed) : texts.uploadedAnyway(changed));
    refreshUploads();
  });
}

/** Sends the files that are now at the paths of uploads, captions or thumbnails, in place of the files that were added. */
export function acceptReplaced(selection: UploadSelection): Promise<void> {
  return attempt(async () => {
    const { changed } = await call('uploads.acceptReplaced', selection);
    announce(texts.sendsReplaced(changed));
    refreshUploads();
  });
}

/** Continues an upload in an existing item that this upload may have created; null: in a new item. */
export function chooseItem(id: string, mediaId: string | null): Promise<void> {
  return attempt(async () => {
    const { changed } = await call('uploads.chooseItem', { id, mediaId });
    if (changed > 0) {
      announce(mediaId === null ? texts.continuesInNew : texts.continuesInItem);
    }
    refreshUploads();
  });
}

export function sendNext(selection: UploadSelection): Promise<void> {
  return attempt(async () => {
    const { changed } = await call('uploads.sendNext', { selection });
    announce(texts.sentNext(changed));
    refreshUploads();
  });
}

export function setPriority(selection: UploadSelection, priority: Priority): Promise<void> {
  return attempt(async () => {
    const { changed } = await call('uploads.setPriority', { selection, priority });
    announce(texts.priority(changed, priority));
    refreshUploads();
  });
}

/** The batch for which the user chooses another collection, because its collection does not exist in the library. */
export const useChooseCollection = create<{ batch: { id: string; siteId: string; name: string } | null }>(() => ({
  batch: null,
}));

export function openChooseCollection(batch: { id: string; siteId: string; name: string } | null): void {
  useChooseCollection.setState({ batch });
}

/** Sends the failed uploads of the batch to another collection. */
export function chooseCollection(batchId: string, collectionId: string): Promise<void> {
  return attempt(async () => {
    const { changed } = await call('uploads.chooseCollection', { batchId, collectionRef: collectionId });
    notify(texts.collectionChosen(changed));
    openChooseCollection(null);
  });
}
