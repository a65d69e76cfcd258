import type { EventData } from '../shared/contract/contract.ts';
import type { MediaQuery } from '../shared/contract/library.ts';
import type { SyncStatus } from '../shared/contract/library-sync.ts';
import type { Site } from '../shared/contract/sites.ts';
import { offerAdminJobs } from './features/admin/state/admin-jobs.ts';
import { openAdministration, takeDirectoryChange, useAdmin } from './features/admin/state/admin-store.ts';
import { takeLostRights } from './features/admin/state/lost-rights.ts';
import { closePerson } from './features/admin/state/person-store.ts';
import { takeTagMergeProgress } from './features/admin/state/tag-merge.ts';
import { enterCalendar, refreshCalendar, useCalendar } from './features/calendar/state/calendar-store.ts';
import { refreshSlotList } from './features/calendar/state/slot-lists.ts';
import { currentSite, loadFaults, startApp, takeSites, useApp } from './features/common/state/app-store.ts';
import { closeDrawer, takeWindowWidth } from './features/common/state/layout-store.ts';
import { showError } from './features/common/state/messages-store.ts';
import { preferences } from './features/common/state/preferences.ts';
import { takeSettings } from './features/common/state/settings-store.ts';
import { leaveHistory, loadEditTotals, takeEdits } from './features/edits/state/edits-store.ts';
import { takeFollowed } from './features/edits/state/follow-group.ts';
import { takeStoredEdits } from './features/edits/state/silent-edits.ts';
import { takeDeletionProgress } from './features/library/state/collections/delete-collections.ts';
import { takeAdditions } from './features/library/state/files/additions-store.ts';
import { takeDownloads } from './features/library/state/files/downloads-store.ts';
import { inspect, loadDetail, useInspector } from './features/library/state/inspector-store.ts';
import { storedOrder } from './features/library/state/media-columns.ts';
import { mediaList } from './features/library/state/media-store.ts';
import { takeSearch } from './features/library/state/query/query-store.ts';
import { loadSearches, openSearches } from './features/library/state/query/saved-searches.ts';
import { takePlanProgress } from './features/library/state/selection/review-store.ts';
import { noteSelectedItems } from './features/library/state/selection/rights-store.ts';
import { loadSync, takeSync, useSync } from './features/library/state/sync-store.ts';
import { noteThumbnailChange, takeSetThumbnails } from './features/library/state/thumbnails.ts';
import {
  followCreation,
  hasTreeError,
  loadBranch,
  openTree,
  refreshTree,
  reloadTree,
  useTree,
} from './features/library/state/tree-store.ts';
import { loadEdits, writeEdits } from './features/library/state/unsaved-edits.ts';
import { forgetWaveforms } from './features/library/state/waveforms/background-waveforms.ts';
import { takeUploadedWaveform } from './features/library/state/waveforms/waveform-store.ts';
import { loadUpdates, takeUpdates } from './features/settings/state/updates-store.ts';
import { useAdd } from './features/uploads/state/add-store.ts';
import { loadUploads, openUploads, takeUploads } from './features/uploads/state/load-uploads.ts';
import { forgetSounds, takeSoundOf } from './features/uploads/state/local-sound.ts';
import { keepForNextSession, restoreDraft, useDraft } from './features/watched/state/folder-draft.ts';
import { loadWatched, takeWatch, useWatched } from './features/watched/state/watched-store.ts';
import { delayed } from './kit/async/delayed.ts';
import { on } from './kit/bridge/bridge.ts';
import { offerWaiting, takeAsks } from './shell/asks.ts';
import { runMenuCommand } from './shell/commands/command-table.ts';

/**
 * Starts the app: subscribes the stores to the events of the engine and to each other, then loads the data of the first screen.
 * All subscriptions are created here, so that the stores stay independent of each other. Returns a function that ends them.
 */
export function startScreens(): () => void {
  const ends = [
    on('onDidChangeTheme', ({ theme }) => useApp.setState({ theme })),
    on('onDidChangeSites', takeSites),
    on('onDidChangeSignIn', (signIn) => useApp.setState({ signIn })),
    on('onDidChangeUploads', takeUploads),
    on('onDidChangeUploads', takeAdditions),
    on('onDidChangeUploads', takeSetThumbnails),
    on('onDidChangeUploads', takeUploadedSounds),
    on('onDidChangeSettings', takeSettings),
    on('onDidChangeWatch', takeWatch),
    on('onDidChangeDownloads', takeDownloads),
    on('onDidMenuCommand', runMenuCommand),
    on('onDidAsk', () => void takeAsks()),
    on('onDidReportFault', () => void loadFaults()),
    on('onDidChangeUpdates', takeUpdates),
    on('onDidChangeSites', forgetWaveforms),
    on('onDidChangeLibrary', takeLibraryChange),
    on('onDidChangeSync', takeSyncChange),
    on('onDidProgressDeletion', takeDeletionProgress),
    on('onDidChangeEdits', takeEditsChange),
    on('onDidProgressEditPlan', takePlanProgress),
    on('onDidChangeDirectory', takeDirectoryChange),
    on('onDidChangeTags', takeDirectoryChange),
    on('onDidLoseRights', (event) => void takeLostRights(event)),
    on('onDidProgressTagMerge', takeTagMergeProgress),
    useApp.subscribe((state, before) => {
      if (state.view !== before.view || state.panel !== before.panel) closeDrawer();
      if (before.view === 'edits' && state.view !== 'edits') leaveHistory();
      if (state.view === 'admin' && (before.view !== 'admin' || state.siteId !== before.siteId)) openAdministration();
      if (state.siteId !== before.siteId) openSite(state.siteId);
      else if (isUsable(currentSite(state)) && !isUsable(currentSite(before))) reloadLibrary();
    }),
    useApp.subscribe((state, before) => {
      const isReady = state.start === 'ready' && before.start !== 'ready';
      if (isReady) void takeAsks();
      else if (state.siteId !== before.siteId) void offerWaiting();
      if (isReady || state.siteId !== before.siteId) void offerAdminJobs();
    }),
    useAdd.subscribe(({ paths }, before) => {
      if (paths !== null || before.paths === null) return;
      forgetSounds();
      void offerWaiting();
    }),
    useAdmin.subscribe((state, before) => {
      if (state.siteId !== before.siteId) closePerson();
    }),
    useTree.subscribe((state, before) => {
      if (state.selectedId !== before.selectedId || state.siteId !== before.siteId) openList();
    }),
    mediaList.useList.subscribe((state, before) => {
      if (isOtherSearch(state.query, before.query)) takeSearch(state.query?.search ?? '');
      if (state.selection.ids === before.selection.ids) return;
      inspectSelection();
      noteSelectedItems();
    }),
    useWatched.subscribe(({ folders }, before) => {
      if (folders !== null && before.folders === null) restoreDraft(folders);
    }),
    useDraft.subscribe((state, before) => {
      if (state.draft !== before.draft || state.place !== before.place) keepForNextSession(state);
    }),
  ];
  window.addEventListener('error', takeFault);
  window.addEventListener('unhandledrejection', takeRejection);
  window.addEventListener('pagehide', writeEdits);
  window.addEventListener('resize', takeResize);
  takeResize();
  loadEdits();
  void startApp();
  void loadFaults();
  void loadUpdates();
  return () => {
    window.removeEventListener('error', takeFault);
    window.removeEventListener('unhandledrejection', takeRejection);
    window.removeEventListener('pagehide', writeEdits);
    window.removeEventListener('resize', takeResize);
    for (const end of ends) end();
  };
}

/** Shows a fault of a command, such as that of a button: without a message the command would seem to do nothing. */
function takeFault({ error }: ErrorEvent): void {
  // Some events of the browser have no error, for example a limit of its layout notifications.
  if (error instanceof Error) showError(error);
}

function takeRejection({ reason }: PromiseRejectionEvent): void {
  showError(reason);
}

/** Handles a new size of the window, and a zoom: both change its width in CSS pixels. */
function takeResize(): void {
  takeWindowWidth(window.innerWidth);
}

/** Keeps the waveforms of uploaded files that were read before they were added: the library need not send the files for them. */
function takeUploadedSounds({ rows }: EventData<'onDidChangeUploads'>): void {
  for (const row of rows) {
    const { siteId, mediaId, fileId, state, addition } = row;
    if (state !== 'complete' || mediaId === null || fileId === null || addition !== undefined) continue;
    const result = takeSoundOf(row);
    if (result !== null) takeUploadedWaveform({ siteId, mediaId }, fileId, result);
  }
}

function openSite(siteId: string | null): void {
  openTree(siteId);
  openSearches(siteId);
  inspect(null, null);
  if (siteId === null) return;
  void loadSync(siteId);
  openUploads();
  void loadUploads();
  void loadWatched();
  void loadEditTotals();
  if (useApp.getState().view === 'calendar') enterCalendar();
}

function isUsable(site: Site | null): boolean {
  return site !== null && site.state === 'signed-in' && site.reachable;
}

/** Loads the library again after the sign-in or the connection was restored, because requests failed before. */
function reloadLibrary(): void {
  reloadTree();
  mediaList.refresh();
  refreshShownCalendar();
  void loadDetail();
}

function refreshShownCalendar(): void {
  if (useApp.getState().view !== 'calendar') return;
  refreshCalendar();
  refreshSlotList();
}

/** Lists the media of the selected collection; keeps sort column, order and whether subcollections are included, clears search and filters. */
function openList(): void {
  const { siteId, selectedId } = useTree.getState();
  if (siteId === null) return;
  const before = mediaList.useList.getState().query;
  mediaList.open({
    siteId,
    collectionId: selectedId,
    includesBelow: selectedId !== null && before?.includesBelow === true,
    search: '',
    type: null,
    status: null,
    // Without a search, there is no best match to sort by.
    ...(before === null || before.sort === 'relevance'
      ? storedOrder(preferences().mediaOrder)
      : { sort: before.sort, order: before.order }),
  });
}

/** Returns whether the list belongs to another search. A change of the order keeps the text in the search field. */
function isOtherSearch(query: MediaQuery | null, before: MediaQuery | null): boolean {
  if (query === null || before === null) return query !== before;
  return query.siteId !== before.siteId || query.collectionId !== before.collectionId || query.search !== before.search;
}

/**
 * Handles a change of the copy state. The first complete copy of a library makes counts known. After each complete pass, failed
 * loads are repeated.
 */
function takeSyncChange(status: SyncStatus): void {
  const before = useSync.getState().bySite[status.siteId];
  takeSync(status);
  if (before === undefined) return;
  const isFirstCopy = status.phase === 'ready' && before.phase !== 'ready';
  const isComplete = status.error === null && status.syncedAt !== before.syncedAt;
  const isShown = status.siteId === useApp.getState().siteId;
  if (isFirstCopy || (isComplete && isShown && showsLoadError())) libraryRefresh.schedule();
}

function showsLoadError(): boolean {
  return (
    hasTreeError() ||
    mediaList.useList.getState().error !== null ||
    useInspector.getState().loadError !== null ||
    (useApp.getState().view === 'calendar' && useCalendar.getState().error !== null)
  );
}

function inspectSelection(): void {
  const { siteId } = useApp.getState();
  const { ids } = mediaList.useList.getState().selection;
  const [only] = ids;
  inspect(siteId, ids.size === 1 && only !== undefined ? only : null);
}

/** Shows edits of the open library immediately: the list contains them before they are sent. */
function takeEditsChange(change: EventData<'onDidChangeEdits'>): void {
  takeEdits(change);
  takeFollowed(change.groups);
  takeStoredEdits(change.groups);
  const { siteId } = useApp.getState();
  const changed = change.entities?.filter((entity) => entity.siteId === siteId) ?? null;
  if (changed?.length === 0) return;
  const { mediaId } = useInspector.getState();
  isDetailOld ||= changed === null || changed.some(({ entityId }) => entityId === mediaId);
  libraryRefresh.schedule();
}

/** Whether edits of the shown item changed since it was read. An edit that was dropped changes nothing in the library. */
let isDetailOld = false;

const LIBRARY_REFRESH_MS = 250;

const libraryRefresh = delayed(() => {
  mediaList.refresh();
  refreshShownCalendar();
  void loadSearches();
  refreshTree();
  void followCreation();
  if (isDetailOld || useInspector.getState().loadError !== null) void loadDetail();
  isDetailOld = false;
  // The page of the open collection shows its children even while its line is collapsed.
  const { selectedId, expanded, branches } = useTree.getState();
  if (selectedId !== null && !expanded.has(selectedId) && branches.has(selectedId)) void loadBranch(selectedId);
}, LIBRARY_REFRESH_MS);

/**
 * Handles an event about changed media. Many such events, for example at the end of a batch, cause one refresh of tree and list.
 */
function takeLibraryChange(change: { siteId: string; collectionId: string | null; mediaId: string | null }): void {
  if (change.siteId !== useApp.getState().siteId) return;
  if (change.mediaId !== null) noteThumbnailChange('media', change.mediaId);
  if (change.mediaId !== null && change.mediaId === useInspector.getState().mediaId) void loadDetail();
  libraryRefresh.schedule();
}
