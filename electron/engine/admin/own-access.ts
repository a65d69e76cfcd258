import type { Collection } from '../../../shared/api/collections.ts';
import type { AccessSubject } from '../../../shared/contract/admin/access.ts';
import { AppError, appError } from '../../../shared/contract/app-error.ts';
import { type FactMembership, isSameSubject } from '../../../shared/model/access/access-facts.ts';
import { getCollection } from '../api/collections.ts';
import type { SiteClient } from '../api/http-client.ts';
import { calculatedRoles, listMemberships, type MembershipListQuery } from '../api/memberships.ts';
import { toMembership } from './directory.ts';

/** The role of a subject in a collection that a change would take away. */
interface Taken {
  subject: AccessSubject;
  collectionId: string;
  roleId: string;
}

/** What a library tells an account that is no administrator, when it is asked. */
export interface OwnFacts {
  /** The roles that the library counts for the account in a collection; null when it does not say. */
  rolesOf(collectionId: string): Promise<ReadonlySet<string> | null>;
  /** The own memberships of the account, without those of its groups. */
  direct(): Promise<readonly FactMembership[]>;
  /** The memberships of the group that the account may see. */
  ofGroup(): Promise<readonly FactMembership[]>;
  /** The ids of the collections above whose roles count in this one. */
  above(): Promise<readonly string[]>;
}

/** The number of other roles of a group that are compared with those of the account. */
const MOST_COMPARED = 20;

/**
 * Returns why an account that is no administrator must not take this role away; null when it may. Without it, the account could lose
 * the permission to give it back: the role that it has directly, and a role of a group that it may have by this group alone.
 */
export async function errorOfTakingOwn(
  client: SiteClient,
  actorId: string | null,
  { subject, collectionId, roleId }: Taken,
): Promise<AppError | null> {
  const details = { [subject.kind]: subject.id };
  if (subject.kind === 'user') return subject.id === actorId ? appError('admin.own-role', { details }) : null;
  if (actorId === null) return appError('admin.own-group-role', { details });
  const isKept = await keepsOwnRoles(
    { collectionId, roleId },
    {
      rolesOf: (id) => rolesOf(client, actorId, id),
      direct: () => membershipsOf(client, { user_id: actorId }, { kind: 'user', id: actorId }),
      ofGroup: () => membershipsOf(client, { group_id: subject.id }, subject),
      above: () => collectionsAbove(client, collectionId),
    },
  );
  return isKept ? null : appError('admin.own-group-role', { details });
}

/**
 * Returns whether an account certainly keeps all its roles when a group loses this one. The account can't read who belongs to the group.
 * It is outside the group when the library does not count one of the group's roles for it, in this collection or in another one. It keeps
 * the role when it has it directly in the collection, or when it or the group has it in a collection above from which this one inherits.
 */
export async function keepsOwnRoles(
  { collectionId, roleId }: Omit<Taken, 'subject'>,
  facts: OwnFacts,
): Promise<boolean> {
  const own = await facts.rolesOf(collectionId);
  if (own !== null && !own.has(roleId)) return true;
  const [direct, ofGroup, above] = [await facts.direct(), await facts.ofGroup(), await facts.above()];
  const gives = (places: readonly string[]) => (each: FactMembership) =>
    each.roleId === roleId && places.includes(each.collectionId);
  if (direct.some(gives([collectionId, ...above])) || ofGroup.some(gives(above))) return true;
  const others = ofGroup.filter((each) => each.collectionId !== collectionId).slice(0, MOST_COMPARED);
  for (const each of others) {
    const counted = await facts.rolesOf(each.collectionId);
    if (counted !== null && !counted.has(each.roleId)) return true;
  }
  return false;
}

/** Returns the memberships of a subject that the account may see. A library that ignores the filter lists others, too. */
async function membershipsOf(
  client: SiteClient,
  query: MembershipListQuery,
  subject: AccessSubject,
): Promise<FactMembership[]> {
  const found: FactMembership[] = [];
  for await (const each of listMemberships(client, query)) {
    const membership = toMembership(each);
    if (membership !== null && isSameSubject(membership.subject, subject)) found.push(membership);
  }
  return found;
}

/** Returns the ids of the collections above, as far as their roles count in this one and the account may read them. */
async function collectionsAbove(client: SiteClient, collectionId: string): Promise<string[]> {
  const seen = new Set([collectionId]);
  let next: string | null = collectionId;
  while (next !== null) {
    const collection: Collection | null = await orUnknown(getCollection(client, next));
    next = collection?.inherit_memberships === true ? collection.parent_id : null;
    if (next === null || seen.has(next)) break;
    seen.add(next);
  }
  return [...seen].slice(1);
}

/** Returns the roles that the library counts for a user in a collection; null when it does not say. */
async function rolesOf(client: SiteClient, userId: string, collectionId: string): Promise<Set<string> | null> {
  const roles = await orUnknown(calculatedRoles(client, { user_id: userId }, collectionId));
  return roles?.get(collectionId) ?? null;
}

const UNKNOWN: ReadonlySet<string> = new Set(['api.not-found', 'api.forbidden', 'api.malformed']);

/** Returns null for what the library does not have, does not tell this account, or tells in another form. */
async function orUnknown<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof AppError && UNKNOWN.has(error.code)) return null;
    throw error;
  }
}
