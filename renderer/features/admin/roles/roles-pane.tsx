import { Columns3, Plus, ShieldOff } from 'lucide-react';
import { useEffect, useLayoutEffect, useState } from 'react';
import type { RoleRow } from '../../../../shared/contract/admin/access.ts';
import { MAX_ADMIN_LINE } from '../../../../shared/model/access/admin-limits.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { Button } from '../../../kit/components/button.tsx';
import { ConfirmDialog } from '../../../kit/components/overlay/dialog.tsx';
import { EmptyState, ErrorState } from '../../../kit/components/status/empty-state.tsx';
import { NameDialog } from '../../common/name-dialog.tsx';
import { warn } from '../../common/state/messages-store.ts';
import adminStyles from '../admin.module.css';
import { AdminPane, AdminSpace } from '../admin-pane.tsx';
import { useAdmin } from '../state/admin-store.ts';
import { dropLostDraft, leaveDraft, openRoles, renameRole, useRoles } from '../state/roles-store.ts';
import { useAdminLoaded } from '../state/use-admin-rows.ts';
import { CompareRolesDialog } from './compare-roles-dialog.tsx';
import { DeleteRoleDialog } from './delete-role-dialog.tsx';
import { NewRoleDialog } from './new-role-dialog.tsx';
import { RoleMatrix } from './role-matrix.tsx';
import { RolePanel } from './role-panel.tsx';
import styles from './roles.module.css';
import { texts } from './texts.ts';

type Open =
  | { kind: 'new'; from: RoleRow | null }
  | { kind: 'compare' }
  | { kind: 'rename' | 'delete'; role: RoleRow }
  | null;

/** The roles of the library beside each other, and the selected one with its changes. */
export function RolesPane() {
  const siteId = useAdmin((state) => state.siteId);
  useLayoutEffect(() => openRoles(siteId), [siteId]);
  const { value: roles, error, load } = useAdminLoaded('roles', (id) => call('admin.roles', { siteId: id }));
  if (roles === null) {
    return error === null ? (
      <p className={adminStyles.quiet}>{texts.loading}</p>
    ) : (
      <ErrorState title={texts.notLoaded} error={error} onRetry={() => void load()} />
    );
  }
  return <Roles roles={roles} />;
}

function Roles({ roles }: { roles: readonly RoleRow[] }) {
  const hidden = useRoles((state) => state.hidden);
  const roleId = useRoles((state) => state.roleId);
  const nextId = useRoles((state) => state.nextId);
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  useEffect(() => {
    if (dropLostDraft(roles)) warn(texts.draftLost, null);
  }, [roles]);
  const role = roles.find(({ id }) => id === roleId) ?? null;
  const shown = roles.filter(({ id }) => !hidden.has(id) || id === roleId);
  return (
    <AdminPane
      filters={
        <>
          <Button icon={<Columns3 size={14} aria-hidden />} onPress={() => setOpen({ kind: 'compare' })}>
            {texts.compare(shown.length, roles.length)}
          </Button>
          <AdminSpace />
          <Button icon={<Plus size={14} aria-hidden />} onPress={() => setOpen({ kind: 'new', from: null })}>
            {texts.add}
          </Button>
        </>
      }
      list={
        roles.length === 0 ? (
          <EmptyState icon={ShieldOff} title={texts.nothing.title} text={texts.nothing.text} />
        ) : shown.length === 0 ? (
          <p className={adminStyles.quiet}>{texts.noneShown}</p>
        ) : (
          <div className={styles.scroller}>
            <RoleMatrix roles={shown} />
          </div>
        )
      }
      side={
        <RolePanel
          role={role}
          onCopy={(from) => setOpen({ kind: 'new', from })}
          onRename={(each) => setOpen({ kind: 'rename', role: each })}
          onDelete={(each) => setOpen({ kind: 'delete', role: each })}
        />
      }
    >
      {open?.kind === 'new' ? <NewRoleDialog roles={roles} from={open.from} onClose={close} /> : null}
      {open?.kind === 'compare' ? <CompareRolesDialog roles={roles} onClose={close} /> : null}
      {open?.kind === 'rename' ? (
        <NameDialog
          title={texts.renameTitle(open.role.name)}
          name={open.role.name}
          maxLength={MAX_ADMIN_LINE}
          action={texts.renameAction}
          onSave={(name) => renameRole(open.role, name)}
          onClose={close}
        />
      ) : null}
      {open?.kind === 'delete' ? <DeleteRoleDialog role={open.role} onClose={close} /> : null}
      <ConfirmDialog
        title={texts.leave.title}
        text={texts.leave.text(role?.name ?? '')}
        keep={texts.leave.keep}
        confirm={texts.leave.action}
        isOpen={nextId !== null}
        closesFirst={false}
        onConfirm={() => leaveDraft(true)}
        onClose={() => leaveDraft(false)}
      />
    </AdminPane>
  );
}
