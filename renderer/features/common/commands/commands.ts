import { call } from '../../../kit/bridge/bridge.ts';
import { copyText } from '../../../kit/bridge/files-and-clipboard.ts';
import { inspect, loadDetail } from '../../library/state/inspector-store.ts';
import { openListExport } from '../../library/state/manifest/export-store.ts';
import { pickImport } from '../../library/state/manifest/import-store.ts';
import { mediaList } from '../../library/state/media-store.ts';
import { signOut } from '../../library/state/sign-out-store.ts';
import { reloadTree, selectCollection, useTree } from '../../library/state/tree-store.ts';
import { openAddSheet } from '../../uploads/state/add-store.ts';
import { loadUploads } from '../../uploads/state/load-uploads.ts';
import { loadWatched, refreshFiles } from '../../watched/state/watched-store.ts';
import { mayOfferFiles } from '../state/add-rights-store.ts';
import { showAccount, showView, useApp } from '../state/app-store.ts';
import { closeDrawer, toggleInspector } from '../state/layout-store.ts';
import { attempt } from '../state/messages-store.ts';

/** Lets the user pick files or a folder, then opens the sheet that adds them to the queue. */
export function pick(kind: 'files' | 'folder'): Promise<void> {
  return attempt(async () => {
    const { siteId } = useApp.getState();
    const collectionId = useTree.getState().selectedId;
    if (siteId === null || !(await mayOfferFiles(siteId, collectionId))) return;
    const paths = await call(kind === 'files' ? 'shell.pickFiles' : 'shell.pickFolder', null);
    if (paths.length === 0) return;
    openAddSheet(siteId, useTree.getState().selectedId, paths);
  });
}

/** Drops the engine's cache of the library and loads all visible data again. */
export function refreshAll(): Promise<void> {
  return attempt(async () => {
    const { siteId } = useApp.getState();
    if (siteId === null) return;
    await call('library.refresh', { siteId });
    reloadTree();
    mediaList.refresh();
    refreshFiles();
    await Promise.all([loadDetail(), loadUploads(), loadWatched()]);
  });
}

/** Shows the library and moves the focus to its search box. */
export function focusSearch(): void {
  showView('library');
  // After a change of view, the box is in the document only at the next frame.
  if (!selectSearchText()) requestAnimationFrame(selectSearchText);
}

/** Returns whether the search box is in the document. */
function selectSearchText(): boolean {
  const box = document.querySelector<HTMLInputElement>('[data-search] input');
  box?.focus();
  box?.select();
  return box !== null;
}

/** Shows or hides the inspector; from another view, shows the library. */
export function showInspector(): void {
  if (useApp.getState().view === 'library') toggleInspector();
  else showView('library');
}

/** Changes the size of everything in every window. */
export function zoom(change: 'in' | 'out' | 'reset'): Promise<void> {
  return attempt(async () => void (await call('shell.zoom', { change })));
}

/** Opens a collection in the library view; null opens all media. */
export function openCollection(id: string | null): void {
  closeDrawer();
  selectCollection(id);
  showView('library');
}

export { signOut };

/** Signs out the account whose library is shown. */
export function signOutHere(): Promise<void> {
  const { siteId } = useApp.getState();
  return siteId === null ? Promise.resolve() : signOut(siteId);
}

export interface ItemPlace {
  siteId: string;
  collectionId: string;
  mediaId: string;
}

/** Shows an item in the library view: its collection in the list, the item in the inspector. */
export function openItem({ siteId, collectionId, mediaId }: ItemPlace): void {
  if (!showAccount(siteId)) return;
  openCollection(collectionId);
  inspect(siteId, mediaId);
}

/** Opens the web page of an item in the browser. */
export function openItemPage({ siteId, mediaId }: Pick<ItemPlace, 'siteId' | 'mediaId'>): Promise<void> {
  return attempt(async () => {
    const { viewUrl } = await call('library.media', { siteId, mediaId });
    if (viewUrl !== null) await call('shell.openExternal', { url: viewUrl });
  });
}

/** Opens a web page in the browser. */
export function openWebPage(url: string): Promise<void> {
  return attempt(async () => void (await call('shell.openExternal', { url })));
}

/** Shows a file or folder of this computer in its file manager. */
export function showInFolder(path: string): Promise<void> {
  return attempt(async () => void (await call('shell.showInFolder', { path })));
}

/** Copies text to the clipboard. */
export function copy(text: string): Promise<void> {
  return attempt(async () => copyText(text));
}

/** Lets the user choose a spreadsheet, and opens its import in the library view. */
export function importSpreadsheet(): void {
  const { siteId } = useApp.getState();
  if (siteId === null) return;
  showView('library');
  void pickImport(siteId);
}

/** Exports all items of the list in the library view. */
export function exportList(): void {
  showView('library');
  openListExport();
}
