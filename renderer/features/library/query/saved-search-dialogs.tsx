import type { ListedSearch } from '../../../../shared/contract/searches.ts';
import { formatQuery } from '../../../../shared/model/library-query/format-query.ts';
import { parseQuery } from '../../../../shared/model/library-query/parse-query.ts';
import { chipsOf } from '../../../../shared/model/library-query/query-chips.ts';
import { ConfirmDialog } from '../../../kit/components/overlay/dialog.tsx';
import { NameDialog } from '../../common/name-dialog.tsx';
import { mediaList } from '../state/media-store.ts';
import {
  openSearchDialog,
  removeSearch,
  renameSearch,
  saveSearch,
  searchNameOf,
  useSearches,
} from '../state/query/saved-searches.ts';
import { useTree } from '../state/tree-store.ts';
import { chipText, useQueryNames } from './chip-text.ts';
import { texts } from './texts.ts';

const { saved: words } = texts;

/** The dialogs that name, rename and delete a saved search. */
export function SavedSearchDialogs() {
  const dialog = useSearches((state) => state.dialog);
  if (dialog === null) return null;
  if (dialog.kind === 'remove') return <RemoveDialog saved={dialog.saved} />;
  return dialog.kind === 'save' ? <SaveDialog /> : <RenameDialog saved={dialog.saved} />;
}

const close = () => openSearchDialog(null);

function SaveDialog() {
  const shown = mediaList.useList((state) => state.query);
  const hint = useMeaning(shown);
  const names = useQueryNames();
  const { query } = parseQuery(shown?.search ?? '');
  const typed = formatQuery({ groups: query.groups.filter((terms) => terms.every(({ kind }) => kind === 'text')) });
  const labels = chipsOf(query).map(({ terms }) => chipText(terms, names));
  const suggestion = [typed, ...labels].filter((part) => part !== '').join(', ');
  return (
    <NameDialog
      title={words.saveTitle}
      name={suggestion}
      hint={hint}
      action={words.saveAction}
      onSave={saveSearch}
      onClose={close}
    />
  );
}

function RenameDialog({ saved }: { saved: ListedSearch }) {
  const hint = useMeaning(saved);
  return (
    <NameDialog
      title={words.renameTitle}
      name={searchNameOf(saved)}
      hint={hint}
      action={words.renameAction}
      onSave={(name) => renameSearch(saved.id, name)}
      onClose={close}
    />
  );
}

/** Returns the meaning of a search as text: its conditions, and the collection that it is limited to. */
function useMeaning(
  query: (Pick<ListedSearch, 'search' | 'collectionId'> & { includesBelow?: boolean | undefined }) | null,
): string {
  const name = useTree((state) => state.rows.get(query?.collectionId ?? '')?.displayName ?? null);
  if (query === null) return '';
  const { search, collectionId, includesBelow = false } = query;
  if (collectionId === null) return words.everywhere(search);
  return name === null ? search : words.within(search, name, includesBelow);
}

function RemoveDialog({ saved }: { saved: ListedSearch }) {
  return (
    <ConfirmDialog
      title={words.removeTitle(searchNameOf(saved))}
      text={words.removeText}
      confirm={words.removeAction}
      isOpen
      onConfirm={() => void removeSearch(saved.id)}
      onClose={close}
    />
  );
}
