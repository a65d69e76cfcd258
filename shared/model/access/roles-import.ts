import { isPermission } from '../../api/permission-sets.ts';
import type { Permission } from '../../api/permissions.ts';
import type { RoleRow } from '../../contract/admin/access.ts';
import { groupedBy } from '../grouped-by.ts';
import type { TableRow } from '../table/table-error.ts';
import { unprotected } from '../table/write-csv.ts';
import { MAX_ADMIN_LINE } from './admin-limits.ts';
import { isSameSet } from './explain-access.ts';
import { headingColumns } from './heading-columns.ts';
import { nameKey } from './name-key.ts';
import { withNeededPermissions } from './role-draft.ts';

/** The columns of a table of roles, by the headings that name them. Others are ignored. An id counts more than a name. */
const HEADINGS = {
  roleId: ['role id'],
  role: ['role', 'name'],
  permissions: ['permissions'],
} as const satisfies Record<string, readonly string[]>;
type Column = keyof typeof HEADINGS;
type Cell = (column: Column) => string;

interface PlannedRole {
  line: number;
  name: string;
  /** The permissions of the row, with all that they depend on. */
  permissions: string[];
  /** Of these, the ones that the row does not list. */
  besides: string[];
}

export interface PlannedNewRole extends Omit<PlannedRole, 'permissions'> {
  permissions: Permission[];
}

export interface PlannedRoleChange extends PlannedRole {
  /** The role as it is now. */
  role: RoleRow;
}

/** Each row below the header is in one of the four lists. */
export interface RolesPlan {
  create: PlannedNewRole[];
  change: PlannedRoleChange[];
  unchanged: { line: number; role: RoleRow }[];
  skipped: { line: number; reason: string }[];
}

/**
 * Returns what a table of roles changes: it creates roles, gives existing ones exactly the permissions of their row, and renames those with
 * an id. An empty cell changes nothing, and no role is deleted. Returns null when the header names no role or no permissions. `rows`: with
 * the header.
 */
export function planRolesImport([header, ...rows]: readonly TableRow[], roles: readonly RoleRow[]): RolesPlan | null {
  const columns = headingColumns<Column>(header?.cells ?? [], HEADINGS);
  if (!(columns.has('role') || columns.has('roleId')) || !columns.has('permissions')) return null;
  const known: Known = {
    byId: new Map(roles.map((role) => [role.id, role])),
    byName: groupedBy(roles, ({ name }) => nameKey(name)),
  };
  const plan: RolesPlan = { create: [], change: [], unchanged: [], skipped: [] };
  /** The line of each role. */
  const lines = new Map<string, number>();
  for (const { row, line: at, cells } of rows) {
    const line = at ?? row;
    const read = readRow((column) => unprotected(cells[columns.get(column) ?? -1] ?? '').trim(), known);
    const key = 'reason' in read ? '' : (read.role?.id ?? `new ${nameKey(read.name)}`);
    const earlier = lines.get(key);
    if ('reason' in read) plan.skipped.push({ line, reason: read.reason });
    else if (earlier !== undefined) plan.skipped.push({ line, reason: `line ${earlier} is about the same role` });
    else {
      lines.set(key, line);
      place(plan, line, read);
    }
  }
  return plan;
}

interface Known {
  byId: ReadonlyMap<string, RoleRow>;
  byName: ReadonlyMap<string, RoleRow[]>;
}

interface ReadRow {
  /** null: a new role. */
  role: RoleRow | null;
  name: string;
  /** null: an empty cell. */
  listed: string[] | null;
}

function readRow(cell: Cell, known: Known): ReadRow | { reason: string } {
  const found = roleOf(cell('roleId'), cell('role'), known);
  if ('reason' in found) return found;
  const listed = cell('permissions')
    .split(/[;,\s]/)
    .filter((name) => name !== '');
  // A newer library has permissions that this program doesn't know: a role keeps those that it has.
  const unknown = listed.find((name) => !isPermission(name) && !(found.role?.permissions.includes(name) ?? false));
  if (unknown !== undefined) return { reason: `unknown permission: ${unknown}` };
  return { ...found, listed: listed.length === 0 ? null : [...new Set(listed)] };
}

function roleOf(id: string, name: string, { byId, byName }: Known): Omit<ReadRow, 'listed'> | { reason: string } {
  if (id === '' && name === '') return { reason: 'no role' };
  if (name.length > MAX_ADMIN_LINE) return { reason: `role has more than ${MAX_ADMIN_LINE} characters` };
  if (id !== '') {
    const role = byId.get(id);
    if (role === undefined) return { reason: `the library has no role with the ID ${id}` };
    return { role, name: name === '' || nameKey(name) === nameKey(role.name) ? role.name : name };
  }
  const [role, another] = byName.get(nameKey(name)) ?? [];
  if (another !== undefined) {
    const ids = (byName.get(nameKey(name)) ?? []).map((each) => each.id);
    return { reason: `several roles have the name “${name}”: ${ids.join(', ')}` };
  }
  return { role: role ?? null, name: role?.name ?? name };
}

function place(plan: RolesPlan, line: number, { role, name, listed }: ReadRow): void {
  const permissions = listed === null ? (role?.permissions ?? []) : withNeededPermissions(listed);
  const besides = listed === null ? [] : permissions.filter((each) => !listed.includes(each));
  if (role === null) plan.create.push({ line, name, permissions: permissions.filter(isPermission), besides });
  else if (name === role.name && isSameSet(permissions, role.permissions)) plan.unchanged.push({ line, role });
  else plan.change.push({ line, name, permissions: [...permissions], besides, role });
}

/** Yields a table of roles, which an import reads again. */
export function* rolesTable(roles: readonly RoleRow[]): Generator<string[]> {
  yield ['role id', 'role', 'permissions'];
  for (const { id, name, permissions } of roles) yield [id, name, permissions.join('; ')];
}
