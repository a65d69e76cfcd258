import { useState } from 'react';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { isEmailAddress } from '../../../../shared/model/email-address.ts';
import { Checkbox } from '../../../kit/components/forms/choice.tsx';
import { TextField } from '../../../kit/components/forms/field.tsx';
import { FormDialog } from '../../../kit/components/overlay/form-dialog.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { toErrorData } from '../../../kit/text/errors.ts';
import { RestoredNote } from '../../common/restored-note.tsx';
import { formDraft, storeFormDraft } from '../../common/state/form-drafts.ts';
import { notify } from '../../common/state/messages-store.ts';
import styles from '../admin.module.css';
import { useAdmin } from '../state/admin-store.ts';
import { createPerson } from '../state/person-store.ts';
import { texts } from '../texts.ts';

const MAX_FIELD = 255;
const EMPTY = { firstName: '', lastName: '', email: '', password: '', uniqueId: '', isAdmin: false };
const NEEDED = ['firstName', 'lastName', 'email'] as const;
const STORED = [...NEEDED, 'uniqueId'] as const;

/** Returns what was typed earlier and not sent; null: nothing. */
function restoredFrom(siteId: string | null): Partial<typeof EMPTY> | null {
  const draft = siteId === null ? null : formDraft(siteId, 'new-person');
  if (draft === null) return null;
  const texts = STORED.flatMap((name) => (typeof draft[name] === 'string' ? [[name, draft[name]] as const] : []));
  return { ...Object.fromEntries(texts), isAdmin: draft.isAdmin === true };
}

/** Creates a user. What was typed stays when the library refuses it, and when the dialog is closed, except the password. */
export function NewPersonDialog({ onClose }: { onClose: () => void }) {
  const siteId = useAdmin((state) => state.siteId);
  const [restored, setRestored] = useState(() => restoredFrom(siteId));
  const [values, setValues] = useState({ ...EMPTY, ...restored });
  const [error, setError] = useState<AppErrorData | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [wasSent, setSent] = useState(false);
  const set = (change: Partial<typeof EMPTY>) => {
    const next = { ...values, ...change };
    setValues(next);
    // A password is stored nowhere.
    const { password: _, ...rest } = next;
    const isEmpty = STORED.every((name) => rest[name] === '') && !rest.isAdmin;
    if (siteId !== null) storeFormDraft(siteId, 'new-person', isEmpty ? null : rest);
  };
  const isMissing = (name: (typeof NEEDED)[number]) => values[name].trim() === '';
  const errorOf = (name: (typeof NEEDED)[number]) => {
    if (isMissing(name)) return { message: texts.create.missing };
    return name === 'email' && !isEmailAddress(values.email.trim()) ? { message: texts.create.noAddress } : null;
  };
  const submit = async () => {
    setSent(true);
    if (NEEDED.some(isMissing) || !isEmailAddress(values.email.trim())) return;
    setBusy(true);
    setError(null);
    const { password, uniqueId, ...rest } = values;
    try {
      const name = await createPerson({
        ...rest,
        ...(password === '' ? {} : { password }),
        ...(uniqueId.trim() === '' ? {} : { uniqueId: uniqueId.trim() }),
      });
      if (siteId !== null) storeFormDraft(siteId, 'new-person', null);
      onClose();
      notify(texts.create.created(name));
    } catch (thrown) {
      setError(toErrorData(thrown));
      setBusy(false);
    }
  };
  const field = (name: (typeof NEEDED)[number], hasFocus = false) => (
    <TextField
      label={texts.create[name]}
      value={values[name]}
      maxLength={MAX_FIELD}
      autoFocus={hasFocus}
      onChange={(text) => set({ [name]: text })}
      error={wasSent ? errorOf(name) : null}
    />
  );
  return (
    <FormDialog
      title={texts.create.title}
      action={texts.create.action}
      isBusy={isBusy}
      onSubmit={submit}
      onClose={onClose}
    >
      {error === null ? null : <InlineError error={error} />}
      {restored === null ? null : (
        <RestoredNote
          onDiscard={() => {
            set(EMPTY);
            setRestored(null);
          }}
        />
      )}
      {field('firstName', true)}
      {field('lastName')}
      {field('email')}
      <TextField
        label={texts.create.password}
        type="password"
        value={values.password}
        hint={texts.create.passwordHint}
        onChange={(password) => set({ password })}
      />
      <TextField
        label={texts.create.uniqueId}
        value={values.uniqueId}
        maxLength={MAX_FIELD}
        hint={texts.create.uniqueIdHint}
        onChange={(uniqueId) => set({ uniqueId })}
      />
      <Checkbox isSelected={values.isAdmin} onChange={(isAdmin) => set({ isAdmin })}>
        {texts.create.administrator}
      </Checkbox>
      <p className={styles.note}>{texts.create.fixed}</p>
    </FormDialog>
  );
}
