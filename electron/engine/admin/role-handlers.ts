import type { RoleRow } from '../../../shared/contract/admin/access.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import { pathTo } from '../../../shared/model/access/access-facts.ts';
import { isSameSet, permissionsInOrder } from '../../../shared/model/access/explain-access.ts';
import { withNeededPermissions } from '../../../shared/model/access/role-draft.ts';
import { changePermissionsOfRole, countRoles, createRole, deleteRole, getRole, renameRole } from '../api/roles.ts';
import type { Handlers } from '../common/handlers.ts';
import { roleRows, subjectName } from './admin-rows.ts';
import { lookAtRole } from './deletion-looks.ts';
import { asAdministrator } from './directories.ts';
import { type DirectoryRole, dropMemberships, toRole } from './directory.ts';
import { errorOfDeletingRole } from './guards.ts';
import { orGiven, orNull } from './outcome.ts';
import type { AdminTools } from './people-handlers.ts';

type RoleCall = `admin.${'roles' | 'countRoles' | 'createRole' | 'changeRole' | 'deletionOfRole' | 'deleteRole'}`;

/** The calls about roles. A library drops a permission without its dependencies silently: every answer is read back and compared. */
export function roleHandlers({ directories, log }: AdminTools): Pick<Handlers, RoleCall> {
  const { clientFor } = directories;

  /** Reads a role and returns it. A difference to what was known is announced. */
  async function readAgain(siteId: string, roleId: string): Promise<DirectoryRole> {
    const role = toRole(await asAdministrator(getRole(clientFor(siteId), roleId)));
    const isNews = JSON.stringify(role) !== JSON.stringify((await directories.of(siteId)).roles.get(roleId));
    directories[isNews ? 'note' : 'learn'](siteId, ({ roles }) => roles.set(roleId, role));
    return role;
  }

  /** Reads the role after a change and returns its row. Throws `admin.role-differs`. */
  async function checked(siteId: string, roleId: string, name: string, wanted: readonly string[]): Promise<RoleRow> {
    const given = { id: roleId, name, permissions: wanted, deletable: true, lti: false };
    const { permissions: saved } = await orGiven(readAgain(siteId, roleId), given);
    if (!isSameSet(saved, wanted)) {
      throw appError('admin.role-differs', {
        details: {
          roleId,
          missing: wanted.filter((permission) => !saved.includes(permission)),
          additional: saved.filter((permission) => !wanted.includes(permission)),
        },
      });
    }
    const row = roleRows(await directories.of(siteId)).find(({ id }) => id === roleId);
    return row ?? { ...given, permissions: [...wanted], memberships: 0 };
  }

  return {
    async 'admin.roles'({ siteId }) {
      return roleRows(await directories.of(siteId));
    },

    async 'admin.countRoles'({ siteId, permissions }) {
      const query = permissions.length === 0 ? {} : { permissions: permissions.join(',') };
      return { count: await asAdministrator(countRoles(clientFor(siteId), query)) };
    },

    async 'admin.createRole'({ siteId, name, permissions }) {
      const wanted = withNeededPermissions(permissions);
      const change = { action: 'createRole', targetId: '', targetName: name, before: '', after: wanted.join(' ') };
      const input = { display_name: name.trim(), permissions: wanted };
      const { id } = await log.record(siteId, change, () => asAdministrator(createRole(clientFor(siteId), input)));
      return checked(siteId, id, input.display_name, wanted);
    },

    async 'admin.changeRole'({ siteId, roleId, name, seen, permissions }) {
      const client = clientFor(siteId);
      const now = await readAgain(siteId, roleId);
      if (!isSameSet(now.permissions, seen)) throw appError('admin.role-changed', { details: { roleId } });
      const add = permissions.filter((each) => !now.permissions.includes(each));
      const remove = now.permissions.filter((each) => !permissions.includes(each));
      const target = { targetId: roleId, targetName: now.name };
      const newName = name?.trim();
      if (newName !== undefined && newName !== now.name) {
        const change = { action: 'renameRole', ...target, before: now.name, after: newName };
        await log.record(siteId, change, () => asAdministrator(renameRole(client, roleId, newName)));
      }
      const steps = [
        { action: 'addPermissions', way: 'add', names: add },
        { action: 'removePermissions', way: 'remove', names: remove },
      ] as const;
      for (const { action, way, names } of steps) {
        if (names.length === 0) continue;
        const change = { action, ...target, before: now.permissions.join(' '), after: names.join(' ') };
        await log.record(siteId, change, () => asAdministrator(changePermissionsOfRole(client, roleId, way, names)));
      }
      return checked(siteId, roleId, newName ?? now.name, permissions);
    },

    async 'admin.deletionOfRole'({ siteId, roleId }) {
      // What it means for people is computed from the same reading.
      const directory = await directories.of(siteId, true);
      const { role, memberships, seen } = await lookAtRole(clientFor(siteId), roleId);
      const refusal = errorOfDeletingRole(role);
      if (refusal !== null) throw refusal;
      directory.roles.set(roleId, role);
      const permissions = permissionsInOrder(role.permissions);
      return { ...role, permissions, memberships: memberships.length, seen };
    },

    async 'admin.deleteRole'({ siteId, roleId, seen }) {
      const directory = await directories.of(siteId);
      const client = clientFor(siteId);
      const look = await orNull(lookAtRole(client, roleId));
      if (look !== null) {
        const refusal = errorOfDeletingRole(look.role);
        if (refusal !== null) throw refusal;
        if (look.seen !== seen) throw appError('admin.deletion-changed', { details: { roleId } });
        const rows = look.memberships.map(({ subject, collectionId }) => [
          ...[subject.kind, subject.id, subjectName(directory, subject), pathTo(directory, collectionId).join(' / ')],
        ]);
        await log.saveTable('deleted-role', [['kind', 'id', 'name', 'collection'], ...rows]);
        const change = {
          action: 'deleteRole',
          targetId: roleId,
          targetName: look.name,
          before: look.role.permissions.join(' '),
          after: '',
        };
        await log.record(siteId, change, () => asAdministrator(deleteRole(client, roleId)));
      }
      directories.note(siteId, (known) => {
        known.roles.delete(roleId);
        dropMemberships(known, (membership) => membership.roleId === roleId);
      });
      return null;
    },
  };
}
