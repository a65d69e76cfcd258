import { type FormEvent, useState } from 'react';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { Button } from '../../../kit/components/button.tsx';
import { Checkbox } from '../../../kit/components/forms/choice.tsx';
import { TextField } from '../../../kit/components/forms/field.tsx';
import { Dialog, FooterSpace } from '../../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { fieldErrorsOf, toErrorData } from '../../../kit/text/errors.ts';
import { CollectionPicker } from '../../common/collection-picker.tsx';
import { openCollection } from '../../common/commands/commands.ts';
import { openPanel, useApp } from '../../common/state/app-store.ts';
import { announce } from '../../common/state/messages-store.ts';
import { noteCreated } from '../state/collections/collection-commands.ts';
import { useCollections } from '../state/collections/collections-store.ts';
import { TOP } from '../state/tree-model.ts';
import { loadBranch, setExpanded, useTree } from '../state/tree-store.ts';
import { texts } from '../texts.ts';

const FORM = 'new-collection';

export function NewCollectionDialog() {
  const isOpen = useApp((state) => state.panel === 'new-collection');
  const [isBusy, setBusy] = useState(false);
  const close = () => {
    useCollections.setState({ newParentId: null });
    openPanel(null);
  };
  return (
    <Dialog
      title={texts.newCollection.title}
      isOpen={isOpen}
      onClose={close}
      footer={
        <>
          <FooterSpace />
          <Button onPress={close}>{texts.newCollection.cancel}</Button>
          <Button variant="primary" type="submit" form={FORM} isDisabled={isBusy}>
            {isBusy ? texts.newCollection.creating : texts.newCollection.create}
          </Button>
        </>
      }
    >
      <NewCollectionForm onBusy={setBusy} onDone={close} />
    </Dialog>
  );
}

function NewCollectionForm({ onBusy, onDone }: { onBusy: (isBusy: boolean) => void; onDone: () => void }) {
  const siteId = useApp((state) => state.siteId);
  const selectedId = useTree((state) => state.selectedId);
  const newParentId = useCollections((state) => state.newParentId);
  const top = useTree((state) => firstOfTop(state.branches.get(TOP)));
  const [name, setName] = useState('');
  const [parentId, setParentId] = useState<string | null>(newParentId ?? selectedId ?? top);
  const [isPodcast, setPodcast] = useState(false);
  const [error, setError] = useState<AppErrorData | null>(null);
  const [missing, setMissing] = useState<'name' | 'parent' | null>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (siteId === null) return;
    if (name.trim() === '') return setMissing('name');
    if (parentId === null) return setMissing('parent');
    onBusy(true);
    setError(null);
    try {
      const made = await call('library.createCollection', {
        siteId,
        parentId,
        displayName: name.trim(),
        isPodcast,
      });
      const grandparent = useTree.getState().rows.get(parentId)?.parentId ?? TOP;
      await loadBranch(grandparent);
      setExpanded(parentId, true);
      await loadBranch(parentId);
      openCollection(made.id);
      if (made.isPending) noteCreated(made.display_name, made.groupId, true);
      else announce(texts.newCollection.created(made.display_name));
      onDone();
    } catch (thrown) {
      setError(toErrorData(thrown));
    } finally {
      onBusy(false);
    }
  };
  const fields = error === null ? null : fieldErrorsOf(error, ['display_name']);
  const nameError = missing === 'name' ? texts.newCollection.nameMissing : fields?.fields.display_name;
  return (
    <form id={FORM} onSubmit={(event) => void submit(event)} style={{ display: 'contents' }}>
      {error !== null && nameError === undefined ? <InlineError error={error} /> : null}
      <TextField
        label={texts.newCollection.name}
        autoFocus
        value={name}
        onChange={(value) => {
          setName(value);
          setMissing(null);
          setError(null);
        }}
        error={nameError === undefined ? null : { message: nameError }}
      />
      <CollectionPicker
        label={texts.newCollection.parent}
        siteId={siteId}
        value={parentId}
        onChange={(id) => {
          setParentId(id);
          setMissing(null);
        }}
        error={missing === 'parent' ? texts.newCollection.parentMissing : null}
      />
      <Checkbox isSelected={isPodcast} onChange={setPodcast}>
        {texts.newCollection.podcast}
      </Checkbox>
    </form>
  );
}

function firstOfTop(branch: { kind: string; ids?: readonly string[] } | undefined): string | null {
  return branch?.kind === 'ready' ? (branch.ids?.[0] ?? null) : null;
}
