import { useState } from 'react';
import { artworkProblems } from '../../../../shared/model/podcast-artwork.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { FormDialog } from '../../../kit/components/overlay/form-dialog.tsx';
import { CollectionPicker } from '../../common/collection-picker.tsx';
import { useApp } from '../../common/state/app-store.ts';
import { texts as sharedTexts } from '../../common/texts.ts';
import { texts as filesTexts } from '../files/texts.ts';
import { ThumbnailDialog } from '../files/thumbnail-dialog.tsx';
import { PodcastDialog } from '../podcast/podcast-dialog.tsx';
import { moveCollections } from '../state/collections/collection-commands.ts';
import { canMoveTo } from '../state/collections/collection-selection.ts';
import { openCollectionDialog, useCollections } from '../state/collections/collections-store.ts';
import { openFileDialog, useFileDialog } from '../state/files/file-commands.ts';
import { COLLECTION_SIZE } from '../state/files/picture.ts';
import { useTree } from '../state/tree-store.ts';
import styles from './collection-dialogs.module.css';
import { DeleteCollectionsDialog } from './delete-collections-dialog.tsx';
import { EditCollectionDialog } from './edit-collection-dialog.tsx';
import { NewCollectionDialog } from './new-collection-dialog.tsx';
import { PeopleDialog } from './sharing/people-dialog.tsx';
import { texts } from './texts.ts';

/** All dialogs about collections. Each dialog is closed unless its command opened it. */
export function CollectionDialogs() {
  return (
    <>
      <NewCollectionDialog />
      <EditCollectionDialog />
      <MoveCollectionsDialog />
      <DeleteCollectionsDialog />
      <PodcastDialog />
      <PeopleDialog />
      <CollectionThumbnailDialog />
    </>
  );
}

/** Lets the user choose the collection that the selected collections are moved into. */
function MoveCollectionsDialog() {
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

/** Sets the thumbnail of a collection. Any view can open it, because the tree with its menu is beside all of them. */
function CollectionThumbnailDialog() {
  const open = useFileDialog((state) => state.open);
  if (open?.kind !== 'collection-thumbnail') return null;
  return (
    <ThumbnailDialog
      title={filesTexts.thumbnail.collectionTitle(open.name)}
      formats={filesTexts.thumbnail.collectionFormats}
      note={filesTexts.thumbnail.collectionNote}
      maxSize={COLLECTION_SIZE}
      judge={open.isPodcast ? artworkWords : undefined}
      frame={null}
      onSet={(picture) => call('files.setCollectionThumbnail', { ...open.collection, picture })}
      onClose={() => openFileDialog(null)}
    />
  );
}

/** Returns why podcast directories refuse a picture of this size, and what to do; null when they accept it. */
function artworkWords(size: { width: number; height: number }): string | null {
  const problems = artworkProblems(size).map((problem) => sharedTexts.artworkProblems[problem]);
  return problems.length === 0 ? null : filesTexts.thumbnail.refusedArtwork(problems);
}
