import type { Collection } from '../../../shared/api/collections.ts';
import type { Group, Membership, Role, UserWithGroups } from '../../../shared/api/people.ts';
import type { Person } from '../../../shared/contract/admin/people.ts';
import type {
  AccessFacts,
  FactCollection,
  FactGroup,
  FactMembership,
  FactRole,
} from '../../../shared/model/access/access-facts.ts';
import { groupedBy } from '../../../shared/model/grouped-by.ts';
import { folded } from '../../../shared/model/library-query/searched-text.ts';
import { sortKey } from '../../../shared/model/sort-key.ts';
import { collectionPages } from '../api/collections.ts';
import { getGroup, groupPages } from '../api/groups.ts';
import type { SiteClient } from '../api/http-client.ts';
import { listMemberships, membershipPages } from '../api/memberships.ts';
import type { Pages } from '../api/pages.ts';
import { rolePages } from '../api/roles.ts';
import { listUsers, userPages } from '../api/users.ts';
import { inParallel } from '../common/in-parallel.ts';
import { orNull } from './outcome.ts';

/** A user with what lists search and sort by. */
export interface DirectoryUser extends Person {
  /** Name, e-mail address and unique id without accents and letter case. */
  searched: string;
  nameKey: string;
}

export interface DirectoryRole extends FactRole {
  deletable: boolean;
  lti: boolean;
}

/** What a library says about its users, groups, roles, collections and memberships; in memory only. */
export interface Directory extends AccessFacts {
  users: Map<string, DirectoryUser>;
  groups: Map<string, FactGroup>;
  roles: Map<string, DirectoryRole>;
  collections: Map<string, FactCollection>;
  memberships: Map<string, readonly FactMembership[]>;
  skipped: number;
  /** Grows with each change of an entry. */
  revision: number;
  /** Epoch milliseconds. */
  readAt: number;
}

const BUILT_IN = ['public', 'registered-users'] as const;
const LOOKUPS_AT_ONCE = 6;

/** Reads the whole directory. Throws `api.forbidden` for accounts other than administrators, and the errors of the reads. */
export async function readDirectory(client: SiteClient, now: () => number, signal: AbortSignal): Promise<Directory> {
  const readAt = now();
  const counted = { skipped: 0 };
  const groups = new Map<string, FactGroup>();
  // The first read decides whether the account is an administrator.
  await readGroups(client, groups, counted, signal);
  const [users, roles, collections, memberships] = await Promise.all([
    readUsers(client, groups, counted, signal),
    readRoles(client, counted, signal),
    readCollections(client, counted, signal),
    readMemberships(client, counted, signal),
  ]);
  return { users, groups, roles, collections, memberships, skipped: counted.skipped, revision: 0, readAt };
}

export function toUser(user: UserWithGroups, groups: ReadonlyMap<string, FactGroup>): DirectoryUser {
  const { id, display_name, email_address, unique_id, is_admin, created_on, last_login_date } = user;
  const email = email_address ?? '';
  const name = display_name || email;
  const isOwn = (group: { id: string }) => (groups.get(group.id)?.builtIn ?? null) === null;
  return {
    id,
    name,
    email,
    uniqueId: unique_id ?? '',
    isAdmin: is_admin,
    createdOn: created_on,
    lastLoginOn: last_login_date,
    groupIds: [...new Set((user.groups ?? []).filter(isOwn).map((group) => group.id))],
    searched: folded(`${name}\n${email}\n${unique_id ?? ''}`),
    nameKey: sortKey(name),
  };
}

export function toRole({ id, display_name: name, permissions, deletable, lti }: Role): DirectoryRole {
  return { id, name, permissions, deletable, lti };
}

/** Returns null for a membership that names neither a user nor a group. */
export function toMembership({ id, user, group, collection, role }: Membership): FactMembership | null {
  const subject = group === null ? user : group;
  if (subject === null) return null;
  const kind = group === null ? 'user' : 'group';
  return { id, subject: { kind, id: subject.id }, collectionId: collection.id, roleId: role.id };
}

type Counted = { skipped: number };

async function readGroups(
  client: SiteClient,
  into: Map<string, FactGroup>,
  counted: Counted,
  signal: AbortSignal,
): Promise<void> {
  const found: Group[] = [];
  await eachPage(groupPages(client, {}, signal), counted, (group) => found.push(group));
  const builtIn = new Map<string, FactGroup['builtIn']>();
  for (const kind of BUILT_IN) {
    const group = await orNull(getGroup(client, kind, signal));
    if (group === null) continue;
    builtIn.set(group.id, kind);
    if (!found.some(({ id }) => id === group.id)) found.push(group);
  }
  for (const { id, display_name: name } of found) into.set(id, { id, name, builtIn: builtIn.get(id) ?? null });
}

async function readUsers(
  client: SiteClient,
  groups: ReadonlyMap<string, FactGroup>,
  counted: Counted,
  signal: AbortSignal,
): Promise<Map<string, DirectoryUser>> {
  const users = new Map<string, DirectoryUser>();
  let hasGroups = false;
  await eachPage(userPages(client, {}, signal), counted, (user) => {
    users.set(user.id, toUser(user, groups));
    hasGroups ||= user.groups !== null;
  });
  if (!hasGroups) await addGroups(client, groups, users, signal);
  return users;
}

/** Reads the users of each group, for a library that does not join the groups of users. */
async function addGroups(
  client: SiteClient,
  groups: ReadonlyMap<string, FactGroup>,
  users: Map<string, DirectoryUser>,
  signal: AbortSignal,
): Promise<void> {
  const own = [...groups.values()].filter(({ builtIn }) => builtIn === null);
  await inParallel(own, LOOKUPS_AT_ONCE, async ({ id }) => {
    for (const userId of await membersOf(client, id, signal)) users.get(userId)?.groupIds.push(id);
  });
}

/** Reads the ids of the users in a group. */
export async function membersOf(client: SiteClient, groupId: string, signal?: AbortSignal): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const { id } of listUsers(client, { group_id: groupId }, signal)) ids.add(id);
  return ids;
}

async function readRoles(
  client: SiteClient,
  counted: Counted,
  signal: AbortSignal,
): Promise<Map<string, DirectoryRole>> {
  const roles = new Map<string, DirectoryRole>();
  await eachPage(rolePages(client, {}, signal), counted, (role) => roles.set(role.id, toRole(role)));
  return roles;
}

async function readCollections(
  client: SiteClient,
  counted: Counted,
  signal: AbortSignal,
): Promise<Map<string, FactCollection>> {
  const collections = new Map<string, FactCollection>();
  await eachPage(collectionPages(client, signal), counted, (collection) =>
    collections.set(collection.id, toCollection(collection)),
  );
  return collections;
}

function toCollection({ id, parent_id, display_name, inherit_memberships }: Collection): FactCollection {
  return { id, parentId: parent_id, name: display_name, inherits: inherit_memberships };
}

async function readMemberships(
  client: SiteClient,
  counted: Counted,
  signal: AbortSignal,
): Promise<Map<string, readonly FactMembership[]>> {
  // By their ids: a library may list an inherited membership for each collection in which it counts.
  const found = new Map<string, FactMembership>();
  await eachPage(membershipPages(client, {}, signal), counted, (each) => {
    const membership = toMembership(each);
    if (membership === null) counted.skipped++;
    else found.set(membership.id, membership);
  });
  return groupedBy(found.values(), ({ collectionId }) => collectionId);
}

/** Reads the memberships of one collection. A library may list inherited ones there too: they are left out. */
export async function membershipsIn(client: SiteClient, collectionId: string): Promise<FactMembership[]> {
  const found: FactMembership[] = [];
  for await (const each of listMemberships(client, { collection_id: collectionId })) {
    const membership = toMembership(each);
    if (membership?.collectionId === collectionId) found.push(membership);
  }
  return found;
}

async function eachPage<T>(pages: Pages<T>, counted: Counted, take: (entry: T) => void): Promise<void> {
  for await (const { items, damaged } of pages) {
    counted.skipped += damaged;
    for (const item of items) take(item);
  }
}

/** Removes the memberships that a test accepts from a directory. */
export function dropMemberships({ memberships }: Directory, test: (membership: FactMembership) => boolean): void {
  for (const [collectionId, each] of memberships) {
    if (each.some(test))
      memberships.set(
        collectionId,
        each.filter((membership) => !test(membership)),
      );
  }
}
