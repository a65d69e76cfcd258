import { z } from 'zod';
import type { Group } from '../../../shared/api/people.ts';
import { type ImportedGroup, importedGroupSchema } from '../../../shared/contract/admin/groups-import.ts';
import { appError, errorFrom } from '../../../shared/contract/app-error.ts';
import { endsAll } from '../../../shared/contract/errors/error-catalog.ts';
import { nameKey } from '../../../shared/model/access/name-key.ts';
import { getGroup, groupPages } from '../api/groups.ts';
import type { Handlers } from '../common/handlers.ts';
import { listedByName } from './by-name.ts';
import { asAdministrator, type Directories } from './directories.ts';
import type { AdminJobDefinition, AdminJobs } from './jobs/admin-jobs.ts';

type GroupCalls = Pick<Handlers, `admin.${'createGroup' | 'renameGroup' | 'changeGroups'}`>;

/** The call that imports groups. Each change is that of the window: with its checks, and in the log. */
export function groupsImportHandlers(
  { directories, jobs }: { directories: Directories; jobs: AdminJobs },
  calls: GroupCalls,
): Pick<Handlers, 'admin.importGroups'> {
  /** Creates a group; one of this name may exist since a run that ended before it could note that. Returns its id. */
  async function create(siteId: string, name: string, present: readonly Group[]): Promise<string> {
    const [found, another] = present;
    if (another !== undefined) throw appError('admin.name-ambiguous', { details: { name } });
    if (found === undefined) return (await calls['admin.createGroup']({ siteId, name })).id;
    const { groups } = await directories.of(siteId);
    if (!groups.has(found.id)) {
      const group = { id: found.id, name: found.display_name, builtIn: null };
      directories.note(siteId, (known) => known.groups.set(found.id, group));
    }
    return found.id;
  }

  async function rename(siteId: string, groupId: string, before: string, name: string): Promise<void> {
    const { display_name: now } = await asAdministrator(getGroup(directories.clientFor(siteId), groupId));
    if (nameKey(now) === nameKey(name)) return;
    if (nameKey(now) !== nameKey(before)) throw appError('admin.group-renamed', { details: { groupId } });
    await calls['admin.renameGroup']({ siteId, groupId, name });
  }

  /** Throws the error of the connection among those of the users, otherwise the first one. */
  async function join(siteId: string, groupId: string, userIds: readonly string[]): Promise<void> {
    if (userIds.length === 0) return;
    const { failed } = await calls['admin.changeGroups']({ siteId, userIds: [...userIds], add: [groupId], remove: [] });
    const first = failed.find(({ error }) => endsAll(error.code)) ?? failed[0];
    if (first === undefined) return;
    const users = `${failed.length} ${failed.length === 1 ? 'user' : 'users'}`;
    throw errorFrom({ ...first.error, message: `Not added: ${users}. ${first.error.message}` });
  }

  const importing: AdminJobDefinition<ImportedGroup, { source: string }, { done: string[] }> = {
    kind: 'importGroups',
    step: importedGroupSchema,
    note: z.object({ source: z.string() }),
    nameOf: ({ groupId, line, name }) => ({ id: groupId ?? '', name: `line ${line}, ${name}` }),
    savedAs: () => '',
    async open({ siteId, steps }) {
      const isCreating = steps.some(({ groupId }) => groupId === null);
      const present = isCreating
        ? await listedByName(groupPages(directories.clientFor(siteId), {}))
        : new Map<string, Group[]>();
      const done: string[] = [];
      return {
        async run({ groupId, name, renamedFrom, userIds }) {
          const id = groupId ?? (await create(siteId, name, present.get(nameKey(name)) ?? []));
          if (renamedFrom !== null) await rename(siteId, id, renamedFrom, name);
          await join(siteId, id, userIds);
          done.push(id);
        },
        end: async () => ({ done }),
      };
    },
  };
  jobs.register(importing);

  return {
    async 'admin.importGroups'({ siteId, source, groups }) {
      const note = { source };
      const { failed, result } = await jobs.start(siteId, importing, { subject: source, note, steps: groups });
      return { ...result, failed: failed.map(({ step, error }) => ({ ...importing.nameOf(step), error })) };
    },
  };
}
