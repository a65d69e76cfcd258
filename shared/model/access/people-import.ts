import type { GroupRow, Person } from '../../contract/admin/people.ts';
import { isEmailAddress } from '../email-address.ts';
import { groupedBy } from '../grouped-by.ts';
import { readNameList } from '../name-list.ts';
import type { TableRow } from '../table/table-error.ts';
import { unprotected } from '../table/write-csv.ts';
import { MAX_ADMIN_LINE } from './admin-limits.ts';
import { headingColumns } from './heading-columns.ts';
import { nameKey } from './name-key.ts';

/** The columns that an import of users reads, by the headings that name them. Others are ignored. */
const HEADINGS = {
  email: ['email', 'e-mail', 'e-mail address', 'email address'],
  firstName: ['first name', 'first'],
  lastName: ['last name', 'last'],
  uniqueId: ['unique id'],
  administrator: ['administrator'],
  groups: ['groups'],
} as const satisfies Record<string, readonly string[]>;
type Column = keyof typeof HEADINGS;

/** What a row does to one user. `addGroups`: ids of groups that the user is not in yet. */
interface PlannedPerson {
  /** The line of the file, or the row where it has no lines. */
  line: number;
  email: string;
  addGroups: string[];
}

export interface PlannedCreation extends PlannedPerson {
  firstName: string;
  lastName: string;
  /** Empty: the library chooses it. */
  uniqueId: string;
  isAdmin: boolean;
}

export interface PlannedUpdate extends PlannedPerson {
  person: Person;
  /** Only what differs. */
  patch: { isAdmin?: boolean; uniqueId?: string };
}

/** Each row below the header is in one of the four lists. */
export interface PeopleImport {
  create: PlannedCreation[];
  update: PlannedUpdate[];
  unchanged: { line: number; person: Person }[];
  skipped: { line: number; reason: string }[];
}

/**
 * Returns what a table of users changes. A row is about the user with its unique id, otherwise about the one with its e-mail address,
 * otherwise about a new one. An empty cell changes nothing, and nobody leaves a group. Returns null when the header names neither
 * column. `rows`: with the header; `actorId`: the importing user, who stays an administrator.
 */
export function planPeopleImport(
  [header, ...rows]: readonly TableRow[],
  { people, groups, actorId }: { people: readonly Person[]; groups: readonly GroupRow[]; actorId: string | null },
): PeopleImport | null {
  const columns = headingColumns(header?.cells ?? [], HEADINGS);
  if (!columns.has('email') && !columns.has('uniqueId')) return null;
  const known = indexOf(people, groups, actorId);
  const plan: PeopleImport = { create: [], update: [], unchanged: [], skipped: [] };
  /** The line of each user, and of each key of a new one. */
  const lines = new Map<string, number>();
  for (const { row, line: at, cells } of rows) {
    const line = at ?? row;
    const cell = (column: Column) => unprotected(cells[columns.get(column) ?? -1] ?? '').trim();
    const read = readRow(cell, known);
    const keys = 'reason' in read ? [] : keysOf(read, cell);
    const earlier = keys.flatMap((key) => lines.get(key) ?? [])[0];
    if ('reason' in read) plan.skipped.push({ line, reason: read.reason });
    else if (earlier !== undefined) plan.skipped.push({ line, reason: `line ${earlier} is about the same user` });
    else {
      for (const key of keys) lines.set(key, line);
      place(plan, line, read, cell);
    }
  }
  return plan;
}

interface ReadRow {
  /** null: a new user. */
  person: Person | null;
  /** null: an empty cell. */
  isAdmin: boolean | null;
  groupIds: string[];
}

type Cell = (column: Column) => string;

interface Known {
  actorId: string | null;
  byUniqueId: ReadonlyMap<string, Person[]>;
  byEmail: ReadonlyMap<string, Person[]>;
  byGroupName: ReadonlyMap<string, GroupRow[]>;
}

function readRow(cell: Cell, known: Known): ReadRow | { reason: string } {
  const [email, uniqueId] = [cell('email'), cell('uniqueId')];
  if (email === '' && uniqueId === '') return { reason: 'no unique ID and no e-mail address' };
  const byUniqueId = known.byUniqueId.get(uniqueId) ?? [];
  const matches = byUniqueId.length > 0 ? byUniqueId : (known.byEmail.get(email.toLowerCase()) ?? []);
  if (matches.length > 1) return { reason: `several users match: ${matches.map(({ id }) => id).join(', ')}` };
  const person = matches[0] ?? null;
  if (person !== null && email !== '' && email.toLowerCase() !== person.email.toLowerCase()) {
    return { reason: `the library doesn’t change e-mail addresses; this user has ${person.email || 'none'}` };
  }
  const missing = (['email', 'firstName', 'lastName'] as const).filter((column) => cell(column) === '');
  if (person === null && missing.length > 0) {
    return { reason: `a new user needs: ${missing.map((column) => HEADINGS[column][0]).join(', ')}` };
  }
  if (person === null && !isEmailAddress(email)) return { reason: `“${email}” is not an e-mail address` };
  const long = sentLines(person, cell).find((column) => cell(column).length > MAX_ADMIN_LINE);
  if (long !== undefined) return { reason: `${HEADINGS[long][0]} has more than ${MAX_ADMIN_LINE} characters` };
  const isAdmin = ADMINISTRATOR.get(cell('administrator').toLowerCase());
  if (isAdmin === undefined) return { reason: `administrator is neither yes nor no: ${cell('administrator')}` };
  if (person !== null && person.id === known.actorId && isAdmin === false) {
    return { reason: 'you can’t take away your own administrator rights' };
  }
  const groups = readGroups(cell('groups'), known);
  return 'reason' in groups ? groups : { person, isAdmin, ...groups };
}

/** Returns the columns whose cells a row may send to the library as lines. */
function sentLines(person: Person | null, cell: Cell): readonly Column[] {
  if (person === null) return ['email', 'firstName', 'lastName', 'uniqueId'];
  return cell('uniqueId') === person.uniqueId ? [] : ['uniqueId'];
}

function readGroups(names: string, { byGroupName }: Known): { groupIds: string[] } | { reason: string } {
  const groupIds = new Set<string>();
  const listed = readNameList(names, ';');
  if (listed === null) return { reason: `a quote in the groups is not closed: ${names}` };
  for (const name of listed) {
    const [group, another] = byGroupName.get(nameKey(name)) ?? [];
    if (group === undefined) return { reason: `the library has no group “${name}”` };
    if (another !== undefined) return { reason: `several groups have the name “${name}”` };
    if (group.builtIn !== null) return { reason: `everybody belongs to the group “${name}”` };
    groupIds.add(group.id);
  }
  return { groupIds: [...groupIds] };
}

function place(plan: PeopleImport, line: number, { person, isAdmin, groupIds }: ReadRow, cell: Cell): void {
  const [email, uniqueId] = [cell('email'), cell('uniqueId')];
  if (person === null) {
    const names = { firstName: cell('firstName'), lastName: cell('lastName') };
    plan.create.push({ line, email, ...names, uniqueId, isAdmin: isAdmin === true, addGroups: groupIds });
    return;
  }
  const patch = {
    ...(isAdmin === null || isAdmin === person.isAdmin ? {} : { isAdmin }),
    ...(uniqueId === '' || uniqueId === person.uniqueId ? {} : { uniqueId }),
  };
  const addGroups = groupIds.filter((id) => !person.groupIds.includes(id));
  if (Object.keys(patch).length + addGroups.length === 0) plan.unchanged.push({ line, person });
  else plan.update.push({ line, email: person.email, addGroups, person, patch });
}

/** Returns what no other row may be about. */
function keysOf({ person }: ReadRow, cell: Cell): string[] {
  if (person !== null) return [`id ${person.id}`];
  const uniqueId = cell('uniqueId');
  return [`email ${cell('email').toLowerCase()}`, ...(uniqueId === '' ? [] : [`unique ${uniqueId}`])];
}

const ADMINISTRATOR: ReadonlyMap<string, boolean | null> = new Map([
  ['', null],
  ...(['yes', 'true', '1'] as const).map((word) => [word, true] as const),
  ...(['no', 'false', '0'] as const).map((word) => [word, false] as const),
]);

function indexOf(people: readonly Person[], groups: readonly GroupRow[], actorId: string | null): Known {
  const withKey = people.filter(({ uniqueId }) => uniqueId !== '');
  const withEmail = people.filter(({ email }) => email !== '');
  return {
    actorId,
    byUniqueId: groupedBy(withKey, ({ uniqueId }) => uniqueId),
    byEmail: groupedBy(withEmail, ({ email }) => email.toLowerCase()),
    byGroupName: groupedBy(groups, ({ name }) => nameKey(name)),
  };
}
