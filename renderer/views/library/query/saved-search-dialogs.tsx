import type { ListedSearch } from '../../../../shared/contract/searches.ts';
import { parseQuery } from '../../../../shared/model/library-query/parse-query.ts';
import { chipsOf } from '../../../../shared/model/library-query/query-chips.ts';
import { ConfirmDialog } from '../../../components/overlay/dialog.tsx';
import { mediaList } from '../../../stores/library/media-store.ts';
import {
  nameOf,
  openSearchDialog,
  removeSearch,
  renameSearch,
  saveSearch,
  useSearches,
} from '../../../stores/library/query/saved-searches.ts';
import { NameDialog } from '../../shared/name-dialog.tsx';
import { chipText } from './chip-text.ts';
import { texts } from './texts.ts';
import { useQueryNames } from './use-query-names.ts';

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
  const search = mediaList.useList((state) => state.query?.search ?? '');
  const names = useQueryNames();
  const labels = chipsOf(parseQuery(search).query).map(({ terms }) => chipText(terms, names));
  const suggestion = labels.length === 0 ? search : labels.join(', ');
  return (
    <NameDialog
      title={words.saveTitle}
      name={suggestion}
      hint={search}
      action={words.saveAction}
      onSave={saveSearch}
      onClose={close}
    />
  );
}

function RenameDialog({ saved }: { saved: ListedSearch }) {
  return (
    <NameDialog
      title={words.renameTitle}
      name={nameOf(saved)}
      hint={saved.search}
      action={words.renameAction}
      onSave={(name) => renameSearch(saved.id, name)}
      onClose={close}
    />
  );
}

function RemoveDialog({ saved }: { saved: ListedSearch }) {
  return (
    <ConfirmDialog
      title={words.removeTitle(nameOf(saved))}
      text={words.removeText}
      confirm={words.removeAction}
      isOpen
      onConfirm={() => void removeSearch(saved.id)}
      onClose={close}
    />
  );
}
