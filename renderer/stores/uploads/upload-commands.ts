import { create } from 'zustand';
import type { UploadSelection } from '../../../shared/contract/uploads.ts';
import type { Priority } from '../../../shared/model/priorities.ts';
import { call } from '../../bridge/bridge.ts';
import { counted } from '../../text/format.ts';
import { untilWords } from '../../text/until-text.ts';
import { announce, attempt } from '../app/messages-store.ts';
import { refreshUploads } from './uploads-store.ts';

/** Commands that need no answer. Cancelling is not among them: see `cancelUploads`. */
type UploadCommand = 'pause' | 'resume' | 'retry';

export function command(name: UploadCommand, selection: UploadSelection): Promise<void> {
  return attempt(async () => {
    await call(`uploads.${name}`, selection);
  });
}

/** Pauses the whole queue until an instant in epoch milliseconds; null resumes it now. */
export function pauseUntil(until: number | null): Promise<void> {
  return attempt(async () => {
    await call('uploads.pauseUntil', { until });
    if (until === null) announce('Uploads go on.');
    else announce(`All uploads are paused until ${untilWords(until, Date.now())}.`);
  });
}

/** Whether the dialog is open in which the person chooses until when the queue pauses. */
export const usePauseDialog = create<{ isOpen: boolean }>(() => ({ isOpen: false }));

export function openPauseDialog(isOpen: boolean): void {
  usePauseDialog.setState({ isOpen });
}

/** Skips files that the collection has already, or uploads them again. */
export function resolveDuplicates(selection: UploadSelection, choice: 'skip' | 'upload'): Promise<void> {
  return attempt(async () => {
    const { changed } = await call('uploads.resolveDuplicates', { selection, choice });
    announce(`${counted(changed, 'file')} ${choice === 'skip' ? 'left out' : 'to be uploaded anyway'}.`);
    refreshUploads();
  });
}

/** Continues an upload in an existing item that may be its own; null: in a new item. */
export function chooseItem(id: string, mediaId: string | null): Promise<void> {
  return attempt(async () => {
    const { changed } = await call('uploads.chooseItem', { id, mediaId });
    if (changed > 0) {
      announce(mediaId === null ? 'The upload continues in a new item.' : 'The upload continues in that item.');
    }
    refreshUploads();
  });
}

export function sendNext(selection: UploadSelection): Promise<void> {
  return attempt(async () => {
    const { changed } = await call('uploads.sendNext', { selection });
    announce(changed === 1 ? 'It is sent next.' : `${changed} uploads are sent next.`);
    refreshUploads();
  });
}

export function setPriority(selection: UploadSelection, priority: Priority): Promise<void> {
  return attempt(async () => {
    const { changed } = await call('uploads.setPriority', { selection, priority });
    announce(`Priority of ${counted(changed, 'upload')}: ${priority}.`);
    refreshUploads();
  });
}
