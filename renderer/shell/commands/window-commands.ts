import { showView, useApp } from '../../features/common/state/app-store.ts';
import { toggleInspector } from '../../features/common/state/layout-store.ts';
import { attempt } from '../../features/common/state/messages-store.ts';
import { loadDetail } from '../../features/library/state/inspector-store.ts';
import { openListExport } from '../../features/library/state/manifest/export-store.ts';
import { mediaList } from '../../features/library/state/media-store.ts';
import { signOut } from '../../features/library/state/sign-out-store.ts';
import { reloadTree } from '../../features/library/state/tree-store.ts';
import { loadUploads } from '../../features/uploads/state/load-uploads.ts';
import { loadWatched, refreshFiles } from '../../features/watched/state/watched-store.ts';
import { call } from '../../kit/bridge/bridge.ts';

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
  const { view } = useApp.getState();
  if (view === 'library' || view === 'calendar') toggleInspector();
  else showView('library');
}

/** Changes the size of everything in every window. */
export function zoom(change: 'in' | 'out' | 'reset'): Promise<void> {
  return attempt(async () => void (await call('shell.zoom', { change })));
}

/** Signs out the account whose library is shown. */
export function signOutHere(): Promise<void> {
  const { siteId } = useApp.getState();
  return siteId === null ? Promise.resolve() : signOut(siteId);
}

/** Exports all items of the list in the library view. */
export function exportList(): void {
  showView('library');
  openListExport();
}
