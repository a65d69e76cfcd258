import { type FormEvent, useId, useState } from 'react';
import type { ListedSearch } from '../../../../shared/contract/searches.ts';
import { parseQuery } from '../../../../shared/model/library-query/parse-query.ts';
import { chipsOf } from '../../../../shared/model/library-query/query-chips.ts';
import { Button } from '../../../components/button.tsx';
import { TextField } from '../../../components/forms/field.tsx';
import { ConfirmDialog, Dialog, FooterSpace } from '../../../components/overlay/dialog.tsx';
import { mediaList } from '../../../stores/library/media-store.ts';
import {
  nameOf,
  openSearchDialog,
  removeSearch,
  renameSearch,
  saveSearch,
  useSearches,
} from '../../../stores/library/query/saved-searches.ts';
import { chipText } from './chip-text.ts';
import styles from './query.module.css';
import { texts } from './texts.ts';
import { useQueryNames } from './use-query-names.ts';

const { saved: words } = texts;
const MAX_NAME = 100;

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
    <NameDialog title={words.saveTitle} name={suggestion} hint={search} action={words.saveAction} onSave={saveSearch} />
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
    />
  );
}

interface NameDialogProps {
  title: string;
  name: string;
  /** The search itself. */
  hint: string;
  action: string;
  /** Resolves with false when it failed. */
  onSave: (name: string) => Promise<boolean>;
}

function NameDialog({ title, name, hint, action, onSave }: NameDialogProps) {
  const [text, setText] = useState(name.slice(0, MAX_NAME));
  const [isMissing, setMissing] = useState(false);
  const formId = useId();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') setMissing(true);
    else if (await onSave(text.trim())) close();
  };
  return (
    <Dialog
      title={title}
      isOpen
      onClose={close}
      width={400}
      footer={
        <>
          <FooterSpace />
          <Button onPress={close}>{texts.dialog.cancel}</Button>
          <Button variant="primary" type="submit" form={formId}>
            {action}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label={words.name}
          value={text}
          maxLength={MAX_NAME}
          autoFocus
          hint={hint}
          error={isMissing ? { message: words.nameMissing } : null}
          onChange={(value) => {
            setMissing(false);
            setText(value);
          }}
        />
      </form>
    </Dialog>
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
