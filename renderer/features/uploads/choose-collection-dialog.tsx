import { useState } from 'react';
import { FormDialog } from '../../kit/components/overlay/form-dialog.tsx';
import { CollectionPicker } from '../common/collection-picker.tsx';
import { chooseCollection, openChooseCollection, useChooseCollection } from './state/choose-collection.ts';
import { texts } from './texts.ts';

const words = texts.chooseCollection;

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
      title={words.title(name)}
      action={words.confirm}
      isDisabled={collectionId === null}
      onSubmit={submit}
      onClose={close}
    >
      <CollectionPicker label={words.label} siteId={siteId} value={collectionId} autoFocus onChange={setCollectionId} />
    </FormDialog>
  );
}
