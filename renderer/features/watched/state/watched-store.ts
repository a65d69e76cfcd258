import { create } from 'zustand';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { CallInput, EventData } from '../../../../shared/contract/contract.ts';
import type { WatchedFileRow, WatchedFolder } from '../../../../shared/contract/watch.ts';
import { delayed } from '../../../kit/async/delayed.ts';
import { latestOnly } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { createWindowedList } from '../../../kit/lists/windowed-list.ts';
import { toErrorData } from '../../../kit/text/errors.ts';
import { announce } from '../../common/state/messages-store.ts';
import { texts } from './texts.ts';

/** Which files of a watched folder are listed. */
export type FilesFilter = CallInput<'watch.files'>['filter'];

interface WatchedState {
  /** The watched folders in the order in which they were added; null until they are loaded. */
  folders: readonly WatchedFolder[] | null;
  /** Why the folders could not be loaded. */
  error: AppErrorData | null;
  /** The folder whose files are listed. */
  folderId: string | null;
  filter: FilesFilter;
  /** Whether a window without room for both shows the open folder instead of the list of folders. */
  isFolderOpen: boolean;
}

export const useWatched = create<WatchedState>(() => ({
  folders: null,
  error: null,
  folderId: null,
  filter: 'settling',
  isFolderOpen: false,
}));

/** The files of the open folder that belong to its open tab. */
export const watchedFiles = createWindowedList<{ folderId: string; filter: FilesFilter }, WatchedFileRow>({
  load: (query, window) => call('watch.files', { ...query, ...window }),
  idOf: (row) => row.id,
});

const folderReads = latestOnly();

/** Loads the watched folders; opens the first folder when none is open. */
export async function loadWatched(): Promise<void> {
  const read = folderReads.begin();
  try {
    const folders = await call('watch.list', null);
    if (read.accept()) storeFolders(folders);
  } catch (thrown) {
    if (read.accept()) useWatched.setState({ error: toErrorData(thrown) });
  }
}

function storeFolders(folders: readonly WatchedFolder[]): void {
  const { folders: before, folderId } = useWatched.getState();
  useWatched.setState({ folders, error: null });
  if (before !== null) {
    const sentences = watchSentences(before, folders);
    if (sentences.length > 0) announce(sentences.join(' '));
  }
  if (!folders.some(({ id }) => id === folderId)) {
    openFolder(folders[0]?.id ?? null);
    useWatched.setState({ isFolderOpen: false });
  }
}

/** Lists the files of a folder: the first tab that has files. null: closes the list. */
export function openFolder(folderId: string | null): void {
  const folder = useWatched.getState().folders?.find(({ id }) => id === folderId);
  if (folder === undefined) {
    useWatched.setState({ folderId: null });
    watchedFiles.open(null);
    return;
  }
  showFiles(folder.id, firstFilter(folder));
}

function firstFilter({ counts, unsent }: WatchedFolder): FilesFilter {
  if (counts.incomplete > 0) return 'attention';
  return counts.settling + counts.waiting > 0 || counts.queued + counts.done === unsent ? 'settling' : 'recent';
}

/** Lists the files of another tab of the folder. */
export function showFiles(folderId: string, filter: FilesFilter): void {
  useWatched.setState({ folderId, filter });
  watchedFiles.open({ folderId, filter });
}

/** In a window without room for both, shows the open folder, or the list of folders. */
export function showFolderPane(isFolderOpen: boolean): void {
  useWatched.setState({ isFolderOpen });
}

/** Stores a folder that a command returned. */
export function takeFolder(folder: WatchedFolder): void {
  // An answer to `watch.list` that is in flight may be older than this folder.
  folderReads.cancel();
  const { folders } = useWatched.getState();
  const known = folders ?? [];
  const isKnown = known.some(({ id }) => id === folder.id);
  storeFolders(isKnown ? known.map((other) => (other.id === folder.id ? folder : other)) : [...known, folder]);
}

/** Removes a folder that is no longer watched. */
export function dropFolder(folderId: string): void {
  folderReads.cancel();
  storeFolders((useWatched.getState().folders ?? []).filter(({ id }) => id !== folderId));
}

/** The minimum time between two refreshes of the files. */
const REFRESH_MS = 400;
const refresh = delayed(() => watchedFiles.refresh(), REFRESH_MS);

/** Loads the files again immediately, because a command changed them. */
export const refreshFiles = refresh.runNow;

/** Handles an event of the engine: updates the folders immediately, and their files with the next refresh. */
export function takeWatch({ folders, folderIds }: EventData<'onDidChangeWatch'>): void {
  folderReads.cancel();
  storeFolders(folders);
  const { folderId } = useWatched.getState();
  if (folderId !== null && folderIds.includes(folderId)) refresh.schedule();
}

/** Returns the number of items in watched folders that need the user: incomplete recordings, and folders that need a decision. */
export function attentionOfFolders(folders: readonly WatchedFolder[]): number {
  return folders.reduce((total, folder) => total + folder.counts.incomplete + (needsUser(folder) ? 1 : 0), 0);
}

/** Returns whether a folder can't be watched until the user acts. */
function needsUser({ state }: Pick<WatchedFolder, 'state'>): boolean {
  return state === 'moved' || state === 'unusable';
}

/**
 * Returns the sentences that the screen reader says about changes of watched folders: another state of a folder, and more
 * incomplete recordings. New files are not announced one by one, because their batch is announced.
 */
function watchSentences(before: readonly WatchedFolder[], now: readonly WatchedFolder[]): string[] {
  const sentences: string[] = [];
  for (const folder of now) {
    const last = before.find(({ id }) => id === folder.id);
    if (last === undefined) continue;
    if (last.state !== folder.state) sentences.push(texts.announced.states[folder.state](folder.name));
    const more = folder.counts.incomplete - last.counts.incomplete;
    if (more > 0) sentences.push(texts.announced.incomplete(more, folder.name));
  }
  return sentences;
}
