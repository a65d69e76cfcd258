import type { AccessChange, AccessSubject, Explanation } from '../../../shared/contract/admin/access.ts';
import { AppError, appError } from '../../../shared/contract/app-error.ts';
import { afterChange, effectsOf, inheritedToKeep } from '../../../shared/model/access/access-effects.ts';
import {
  chainOf,
  type FactMembership,
  isSameSubject,
  membershipById,
  pathTo,
} from '../../../shared/model/access/access-facts.ts';
import { reachIn } from '../../../shared/model/access/access-report.ts';
import {
  isSameSet,
  permissionsBy,
  permissionsInOrder,
  placesOf,
  waysTo,
  whoMay,
} from '../../../shared/model/access/explain-access.ts';
import { libraryAs } from '../../../shared/model/access/library-view.ts';
import { namesakesIn } from '../../../shared/model/access/namesakes.ts';
import { folded, hasWords } from '../../../shared/model/library-query/searched-text.ts';
import { updateCollection } from '../api/collections.ts';
import type { SiteClient } from '../api/http-client.ts';
import {
  calculatedPermissions,
  deleteMembership,
  getMembership,
  setMembership,
  updateMembership,
} from '../api/memberships.ts';
import type { Handlers } from '../common/handlers.ts';
import { subjectName } from './admin-rows.ts';
import { type Directory, membershipsIn, toMembership } from './directory.ts';
import { createMembershipList } from './membership-list.ts';
import { orNull } from './outcome.ts';
import { errorOfTakingOwn } from './own-access.ts';
import type { AdminTools } from './people-handlers.ts';
import { peopleOf } from './people-list.ts';

type AccessCall =
  | 'admin.memberships'
  | `access.${'subjects' | 'effects' | 'view' | 'set' | 'remove' | 'inherit' | 'explain' | 'who' | 'report'}`;

/** The calls about memberships, and about who may do what. */
export function accessHandlers(
  { directories, log }: AdminTools,
  options: {
    /** The id in the library of a collection, which may have had a local id before. */
    idOf(collectionId: string): string;
    /** Called after a change of what the account itself may see. */
    onDidChangeAccess(siteId: string, collectionId: string): void;
  },
): Pick<Handlers, AccessCall> {
  const { clientFor } = directories;
  const memberships = createMembershipList();

  /** Reads the memberships of a collection again. For accounts other than administrators there is no directory. */
  async function readAgain(siteId: string, collectionId: string): Promise<void> {
    const memberships = await membershipsIn(clientFor(siteId), collectionId);
    directories.note(siteId, (directory) => directory.memberships.set(collectionId, memberships));
    options.onDidChangeAccess(siteId, collectionId);
  }

  /**
   * Returns the directory with the present roles of a collection and of those above it, for a preview beside a list that was read just
   * now. What is still unknown then is an error: a preview must not say that nothing changes.
   */
  async function presentFor(siteId: string, change: AccessChange): Promise<Directory> {
    const directory = await directories.of(siteId);
    const place =
      change.kind === 'remove' ? membershipById(directory, change.membershipId)?.collectionId : placeOf(change);
    const chain = place === undefined ? [] : chainOf(directory, place).map(({ id }) => id);
    await Promise.all(
      chain.map(async (id) => {
        const memberships = await membershipsIn(clientFor(siteId), id);
        directories.learn(siteId, (known) => known.memberships.set(id, memberships));
      }),
    );
    if (isKnown(directory, change)) return directory;
    const fresh = await directories.of(siteId, true);
    if (isKnown(fresh, change)) return fresh;
    throw appError('api.not-found', { details: { change: change.kind } });
  }

  /** An account that is no administrator must not take its own role away. `known` null: no administrator. */
  async function refuseOwn(siteId: string, known: Directory | null, taken: FactMembership | undefined): Promise<void> {
    if (known !== null || taken === undefined) return;
    const refusal = await errorOfTakingOwn(clientFor(siteId), directories.actorOf(siteId), taken);
    if (refusal !== null) throw refusal;
  }

  const withOwnId = (change: AccessChange): AccessChange =>
    'collectionId' in change ? { ...change, collectionId: options.idOf(change.collectionId) } : change;

  return {
    async 'admin.memberships'({ siteId, subject, roleId, offset, limit, ...input }) {
      const collectionId = input.collectionId === null ? null : options.idOf(input.collectionId);
      const rows = memberships.rowsOf(await directories.of(siteId), { subject, collectionId, roleId });
      return { total: rows.length, rows: rows.slice(offset, offset + limit) };
    },

    async 'access.subjects'({ siteId, text, limit }) {
      const directory = await directories.of(siteId);
      const matches = hasWords(text);
      const groups = [...directory.groups.values()]
        .filter(({ name }) => matches(folded(name)))
        .map(({ id, name }) => ({ subject: { kind: 'group' as const, id }, name, detail: '' }));
      const sameGroups = namesakesIn(directory.groups.values());
      const query = { siteId, text, facet: 'all', groupId: null, lastLoginBefore: null } as const;
      const people = peopleOf(directory.users.values(), { ...query, sort: 'name', descending: false }).slice(0, limit);
      const found = [
        ...groups.slice(0, Math.max(1, Math.floor(limit / 3))),
        ...people.map(({ id, name, email }) => ({ subject: { kind: 'user' as const, id }, name, detail: email })),
      ].slice(0, limit);
      const uses = new Map(people.map(({ nameKey }) => [nameKey, 0]));
      for (const { nameKey } of directory.users.values()) {
        const count = uses.get(nameKey);
        if (count !== undefined) uses.set(nameKey, count + 1);
      }
      const isNamesake = ({ kind, id }: AccessSubject) =>
        kind === 'group' ? sameGroups.has(id) : (uses.get(directory.users.get(id)?.nameKey ?? '') ?? 0) > 1;
      return found.map((each) => ({ ...each, isNamesake: isNamesake(each.subject) }));
    },

    async 'access.effects'({ siteId, change }) {
      const own = withOwnId(change);
      return effectsOf(await presentFor(siteId, own), own);
    },

    async 'access.view'({ siteId, subject, change }) {
      const own = change === null ? null : withOwnId(change);
      const before = own === null ? await directories.of(siteId) : await presentFor(siteId, own);
      const isKnownSubject = (subject.kind === 'user' ? before.users : before.groups).has(subject.id);
      if (!isKnownSubject) throw appError('api.not-found', { details: { subject: subject.id } });
      const rows = libraryAs(before, own === null ? before : afterChange(before, own), subject);
      return { total: before.collections.size, rows };
    },

    async 'access.set'({ siteId, subject, roleId, membershipId, ...input }) {
      const collectionId = options.idOf(input.collectionId);
      const known = await knownOf(directories.of(siteId));
      const there =
        known === null ? await membershipsIn(clientFor(siteId), collectionId) : known.memberships.get(collectionId);
      const before = there?.find((each) => isSameSubject(each.subject, subject));
      if (before?.roleId !== roleId) await refuseOwn(siteId, known, before);
      const roleName = (id: string) => known?.roles.get(id)?.name ?? id;
      const change = {
        action: 'setRole',
        targetId: `${subject.kind} ${subject.id}`,
        targetName: known === null ? '' : `${subjectName(known, subject)}: ${pathTo(known, collectionId).join(' / ')}`,
        before: before === undefined ? '' : roleName(before.roleId),
        after: roleName(roleId),
      };
      const client = clientFor(siteId);
      await log.record(siteId, change, () =>
        membershipId === undefined
          ? setRole(client, { subject, collectionId, roleId })
          : changeRole(client, membershipId, roleId),
      );
      await readAgain(siteId, collectionId);
      return null;
    },

    async 'access.remove'({ siteId, membershipId, roleId: seenRoleId, ...input }) {
      const collectionId = options.idOf(input.collectionId);
      const client = clientFor(siteId);
      const known = await knownOf(directories.of(siteId));
      const before = await orNull(getMembership(client, membershipId));
      if (before !== null) {
        const { role, collection } = before;
        if (collection.id !== collectionId || role.id !== seenRoleId) {
          throw appError('admin.membership-changed', { details: { membershipId } });
        }
        const roleId = role.id;
        const subject = toMembership(before)?.subject ?? { kind: 'user', id: '' };
        await refuseOwn(siteId, known, { id: membershipId, subject, collectionId, roleId });
        const change = {
          action: 'removeRole',
          targetId: `${subject.kind} ${subject.id}`,
          targetName:
            known === null ? '' : `${subjectName(known, subject)}: ${pathTo(known, collectionId).join(' / ')}`,
          before: known?.roles.get(roleId)?.name ?? roleId,
          after: '',
        };
        await log.record(siteId, change, () => deleteMembership(client, membershipId));
      }
      await readAgain(siteId, collectionId);
      return null;
    },

    async 'access.inherit'({ siteId, inherits, keeps, ...input }) {
      const collectionId = options.idOf(input.collectionId);
      const client = clientFor(siteId);
      // Copied from the present memberships, not from those that were read minutes ago.
      const directory = await directories.of(siteId, true);
      const collection = directory.collections.get(collectionId);
      if (collection === undefined) throw appError('api.not-found', { details: { collectionId } });
      if (!inherits && keeps && directory.skipped > 0) {
        throw appError('admin.unreadable', { details: { entries: directory.skipped } });
      }
      const kept = !inherits && keeps ? inheritedToKeep(directory, collectionId) : [];
      const target = { targetId: collectionId, targetName: pathTo(directory, collectionId).join(' / ') };
      for (const { subject, roleId } of kept) {
        const change = {
          action: 'setRole',
          targetId: `${subject.kind} ${subject.id}`,
          targetName: `${subjectName(directory, subject)}: ${target.targetName}`,
          before: '',
          after: directory.roles.get(roleId)?.name ?? roleId,
        };
        await log.record(siteId, change, () => setRole(client, { subject, collectionId, roleId }));
      }
      const change = {
        action: 'setInheritance',
        ...target,
        before: String(collection.inherits),
        after: String(inherits),
      };
      await log.record(siteId, change, () => updateCollection(client, collectionId, { inherit_memberships: inherits }));
      directories.note(siteId, ({ collections }) => collections.set(collectionId, { ...collection, inherits }));
      await readAgain(siteId, collectionId);
      return { copied: kept.length };
    },

    async 'access.explain'({ siteId, subject, collectionId }) {
      const asked = collectionId === null ? null : options.idOf(collectionId);
      const explainFrom = async (directory: Directory): Promise<Explanation> => {
        const service = await calculated(clientFor(siteId), subject, asked);
        const places = asked === null ? placesToExplain(directory, subject) : [asked];
        return {
          subject,
          subjectName: subjectName(directory, subject),
          places: places.map((place) => explained(directory, subject, place, service)),
        };
      };
      const explanation = await explainFrom(await directories.of(siteId));
      // Someone may have changed a role since the directory was read: only a difference that stays is one.
      if (!explanation.places.some(({ differs }) => differs)) return explanation;
      return explainFrom(await directories.of(siteId, true));
    },

    async 'access.who'({ siteId, permission, limit, ...input }) {
      const directory = await directories.of(siteId);
      const collectionId = options.idOf(input.collectionId);
      const { ids, isPublic } = whoMay(directory, collectionId, permission);
      const people = ids.flatMap((id) => directory.users.get(id) ?? []);
      people.sort((one, other) => (one.nameKey < other.nameKey ? -1 : 1));
      const shown = people.slice(0, limit).map(({ id, name, email }) => {
        const ways = waysTo(directory, { kind: 'user', id }, collectionId);
        return { id, name, email, ways: ways.filter(({ permissions }) => permissions.includes(permission)) };
      });
      return { total: people.length, isPublic, people: shown };
    },

    async 'access.report'({ siteId, userIds, ...input }) {
      const directory = await directories.of(siteId);
      const collectionId = input.collectionId === null ? null : options.idOf(input.collectionId);
      const placesOfUser = reachIn(directory, collectionId);
      const people = userIds.flatMap((userId) => {
        const user = directory.users.get(userId);
        if (user === undefined) return [];
        const { id, name, email, isAdmin } = user;
        return [{ id, name, email, isAdmin, places: isAdmin ? [] : placesOfUser(user) }];
      });
      return { people };
    },
  };
}

type Place = Explanation['places'][number];

function explained(
  directory: Directory,
  subject: AccessSubject,
  collectionId: string,
  service: ReadonlyMap<string, string[]> | null,
): Place {
  const ways = waysTo(directory, subject, collectionId);
  const permissions = permissionsBy(ways);
  // A library leaves out collections without any permission.
  const own = service === null ? null : permissionsInOrder(service.get(collectionId) ?? []);
  const path = pathTo(directory, collectionId);
  return { collectionId, path, ways, permissions, service: own, differs: own !== null && !isSameSet(permissions, own) };
}

/** For an administrator, who has the same rights in every collection, the top collections are added. */
function placesToExplain(directory: Directory, subject: AccessSubject): string[] {
  const places = new Set(placesOf(directory, subject));
  const isAdmin = subject.kind === 'user' && directory.users.get(subject.id)?.isAdmin === true;
  for (const { id, parentId } of directory.collections.values()) if (isAdmin && parentId === null) places.add(id);
  const pathOf = (id: string) => pathTo(directory, id).join('\u0001');
  return [...places].sort((one, other) => (pathOf(one) < pathOf(other) ? -1 : 1));
}

async function changeRole(client: SiteClient, membershipId: string, roleId: string): Promise<void> {
  const changed = await orNull(updateMembership(client, membershipId, roleId).then(() => true));
  if (changed === null) throw appError('admin.membership-removed', { details: { membershipId } });
}

async function setRole(
  client: SiteClient,
  { subject, collectionId, roleId }: Omit<FactMembership, 'id'>,
): Promise<void> {
  const holder = subject.kind === 'user' ? { user_id: subject.id } : { group_id: subject.id };
  await setMembership(client, { collection_id: collectionId, role_id: roleId, ...holder });
}

/** Returns the library's own calculation; null when it has none, such as a library without this part of the API. */
async function calculated(
  client: SiteClient,
  subject: AccessSubject,
  collectionId: string | null,
): Promise<Map<string, string[]> | null> {
  const query = subject.kind === 'user' ? { user_id: subject.id } : { group_id: subject.id };
  try {
    return await calculatedPermissions(client, query, collectionId ?? undefined);
  } catch (error) {
    if (!(error instanceof AppError) || !UNCALCULATED.has(error.code)) throw error;
    client.logger.info('access.not-calculated', { code: error.code });
    return null;
  }
}

const UNCALCULATED: ReadonlySet<string> = new Set(['api.not-found', 'api.forbidden', 'api.malformed']);

const placeOf = (change: AccessChange) => ('collectionId' in change ? change.collectionId : undefined);

/** Returns whether the directory has all that a change names. */
function isKnown(directory: Directory, change: AccessChange): boolean {
  const { users, groups, roles, collections } = directory;
  switch (change.kind) {
    case 'set':
      return (
        collections.has(change.collectionId) &&
        roles.has(change.roleId) &&
        (change.subject.kind === 'user' ? users : groups).has(change.subject.id)
      );
    case 'remove':
      return membershipById(directory, change.membershipId) !== undefined;
    case 'inherit':
      return collections.has(change.collectionId);
    case 'role':
      return roles.has(change.roleId);
  }
}

/** Returns null for an account that may share collections without being an administrator. */
async function knownOf(reading: Promise<Directory>): Promise<Directory | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError && error.code === 'admin.only') return null;
    throw error;
  }
}
