import { useState } from 'react';
import { FormDialog } from '../../../kit/components/overlay/form-dialog.tsx';
import { CollectionPicker } from '../../common/collection-picker.tsx';
import { useApp } from '../../common/state/app-store.ts';
import { moveCollections } from '../state/collections/collection-commands.ts';
import { canMoveTo } from '../state/collections/collection-selection.ts';
import { openCollectionDialog, useCollections } from '../state/collections/collections-store.ts';
import { useTree } from '../state/tree-store.ts';
import styles from './collection-dialogs.module.css';
import { texts } from './texts.ts';

/** Lets the user choose the collection that the selected collections are moved into. */
export function MoveCollectionsDialog() {
  const dialog = useCollections((state) => state.dialog);
  const siteId = useApp((state) => state.siteId);
  if (dialog?.kind !== 'move' || siteId === null) return null;
  return <MoveForm siteId={siteId} ids={dialog.collectionIds} />;
}

function MoveForm({ siteId, ids }: { siteId: string; ids: readonly string[] }) {
  const rows = useTree((state) => state.rows);
  const [targetId, setTargetId] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const close = () => openCollectionDialog(null);
  const submit = async () => {
    if (targetId === null) return setProblem(texts.move.choose);
    if (!canMoveTo(rows, ids, targetId)) return setProblem(texts.move.impossible);
    setBusy(true);
    const isDone = await moveCollections(ids, targetId);
    setBusy(false);
    if (isDone) close();
  };
  const name = rows.get(ids[0] ?? '')?.displayName ?? '';
  return (
    <FormDialog
      title={texts.move.title(ids.length, name)}
      action={isBusy ? texts.move.moving : texts.move.move}
      isBusy={isBusy}
      onSubmit={submit}
      onClose={close}
    >
      <CollectionPicker
        label={texts.move.target}
        siteId={siteId}
        value={targetId}
        autoFocus
        onChange={(id) => {
          setTargetId(id);
          setProblem(null);
        }}
        error={problem}
      />
      <p className={styles.note}>{texts.move.hint}</p>
    </FormDialog>
  );
}
