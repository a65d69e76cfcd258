import type { PeopleFilter } from '../../../shared/contract/admin/people.ts';
import { AppError, type AppErrorData, appError } from '../../../shared/contract/app-error.ts';
import { bulkDeleteUsers, listUsers, type UserListQuery } from '../api/users.ts';
import type { Handlers } from '../common/handlers.ts';
import { asAdministrator } from './directories.ts';
import { errorOfRemoving } from './guards.ts';
import { type AdminTools, deletedTable } from './people-handlers.ts';

type BulkCall = 'admin.filteredPeople' | 'admin.bulkDeletePeople';

/** The calls that delete all users of a filter in one request of the library. */
export function bulkDeleteHandlers({ directories, log }: AdminTools): Pick<Handlers, BulkCall> {
  const { clientFor, actorOf } = directories;

  /** Returns the users that the library lists for a filter, without the asking one, whom it never deletes by a filter. */
  async function listed(siteId: string, filter: PeopleFilter): Promise<Set<string>> {
    const ids = new Set<string>();
    const client = clientFor(siteId);
    await asAdministrator(
      (async () => {
        for await (const { id } of listUsers(client, toQuery(filter))) ids.add(id);
      })(),
    );
    ids.delete(actorOf(siteId) ?? '');
    return ids;
  }

  return {
    async 'admin.filteredPeople'({ siteId, filter }) {
      const ids = await listed(siteId, filter);
      const { users } = await directories.of(siteId, true);
      // A library that does not know a filter may ignore it and list everybody.
      if (ids.size > 0 && [...users.keys()].every((id) => ids.has(id) || id === actorOf(siteId))) {
        throw appError('admin.filter-everybody', { details: { people: ids.size } });
      }
      return { ids: [...ids] };
    },

    async 'admin.bulkDeletePeople'({ siteId, filter, userIds }) {
      const directory = await directories.of(siteId, true);
      const wanted = new Set(userIds);
      for (const id of wanted) {
        const refusal = errorOfRemoving(directory, id, actorOf(siteId));
        if (refusal !== null) throw refusal;
      }
      const present = await listed(siteId, filter);
      if (present.size !== wanted.size || userIds.some((id) => !present.has(id))) {
        throw appError('admin.list-changed', { details: { shown: wanted.size, present: present.size } });
      }
      const names = new Map([...directory.users.values()].map(({ id, name }) => [id, name]));
      const nameOf = (id: string) => names.get(id) ?? '';
      const savedAs = await log.saveTable('deleted-people', deletedTable(directory, userIds));
      const change = {
        ...{ action: 'bulkDeletePeople', targetId: '', targetName: JSON.stringify(filter) },
        ...{ before: `${wanted.size}: ${[...wanted].map(nameOf).join(', ')}`, after: '' },
      };
      const error = await log
        .record(siteId, change, () => asAdministrator(bulkDeleteUsers(clientFor(siteId), toQuery(filter))))
        .then(() => null, dataOf);
      // What the library did is read, also after an error: an answer that is lost says nothing about the deletion.
      const { users } = await directories.of(siteId, true);
      const done = userIds.filter((id) => !users.has(id));
      const reason = error ?? appError('admin.not-deleted').toData();
      return {
        done,
        failed: userIds.filter((id) => users.has(id)).map((id) => ({ id, name: nameOf(id), error: reason })),
        others: [...names].filter(([id]) => !users.has(id) && !wanted.has(id)).map(([id, name]) => ({ id, name })),
        savedAs,
      };
    },
  };
}

/** Throws what is no error of the library. */
function dataOf(error: unknown): AppErrorData {
  if (!(error instanceof AppError)) throw error;
  return error.toData();
}

function toQuery({ isAdmin, ...filter }: PeopleFilter): UserListQuery {
  return {
    ...(isAdmin === undefined ? {} : { is_admin: isAdmin ? 1 : 0 }),
    ...(filter.email === undefined ? {} : { email_address: filter.email }),
    ...(filter.firstName === undefined ? {} : { first_name: filter.firstName }),
    ...(filter.lastName === undefined ? {} : { last_name: filter.lastName }),
    ...(filter.uniqueId === undefined ? {} : { unique_id: filter.uniqueId }),
    ...(filter.groupId === undefined ? {} : { group_id: filter.groupId }),
    ...(filter.lastLoginBefore === undefined ? {} : { last_login_before: filter.lastLoginBefore }),
    ...(filter.lastLoginAfter === undefined ? {} : { last_login_after: filter.lastLoginAfter }),
  };
}
