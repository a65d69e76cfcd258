import type { ListedSearch } from '../../../../shared/contract/searches.ts';
import { openCollection } from '../../common/commands/commands.ts';
import { texts } from '../../common/commands/texts.ts';
import { showView, useApp } from '../../common/state/app-store.ts';
import { closeDrawer } from '../../common/state/layout-store.ts';
import { mediaList } from '../state/media-store.ts';
import { listRelated } from '../state/query/query-store.ts';
import { listSearch, openSearchDialog, searchNameOf, useSearches } from '../state/query/saved-searches.ts';
import { selectedTarget } from '../state/selection/media-selection.ts';

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
      id: `search/${saved.id}`,
      label: texts.palette.savedSearch(searchNameOf(saved)),
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
