import { create } from 'zustand';
import type { ListedSearch } from '../../../../../shared/contract/searches.ts';
import { type LatestOnly, latestOnly } from '../../../../kit/async/latest-only.ts';
import { call } from '../../../../kit/bridge/bridge.ts';
import { attempt, showError } from '../../../common/state/messages-store.ts';
import { preferences, savePreferences } from '../../../common/state/preferences.ts';
import { changeQuery, mediaList } from '../media-store.ts';
import { texts } from '../texts.ts';
import { selectCollection } from '../tree-store.ts';
import { replaceSearch } from './query-store.ts';

/** The dialog that is open. */
export type SearchDialog = { kind: 'save' } | { kind: 'rename' | 'remove'; saved: ListedSearch };

interface SearchesState {
  siteId: string | null;
  searches: readonly ListedSearch[];
  isOpen: boolean;
  dialog: SearchDialog | null;
}

/** The saved searches of the open library. */
export const useSearches = create<SearchesState>(() => ({
  siteId: null,
  searches: [],
  isOpen: preferences().areSearchesOpen,
  dialog: null,
}));

let reads: LatestOnly = latestOnly();

/** Opens the saved searches of an account; null closes them. */
export function openSearches(siteId: string | null): void {
  reads.cancel();
  reads = latestOnly();
  useSearches.setState({ siteId, searches: [], dialog: null });
  void loadSearches();
}

/** Loads the searches and their counts again, after an event that may have changed them. */
export async function loadSearches(): Promise<void> {
  const { siteId } = useSearches.getState();
  if (siteId === null) return;
  const read = reads.begin();
  try {
    const searches = await call('searches.list', { siteId });
    if (read.accept()) useSearches.setState({ searches });
  } catch (thrown) {
    if (read.accept()) showError(thrown);
  }
}

/** Saves the search of the open list. Returns whether that succeeded; shows an error otherwise. */
export async function saveSearch(name: string): Promise<boolean> {
  const { query } = mediaList.useList.getState();
  if (query === null) return false;
  const { search, collectionId, includesBelow = false } = query;
  return change((siteId) => call('searches.add', { siteId, name, search, collectionId, includesBelow }));
}

export function renameSearch(id: string, name: string): Promise<boolean> {
  return change((siteId) => call('searches.rename', { siteId, id, name }));
}

/**
 * Records that the user sees the results of a search: only later changes count as new. Does nothing when another account was opened
 * meanwhile, which may have a search with this id.
 */
export function markSeen(siteId: string, id: string): void {
  if (useSearches.getState().siteId === siteId) void change(() => call('searches.markSeen', { siteId, id }));
}

export function removeSearch(id: string): Promise<boolean> {
  return change((siteId) => call('searches.remove', { siteId, id }));
}

/** Moves a search up (-1) or down (1). */
export async function moveSearch(id: string, step: -1 | 1): Promise<void> {
  const { searches } = useSearches.getState();
  const to = searches.findIndex((each) => each.id === id) + step;
  if (to < 0 || to >= searches.length) return;
  await change((siteId) => call('searches.move', { siteId, id, to }));
}

async function change(run: (siteId: string) => Promise<ListedSearch[]>): Promise<boolean> {
  const { siteId } = useSearches.getState();
  if (siteId === null) return false;
  const read = reads.begin();
  let isDone = false;
  await attempt(async () => {
    const searches = await run(siteId);
    if (read.accept()) useSearches.setState({ searches });
    isDone = true;
  });
  return isDone;
}

/** Lists the items that a saved search finds in its collection. The caller shows the library. */
export function listSearch({ search, collectionId, includesBelow }: ListedSearch): void {
  selectCollection(collectionId);
  changeQuery({ includesBelow });
  replaceSearch(search);
}

export function searchNameOf({ name, preset }: Pick<ListedSearch, 'name' | 'preset'>): string {
  return name === '' && preset !== null ? texts.query.presets[preset] : name;
}

export function openSearchDialog(dialog: SearchDialog | null): void {
  useSearches.setState({ dialog });
}

export function toggleSearches(): void {
  const isOpen = !useSearches.getState().isOpen;
  useSearches.setState({ isOpen });
  savePreferences({ areSearchesOpen: isOpen });
}
