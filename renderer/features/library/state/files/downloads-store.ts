import { create } from 'zustand';
import type { Download } from '../../../../../shared/contract/downloads.ts';
import { call } from '../../../../kit/bridge/bridge.ts';
import { stepText } from '../../../../kit/text/errors.ts';
import { announce, attempt, warn } from '../../../common/state/messages-store.ts';
import { selectedItemIds, type Target } from '../selection/media-selection.ts';
import { texts } from '../texts.ts';

/** The downloads of this session, the oldest first. */
export const useDownloads = create<{ downloads: readonly Download[] }>(() => ({ downloads: [] }));

/** Stores the new state. Announces each download that has ended, because its row may not be visible. */
export function takeDownloads(downloads: readonly Download[]): void {
  const before = new Map(useDownloads.getState().downloads.map(({ id, state }) => [id, state]));
  useDownloads.setState({ downloads });
  for (const { id, name, state, error } of downloads) {
    if (state === before.get(id)) continue;
    if (state === 'complete') announce(texts.files.downloaded(name));
    if (state === 'failed' && error !== null) warn(texts.files.notDownloaded(name, error.message), stepText(error));
  }
}

/** Asks for a folder and starts downloads. `fileId` null: all originals of the item. */
export function startDownload(
  siteId: string,
  files: readonly { mediaId: string; fileId: string | null }[],
): Promise<void> {
  return attempt(async () => {
    const { path } = await call('shell.chooseFolder', { title: texts.files.chooseFolder });
    if (path === null) return;
    const { downloads } = await call('downloads.start', { siteId, files: [...files], folder: path });
    announce(texts.files.downloading(downloads.length));
  });
}

/** The maximum number of items of one download; the library is asked for the files of each. */
const MOST_ITEMS = 1000;

/** Asks for a folder and downloads the originals of all selected items. */
export function downloadItems({ selection, count }: Target): Promise<void> {
  return attempt(async () => {
    if (count > MOST_ITEMS) return warn(texts.files.tooManyItems(count, MOST_ITEMS), texts.files.tooManyItemsNext);
    const ids = await selectedItemIds(selection);
    await startDownload(
      selection.siteId,
      ids.map((mediaId) => ({ mediaId, fileId: null })),
    );
  });
}

export function pauseDownload(id: string): Promise<void> {
  return attempt(async () => void (await call('downloads.pause', { ids: [id] })));
}

export function resumeDownload(id: string): Promise<void> {
  return attempt(async () => void (await call('downloads.resume', { ids: [id] })));
}

export function cancelDownload(id: string): Promise<void> {
  return attempt(async () => void (await call('downloads.cancel', { ids: [id] })));
}

/** Drags the file of a complete download out of the window, for example to the desktop. */
export function dragDownload(id: string): Promise<void> {
  return attempt(async () => void (await call('shell.dragDownload', { id })));
}

/** Removes ended downloads from the list. */
export function clearDownloads(): Promise<void> {
  return attempt(async () => void (await call('downloads.clear', null)));
}
