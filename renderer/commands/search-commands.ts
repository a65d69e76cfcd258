import type { ListedSearch } from '../../shared/contract/searches.ts';
import { showView } from '../stores/app/app-store.ts';
import { closeDrawer } from '../stores/app/layout-store.ts';
import { mediaList } from '../stores/library/media-store.ts';
import { listSearch, nameOf, openSearchDialog, useSearches } from '../stores/library/query/saved-searches.ts';
import { texts } from './texts.ts';

/** Shows what a saved search finds. */
export function openSearch(saved: ListedSearch): void {
  closeDrawer();
  listSearch(saved);
  showView('library');
}

/** Asks for a name and saves the search of the list. Does nothing without a search. */
export function saveCurrentSearch(): void {
  if (hasSearch()) openSearchDialog({ kind: 'save' });
}

/** The commands about searches, for the palette. */
export function searchCommands(): { id: string; label: string; run: () => void }[] {
  return [
    ...(hasSearch() ? [{ id: 'save-search', label: texts.palette.saveSearch, run: saveCurrentSearch }] : []),
    ...useSearches.getState().searches.map((saved) => ({
      ...{ id: `search/${saved.id}`, label: texts.palette.savedSearch(nameOf(saved)) },
      run: () => openSearch(saved),
    })),
  ];
}

function hasSearch(): boolean {
  return (mediaList.useList.getState().query?.search ?? '') !== '';
}
