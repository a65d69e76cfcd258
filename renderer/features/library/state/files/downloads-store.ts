import { create } from 'zustand';
import type { Download } from '../../../../../shared/contract/downloads.ts';
import { call } from '../../../../kit/bridge/bridge.ts';
import { stepText } from '../../../../kit/text/errors.ts';
import { announce, attempt, notifyWithAction, warn } from '../../../common/state/messages-store.ts';
import { showInFolder } from '../../../common/state/show-in-folder.ts';
import { selectedItemIds, type Target } from '../selection/media-selection.ts';
import { texts } from '../texts.ts';

/** The downloads of this session, the oldest first. */
export const useDownloads = create<{ downloads: readonly Download[] }>(() => ({ downloads: [] }));

/** The downloads of one command. */
interface Batch {
  /** The last known rows, by id. They stay when the user clears the list. */
  rows: Map<string, Download>;
  /** The codes of the errors that a message has named. */
  named: Set<string>;
}

const batchOf = (downloads: readonly Download[]): Batch => ({
  rows: new Map(downloads.map((download) => [download.id, download])),
  named: new Set(),
});

/** The commands of this window whose downloads have not all ended. */
const started = new Set<Batch>();

const ENDED: ReadonlySet<Download['state']> = new Set(['complete', 'failed', 'cancelled']);
const SHOWN_MS = 12_000;

/** Stores the new state. Reports the first download of a command that failed for a reason, and commands whose downloads have all ended. */
export function takeDownloads(downloads: readonly Download[]): void {
  const before = new Map(useDownloads.getState().downloads.map(({ id, state }) => [id, state]));
  useDownloads.setState({ downloads });
  for (const download of downloads) {
    const { id, state } = download;
    if (state === before.get(id)) continue;
    const batch = [...started].find(({ rows }) => rows.has(id));
    if (state === 'failed') reportFailure(download, batch);
    // The user resumed it after its command had ended.
    else if (before.get(id) === 'failed' && batch === undefined) started.add(batchOf([download]));
  }
  reportEnded();
}

/** Names a failed download. Others of its command with the same reason, such as a full drive, are counted when all have ended. */
function reportFailure({ name, error }: Download, batch: Batch | undefined): void {
  if (error === null || batch?.named.has(error.code) === true) return;
  batch?.named.add(error.code);
  warn(texts.files.notDownloaded(name, error.message), stepText(error));
}

/** Shows a message about each command whose downloads have all ended, with a button that shows the files. */
function reportEnded(): void {
  const { downloads } = useDownloads.getState();
  for (const batch of started) {
    for (const download of downloads) if (batch.rows.has(download.id)) batch.rows.set(download.id, download);
    const rows = [...batch.rows.values()];
    if (rows.some(({ state }) => !ENDED.has(state))) continue;
    started.delete(batch);
    const failed = rows.filter(({ state }) => state === 'failed').length;
    if (failed > 1) warn(texts.files.notDownloadedAll(failed, rows.length), texts.files.notDownloadedNext);
    const complete = rows.filter(({ state }) => state === 'complete');
    const [first] = complete;
    if (first === undefined || first.path === null) continue;
    const { path } = first;
    const { label, hint } = texts.files.showDownloads;
    const sentence =
      rows.length === 1 ? texts.files.downloaded(first.name) : texts.files.downloadedAll(complete.length, rows.length);
    notifyWithAction(sentence, { label, hint, run: () => void showInFolder(path) }, SHOWN_MS);
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
    started.add(batchOf(downloads));
    reportEnded();
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
