import { useState } from 'react';
import { isPermission, maskOf, namesOf } from '../../../../shared/api/permission-sets.ts';
import type { RoleRow } from '../../../../shared/contract/admin/access.ts';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { MAX_ADMIN_LINE } from '../../../../shared/model/access/admin-limits.ts';
import { lackingOf, unknownOf } from '../../../../shared/model/access/role-draft.ts';
import { TextField } from '../../../kit/components/forms/field.tsx';
import { Select } from '../../../kit/components/forms/select.tsx';
import { FormDialog } from '../../../kit/components/overlay/form-dialog.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { toErrorData } from '../../../kit/text/errors.ts';
import { permissionNames } from '../../../kit/text/permission-texts.ts';
import { RestoredNote } from '../../common/restored-note.tsx';
import { formDraft, storeFormDraft } from '../../common/state/form-drafts.ts';
import adminStyles from '../admin.module.css';
import { useAdmin } from '../state/admin-store.ts';
import { createRole } from '../state/roles-store.ts';
import { texts } from './texts.ts';

const words = texts.create;
/** The value of the select for a role without permissions. */
const NOTHING = '-';

const textOf = (value: unknown) => (typeof value === 'string' ? value : null);

/** Creates a role, without permissions or with those of another one. What was typed stays when the library refuses it. */
export function NewRoleDialog(props: { roles: readonly RoleRow[]; from: RoleRow | null; onClose: () => void }) {
  const { roles, from, onClose } = props;
  const siteId = useAdmin((state) => state.siteId);
  // A copy of a role begins with that role.
  const [restored, setRestored] = useState(() =>
    from === null && siteId !== null ? formDraft(siteId, 'new-role') : null,
  );
  const suggested = from === null ? '' : words.suggested(from.name).slice(0, MAX_ADMIN_LINE);
  const [name, setName] = useState(textOf(restored?.name) ?? suggested);
  const [sourceId, setSourceId] = useState(textOf(restored?.sourceId) ?? from?.id ?? NOTHING);
  const change = (next: { name: string; sourceId: string }) => {
    setName(next.name);
    setSourceId(next.sourceId);
    const isEmpty = next.name.trim() === '' && next.sourceId === NOTHING;
    if (siteId !== null) storeFormDraft(siteId, 'new-role', isEmpty ? null : next);
  };
  const [error, setError] = useState<AppErrorData | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [wasSent, setSent] = useState(false);
  const source = roles.find(({ id }) => id === sourceId)?.permissions ?? [];
  const lacking = lackingOf(maskOf(source));
  const unknown = unknownOf(source);
  const submit = async () => {
    setSent(true);
    if (name.trim() === '') return;
    setBusy(true);
    setError(null);
    try {
      await createRole({ name: name.trim(), permissions: source.filter(isPermission) });
      if (siteId !== null) storeFormDraft(siteId, 'new-role', null);
      onClose();
    } catch (thrown) {
      setError(toErrorData(thrown));
      setBusy(false);
    }
  };
  return (
    <FormDialog title={words.title} action={words.action} isBusy={isBusy} onSubmit={submit} onClose={onClose}>
      {error === null ? null : <InlineError error={error} />}
      {restored === null ? null : (
        <RestoredNote
          onDiscard={() => {
            change({ name: '', sourceId: NOTHING });
            setRestored(null);
          }}
        />
      )}
      <TextField
        label={words.name}
        value={name}
        maxLength={MAX_ADMIN_LINE}
        autoFocus
        onChange={(next) => change({ name: next, sourceId })}
        error={wasSent && name.trim() === '' ? { message: words.missing } : null}
      />
      <Select
        label={words.from}
        value={roles.some(({ id }) => id === sourceId) ? sourceId : NOTHING}
        options={[
          { value: NOTHING, label: words.nothing },
          ...roles.map((role) => ({ value: role.id, label: words.copyOf(role.name) })),
        ]}
        onChange={(next) => change({ name, sourceId: next })}
      />
      {lacking === 0 ? null : <p className={adminStyles.note}>{words.completes(permissionNames(namesOf(lacking)))}</p>}
      {unknown.length === 0 ? null : <p className={adminStyles.note}>{words.unknown(unknown.join(', '))}</p>}
    </FormDialog>
  );
}
