import type { Site } from '../shared/contract/sites.ts';
import { on } from './bridge/bridge.ts';
import { runMenuCommand } from './commands/commands.ts';
import { currentSite, startApp, takeSites, useApp } from './stores/app/app-store.ts';
import { takeSettings } from './stores/app/settings-store.ts';
import { inspect, loadDetail, useInspector } from './stores/library/inspector-store.ts';
import { openKept, writeKept } from './stores/library/kept-drafts.ts';
import { openMedia, refreshMedia, useMedia } from './stores/library/media-store.ts';
import { TOP } from './stores/library/tree-model.ts';
import { loadBranch, openTree, reloadTree, useTree } from './stores/library/tree-store.ts';
import { loadUploads, openUploads, takeUploads } from './stores/uploads/uploads-store.ts';

/**
 * The one owner of every subscription to the engine and of what one store means to another. Starts the app; the function
 * returned ends it all.
 */
export function startScreens(): () => void {
  const ends = [
    on('onDidChangeTheme', ({ theme }) => useApp.setState({ theme })),
    on('onDidChangeSites', takeSites),
    on('onDidChangeSignIn', (signIn) => useApp.setState({ signIn })),
    on('onDidChangeUploads', takeUploads),
    on('onDidChangeSettings', takeSettings),
    on('onDidMenuCommand', runMenuCommand),
    on('onDidChangeLibrary', takeLibraryChange),
    useApp.subscribe((state, before) => {
      if (state.siteId !== before.siteId) openSite(state.siteId);
      else if (isUsable(currentSite(state)) && !isUsable(currentSite(before))) reopen();
    }),
    useTree.subscribe((state, before) => {
      if (state.selectedId !== before.selectedId || state.siteId !== before.siteId) openList();
    }),
    useMedia.subscribe((state, before) => {
      if (state.selection.ids !== before.selection.ids) inspectSelection();
    }),
  ];
  window.addEventListener('pagehide', writeKept);
  openKept();
  void startApp();
  return () => {
    window.removeEventListener('pagehide', writeKept);
    for (const end of ends) end();
  };
}

function openSite(siteId: string | null): void {
  openTree(siteId);
  inspect(null, null);
  if (siteId === null) return;
  openUploads('all', null);
  void loadUploads();
}

function isUsable(site: Site | null): boolean {
  return site !== null && site.state === 'signed-in' && site.reachable;
}

/** Authorization or the network is back: what failed for lack of it is asked for again. */
function reopen(): void {
  reloadTree();
  refreshMedia();
  void loadDetail();
}

/** The media of the chosen collection; sort and order stay as they were. */
function openList(): void {
  const { siteId, selectedId } = useTree.getState();
  if (siteId === null) return;
  const before = useMedia.getState().query;
  openMedia({
    siteId,
    collectionId: selectedId,
    search: '',
    type: null,
    status: null,
    sort: before?.sort ?? 'created_on',
    order: before?.order ?? 'desc',
  });
}

function inspectSelection(): void {
  const { siteId } = useApp.getState();
  const { ids } = useMedia.getState().selection;
  const [only] = ids;
  inspect(siteId, ids.size === 1 && only !== undefined ? only : null);
}

const SETTLE_MS = 250;
let pending: number | null = null;

/** Many changes in a row (a batch that ends) become one question each for tree, list and inspector. */
function takeLibraryChange(change: { siteId: string; collectionId: string | null; mediaId: string | null }): void {
  if (change.siteId !== useApp.getState().siteId) return;
  if (change.mediaId !== null && change.mediaId === useInspector.getState().mediaId) void loadDetail();
  if (pending !== null) return;
  pending = window.setTimeout(() => {
    pending = null;
    refreshMedia();
    void loadBranch(TOP);
  }, SETTLE_MS);
}
