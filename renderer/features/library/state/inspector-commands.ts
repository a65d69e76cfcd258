import type { MediaDetail } from '../../../../shared/contract/library.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { notify } from '../../common/state/messages-store.ts';
import { publicationWords } from './inspector-draft.ts';
import { isItemShown, runOnItem, takeDetail, useInspector } from './inspector-store.ts';
import { dropMediaRow, mediaList, patchMediaRow } from './media-store.ts';
import { texts } from './texts.ts';
import { storeEdits } from './unsaved-edits.ts';

/** Publishes the item at an instant in ISO 8601; null publishes it now. */
export function publish(publishOn: string | null): Promise<void> {
  return changePublication(({ siteId, mediaId }) => call('library.publishMedia', { siteId, mediaId, publishOn }));
}

export function unpublish(): Promise<void> {
  return changePublication((media) => call('library.unpublishMedia', media));
}

/** Runs a change of publication. Its answer is the item after the change, which is shown and announced. */
async function changePublication(
  change: (media: { siteId: string; mediaId: string }) => Promise<MediaDetail>,
): Promise<void> {
  const { siteId, mediaId, detail: shown } = useInspector.getState();
  if (siteId === null || mediaId === null) return;
  await runOnItem('publishing', siteId, mediaId, shown?.item.title ?? '', async () => {
    const detail = await change({ siteId, mediaId });
    const { title, status, publish_on: publishOn } = detail.item;
    patchMediaRow(siteId, mediaId, { status, publishOn });
    takeDetail(siteId, mediaId, detail);
    notify(publicationWords(title, status, publishOn));
  });
}

/** Opens the question whether the shown item is to be deleted. */
export function askToDelete(title: string): void {
  useInspector.setState({ deleting: title });
}

export function keepItem(): void {
  useInspector.setState({ deleting: null });
}

/** Deletes the item. Returns whether it was deleted and is still the shown one. */
export async function deleteInspected(): Promise<boolean> {
  const { siteId, mediaId, detail } = useInspector.getState();
  if (siteId === null || mediaId === null) return false;
  const isDeleted = await runOnItem('deleting', siteId, mediaId, detail?.item.title ?? '', async () => {
    await call('library.deleteMedia', { siteId, mediaId });
    storeEdits(siteId, mediaId, {});
    notify(texts.deleted);
    dropMediaRow(siteId, mediaId);
  });
  return isDeleted && isItemShown(siteId, mediaId);
}

/** Forgets the edits of an item that the library no longer has. */
export function discardGone(): void {
  const { siteId, mediaId } = useInspector.getState();
  if (siteId !== null && mediaId !== null) storeEdits(siteId, mediaId, {});
  mediaList.refresh();
}
