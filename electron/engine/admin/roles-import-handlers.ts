import { z } from 'zod';
import type { Role } from '../../../shared/api/people.ts';
import { type ImportedRole, importedRoleSchema } from '../../../shared/contract/admin/roles-import.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import { isSameSet } from '../../../shared/model/access/explain-access.ts';
import { nameKey } from '../../../shared/model/access/name-key.ts';
import { withNeededPermissions } from '../../../shared/model/access/role-draft.ts';
import { getRole, rolePages } from '../api/roles.ts';
import type { Handlers } from '../common/handlers.ts';
import { listedByName } from './by-name.ts';
import { asAdministrator, type Directories } from './directories.ts';
import type { AdminJobDefinition, AdminJobs } from './jobs/admin-jobs.ts';

type RoleCalls = Pick<Handlers, `admin.${'createRole' | 'changeRole'}`>;
type Creation = Extract<ImportedRole, { kind: 'create' }>;
type Change = Extract<ImportedRole, { kind: 'change' }>;

/** The call that imports roles. Each change is that of the window: with its checks, and in the log. */
export function rolesImportHandlers(
  { directories, jobs }: { directories: Pick<Directories, 'clientFor'>; jobs: AdminJobs },
  calls: RoleCalls,
): Pick<Handlers, 'admin.importRoles'> {
  /** Creates a role; it may exist since a run that ended before it could note that. Returns its id. */
  async function create(siteId: string, { name, permissions }: Creation, present: readonly Role[]): Promise<string> {
    const [found, another] = present;
    if (another !== undefined) throw appError('admin.name-ambiguous', { details: { name } });
    if (found === undefined) return (await calls['admin.createRole']({ siteId, name, permissions })).id;
    if (isSameSet(found.permissions, withNeededPermissions(permissions))) return found.id;
    throw appError('admin.role-exists', { details: { roleId: found.id } });
  }

  /**
   * Changes a role from what the check of the table saw. An earlier run may have ended in between: it renames first, then adds all
   * permissions, and removes others at the end. Any other state is a change by somebody else.
   */
  async function change(siteId: string, { roleId, name, seen, permissions }: Change): Promise<string> {
    const now = await asAdministrator(getRole(directories.clientFor(siteId), roleId));
    const added = [...new Set([...seen.permissions, ...permissions])];
    const isOwn =
      [seen.permissions, added, permissions].some((state) => isSameSet(now.permissions, state)) &&
      (name === seen.name || [name, seen.name].includes(now.display_name));
    if (!isOwn) throw appError('admin.role-changed', { details: { roleId } });
    const isRenamed = name === seen.name || now.display_name === name;
    if (isRenamed && isSameSet(now.permissions, permissions)) return roleId;
    const renaming = isRenamed ? {} : { name };
    await calls['admin.changeRole']({ siteId, roleId, seen: now.permissions, permissions, ...renaming });
    return roleId;
  }

  const importing: AdminJobDefinition<ImportedRole, { source: string }, { done: string[] }> = {
    kind: 'importRoles',
    step: importedRoleSchema,
    note: z.object({ source: z.string() }),
    nameOf: (step) => ({
      id: step.kind === 'change' ? step.roleId : '',
      name: `line ${step.line}, ${step.name}`,
    }),
    savedAs: () => '',
    async open({ siteId, steps }) {
      const isCreating = steps.some(({ kind }) => kind === 'create');
      const present = isCreating
        ? await listedByName(rolePages(directories.clientFor(siteId), {}))
        : new Map<string, Role[]>();
      const done: string[] = [];
      return {
        async run(step) {
          const sent =
            step.kind === 'create' ? create(siteId, step, present.get(nameKey(step.name)) ?? []) : change(siteId, step);
          done.push(await sent);
        },
        end: async () => ({ done }),
      };
    },
  };
  jobs.register(importing);

  return {
    async 'admin.importRoles'({ siteId, source, roles }) {
      const note = { source };
      const { failed, result } = await jobs.start(siteId, importing, { subject: source, note, steps: roles });
      return { ...result, failed: failed.map(({ step, error }) => ({ ...importing.nameOf(step), error })) };
    },
  };
}
