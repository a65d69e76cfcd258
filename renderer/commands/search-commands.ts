import type { ListedSearch } from '../../shared/contract/searches.ts';
import { showView, useApp } from '../stores/app/app-store.ts';
import { closeDrawer } from '../stores/app/layout-store.ts';
import { mediaList } from '../stores/library/media-store.ts';
import { listRelated } from '../stores/library/query/query-store.ts';
import { listSearch, nameOf, openSearchDialog, useSearches } from '../stores/library/query/saved-searches.ts';
import { selectedTarget } from '../stores/library/selection/media-selection.ts';
import { openCollection } from './commands.ts';
import { texts } from './texts.ts';

/** Shows the results of a saved search. */
export function openSearch(saved: ListedSearch): void {
  closeDrawer();
  listSearch(saved);
  showView('library');
}

/** Lists items that the library finds similar to a given item. */
export function showRelated(id: string, title: string): void {
  openCollection(null);
  listRelated(id, title);
}

/** Asks for a name and saves the search of the list. Does nothing without a search. */
export function saveCurrentSearch(): void {
  if (hasSearch()) openSearchDialog({ kind: 'save' });
}

/** The commands about searches, for the palette. */
export function searchCommands(): { id: string; label: string; run: () => void }[] {
  const only = onlySelected();
  return [
    ...(only === null
      ? []
      : [{ id: 'related', label: texts.palette.related(only.title), run: () => showRelated(only.id, only.title) }]),
    ...(hasSearch() ? [{ id: 'save-search', label: texts.palette.saveSearch, run: saveCurrentSearch }] : []),
    ...useSearches.getState().searches.map((saved) => ({
      ...{ id: `search/${saved.id}`, label: texts.palette.savedSearch(nameOf(saved)) },
      run: () => openSearch(saved),
    })),
  ];
}

/** Returns the selected item if it is the only one, and the library is shown. */
function onlySelected(): { id: string; title: string } | null {
  if (useApp.getState().view !== 'library') return null;
  const target = selectedTarget();
  if (target === null || target.title === null || !('ids' in target.selection)) return null;
  const [id] = target.selection.ids;
  return id === undefined ? null : { id, title: target.title };
}

function hasSearch(): boolean {
  return (mediaList.useList.getState().query?.search ?? '') !== '';
}
