import { type FormEvent, useState } from 'react';
import type { EditRow } from '../../../shared/contract/edits.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, FooterSpace } from '../../components/overlay/dialog.tsx';
import { InlineError } from '../../components/status/empty-state.tsx';
import { closeRestore, restoreAsNew, useRestore } from '../../stores/edits/restore-store.ts';
import { ChangeLine } from '../shared/change-line.tsx';
import { CollectionPicker } from '../shared/collection-picker.tsx';
import { useCollectionNames } from '../shared/use-collection-names.ts';
import styles from './edits.module.css';
import { texts } from './texts.ts';

const FORM = 'restore-as-new';
const words = texts.restore;

/** Offers to create again what someone else deleted, with the edits that could not be sent. */
export function RestoreDialog() {
  const row = useRestore((state) => state.row);
  return row === null ? null : <RestoreForm key={row.id} row={row} />;
}

function RestoreForm({ row }: { row: EditRow }) {
  const { siteId, name, entityKind, changes } = row;
  const moved = changes.find(({ field }) => field === 'collection' || field === 'parent')?.after;
  const [collectionId, setCollectionId] = useState(typeof moved === 'string' ? moved : null);
  const isBusy = useRestore((state) => state.isBusy);
  const error = useRestore((state) => state.error);
  const nameOf = useCollectionNames(siteId, typeof moved === 'string' ? [moved] : []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (collectionId !== null) void restoreAsNew(collectionId);
  };
  return (
    <Dialog
      title={words.title(name || texts.untitled)}
      isOpen
      onClose={closeRestore}
      width={520}
      footer={
        <>
          <FooterSpace />
          <Button onPress={closeRestore} isDisabled={isBusy}>
            {words.cancel}
          </Button>
          <Button variant="primary" type="submit" form={FORM} isBusy={isBusy} isDisabled={collectionId === null}>
            {words.confirm}
          </Button>
        </>
      }
    >
      {error === null ? null : <InlineError error={error} />}
      <p>{words.text[entityKind]}</p>
      <div className={styles.restored}>
        {changes.map((change) => (
          <ChangeLine key={change.field} change={change} nameOf={nameOf} showsField />
        ))}
      </div>
      <form id={FORM} onSubmit={submit}>
        <CollectionPicker
          autoFocus
          label={words.place[entityKind]}
          siteId={siteId}
          value={collectionId}
          onChange={setCollectionId}
        />
      </form>
    </Dialog>
  );
}
