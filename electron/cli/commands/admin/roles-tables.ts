import type { ImportedRole } from '../../../../shared/contract/admin/roles-import.ts';
import {
  type PlannedNewRole,
  type PlannedRoleChange,
  planRolesImport,
  type RolesPlan,
  rolesTable,
} from '../../../../shared/model/access/roles-import.ts';
import { counted, reportOutcome } from '../../admin/admin-outcome.ts';
import { defineTableExport, defineTableImport, plannedCountsText } from '../../admin/define-table-commands.ts';
import { printEffects } from '../../admin/effects-text.ts';
import { untilInterrupted, withoutStopped } from '../../admin/run-job.ts';
import { shortened } from '../../admin/table-import.ts';
import type { EngineContext } from '../../command-base/context.ts';

/** The most roles of which a preview says what their change means for people. */
const MOST_EFFECTS = 20;

export const adminRolesExportCommand = defineTableExport({
  name: 'admin roles export',
  summary: 'Print the roles with their permissions as CSV, which “admin roles import” reads.',
  async table({ engine }, siteId) {
    await engine.call('admin.read', { siteId, isFresh: true });
    const roles = await engine.call('admin.roles', { siteId });
    return { rows: [...rolesTable(roles)], note: `${counted(roles.length, 'role')}.`, lack: null };
  },
});

/** Checks a table of roles against the library, and makes its changes with `--apply`. The same table again sends nothing. */
export const adminRolesImportCommand = defineTableImport<RolesPlan>({
  name: 'admin roles import',
  summary:
    'Show which roles a CSV or XLSX file would create and change, and who gains and loses what; do it with --apply.',
  applyHelp: 'Create and change the roles. Rows with a problem are skipped.',
  changed: 'roles',
  noColumns: 'The file needs columns “role” and “permissions”.',
  plan: async ({ engine }, { siteId }, rows) => planRolesImport(rows, await engine.call('admin.roles', { siteId })),
  async print(context, siteId, { skipped, create, change }) {
    const { output } = context;
    for (const line of shortened(skipped.map(({ line, reason }) => `line ${line}: skip: ${reason}`))) output.line(line);
    for (const line of shortened(create.map(creationLine))) output.line(line);
    await printChanges(context, siteId, change);
  },
  counts: (rows, plan) => plannedCountsText(rows, 'a role', plan),
  async apply(context, siteId, { create, change }, source) {
    const input = { siteId, source, roles: [...create.map(toCreation), ...change.map(toChange)] };
    const call = () => context.engine.call('admin.importRoles', input);
    const outcome = withoutStopped(await untilInterrupted(context, { siteId, kind: 'importRoles' }, call));
    return reportOutcome(context, 'imported', { one: 'role', outcome });
  },
});

function toCreation({ line, name, permissions }: PlannedNewRole): ImportedRole {
  return { kind: 'create', line, name, permissions };
}

function toChange({ line, name, permissions, role }: PlannedRoleChange): ImportedRole {
  const seen = { name: role.name, permissions: role.permissions };
  return { kind: 'change', line, roleId: role.id, name, seen, permissions };
}

/** Prints each change of a role, with what it means for people. */
async function printChanges(
  context: EngineContext,
  siteId: string,
  changes: readonly PlannedRoleChange[],
): Promise<void> {
  for (const [index, change] of changes.entries()) {
    context.output.line(changeLine(change));
    const { role, permissions } = change;
    if (index < MOST_EFFECTS) await printEffects(context, siteId, { kind: 'role', roleId: role.id, permissions });
  }
}

function creationLine({ line, name, permissions, besides }: PlannedNewRole): string {
  return `line ${line}: create the role “${name}” with ${counted(permissions.length, 'permission')}${besidesText(besides)}`;
}

function changeLine({ line, name, permissions, besides, role }: PlannedRoleChange): string {
  const added = permissions.filter((each) => !role.permissions.includes(each));
  const removed = role.permissions.filter((each) => !permissions.includes(each));
  const parts = [
    ...(name === role.name ? [] : [`rename it to “${name}”`]),
    ...(added.length === 0 ? [] : [`add ${added.join(', ')}`]),
    ...(removed.length === 0 ? [] : [`remove ${removed.join(', ')}`]),
  ];
  return `line ${line}: change “${role.name}”: ${parts.join('; ')}${besidesText(besides)}`;
}

function besidesText(besides: readonly string[]): string {
  return besides.length === 0 ? '' : ` (also ${besides.join(', ')}, because others depend on them)`;
}
