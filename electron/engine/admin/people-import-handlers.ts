import { z } from 'zod';
import {
  creationSchema,
  type Joining,
  joiningSchema,
  type PersonRow,
  updateSchema,
} from '../../../shared/contract/admin/people-import.ts';
import { type AppErrorData, errorFrom } from '../../../shared/contract/app-error.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import { endsAll } from '../../../shared/contract/errors/error-catalog.ts';
import type { Handlers } from '../common/handlers.ts';
import type { Directories } from './directories.ts';
import type { AdminJobDefinition, AdminJobs } from './jobs/admin-jobs.ts';

type ImportCall = 'admin.importPeople';
type PeopleCalls = Pick<Handlers, `admin.${'createPerson' | 'changePerson' | 'changeGroups'}`>;

const stepSchema = z.discriminatedUnion('kind', [creationSchema, updateSchema, joiningSchema]);
type Step = PersonRow | Joining;

/** What a run came to beside its steps. */
interface ImportResult {
  /** The ids of the users that were created or changed, by their lines. */
  ids: ReadonlyMap<number, string>;
  /** The users that did not join, by group. */
  apart: ReadonlyMap<string, ReadonlyMap<string, AppErrorData>>;
}

/** The calls that import users. Each change is that of the window: with its checks, and in the log. */
export function peopleImportHandlers(
  { directories, jobs }: { directories: Pick<Directories, 'of'>; jobs: AdminJobs },
  people: PeopleCalls,
): Pick<Handlers, ImportCall> {
  const importing: AdminJobDefinition<Step, { source: string }, ImportResult> = {
    kind: 'importPeople',
    step: stepSchema,
    note: z.object({ source: z.string() }),
    nameOf: (step) =>
      step.kind === 'join' ? { id: step.groupId, name: step.groupName } : { id: idOf(step), name: nameOf(step) },
    savedAs: () => '',
    async open({ siteId }) {
      const { users } = await directories.of(siteId);
      const known = new Map([...users.values()].map(({ id, email }) => [email.toLowerCase(), id]));
      const ids = new Map<number, string>();
      const apart = new Map<string, ReadonlyMap<string, AppErrorData>>();
      const idOfMember = ({ line, email, userId }: Joining['members'][number]) =>
        ids.get(line) ?? userId ?? known.get(email.toLowerCase());

      async function send(row: PersonRow): Promise<string> {
        if (row.kind === 'create') {
          const { email, firstName, lastName, isAdmin, uniqueId } = row;
          // An earlier run was ended before it noted that the library had created this user.
          const present = known.get(email.toLowerCase());
          if (present !== undefined) return present;
          const own = uniqueId === '' ? {} : { uniqueId };
          return (await people['admin.createPerson']({ siteId, email, firstName, lastName, isAdmin, ...own })).id;
        }
        const { userId, isAdmin, uniqueId } = row;
        const patch = {
          ...(isAdmin === undefined ? {} : { isAdmin }),
          ...(uniqueId === undefined ? {} : { uniqueId }),
        };
        if (Object.keys(patch).length > 0) await people['admin.changePerson']({ siteId, userId, ...patch });
        return userId;
      }

      /** Adds users to a group. Throws the error of the connection among those of the users, otherwise the first one. */
      async function join({ groupId, members }: Joining): Promise<void> {
        const userIds = members.flatMap((member) => idOfMember(member) ?? []);
        if (userIds.length === 0) return;
        const { failed } = await people['admin.changeGroups']({ siteId, userIds, add: [groupId], remove: [] });
        apart.set(groupId, new Map(failed.map(({ id, error }) => [id, error])));
        const first = failed.find(({ error }) => endsAll(error.code)) ?? failed[0];
        if (first !== undefined) throw errorFrom(first.error);
      }

      return {
        async run(step) {
          if (step.kind === 'join') await join(step);
          else ids.set(step.line, await send(step));
        },
        end: async () => ({ ids, apart }),
      };
    },
  };
  jobs.register(importing);

  return {
    async 'admin.importPeople'({ siteId, source, rows, joins }) {
      const steps = [...rows, ...joins];
      const { failed, result } = await jobs.start(siteId, importing, { subject: source, note: { source }, steps });
      return outcomeOf(joins, failed, result);
    },
  };
}

/** Names the rows that failed, then the users that are not in all their groups. Rows that a stop left are no failures. */
function outcomeOf(
  joins: readonly Joining[],
  failed: readonly { step: Step; error: AppErrorData }[],
  { ids, apart }: ImportResult,
): CallOutput<'admin.importPeople'> {
  const rows = failed.flatMap(({ step, error }) =>
    step.kind === 'join' || error.code === 'admin.stopped' ? [] : [{ id: idOf(step), name: nameOf(step), error }],
  );
  const errors = new Map(failed.flatMap(({ step, error }) => (step.kind === 'join' ? [[step.groupId, error]] : [])));
  const alone = joins.flatMap(({ groupId, groupName, members }) =>
    members.flatMap((member) => {
      const id = ids.get(member.line);
      const known = apart.get(groupId);
      const error = id === undefined ? undefined : known === undefined ? errors.get(groupId) : known.get(id);
      if (id === undefined || error === undefined) return [];
      return [{ id, name: nameOf(member), error: { ...error, message: apartText(groupName, error) } }];
    }),
  );
  const failedIds = new Set(alone.map(({ id }) => id));
  return { done: [...ids.values()].filter((id) => !failedIds.has(id)), failed: [...rows, ...alone] };
}

const apartText = (group: string, { message }: AppErrorData) => `Not added to “${group}”: ${message}`;
const nameOf = ({ line, email }: { line: number; email: string }) => `line ${line}, ${email}`;
const idOf = (row: PersonRow) => (row.kind === 'change' ? row.userId : '');
