import type { GroupRow, Person } from '../../contract/admin/people.ts';
import { groupedBy } from '../grouped-by.ts';
import type { TableRow } from '../table/table-error.ts';
import { unprotected } from '../table/write-csv.ts';
import { MAX_ADMIN_LINE } from './admin-limits.ts';
import { headingColumns } from './heading-columns.ts';
import { nameKey } from './name-key.ts';
import { type PeopleIndex, peopleIndex, personOfRow } from './people-index.ts';

/** The columns of a table of groups, by the headings that name them. Others are ignored. An id counts more than a name. */
const HEADINGS = {
  groupId: ['group id'],
  group: ['group', 'name'],
  userId: ['user id'],
  user: ['user', 'email', 'e-mail'],
} as const satisfies Record<string, readonly string[]>;
type Column = keyof typeof HEADINGS;
type Cell = (column: Column) => string;

/** What a table does to one group. */
export interface PlannedGroup {
  /** The first line about it. */
  line: number;
  /** null: it is created. */
  id: string | null;
  name: string;
  /** The present name, when the table gives another one to the group with this id. */
  renamedFrom: string | null;
  /** The users that join it, with their lines. */
  joins: { line: number; id: string; name: string }[];
}

/** Groups without a change are not among `groups`. Each row below the header changes something, nothing, or is skipped. */
export interface GroupsPlan {
  groups: PlannedGroup[];
  /** The number of rows that change nothing. */
  unchanged: number;
  skipped: { line: number; reason: string }[];
}

/**
 * Returns what a table of groups and their users changes: it creates groups, renames those with an id, and adds users. Nobody leaves a
 * group. Returns null when the header names no group. `rows`: with the header.
 */
export function planGroupsImport(
  [header, ...rows]: readonly TableRow[],
  { people, groups }: { people: readonly Person[]; groups: readonly GroupRow[] },
): GroupsPlan | null {
  const columns = headingColumns<Column>(header?.cells ?? [], HEADINGS);
  if (!columns.has('group') && !columns.has('groupId')) return null;
  const known: Known = {
    groups: new Map(groups.map((group) => [group.id, group])),
    byName: groupedBy(groups, ({ name }) => nameKey(name)),
    people: peopleIndex(people),
    planned: new Map(),
    lines: new Map(),
  };
  const plan: GroupsPlan = { groups: [], unchanged: 0, skipped: [] };
  for (const { row, line: at, cells } of rows) {
    const line = at ?? row;
    const read = readRow(line, (column) => unprotected(cells[columns.get(column) ?? -1] ?? '').trim(), known);
    if ('reason' in read) plan.skipped.push({ line, reason: read.reason });
    else if (!read.isChange) plan.unchanged += 1;
  }
  const isChanged = ({ id, renamedFrom, joins }: PlannedGroup) =>
    id === null || renamedFrom !== null || joins.length > 0;
  plan.groups = [...known.planned.values()].filter(isChanged);
  return plan;
}

interface Known {
  groups: ReadonlyMap<string, GroupRow>;
  byName: ReadonlyMap<string, GroupRow[]>;
  people: PeopleIndex;
  /** By the key of the group. */
  planned: Map<string, PlannedGroup>;
  /** The line of each user in each group. */
  lines: Map<string, number>;
}

function readRow(line: number, cell: Cell, known: Known): { isChange: boolean } | { reason: string } {
  const group = groupOf(cell, known);
  if ('reason' in group) return group;
  const key = group.id ?? `new ${nameKey(group.name)}`;
  const before = known.planned.get(key);
  if (before !== undefined && before.name !== group.name) {
    return { reason: `line ${before.line} gives this group another name, “${before.name}”` };
  }
  const user =
    cell('userId') === '' && cell('user') === '' ? null : personOfRow(known.people, cell('userId'), cell('user'));
  if (user !== null && 'reason' in user) return user;
  const memberKey = JSON.stringify([key, user?.id ?? '']);
  const earlier = known.lines.get(memberKey);
  if (earlier !== undefined) return { reason: `line ${earlier} says the same` };
  known.lines.set(memberKey, line);
  const planned = before ?? { line, ...group, joins: [] };
  known.planned.set(key, planned);
  const joins = user !== null && !(group.id !== null && user.groupIds.includes(group.id));
  if (joins) planned.joins.push({ line, id: user.id, name: user.name });
  return { isChange: joins || (before === undefined && (group.id === null || group.renamedFrom !== null)) };
}

type FoundGroup = Pick<PlannedGroup, 'id' | 'name' | 'renamedFrom'>;

function groupOf(cell: Cell, { groups, byName }: Known): FoundGroup | { reason: string } {
  const [id, name] = [cell('groupId'), cell('group')];
  if (id === '' && name === '') return { reason: 'no group' };
  if (name.length > MAX_ADMIN_LINE) return { reason: `group has more than ${MAX_ADMIN_LINE} characters` };
  const matches = byName.get(nameKey(name)) ?? [];
  if (id === '' && matches.length > 1) {
    return { reason: `several groups have the name “${name}”: ${matches.map((each) => each.id).join(', ')}` };
  }
  const group = id === '' ? matches[0] : groups.get(id);
  if (group === undefined) {
    return id === '' ? { id: null, name, renamedFrom: null } : { reason: `the library has no group with the ID ${id}` };
  }
  if (group.builtIn !== null) return { reason: `everybody belongs to the group “${group.name}”` };
  const isOther = id !== '' && name !== '' && nameKey(name) !== nameKey(group.name);
  return { id: group.id, name: isOther ? name : group.name, renamedFrom: isOther ? group.name : null };
}

/** Yields a table of groups with their users, which an import reads again: a row for each user, one for a group without any. */
export function* groupsTable(groups: readonly GroupRow[], people: readonly Person[]): Generator<string[]> {
  yield ['group id', 'group', 'user id', 'user'];
  for (const { id, name, builtIn } of groups) {
    if (builtIn !== null) continue;
    const members = people.filter(({ groupIds }) => groupIds.includes(id));
    if (members.length === 0) yield [id, name, '', ''];
    for (const member of members) yield [id, name, member.id, member.email || member.uniqueId];
  }
}
