import { useState } from 'react';
import { Button } from '../../kit/components/button.tsx';
import { ConfirmDialog, Dialog, FooterSpace } from '../../kit/components/overlay/dialog.tsx';
import { GridEditor } from '../common/grid/grid-editor.tsx';
import styles from './details-dialog.module.css';
import { changeDetails, closeDetails, saveDetails, useDetails } from './state/details-store.ts';
import { texts } from './texts.ts';

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
