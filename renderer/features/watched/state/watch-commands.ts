import { create } from 'zustand';
import type { WatchedFolder } from '../../../../shared/contract/watch.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { showView, useApp } from '../../common/state/app-store.ts';
import { announce, attempt, notify, warn } from '../../common/state/messages-store.ts';
import { collectionsOnPath, useTree } from '../../library/state/tree-store.ts';
import { openAddFolder } from './folder-draft.ts';
import { texts } from './texts.ts';
import { dropFolder, refreshFiles, takeFolder } from './watched-store.ts';

/** Commands that change the state of one folder. */
type FolderCommand = 'pause' | 'resume' | 'sweepNow';

export function folderCommand(name: FolderCommand, folder: WatchedFolder): Promise<void> {
  return attempt(async () => {
    takeFolder(await call(`watch.${name}`, { folderId: folder.id }));
    if (name === 'sweepNow') announce(texts.sweeping(folder.name));
  });
}

/** Confirms that a moved folder is the same folder. */
export function confirmMoved(folder: WatchedFolder): Promise<void> {
  return attempt(async () => {
    if (folder.movedTo === null) return;
    takeFolder(await call('watch.confirmMoved', { folderId: folder.id, path: folder.movedTo }));
  });
}

/** Lets the user choose the new path of a folder, and confirms that it is the same folder. */
export function locateFolder(folder: WatchedFolder): Promise<void> {
  return attempt(async () => {
    const [path] = await call('shell.pickFolder', null);
    if (path !== undefined) takeFolder(await call('watch.confirmMoved', { folderId: folder.id, path }));
  });
}

/** Queues files regardless of the rules and of their known contents. */
export function uploadAnyway(fileIds: readonly string[]): Promise<void> {
  return attempt(async () => {
    let queued = 0;
    for (let from = 0; from < fileIds.length; from += MOST_AT_ONCE) {
      const { changed } = await call('watch.uploadAnyway', { fileIds: fileIds.slice(from, from + MOST_AT_ONCE) });
      queued += changed;
    }
    if (queued > 0) notify(texts.uploading(queued));
    else warn(texts.notThere, null);
    refreshFiles();
  });
}

const MOST_AT_ONCE = 1000;

/** The folder in the open question before a removal; null: no question is open. */
export const useRemoval = create<{ folder: WatchedFolder | null }>(() => ({ folder: null }));

export function askToRemove(folder: WatchedFolder): void {
  useRemoval.setState({ folder });
}

export function keepFolder(): void {
  useRemoval.setState({ folder: null });
}

export function confirmRemoval(): Promise<void> {
  const { folder } = useRemoval.getState();
  keepFolder();
  return attempt(async () => {
    if (folder === null) return;
    await call('watch.remove', { folderId: folder.id });
    dropFolder(folder.id);
    notify(texts.removed(folder.name));
  });
}

/** Lets the user pick a folder, then opens the sheet in which it is added to the watched folders. */
export function pickWatchedFolder(): Promise<void> {
  return attempt(async () => {
    const [path] = await call('shell.pickFolder', null);
    if (path !== undefined) addWatchedFolder(path);
  });
}

/** Opens the sheet for a new watched folder, with the open collection as its target. */
export function addWatchedFolder(path: string): void {
  const { siteId } = useApp.getState();
  if (siteId === null) return;
  const { rows, selectedId } = useTree.getState();
  const collection = selectedId === null ? undefined : collectionsOnPath(rows, selectedId).at(-1);
  showView('watched');
  openAddFolder(
    path,
    siteId,
    collection === undefined ? null : { kind: 'id', id: collection.id, name: collection.displayName },
  );
}
