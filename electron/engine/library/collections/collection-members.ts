import type { Collection } from '../../../../shared/api/collections.ts';
import type { Membership } from '../../../../shared/api/people.ts';
import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import type { CollectionMembers, Member } from '../../../../shared/contract/collection-members.ts';
import { isLocalId } from '../../../../shared/model/edits/collection-ops.ts';
import { isInformative } from '../../../../shared/model/media-rights.ts';
import { getCollection } from '../../api/collections.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { listMemberships, permissionsIn } from '../../api/memberships.ts';

/** The maximum depth: a library whose parents form a cycle must not be read forever. */
const MOST_LEVELS = 100;
/** The permission to see and change who has a role in a collection. */
const SHARE = 'collection-share';

/**
 * Reads who has which role in a collection, and in the collections above whose roles it inherits, as far as the account may read
 * them. The API returns only memberships that the account may see, so a short list may be incomplete. Throws
 * `collection.not-created-yet`, and the errors of the reads.
 */
export async function readCollectionMembers(
  client: SiteClient,
  collectionId: string,
  userId: string | null,
): Promise<CollectionMembers> {
  if (isLocalId(collectionId)) throw appError('collection.not-created-yet', { details: { collectionId } });
  const collection = await getCollection(client, collectionId);
  const { collections, isCut } = await inheritedFrom(client, collection);
  const places = await Promise.all(
    collections.map(async ({ id, display_name: name }) => {
      const members: Member[] = [];
      for await (const membership of listMemberships(client, { collection_id: id })) {
        members.push(toMember(membership, userId));
      }
      const visible = await visibility(client, id, userId);
      return { collectionId: id, name, members: members.sort(byKindAndName), visible };
    }),
  );
  const inherits = collection.inherit_memberships && collection.parent_id !== null;
  return { places, inherits, isCut, visible: places[0]?.visible ?? 'unknown' };
}

/**
 * Returns the collection and those above it whose roles it inherits, from the innermost on. `isCut`: one of them can't be read.
 */
async function inheritedFrom(
  client: SiteClient,
  collection: Collection,
): Promise<{ collections: Collection[]; isCut: boolean }> {
  const collections = [collection];
  let last = collection;
  while (last.inherit_memberships && last.parent_id !== null) {
    const parentId = last.parent_id;
    if (collections.length >= MOST_LEVELS || collections.some(({ id }) => id === parentId)) {
      return { collections, isCut: true };
    }
    try {
      last = await getCollection(client, parentId);
    } catch (error) {
      if (isRefused(error)) return { collections, isCut: true };
      throw error;
    }
    collections.push(last);
  }
  return { collections, isCut: false };
}

/** Returns whether the account sees all memberships of a collection, or only its own. */
async function visibility(
  client: SiteClient,
  collectionId: string,
  userId: string | null,
): Promise<CollectionMembers['visible']> {
  if (userId === null) return 'unknown';
  try {
    const permissions = await permissionsIn(client, { userId, collectionId });
    if (!isInformative(permissions)) return 'unknown';
    return permissions.has(SHARE) ? 'all' : 'own';
  } catch (error) {
    if (isRefused(error)) return 'unknown';
    throw error;
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'api.forbidden' || error.code === 'api.not-found');
}

/** Converts a membership. The API documents neither the shape of a user here, nor a membership of both a user and a group. */
function toMember({ id, group, user, role }: Membership, userId: string | null): Member {
  const kind = group === null ? 'user' : 'group';
  const subject = group ?? user;
  const name = subject?.display_name ?? '';
  const subjectId = subject?.id ?? null;
  return {
    id,
    kind,
    subjectId,
    name,
    roleId: role.id,
    role: role.display_name,
    isYou: user !== null && user.id === userId,
  };
}

function byKindAndName(one: Member, other: Member): number {
  if (one.kind !== other.kind) return one.kind === 'group' ? -1 : 1;
  return one.name.localeCompare(other.name);
}
