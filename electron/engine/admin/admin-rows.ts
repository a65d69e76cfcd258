import type { MembershipRow, RoleRow } from '../../../shared/contract/admin/access.ts';
import type { GroupRow } from '../../../shared/contract/admin/people.ts';
import type { FactMembership } from '../../../shared/model/access/access-facts.ts';
import { pathTo } from '../../../shared/model/access/access-facts.ts';
import { permissionsInOrder } from '../../../shared/model/access/explain-access.ts';
import { sortKey } from '../../../shared/model/sort-key.ts';
import type { Directory } from './directory.ts';

/** Returns the groups with their numbers, the built-in ones first, then by name. */
export function groupRows({ groups, users, memberships }: Directory): GroupRow[] {
  const people = new Map<string, number>();
  for (const { groupIds } of users.values()) for (const id of groupIds) people.set(id, (people.get(id) ?? 0) + 1);
  const roles = new Map<string, number>();
  for (const { subject } of all(memberships)) {
    if (subject.kind === 'group') roles.set(subject.id, (roles.get(subject.id) ?? 0) + 1);
  }
  const rows = [...groups.values()].map(({ id, name, builtIn }): GroupRow => {
    const members = builtIn === null ? (people.get(id) ?? 0) : users.size;
    return { id, name, builtIn, people: members, memberships: roles.get(id) ?? 0 };
  });
  const isBuiltIn = (row: GroupRow) => row.builtIn !== null;
  const sorted = byName(rows, ({ name }) => name);
  return [...sorted.filter(isBuiltIn), ...sorted.filter((row) => !isBuiltIn(row))];
}

/** Returns the roles with the numbers of their memberships, by name. */
export function roleRows({ roles, memberships }: Directory): RoleRow[] {
  const uses = new Map<string, number>();
  for (const { roleId } of all(memberships)) uses.set(roleId, (uses.get(roleId) ?? 0) + 1);
  const rows = [...roles.values()].map((role) => ({
    ...role,
    permissions: permissionsInOrder(role.permissions),
    memberships: uses.get(role.id) ?? 0,
  }));
  return byName(rows, ({ name }) => name);
}

/** Returns the memberships that a test accepts, by the path of their collection, then by the name of their subject. */
export function membershipRows(directory: Directory, test: (membership: FactMembership) => boolean): MembershipRow[] {
  const places: { path: string[]; key: string; memberships: FactMembership[] }[] = [];
  for (const [collectionId, each] of directory.memberships) {
    const memberships = each.filter(test);
    if (memberships.length === 0) continue;
    const path = pathTo(directory, collectionId);
    places.push({ path, key: sortKey(path.join('\u0001')), memberships });
  }
  places.sort((one, other) => (one.key < other.key ? -1 : 1));
  return places.flatMap(({ path, memberships }) =>
    byName(
      memberships.map((membership) => membershipRow(directory, membership, path)),
      ({ subjectName: name }) => name,
    ),
  );
}

/** Returns the name of a user or group; empty when the directory has none. */
export function subjectName({ users, groups }: Directory, { kind, id }: FactMembership['subject']): string {
  return (kind === 'user' ? users.get(id) : groups.get(id))?.name ?? '';
}

function membershipRow(
  directory: Directory,
  { id, subject, collectionId, roleId }: FactMembership,
  path: string[],
): MembershipRow {
  const { collections, roles } = directory;
  return {
    id,
    subject,
    collectionId,
    roleId,
    subjectName: subjectName(directory, subject),
    collectionName: collections.get(collectionId)?.name ?? '',
    path,
    roleName: roles.get(roleId)?.name ?? '',
  };
}

function* all(memberships: Directory['memberships']): Generator<FactMembership> {
  for (const each of memberships.values()) yield* each;
}

/** Sorts by the keys of names, each of which is computed once. */
function byName<T>(rows: readonly T[], nameOf: (row: T) => string): T[] {
  return rows
    .map((row) => ({ row, key: sortKey(nameOf(row)) }))
    .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
    .map(({ row }) => row);
}
