import { Copy, Pencil, Shield, Trash2 } from 'lucide-react';
import { maskOf, namesOf } from '../../../../shared/api/permission-sets.ts';
import { PERMISSIONS } from '../../../../shared/api/permissions.ts';
import type { RoleRow } from '../../../../shared/contract/admin/access.ts';
import { lackingOf, needingOf, unknownOf } from '../../../../shared/model/access/role-draft.ts';
import { Button } from '../../../kit/components/button.tsx';
import { EmptyState, InlineError } from '../../../kit/components/status/empty-state.tsx';
import { permissionNames } from '../../../kit/text/permission-texts.ts';
import { shownName } from '../../../kit/text/shown-name.ts';
import { warn } from '../../common/state/messages-store.ts';
import adminStyles from '../admin.module.css';
import { completeDraft, isStale, useRoles } from '../state/roles-store.ts';
import { DraftChanges } from './draft-changes.tsx';
import styles from './roles.module.css';
import { StaleDraft } from './stale-draft.tsx';
import { texts } from './texts.ts';

interface RolePanelProps {
  onCopy: (role: RoleRow) => void;
  onRename: (role: RoleRow) => void;
  onDelete: (role: RoleRow) => void;
}

/** The selected role: what it is used for, what can be done with it, and its unsaved changes. */
export function RolePanel({ role, ...actions }: RolePanelProps & { role: RoleRow | null }) {
  return (
    <section className={adminStyles.side} aria-label={role === null ? texts.none.title : shownName(role.name)}>
      {role === null ? (
        <EmptyState icon={Shield} title={texts.none.title} text={texts.none.text} />
      ) : (
        <Details role={role} {...actions} />
      )}
    </section>
  );
}

function Details({ role, onCopy, onRename, onDelete }: RolePanelProps & { role: RoleRow }) {
  const draft = useRoles((state) => (state.draft?.roleId === role.id ? state.draft : null));
  const error = useRoles((state) => state.error);
  const isSaving = useRoles((state) => state.isSaving);
  // While it is saved, the role may already have the permissions of the draft.
  const isBehind = draft !== null && !isSaving && isStale(draft, role);
  const permissions = draft?.permissions ?? role.permissions;
  const mask = maskOf(permissions);
  const lacking = lackingOf(mask);
  const unknown = unknownOf(permissions);
  const unsaved = draft === null ? null : texts.unsavedFirst;
  return (
    <>
      <h2>
        {shownName(role.name)}
        {role.lti ? <Badge text={texts.lti} title={texts.ltiHint} /> : null}
        {role.deletable ? null : <Badge text={texts.kept} title={texts.keptHint} />}
      </h2>
      <dl className={adminStyles.facts}>
        <dt>{texts.permissions}</dt>
        <dd>{texts.permissionsOf(namesOf(mask).length, PERMISSIONS.length)}</dd>
        <dt>{texts.used}</dt>
        <dd>{texts.usedAs(role.memberships)}</dd>
      </dl>
      {lacking === 0 ? null : (
        <div className={styles.warning} role="note">
          <p>{texts.lacking(permissionNames(needingOf(mask)), permissionNames(namesOf(lacking)))}</p>
          <Button onPress={() => completeDraft(role)}>{texts.complete}</Button>
        </div>
      )}
      {unknown.length === 0 ? null : <p className={adminStyles.note}>{texts.unknown(unknown.join(', '))}</p>}
      {error === null || isBehind ? null : <InlineError error={error} />}
      {draft === null ? (
        <p className={adminStyles.note}>{texts.hint}</p>
      ) : isBehind ? (
        <StaleDraft role={role} draft={draft} />
      ) : (
        <DraftChanges role={role} draft={draft} />
      )}
      <div className={adminStyles.buttons}>
        <Button icon={<Pencil size={14} aria-hidden />} {...allowed(unsaved, () => onRename(role))}>
          {texts.rename}
        </Button>
        <Button icon={<Copy size={14} aria-hidden />} onPress={() => onCopy(role)}>
          {texts.copy}
        </Button>
        <Button
          icon={<Trash2 size={14} aria-hidden />}
          {...allowed(role.deletable ? unsaved : texts.keptHint, () => onDelete(role))}
        >
          {texts.remove}
        </Button>
      </div>
      {role.lti ? <p className={adminStyles.note}>{texts.ltiHint}</p> : null}
      {role.deletable ? null : <p className={adminStyles.note}>{texts.keptHint}</p>}
      <p className={adminStyles.note}>{texts.editors}</p>
    </>
  );
}

/** Returns the properties of a button whose command may have a reason not to run, which a press then shows. */
function allowed(reason: string | null, onPress: () => void) {
  return reason === null ? { onPress } : { reason, onPress: () => warn(reason, null) };
}

function Badge({ text, title }: { text: string; title: string }) {
  return (
    <span className={`${adminStyles.badge} ${styles.badge}`} title={title}>
      {text}
    </span>
  );
}
