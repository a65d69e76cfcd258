import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog, FooterSpace } from '../../components/overlay/dialog.tsx';
import { chooseCollection, openChooseCollection, useChooseCollection } from '../../stores/uploads/choose-collection.ts';
import { CollectionPicker } from '../shared/collection-picker.tsx';
import { texts } from './texts.ts';

const FORM = 'choose-collection';
const words = texts.chooseCollection;

/** Chooses another collection for uploads whose own one is not in the library. */
export function ChooseCollectionDialog() {
  const batch = useChooseCollection((state) => state.batch);
  return batch === null ? null : <ChooseForm key={batch.id} {...batch} />;
}

function ChooseForm({ id, siteId, name }: { id: string; siteId: string; name: string }) {
  const [collectionId, setCollectionId] = useState<string | null>(null);
  const close = () => openChooseCollection(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (collectionId !== null) void chooseCollection(id, collectionId);
  };
  return (
    <Dialog
      title={words.title(name)}
      isOpen
      onClose={close}
      footer={
        <>
          <FooterSpace />
          <Button onPress={close}>{words.cancel}</Button>
          <Button variant="primary" type="submit" form={FORM} isDisabled={collectionId === null}>
            {words.confirm}
          </Button>
        </>
      }
    >
      <form id={FORM} onSubmit={submit}>
        <CollectionPicker
          label={words.label}
          siteId={siteId}
          value={collectionId}
          autoFocus
          onChange={setCollectionId}
        />
      </form>
    </Dialog>
  );
}
