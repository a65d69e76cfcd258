import type { PeopleFilter } from '../../../shared/contract/admin/people.ts';
import { AppError, type AppErrorData, appError } from '../../../shared/contract/app-error.ts';
import { bulkDeleteUsers, filteredUserPages, type UserListQuery } from '../api/users.ts';
import type { Handlers } from '../common/handlers.ts';
import { asAdministrator } from './directories.ts';
import type { Directory } from './directory.ts';
import { contradicts } from './filter-check.ts';
import { errorOfRemoving } from './guards.ts';
import { type AdminTools, deletedTable } from './people-handlers.ts';

type BulkCall = 'admin.filteredPeople' | 'admin.bulkDeletePeople';

/** The calls that delete all users of a filter in one request of the library. */
export function bulkDeleteHandlers({ directories, log }: AdminTools): Pick<Handlers, BulkCall> {
  const { clientFor, actorOf } = directories;

  /**
   * Returns the users that the library lists for a filter, without the asking one, whom it never deletes by a filter. Throws
   * `admin.list-unreadable`: a request would also delete users that can't be shown.
   */
  async function listed(siteId: string, filter: PeopleFilter): Promise<Set<string>> {
    const ids = new Set<string>();
    const client = clientFor(siteId);
    let unreadable = 0;
    await asAdministrator(
      (async () => {
        for await (const { items, damaged } of filteredUserPages(client, toQuery(filter))) {
          unreadable += damaged;
          for (const { id } of items) ids.add(id);
        }
      })(),
    );
    if (unreadable > 0) throw appError('admin.list-unreadable', { details: { entries: unreadable } });
    ids.delete(actorOf(siteId) ?? '');
    return ids;
  }

  /** Throws when the library lists others than those of the filter. It may not know a part of the filter, and ignore it. */
  function check(siteId: string, filter: PeopleFilter, ids: ReadonlySet<string>, directory: Directory): void {
    const { users, skipped } = directory;
    if (skipped > 0) throw appError('admin.list-unreadable', { details: { entries: skipped } });
    if (ids.size > 0 && [...users.keys()].every((id) => ids.has(id) || id === actorOf(siteId))) {
      throw appError('admin.filter-everybody', { details: { people: ids.size } });
    }
    const others = [...ids].filter((id) => contradicts(directory, filter, id));
    if (others.length > 0) throw appError('admin.filter-ignored', { details: { people: others.length } });
  }

  return {
    async 'admin.filteredPeople'({ siteId, filter }) {
      const ids = await listed(siteId, filter);
      check(siteId, filter, ids, await directories.of(siteId, true));
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
      check(siteId, filter, present, directory);
      const names = new Map([...directory.users.values()].map(({ id, name }) => [id, name]));
      const nameOf = (id: string) => names.get(id) ?? '';
      const savedAs = await log.saveTable('deleted-people', deletedTable(directory, userIds));
      const change = {
        action: 'bulkDeletePeople',
        targetId: '',
        targetName: JSON.stringify(filter),
        before: `${wanted.size}: ${[...wanted].map(nameOf).join(', ')}`,
        after: '',
      };
      const error = await log
        .record(siteId, change, () => asAdministrator(bulkDeleteUsers(clientFor(siteId), toQuery(filter))))
        .then(() => null, dataOf);
      // What the library did is read, also after an error: an answer that is lost says nothing about the deletion.
      const after = await directories.of(siteId, true).catch(dataOf);
      if (!('users' in after) || after.skipped > 0) {
        const details = 'users' in after ? { entries: after.skipped } : { reason: after.code };
        const unknown = appError('admin.outcome-unknown', { details }).toData();
        return {
          done: [],
          failed: userIds.map((id) => ({ id, name: nameOf(id), error: unknown })),
          others: [],
          savedAs,
        };
      }
      const { users } = after;
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
