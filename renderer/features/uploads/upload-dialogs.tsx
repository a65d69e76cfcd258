import { useState } from 'react';
import { Button } from '../../kit/components/button.tsx';
import { ConfirmDialog, Dialog, FooterSpace } from '../../kit/components/overlay/dialog.tsx';
import { FormDialog } from '../../kit/components/overlay/form-dialog.tsx';
import { CollectionPicker } from '../common/collection-picker.tsx';
import { GridEditor } from '../common/grid/grid-editor.tsx';
import { cancelSentences, cancelTitle, effectsTotal } from './state/cancel-text.ts';
import { confirmCancel, keepUploads, useCancel } from './state/cancel-uploads.ts';
import { changeDetails, closeDetails, saveDetails, useDetails } from './state/details-store.ts';
import { chooseCollection, openChooseCollection, useChooseCollection } from './state/upload-commands.ts';
import { texts } from './texts.ts';
import styles from './uploads-view.module.css';

const { details: words } = texts;

/** The table of titles, tags, bylines and descriptions of uploads whose items are not created yet. */
export function DetailsDialog() {
  const { uploads, table, isSaving } = useDetails();
  const [isDiscarding, setDiscarding] = useState(false);
  if (uploads === null || table === null) return null;
  const { changedRows, problemCells } = table;
  const close = () => (changedRows > 0 && !isSaving ? setDiscarding(true) : closeDetails());
  return (
    <Dialog
      title={words.title(uploads.length)}
      isOpen
      onClose={close}
      width={1080}
      footer={
        <>
          <span className={styles.hint}>{problemCells > 0 ? words.problems(problemCells) : words.hint}</span>
          <FooterSpace />
          <Button onPress={close} isDisabled={isSaving}>
            {words.cancel}
          </Button>
          <Button
            variant="primary"
            onPress={() => void saveDetails()}
            isDisabled={isSaving || changedRows === 0 || problemCells > 0}
          >
            {words.save(changedRows)}
          </Button>
        </>
      }
    >
      <div className={styles.table}>
        <GridEditor
          name="uploads"
          label={words.table}
          model={table}
          onModel={changeDetails}
          rowLabel={(row) => uploads[row]?.fileName ?? ''}
          autoFocus
          className={styles.grid}
        />
      </div>
      <ConfirmDialog
        title={words.discardTitle}
        text={words.discardText(changedRows)}
        keep={words.keep}
        confirm={words.discard}
        isOpen={isDiscarding}
        onConfirm={closeDetails}
        onClose={() => setDiscarding(false)}
      />
    </Dialog>
  );
}

const chooseWords = texts.chooseCollection;

/** Chooses another collection for uploads whose collection does not exist in the library. */
export function ChooseCollectionDialog() {
  const batch = useChooseCollection((state) => state.batch);
  return batch === null ? null : <ChooseForm key={batch.id} {...batch} />;
}

function ChooseForm({ id, siteId, name }: { id: string; siteId: string; name: string }) {
  const [collectionId, setCollectionId] = useState<string | null>(null);
  const close = () => openChooseCollection(null);
  const submit = () => {
    if (collectionId !== null) void chooseCollection(id, collectionId);
  };
  return (
    <FormDialog
      title={chooseWords.title(name)}
      action={chooseWords.confirm}
      isDisabled={collectionId === null}
      onSubmit={submit}
      onClose={close}
    >
      <CollectionPicker
        label={chooseWords.label}
        siteId={siteId}
        value={collectionId}
        autoFocus
        onChange={setCollectionId}
      />
    </FormDialog>
  );
}

/** Asks for confirmation before a cancel that discards sent data or deletes items of the library. */
export function CancelDialog() {
  const question = useCancel((state) => state.question);
  if (question === null) return null;
  const { effects, title } = question;
  const count = effectsTotal(effects);
  return (
    <ConfirmDialog
      title={cancelTitle(effects, title)}
      text={cancelSentences(effects)}
      keep={texts.cancel.keep(count)}
      confirm={texts.cancel.confirm(count)}
      isOpen
      closesFirst={false}
      onConfirm={() => void confirmCancel()}
      onClose={keepUploads}
    />
  );
}
