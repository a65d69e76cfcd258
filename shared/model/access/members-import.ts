import type { AccessSubject } from '../../contract/admin/access.ts';
import { groupedBy } from '../grouped-by.ts';
import type { TableRow } from '../table/table-error.ts';
import { unprotected } from '../table/write-csv.ts';
import { type AccessFacts, type FactMembership, type FactUser, isSameSubject, pathTo } from './access-facts.ts';
import { headingColumns } from './heading-columns.ts';

/** The columns of a table of memberships, by the headings that name them. Others are ignored. An id counts more than a name. */
const HEADINGS = {
  collectionId: ['collection id'],
  collection: ['collection'],
  userId: ['user id'],
  user: ['user', 'email', 'e-mail'],
  groupId: ['group id'],
  group: ['group'],
  roleId: ['role id'],
  role: ['role'],
} as const satisfies Record<string, readonly string[]>;
type Column = keyof typeof HEADINGS;

/** The role of a subject in a collection. */
interface WantedMembership {
  collectionId: string;
  subject: AccessSubject;
  roleId: string;
}

/** A membership that an earlier import of the same source created. */
export interface MadeMembership extends WantedMembership {
  /** The same role, given again by somebody else, has another id. */
  membershipId: string;
}

interface NamedMembership extends WantedMembership {
  subjectName: string;
  path: string[];
  roleName: string;
}

export interface PlannedMembership extends NamedMembership {
  /** The line of the file, or the row where it has no lines. */
  line: number;
  /** The present membership of the subject in the collection, which gets another role; null: a new one. */
  membershipId: string | null;
  /** The present role. */
  before: { id: string; name: string } | null;
}

/** A membership of an earlier import of the source that is missing from the table now. */
export interface MissingMembership extends NamedMembership {
  membershipId: string;
  /** Why it stays; null: it can be removed. */
  reason: 'other-role' | 'skipped-rows' | null;
}

/** Each row below the header is in one of the first three lists. */
export interface MembersPlan {
  set: PlannedMembership[];
  unchanged: number;
  skipped: { line: number; reason: string }[];
  missing: MissingMembership[];
}

type Facts = Omit<AccessFacts, 'users'> & { users: ReadonlyMap<string, FactUser & { uniqueId: string }> };

/**
 * Returns what a table of memberships changes. `made`: what earlier imports of the same source created. Returns null when the header
 * lacks a column for the collection, the role, or for users and groups. `rows`: with the header.
 */
export function planMembersImport(
  [header, ...rows]: readonly TableRow[],
  facts: Facts,
  made: readonly MadeMembership[],
): MembersPlan | null {
  const columns = headingColumns<Column>(header?.cells ?? [], HEADINGS);
  const hasOne = (...names: Column[]) => names.some((name) => columns.has(name));
  if (!hasOne('collection', 'collectionId') || !hasOne('role', 'roleId')) return null;
  if (!hasOne('user', 'userId', 'group', 'groupId')) return null;
  const known = indexOf(facts);
  const plan: MembersPlan = { set: [], unchanged: 0, skipped: [], missing: [] };
  /** The line of each subject in each collection. */
  const lines = new Map<string, number>();
  for (const { row, line: at, cells } of rows) {
    const line = at ?? row;
    const read = readRow((column) => unprotected(cells[columns.get(column) ?? -1] ?? '').trim(), known);
    const earlier = 'reason' in read ? undefined : lines.get(memberKeyOf(read));
    if ('reason' in read) plan.skipped.push({ line, reason: read.reason });
    else if (earlier !== undefined) {
      plan.skipped.push({ line, reason: `line ${earlier} is about the same subject in the same collection` });
    } else {
      lines.set(memberKeyOf(read), line);
      place(plan, line, facts, read);
    }
  }
  plan.missing = missingFrom(lines, facts, made, plan.skipped.length > 0);
  return plan;
}

function place(plan: MembersPlan, line: number, facts: Facts, wanted: WantedMembership): void {
  const present = membershipOf(facts, wanted);
  if (present?.roleId === wanted.roleId) {
    plan.unchanged++;
    return;
  }
  const before = present === undefined ? null : { id: present.roleId, name: roleName(facts, present.roleId) };
  plan.set.push({ ...named(facts, wanted), line, membershipId: present?.id ?? null, before });
}

/** Returns the memberships of earlier imports that still exist and are not in the table. */
function missingFrom(
  lines: ReadonlyMap<string, number>,
  facts: Facts,
  made: readonly MadeMembership[],
  hasSkipped: boolean,
): MissingMembership[] {
  return made.flatMap((each) => {
    const present = membershipOf(facts, each);
    if (lines.has(memberKeyOf(each)) || present?.id !== each.membershipId) return [];
    // A row that could not be read may be about it.
    const reason = present.roleId !== each.roleId ? 'other-role' : hasSkipped ? 'skipped-rows' : null;
    return [{ ...named(facts, { ...each, roleId: present.roleId }), membershipId: present.id, reason }];
  });
}

type Cell = (column: Column) => string;

interface Known {
  facts: Facts;
  usersByKey: ReadonlyMap<string, FactUser[]>;
  groupsByName: ReadonlyMap<string, { id: string }[]>;
  rolesByName: ReadonlyMap<string, { id: string }[]>;
  collectionsByPath: ReadonlyMap<string, { id: string }[]>;
}

function readRow(cell: Cell, known: Known): WantedMembership | { reason: string } {
  const collection = found('collection', cell('collectionId'), known.facts.collections, {
    name: cell('collection'),
    matches: known.collectionsByPath.get(pathKey([cell('collection')])),
  });
  if ('reason' in collection) return collection;
  const subject = subjectOf(cell, known);
  if ('reason' in subject) return subject;
  const role = found('role', cell('roleId'), known.facts.roles, {
    name: cell('role'),
    matches: known.rolesByName.get(nameKey(cell('role'))),
  });
  if ('reason' in role) return role;
  return { collectionId: collection.id, subject, roleId: role.id };
}

function subjectOf(cell: Cell, { facts, usersByKey, groupsByName }: Known): AccessSubject | { reason: string } {
  const isUser = cell('userId') !== '' || cell('user') !== '';
  const isGroup = cell('groupId') !== '' || cell('group') !== '';
  if (isUser && isGroup) return { reason: 'both a user and a group' };
  if (!isUser && !isGroup) return { reason: 'neither a user nor a group' };
  const entry = isUser
    ? found('user', cell('userId'), facts.users, { name: cell('user'), matches: usersByKey.get(nameKey(cell('user'))) })
    : found('group', cell('groupId'), facts.groups, {
        name: cell('group'),
        matches: groupsByName.get(nameKey(cell('group'))),
      });
  return 'reason' in entry ? entry : { kind: isUser ? 'user' : 'group', id: entry.id };
}

function found(
  kind: string,
  id: string,
  byId: ReadonlyMap<string, { id: string }>,
  { name, matches = [] }: { name: string; matches?: readonly { id: string }[] | undefined },
): { id: string } | { reason: string } {
  if (id !== '') {
    const entry = byId.get(id);
    if (entry === undefined) return { reason: `the library has no ${kind} with the ID ${id}` };
    // A name that was edited beside an id is a wish that the id would hide.
    const isNamed = name === '' || matches.some((each) => each.id === id);
    return isNamed ? entry : { reason: `the ${kind} with the ID ${id} is not “${name}”: correct one of them` };
  }
  if (name === '') return { reason: `no ${kind}` };
  const [first, another] = matches;
  if (first === undefined) return { reason: `the library has no ${kind} “${name}”` };
  if (another === undefined) return first;
  return { reason: `several match the ${kind} “${name}”: ${matches.map((each) => each.id).join(', ')}` };
}

function named(facts: Facts, { collectionId, subject, roleId }: WantedMembership): NamedMembership {
  const user = subject.kind === 'user' ? facts.users.get(subject.id) : undefined;
  const subjectName = user?.name ?? (subject.kind === 'group' ? facts.groups.get(subject.id)?.name : undefined);
  return {
    collectionId,
    subject,
    roleId,
    subjectName: subjectName ?? subject.id,
    path: pathTo(facts, collectionId),
    roleName: roleName(facts, roleId),
  };
}

const roleName = ({ roles }: Facts, id: string) => roles.get(id)?.name ?? id;

function membershipOf(
  { memberships }: Facts,
  { collectionId, subject }: Omit<WantedMembership, 'roleId'>,
): FactMembership | undefined {
  return memberships.get(collectionId)?.find((each) => isSameSubject(each.subject, subject));
}

function indexOf(facts: Facts): Known {
  const keyed = [...facts.users.values()].flatMap((user) =>
    [...new Set([nameKey(user.email), nameKey(user.uniqueId)])].filter(Boolean).map((key) => ({ key, user })),
  );
  const users = groupedBy(keyed, ({ key }) => key);
  const placed = [...facts.collections.values()].flatMap(({ id }) => {
    const path = pathTo(facts, id);
    // The top collection may be omitted, because there is only one.
    return [path, path.slice(1)].filter(({ length }) => length > 0).map((names) => ({ id, key: pathKey(names) }));
  });
  return {
    facts,
    usersByKey: new Map([...users].map(([key, entries]) => [key, entries.map(({ user }) => user)])),
    groupsByName: groupedBy(facts.groups.values(), ({ name }) => nameKey(name)),
    rolesByName: groupedBy(facts.roles.values(), ({ name }) => nameKey(name)),
    collectionsByPath: groupedBy(placed, ({ key }) => key),
  };
}

const nameKey = (name: string) => name.normalize('NFC').trim().toLowerCase();
/** A name can contain a slash, too: a path is compared as a whole, without the spaces beside slashes. */
const pathKey = (names: readonly string[]) =>
  names
    .join('/')
    .normalize('NFC')
    .split('/')
    .map((part) => part.trim())
    .join('/');

/** Identifies a subject in a collection. */
export function memberKeyOf({ collectionId, subject: { kind, id } }: Omit<WantedMembership, 'roleId'>): string {
  return `${kind} ${id} in ${collectionId}`;
}

/** The columns of an exported table, which an import reads again. */
const EXPORTED = ['collection id', 'collection', 'user id', 'user', 'group id', 'group', 'role id', 'role'] as const;

/** Yields a table of memberships: a header, then a row for each, by collection. */
export function* membersTable(facts: Facts): Generator<string[]> {
  yield [...EXPORTED];
  const placed = [...facts.memberships].map(([id, memberships]) => ({
    path: pathTo(facts, id).join(' / '),
    memberships,
  }));
  placed.sort((one, other) => (one.path < other.path ? -1 : 1));
  for (const { path, memberships } of placed) {
    for (const { collectionId, subject, roleId } of memberships) {
      const user = subject.kind === 'user' ? [subject.id, facts.users.get(subject.id)?.email ?? ''] : ['', ''];
      const group = subject.kind === 'group' ? [subject.id, facts.groups.get(subject.id)?.name ?? ''] : ['', ''];
      yield [collectionId, path, ...user, ...group, roleId, facts.roles.get(roleId)?.name ?? ''];
    }
  }
}
