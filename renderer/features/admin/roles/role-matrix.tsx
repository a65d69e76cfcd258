import { Check, TriangleAlert } from 'lucide-react';
import { Fragment, useEffect, useRef } from 'react';
import { maskOf } from '../../../../shared/api/permission-sets.ts';
import type { Permission } from '../../../../shared/api/permissions.ts';
import type { RoleRow } from '../../../../shared/contract/admin/access.ts';
import { lackingOf } from '../../../../shared/model/access/role-draft.ts';
import { Checkbox } from '../../../kit/components/forms/choice.tsx';
import { PERMISSION_BLOCKS, permissionTexts } from '../../../kit/text/permission-texts.ts';
import { shownName } from '../../../kit/text/shown-name.ts';
import { selectRole, switchInDraft, useRoles } from '../state/roles-store.ts';
import styles from './roles.module.css';
import { texts } from './texts.ts';

/** The permissions against the roles. Those of the selected role can be switched. */
export function RoleMatrix({ roles }: { roles: readonly RoleRow[] }) {
  const roleId = useRoles((state) => state.roleId);
  return (
    <table className={styles.matrix} aria-label={texts.table}>
      <thead>
        <tr>
          <th scope="col" className={styles.corner}>
            {texts.permission}
          </th>
          {roles.map((role) => (
            <RoleHead key={role.id} role={role} isSelected={role.id === roleId} />
          ))}
        </tr>
      </thead>
      <tbody>
        {PERMISSION_BLOCKS.map(({ id, permissions }) => (
          <Fragment key={id}>
            <tr className={styles.block}>
              <td colSpan={roles.length + 1}>
                <span>{permissionTexts.blocks[id]}</span>
              </td>
            </tr>
            {permissions.map((permission) => (
              <PermissionRow key={permission} permission={permission} roles={roles} />
            ))}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function RoleHead({ role, isSelected }: { role: RoleRow; isSelected: boolean }) {
  const { id, name, permissions } = role;
  const head = useRef<HTMLTableCellElement>(null);
  useEffect(() => {
    if (isSelected) head.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isSelected]);
  return (
    <th ref={head} scope="col" {...(isSelected ? { 'data-selected': '' } : {})}>
      <button
        type="button"
        className={styles.head}
        title={shownName(name)}
        aria-label={texts.select(name)}
        aria-pressed={isSelected}
        onClick={() => selectRole(id)}
      >
        <span className={styles.headName}>{shownName(name)}</span>
        {lackingOf(maskOf(permissions)) === 0 ? null : (
          <span className={styles.mark} title={texts.incomplete}>
            <TriangleAlert size={12} aria-hidden />
            <span className="visually-hidden">{texts.incomplete}</span>
          </span>
        )}
      </button>
    </th>
  );
}

function PermissionRow({ permission, roles }: { permission: Permission; roles: readonly RoleRow[] }) {
  const { name, meaning } = permissionTexts.permissions[permission];
  return (
    <tr>
      <th scope="row" className={styles.permission}>
        <span className={styles.names}>
          {name} <code>{permission}</code>
        </span>
        <span className={styles.meaning}>{meaning}</span>
      </th>
      {roles.map((role) => (
        <PermissionCell key={role.id} permission={permission} name={name} role={role} />
      ))}
    </tr>
  );
}

function PermissionCell({ permission, name, role }: { permission: Permission; name: string; role: RoleRow }) {
  const isSelected = useRoles((state) => state.roleId === role.id);
  const drafted = useRoles(({ draft }) =>
    draft?.roleId === role.id ? draft.permissions.includes(permission) : undefined,
  );
  const stored = role.permissions.includes(permission);
  const has = drafted ?? stored;
  return (
    <td
      {...(isSelected ? { 'data-selected': '' } : {})}
      {...(drafted !== undefined && drafted !== stored ? { 'data-changed': '' } : {})}
    >
      {isSelected ? (
        <Checkbox isSelected={has} onChange={(isOn) => switchInDraft(role, permission, isOn)}>
          <span className="visually-hidden">{texts.cell(name, role.name)}</span>
        </Checkbox>
      ) : has ? (
        <span className={styles.has}>
          <Check size={14} strokeWidth={2.5} aria-hidden />
          <span className="visually-hidden">{texts.has}</span>
        </span>
      ) : (
        <span className="visually-hidden">{texts.hasNot}</span>
      )}
    </td>
  );
}
