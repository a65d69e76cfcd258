import { type FormEvent, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Dialog, FooterSpace } from '../../../components/overlay/dialog.tsx';
import { useApp } from '../../../stores/app/app-store.ts';
import { moveCollections } from '../../../stores/library/collections/collection-commands.ts';
import { canMoveTo } from '../../../stores/library/collections/collection-selection.ts';
import { openCollectionDialog, useCollections } from '../../../stores/library/collections/collections-store.ts';
import { useTree } from '../../../stores/library/tree-store.ts';
import { CollectionPicker } from '../../shared/collection-picker.tsx';
import styles from './collection-dialogs.module.css';
import { texts } from './texts.ts';

const FORM = 'move-collections';

/** Chooses the collection that others are moved into. */
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
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (targetId === null) return setProblem(texts.move.choose);
    if (!canMoveTo(rows, ids, targetId)) return setProblem(texts.move.impossible);
    setBusy(true);
    const isDone = await moveCollections(ids, targetId);
    setBusy(false);
    if (isDone) close();
  };
  const name = rows.get(ids[0] ?? '')?.displayName ?? '';
  return (
    <Dialog
      title={texts.move.title(ids.length, name)}
      isOpen
      onClose={close}
      footer={
        <>
          <FooterSpace />
          <Button onPress={close}>{texts.cancel}</Button>
          <Button variant="primary" type="submit" form={FORM}>
            {isBusy ? texts.move.moving : texts.move.move}
          </Button>
        </>
      }
    >
      <form id={FORM} className={styles.form} onSubmit={(event) => void submit(event)}>
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
      </form>
    </Dialog>
  );
}
