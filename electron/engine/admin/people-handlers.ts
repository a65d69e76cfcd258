import { z } from 'zod';
import type { PeopleQuery } from '../../../shared/contract/admin/people.ts';
import { AppError, type AppErrorData, appError } from '../../../shared/contract/app-error.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import { peopleTable } from '../../../shared/model/access/people-table.ts';
import { changeUsersOfGroup } from '../api/groups.ts';
import { changeGroupsOfUser, createUser, deleteUser, getUserWithGroups, updateUser } from '../api/users.ts';
import type { Handlers } from '../common/handlers.ts';
import type { AdminLog } from './admin-log.ts';
import { groupRows, membershipRows } from './admin-rows.ts';
import { asAdministrator, type Directories } from './directories.ts';
import { type Directory, type DirectoryUser, dropMemberships, membersOf, toUser } from './directory.ts';
import { errorOfChangingGroup, errorOfRemoving } from './guards.ts';
import type { AdminJobDefinition, AdminJobs } from './jobs/admin-jobs.ts';
import { changeEach, orGiven, orNull } from './outcome.ts';
import { peopleOf, toPerson } from './people-list.ts';

type PeopleCall = `admin.${
  | 'people'
  | 'peopleIds'
  | 'person'
  | 'createPerson'
  | 'changePerson'
  | 'groupsOf'
  | 'changeGroups'
  | 'deletionOfPeople'
  | 'deletePeople'}`;

export interface AdminTools {
  directories: Directories;
  log: AdminLog;
}

const deletionStepSchema = z.object({ id: z.string(), name: z.string(), isAdmin: z.boolean() });
type DeletionStep = z.output<typeof deletionStepSchema>;

/** The number of users that one request adds to a group or removes from it. */
const USERS_PER_REQUEST = 500;

/** The calls about users. */
export function peopleHandlers({
  directories,
  log,
  jobs,
}: AdminTools & { jobs: AdminJobs }): Pick<Handlers, PeopleCall> {
  const { clientFor, actorOf } = directories;

  /** Reads a user and returns it. A difference to what was known is announced. */
  async function readAgain(siteId: string, userId: string): Promise<DirectoryUser> {
    const directory = await directories.of(siteId);
    const read = await asAdministrator(getUserWithGroups(clientFor(siteId), userId));
    const user = toUser(read, directory.groups);
    // A library that does not join groups says nothing about them: the known ones stay.
    if (read.groups === null) user.groupIds = directory.users.get(user.id)?.groupIds ?? [];
    const isNews = JSON.stringify(user) !== JSON.stringify(directory.users.get(user.id));
    directories[isNews ? 'note' : 'learn'](siteId, ({ users }) => users.set(user.id, user));
    return user;
  }

  /**
   * Adds users to a group or removes them, as far as the library says now that this is necessary, and adds these to `changed`. Returns
   * the users for whom it failed.
   */
  async function changeMembers(
    siteId: string,
    groupId: string,
    change: 'add' | 'remove',
    userIds: readonly string[],
    changed: Set<string>,
  ): Promise<{ ids: readonly string[]; error: AppErrorData }[]> {
    const directory = await directories.of(siteId);
    const client = clientFor(siteId);
    let members: ReadonlySet<string>;
    try {
      const refusal = errorOfChangingGroup(directory, groupId);
      if (refusal !== null) throw refusal;
      members = await asAdministrator(membersOf(client, groupId));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return [{ ids: userIds, error: error.toData() }];
    }
    const ids = userIds.filter((id) => members.has(id) !== (change === 'add'));
    const { done, failed } = await changeEach(chunks(ids, USERS_PER_REQUEST), async (part) => {
      const names = part.map((id) => directory.users.get(id)?.name ?? id).join(', ');
      const entry = {
        action: change === 'add' ? 'addToGroup' : 'removeFromGroup',
        targetId: groupId,
        targetName: directory.groups.get(groupId)?.name ?? '',
        before: '',
        after: `${part.length}: ${names}`,
      };
      await log.record(siteId, entry, () => asAdministrator(changeUsersOfGroup(client, groupId, change, part)));
    });
    for (const id of done.flat()) changed.add(id);
    const unchanged = new Set(failed.flatMap(({ entry }) => entry));
    directories.note(siteId, ({ users }) => {
      for (const id of userIds) if (!unchanged.has(id)) noteGroup(users.get(id), groupId, change);
    });
    return failed.map(({ entry, error }) => ({ ids: entry, error }));
  }

  /** Changes several groups of one user: one request for those to join and one for those to leave. Returns the first error. */
  async function changeGroupsOf(
    siteId: string,
    userId: string,
    groups: Readonly<Record<'add' | 'remove', readonly string[]>>,
    changed: Set<string>,
  ): Promise<AppErrorData | null> {
    const user = await readAgain(siteId, userId);
    const directory = await directories.of(siteId);
    const namesOf = (ids: readonly string[]) => ids.map((id) => directory.groups.get(id)?.name ?? id).join(', ');
    let first: AppErrorData | null = null;
    const { failed } = await changeEach(['add', 'remove'] as const, async (change) => {
      const wanted = groups[change].filter((id) => user.groupIds.includes(id) !== (change === 'add'));
      const refusals = wanted.map((id) => errorOfChangingGroup(directory, id));
      first ??= refusals.find((refusal) => refusal !== null)?.toData() ?? null;
      const ids = wanted.filter((_, index) => refusals[index] === null);
      if (ids.length === 0) return;
      const entry = {
        action: change === 'add' ? 'joinGroups' : 'leaveGroups',
        targetId: userId,
        targetName: user.name,
        before: namesOf(user.groupIds),
        after: namesOf(ids),
      };
      await log.record(siteId, entry, () =>
        asAdministrator(changeGroupsOfUser(clientFor(siteId), userId, change, ids)),
      );
      directories.note(siteId, ({ users }) => {
        for (const id of ids) noteGroup(users.get(userId), id, change);
      });
      changed.add(userId);
    });
    return first ?? failed[0]?.error ?? null;
  }

  /** A deletion of users. `isAdmin`: as the user was shown before the confirmation. */
  const deletion: AdminJobDefinition<DeletionStep, { savedAs: string }, null> = {
    kind: 'deletePeople',
    step: deletionStepSchema,
    note: z.object({ savedAs: z.string() }),
    nameOf: ({ id, name }) => ({ id, name }),
    savedAs: (note) => note.savedAs,
    async open({ siteId }) {
      const directory = await directories.of(siteId);
      const gone = new Set<string>();
      return {
        async run({ id, isAdmin }) {
          // Minutes can pass between the question and this request.
          const user = await orNull(readAgain(siteId, id));
          if (user !== null) {
            if (user.isAdmin && !isAdmin) throw appError('admin.person-changed', { details: { userId: id } });
            const refusal = errorOfRemoving(directory, id, actorOf(siteId));
            if (refusal !== null) throw refusal;
            const { name, email, uniqueId, groupIds } = user;
            const change = {
              action: 'deletePerson',
              targetId: id,
              targetName: name,
              before: JSON.stringify({ email, uniqueId, groupIds }),
              after: '',
            };
            await log.record(siteId, change, () => asAdministrator(deleteUser(clientFor(siteId), id)));
          }
          gone.add(id);
        },
        async end() {
          directories.note(siteId, (known) => forgetUsers(known, gone));
          return null;
        },
      };
    },
  };
  jobs.register(deletion);

  return {
    async 'admin.people'({ query, offset, limit }) {
      const found = peopleIn(await directories.of(query.siteId), query);
      return { total: found.length, rows: found.slice(offset, offset + limit).map(toPerson) };
    },

    async 'admin.peopleIds'({ query }) {
      return { ids: peopleIn(await directories.of(query.siteId), query).map(({ id }) => id) };
    },

    async 'admin.person'({ siteId, userId }) {
      const person = toPerson(await readAgain(siteId, userId));
      const directory = await directories.of(siteId);
      const groupIds = new Set(person.groupIds);
      return {
        person,
        groups: groupRows(directory).filter(({ id }) => groupIds.has(id)),
        memberships: membershipRows(directory, ({ subject }) => subject.kind === 'user' && subject.id === userId),
      };
    },

    async 'admin.createPerson'({ siteId, email, firstName, lastName, isAdmin, uniqueId, password }) {
      const input = {
        is_admin: isAdmin,
        email_address: email.trim(),
        first_name: firstName.trim(),
        last_name: lastName.trim(),
        ...(uniqueId ? { unique_id: uniqueId } : {}),
        ...(password ? { password } : {}),
      };
      const name = `${input.first_name} ${input.last_name}`.trim();
      const change = {
        action: 'createPerson',
        targetId: '',
        targetName: name,
        before: '',
        after: `${input.email_address}${isAdmin ? ', administrator' : ''}`,
      };
      const create = () => withoutSecret(password ?? '', asAdministrator(createUser(clientFor(siteId), input)));
      const { id } = await log.record(siteId, change, create);
      const given = {
        id,
        name,
        email: input.email_address,
        uniqueId: uniqueId ?? '',
        isAdmin,
        createdOn: null,
        lastLoginOn: null,
        groupIds: [],
      };
      return orGiven(readAgain(siteId, id).then(toPerson), given);
    },

    async 'admin.changePerson'({ siteId, userId, isAdmin, uniqueId }) {
      // Another administrator may have changed the user since the directory was read.
      const user = await readAgain(siteId, userId);
      const directory = await directories.of(siteId);
      if (isAdmin === false && user.isAdmin) {
        const refusal = errorOfRemoving(directory, userId, actorOf(siteId));
        if (refusal !== null) throw refusal;
      }
      const patch = {
        ...(isAdmin === undefined || isAdmin === user.isAdmin ? {} : { is_admin: isAdmin }),
        ...(uniqueId === undefined || uniqueId === user.uniqueId ? {} : { unique_id: uniqueId }),
      };
      if (Object.keys(patch).length === 0) return toPerson(user);
      const change = {
        action: 'changePerson',
        targetId: userId,
        targetName: user.name,
        before: JSON.stringify({ is_admin: user.isAdmin, unique_id: user.uniqueId }),
        after: JSON.stringify(patch),
      };
      await log.record(siteId, change, () => asAdministrator(updateUser(clientFor(siteId), userId, patch)));
      return toPerson(await readAgain(siteId, userId));
    },

    async 'admin.groupsOf'({ siteId, userIds }) {
      const { users } = await directories.of(siteId);
      const counts = new Map<string, number>();
      for (const userId of new Set(userIds)) {
        for (const groupId of users.get(userId)?.groupIds ?? []) counts.set(groupId, (counts.get(groupId) ?? 0) + 1);
      }
      return [...counts].map(([groupId, count]) => ({ groupId, count }));
    },

    async 'admin.changeGroups'({ siteId, userIds, add, remove }) {
      const { users } = await directories.of(siteId);
      const wanted = [...new Set(userIds)];
      const failed = new Map<string, AppErrorData>();
      const changed = new Set<string>();
      const [only] = wanted;
      if (only !== undefined && wanted.length === 1 && add.length + remove.length > 1) {
        const error = await errorData(changeGroupsOf(siteId, only, { add, remove }, changed));
        if (error !== null) failed.set(only, error);
        return outcome();
      }
      const changes = [
        ...add.map((groupId) => ({ groupId, change: 'add' as const })),
        ...remove.map((groupId) => ({ groupId, change: 'remove' as const })),
      ];
      for (const { groupId, change } of changes) {
        for (const { ids, error } of await changeMembers(siteId, groupId, change, wanted, changed)) {
          for (const id of ids) failed.set(id, error);
        }
      }
      return outcome();

      function outcome(): CallOutput<'admin.changeGroups'> {
        const done = wanted.filter((id) => !failed.has(id));
        return {
          done,
          failed: [...failed].map(([id, error]) => ({ id, name: users.get(id)?.name ?? '', error })),
          skipped: done.filter((id) => !changed.has(id)),
        };
      }
    },

    async 'admin.deletionOfPeople'({ siteId, userIds }) {
      const directory = await directories.of(siteId, true);
      const wanted = [...new Set(userIds)].flatMap((id) => directory.users.get(id) ?? []);
      const refused = wanted.flatMap(({ id, name }) => {
        const error = errorOfRemoving(directory, id, actorOf(siteId));
        return error === null ? [] : [{ id, name, error: error.toData() }];
      });
      const ids = new Set(wanted.map(({ id }) => id));
      for (const { id } of refused) ids.delete(id);
      return {
        people: wanted.filter(({ id }) => ids.has(id)).map(toPerson),
        memberships: membershipRows(directory, ({ subject }) => subject.kind === 'user' && ids.has(subject.id)),
        refused,
      };
    },

    async 'admin.deletePeople'({ siteId, userIds }) {
      const directory = await directories.of(siteId);
      const savedAs = await log.saveTable('deleted-people', deletedTable(directory, userIds));
      const ids = [...new Set(userIds)];
      const steps = ids.flatMap((id) => {
        const user = directory.users.get(id);
        return user === undefined ? [] : [{ id, name: user.name, isAdmin: user.isAdmin }];
      });
      const { failed } = await jobs.start(siteId, deletion, { subject: '', note: { savedAs }, steps });
      const left = new Set(failed.map(({ step }) => step.id));
      return {
        done: ids.filter((id) => !left.has(id)),
        failed: failed.map(({ step: { id, name }, error }) => ({ id, name, error })),
        savedAs,
      };
    },
  };
}

/** Returns a table of users with all that their deletion removes. */
export function deletedTable(directory: Directory, userIds: readonly string[]): string[][] {
  const ids = new Set(userIds);
  const people = [...ids].flatMap((id) => directory.users.get(id) ?? []);
  const groupNames = new Map([...directory.groups.values()].map(({ id, name }) => [id, name]));
  return peopleTable(people, {
    groupNames,
    memberships: membershipRows(directory, ({ subject: { id } }) => ids.has(id)),
  });
}

/** Returns the users of a query in its order. Every user belongs to the built-in groups. */
function peopleIn({ users, groups }: Directory, query: PeopleQuery): DirectoryUser[] {
  const builtIn = groups.get(query.groupId ?? '')?.builtIn ?? null;
  return peopleOf(users.values(), builtIn === null ? query : { ...query, groupId: null });
}

/** Returns the error of the library that an action returns or throws. */
async function errorData(action: Promise<AppErrorData | null>): Promise<AppErrorData | null> {
  try {
    return await action;
  } catch (error) {
    if (error instanceof AppError) return error.toData();
    throw error;
  }
}

/** Runs a request with a secret; no error that it throws contains it, because a library may repeat what it refused. */
async function withoutSecret<T>(secret: string, action: Promise<T>): Promise<T> {
  try {
    return await action;
  } catch (error) {
    if (secret === '' || !(error instanceof AppError)) throw error;
    const text = JSON.stringify({ message: error.message, details: error.details });
    const quoted = JSON.stringify(secret).slice(1, -1);
    if (!text.includes(quoted)) throw error;
    const cleaned = JSON.parse(text.replaceAll(quoted, '…'));
    throw new AppError(error.code, cleaned.message, cleaned.details);
  }
}

function noteGroup(user: DirectoryUser | undefined, groupId: string, change: 'add' | 'remove'): void {
  if (user === undefined) return;
  const others = user.groupIds.filter((id) => id !== groupId);
  user.groupIds = change === 'add' ? [...others, groupId] : others;
}

function forgetUsers(directory: Directory, gone: ReadonlySet<string>): void {
  for (const id of gone) directory.users.delete(id);
  dropMemberships(directory, ({ subject: { kind, id } }) => kind === 'user' && gone.has(id));
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
