import { type FormEvent, useEffect, useState } from 'react';
import type { Collection } from '../../../../shared/api/collections.ts';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { untilCancelled } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { Button } from '../../../kit/components/button.tsx';
import { Checkbox } from '../../../kit/components/forms/choice.tsx';
import { TextField } from '../../../kit/components/forms/field.tsx';
import { ConfirmDialog, Dialog, FooterSpace } from '../../../kit/components/overlay/dialog.tsx';
import { RichTextField } from '../../../kit/components/rich-text/rich-text-field.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { fieldErrorsOf, toErrorData } from '../../../kit/text/errors.ts';
import { useApp } from '../../common/state/app-store.ts';
import { makeSlug, saveCollection } from '../state/collections/collection-commands.ts';
import {
  type CollectionDraft,
  type CollectionEdits,
  type CollectionProblems,
  collectionForm,
  collectionProblems,
  draftOfCollection,
} from '../state/collections/collection-draft.ts';
import { openCollectionDialog, useCollections } from '../state/collections/collections-store.ts';
import styles from './collection-dialogs.module.css';
import { texts } from './texts.ts';

const FORM = 'edit-collection';
const SHOWN_FIELDS = ['display_name', 'slug', 'description'] as const;

/**
 * Edits the fields of a collection. Closing with unsaved changes asks first. Buttons stay enabled while a request is in flight: a
 * disabled button loses the keyboard focus.
 */
export function EditCollectionDialog() {
  const collectionId = useCollections(({ dialog }) => (dialog?.kind === 'edit' ? dialog.collectionId : null));
  const siteId = useApp((state) => state.siteId);
  if (collectionId === null || siteId === null) return null;
  return <Editor key={collectionId} siteId={siteId} collectionId={collectionId} />;
}

interface Target {
  siteId: string;
  collectionId: string;
}

function Editor({ siteId, collectionId }: Target) {
  const { state, load, edit, save, renewSlug } = useEditor({ siteId, collectionId });
  const [isAsking, setAsking] = useState(false);
  const { opened, edits, busy, error, problems } = state;
  const draft = opened === null ? null : collectionForm.shown(draftOfCollection(opened), edits);
  const isDirty = Object.keys(collectionForm.written(edits)).length > 0;
  const close = () => openCollectionDialog(null);
  const requestClose = () => (isDirty ? setAsking(true) : close());
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await save()) close();
  };
  return (
    <>
      <Dialog
        title={opened === null ? texts.edit.loadingTitle : texts.edit.title(opened.display_name)}
        isOpen
        onClose={requestClose}
        width={560}
        footer={
          <>
            <span className={styles.footNote}>{isDirty ? texts.edit.unsaved : ''}</span>
            <FooterSpace />
            <Button onPress={requestClose}>{texts.cancel}</Button>
            <Button variant="primary" type="submit" form={FORM} isDisabled={!isDirty}>
              {busy ? texts.saving : texts.save}
            </Button>
          </>
        }
      >
        {error === null ? null : (
          <InlineError error={error}>
            {error.code === 'collection.changed' || opened === null ? (
              <Button onPress={() => void load()}>{opened === null ? texts.retry : texts.edit.changedTitle}</Button>
            ) : null}
          </InlineError>
        )}
        {draft === null ? (
          error === null ? (
            <p className={styles.note}>{texts.loading}</p>
          ) : null
        ) : (
          <form id={FORM} className={styles.form} onSubmit={(event) => void submit(event)}>
            <Fields draft={draft} problems={problems} onEdit={edit} onRenewSlug={() => void renewSlug()} />
          </form>
        )}
      </Dialog>
      <ConfirmDialog
        title={texts.edit.discardTitle}
        text={texts.edit.discardText(opened?.display_name ?? '')}
        keep={texts.edit.keepEditing}
        confirm={texts.edit.discard}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={close}
      />
    </>
  );
}

interface FieldsProps {
  draft: CollectionDraft;
  problems: CollectionProblems;
  onEdit: (change: Partial<CollectionDraft>) => void;
  onRenewSlug: () => void;
}

function Fields({ draft, problems, onEdit, onRenewSlug }: FieldsProps) {
  const problem = (field: keyof CollectionProblems) => {
    const message = problems[field];
    return message === undefined ? null : { message };
  };
  return (
    <>
      <TextField
        label={texts.edit.name}
        autoFocus
        value={draft.displayName}
        onChange={(displayName) => onEdit({ displayName })}
        error={problem('display_name')}
      />
      <div className={styles.withButton}>
        <TextField
          label={texts.edit.slug}
          value={draft.slug}
          spellCheck="false"
          onChange={(slug) => onEdit({ slug })}
          hint={texts.edit.slugHint}
          error={problem('slug')}
        />
        <Button onPress={onRenewSlug}>{texts.edit.makeSlug}</Button>
      </div>
      <RichTextField
        label={texts.edit.description}
        html={draft.description}
        onChange={(description) => onEdit({ description })}
        error={problem('description')}
      />
      <Checkbox isSelected={draft.isPodcast} onChange={(isPodcast) => onEdit({ isPodcast })}>
        {texts.edit.podcast}
      </Checkbox>
      <fieldset className={styles.group}>
        <legend>{texts.edit.access}</legend>
        <Checkbox
          isSelected={draft.inheritMemberships}
          onChange={(inheritMemberships) => onEdit({ inheritMemberships })}
        >
          {texts.edit.inherit}
        </Checkbox>
        {draft.inheritMemberships ? null : <p className={styles.note}>{texts.edit.inheritOff}</p>}
      </fieldset>
      <fieldset className={styles.group}>
        <legend>{texts.edit.captions}</legend>
        <Checkbox isSelected={draft.autotranscribe} onChange={(autotranscribe) => onEdit({ autotranscribe })}>
          {texts.edit.autotranscribe}
        </Checkbox>
        <Checkbox
          isSelected={draft.autotranscribeBelow}
          onChange={(autotranscribeBelow) => onEdit({ autotranscribeBelow })}
        >
          {texts.edit.below}
        </Checkbox>
        <TextField
          label={texts.edit.profile}
          value={draft.profileId}
          spellCheck="false"
          hint={texts.edit.profileHint}
          onChange={(profileId) => onEdit({ profileId })}
        />
      </fieldset>
    </>
  );
}

interface EditorState {
  opened: Collection | null;
  edits: CollectionEdits;
  busy: boolean;
  error: AppErrorData | null;
  problems: CollectionProblems;
}

/** Loads a collection, keeps the edits, and saves the changed fields. */
function useEditor({ siteId, collectionId }: Target) {
  const [state, setState] = useState<EditorState>({
    opened: null,
    edits: {},
    busy: false,
    error: null,
    problems: {},
  });
  const change = (part: Partial<EditorState>) => setState((before) => ({ ...before, ...part }));
  /** Shows the current values of the collection; edited fields keep their edits. */
  const take = (collection: Collection) =>
    setState(({ edits: before }) => {
      // The user has seen the library's new values and keeps the edits.
      const edits = collectionForm.changed(draftOfCollection(collection), {}, collectionForm.mine(before));
      return { opened: collection, edits, busy: false, error: null, problems: {} };
    });
  const fail = (thrown: unknown) => {
    const error = toErrorData(thrown);
    const problems: CollectionProblems =
      error.code === 'collection.slug-taken'
        ? { slug: `${error.message} ${error.nextStep ?? ''}`.trim() }
        : fieldErrorsOf(error, SHOWN_FIELDS).fields;
    change({ busy: false, problems, error: Object.keys(problems).length > 0 ? null : error });
  };
  const load = () =>
    call('library.collectionDetail', { siteId, collectionId }).then(({ collection }) => take(collection), fail);
  useEffect(() => {
    const show = ({ collection }: { collection: Collection }) => {
      setState({ opened: collection, edits: {}, busy: false, error: null, problems: {} });
    };
    const showError = (thrown: unknown) => setState((before) => ({ ...before, error: toErrorData(thrown) }));
    return untilCancelled(call('library.collectionDetail', { siteId, collectionId }), show, showError);
  }, [siteId, collectionId]);

  return {
    state,
    load,
    edit: (part: Partial<CollectionDraft>) =>
      setState((before) => ({ ...before, edits: withChange(before, part), error: null, problems: {} })),
    /** Saves the edits. Returns whether all of them are saved. */
    async save(): Promise<boolean> {
      const { opened, edits, busy } = state;
      if (opened === null || busy) return false;
      const problems = collectionProblems(edits);
      if (Object.keys(problems).length > 0) {
        change({ problems });
        return false;
      }
      change({ busy: true, error: null });
      try {
        await saveCollection(siteId, opened, collectionForm.patch(edits));
        return true;
      } catch (thrown) {
        fail(thrown);
        return false;
      }
    },
    async renewSlug(): Promise<void> {
      const { opened } = state;
      if (opened === null || state.busy) return;
      change({ busy: true, error: null });
      try {
        const { collection } = await makeSlug(siteId, opened);
        take(collection);
        setState((before) => ({ ...before, edits: withChange(before, { slug: collection.slug }) }));
      } catch (thrown) {
        fail(thrown);
      }
    },
  };
}

function withChange({ opened, edits }: EditorState, part: Partial<CollectionDraft>): CollectionEdits {
  return opened === null ? edits : collectionForm.changed(draftOfCollection(opened), edits, part);
}
