import { createHash } from 'node:crypto';
import type { FactMembership } from '../../../shared/model/access/access-facts.ts';
import { MAX_TAG_NAME } from '../../../shared/model/access/admin-limits.ts';
import { getGroup } from '../api/groups.ts';
import type { SiteClient } from '../api/http-client.ts';
import { countMedia } from '../api/media.ts';
import type { MembershipListQuery } from '../api/memberships.ts';
import { listMemberships } from '../api/memberships.ts';
import { getRole } from '../api/roles.ts';
import { getTag } from '../api/tags.ts';
import { asAdministrator } from './directories.ts';
import { type DirectoryRole, membersOf, toMembership, toRole } from './directory.ts';

/** What a deletion removes, as the library has it now. */
interface Look {
  name: string;
  /** Stands for all that the deletion removes: two looks with the same text found the same. */
  seen: string;
}

export interface GroupLook extends Look {
  /** The ids of its users. */
  members: ReadonlySet<string>;
  memberships: readonly FactMembership[];
}

export interface RoleLook extends Look {
  role: DirectoryRole;
  memberships: readonly FactMembership[];
}

export interface TagLook extends Look {
  /** The number of its items; null for a name that is too long to be counted. */
  items: number | null;
}

/** Reads a group with its users and roles. Throws `admin.only` and `api.not-found`, as the other looks. */
export async function lookAtGroup(client: SiteClient, groupId: string): Promise<GroupLook> {
  const { display_name: name } = await asAdministrator(getGroup(client, groupId));
  const members = await asAdministrator(membersOf(client, groupId));
  const memberships = (await membershipsOf(client, { group_id: groupId })).filter(
    ({ subject: { kind, id } }) => kind === 'group' && id === groupId,
  );
  return { name, members, memberships, seen: textOf([name], [...members], memberships.map(keyOf)) };
}

/** Reads a role with the places where it is used. */
export async function lookAtRole(client: SiteClient, roleId: string): Promise<RoleLook> {
  const role = toRole(await asAdministrator(getRole(client, roleId)));
  const memberships = (await membershipsOf(client, { role_id: roleId })).filter((each) => each.roleId === roleId);
  return { name: role.name, role, memberships, seen: textOf([role.name], role.permissions, memberships.map(keyOf)) };
}

/** Reads a tag with the number of its items. */
export async function lookAtTag(client: SiteClient, tagId: string): Promise<TagLook> {
  const { display_name: name } = await asAdministrator(getTag(client, tagId));
  const items = name.length > MAX_TAG_NAME ? null : await countMedia(client, { tag: name });
  return { name, items, seen: textOf([name], [String(items)]) };
}

/** A library may list an inherited membership for each collection in which it counts: each is returned once. */
async function membershipsOf(client: SiteClient, query: MembershipListQuery): Promise<FactMembership[]> {
  const found = new Map<string, FactMembership>();
  for await (const each of listMemberships(client, query)) {
    const membership = toMembership(each);
    if (membership !== null) found.set(membership.id, membership);
  }
  return [...found.values()];
}

const keyOf = ({ id, subject, collectionId, roleId }: FactMembership) =>
  JSON.stringify([id, subject.kind, subject.id, collectionId, roleId]);

function textOf(...lists: readonly (readonly string[])[]): string {
  return createHash('sha256')
    .update(JSON.stringify(lists.map((list) => [...list].sort())))
    .digest('hex');
}
