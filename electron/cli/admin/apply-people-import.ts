import type { AdminOutcome } from '../../../shared/contract/admin/admin-calls.ts';
import { type AppErrorData, appError, toAppError } from '../../../shared/contract/app-error.ts';
import { endsAll } from '../../../shared/contract/errors/error-catalog.ts';
import type { PeopleImport, PlannedCreation, PlannedUpdate } from '../../../shared/model/access/people-import.ts';
import type { EngineContext } from '../command-base/context.ts';

type Engine = Pick<EngineContext['engine'], 'call'>;

/** A user that was created or changed, with a name for messages. */
interface Joining {
  userId: string;
  name: string;
}

/** What the rows without their groups came to. */
interface SentRows extends AdminOutcome {
  /** The users to add, by group. */
  joining: ReadonlyMap<string, readonly Joining[]>;
  /** The error after which nothing more is sent. */
  end: AppErrorData | null;
}

/** The parts of a command's context that are used. */
interface ImportContext {
  engine: Engine;
  interruption: { signal: AbortSignal };
}

/**
 * Makes the changes row by row, then adds the users of each group together. The first interruption ends it after a row, and nothing is
 * sent after an error that concerns every row. Users that are not in all groups of their rows then are among the failed ones.
 */
export async function applyPeopleImport(
  context: ImportContext,
  siteId: string,
  { plan, groups }: { plan: PeopleImport; groups: readonly { id: string; name: string }[] },
): Promise<AdminOutcome> {
  const { done, failed, joining, end: endOfRows } = await sendRows(context, siteId, plan);
  const nameOf = new Map(groups.map(({ id, name }) => [id, name]));
  let end = endOfRows;
  for (const [groupId, users] of joining) {
    if (context.interruption.signal.aborted) end ??= appError('admin.stopped').toData();
    const failures: ReadonlyMap<string, AppErrorData> =
      end === null ? await join(context.engine, siteId, { groupId, users }) : allWith(users, end);
    end ??= [...failures.values()].find(({ code }) => endsAll(code)) ?? null;
    for (const { userId: id, name } of users) {
      const error = failures.get(id);
      if (error === undefined) continue;
      const message = `Not added to “${nameOf.get(groupId) ?? groupId}”: ${error.message}`;
      failed.push({ id, name, error: { ...error, message } });
    }
  }
  const failedIds = new Set(failed.map(({ id }) => id));
  return { done: done.filter((id) => !failedIds.has(id)), failed };
}

/** Sends the rows one by one, without their groups. */
async function sendRows(
  { engine, interruption }: ImportContext,
  siteId: string,
  { create, update }: PeopleImport,
): Promise<SentRows> {
  const joining = new Map<string, Joining[]>();
  const rows: SentRows = { done: [], failed: [], joining, end: null };
  for (const planned of [...create, ...update]) {
    if (interruption.signal.aborted) break;
    const name = `line ${planned.line}, ${planned.email}`;
    const id = 'person' in planned ? planned.person.id : '';
    if (rows.end !== null) {
      rows.failed.push({ id, name, error: rows.end });
      continue;
    }
    try {
      const userId = await sent(engine, siteId, planned);
      rows.done.push(userId);
      for (const group of planned.addGroups) joining.set(group, [...(joining.get(group) ?? []), { userId, name }]);
    } catch (thrown) {
      const error = toAppError(thrown).toData();
      if (endsAll(error.code)) rows.end = error;
      rows.failed.push({ id, name, error });
    }
  }
  return rows;
}

function allWith(users: readonly Joining[], error: AppErrorData): Map<string, AppErrorData> {
  return new Map(users.map(({ userId }) => [userId, error]));
}

/** Adds users to a group. Returns the errors by the ids of those that were not added. */
async function join(
  engine: Engine,
  siteId: string,
  { groupId, users }: { groupId: string; users: readonly Joining[] },
): Promise<Map<string, AppErrorData>> {
  const userIds = users.map(({ userId }) => userId);
  try {
    const { failed } = await engine.call('admin.changeGroups', { siteId, userIds, add: [groupId], remove: [] });
    return new Map(failed.map(({ id, error }) => [id, error]));
  } catch (thrown) {
    return allWith(users, toAppError(thrown).toData());
  }
}

/** Sends the change of a row, without its groups. Returns the id of the user. */
function sent(engine: Engine, siteId: string, planned: PlannedCreation | PlannedUpdate): Promise<string> {
  return 'person' in planned ? changed(engine, siteId, planned) : created(engine, siteId, planned);
}

async function created(engine: Engine, siteId: string, planned: PlannedCreation): Promise<string> {
  const { email, firstName, lastName, isAdmin, uniqueId } = planned;
  const own = uniqueId === '' ? {} : { uniqueId };
  const input = { siteId, email, firstName, lastName, isAdmin, ...own };
  return (await engine.call('admin.createPerson', input)).id;
}

async function changed(engine: Engine, siteId: string, { person, patch }: PlannedUpdate): Promise<string> {
  if (Object.keys(patch).length > 0) await engine.call('admin.changePerson', { siteId, userId: person.id, ...patch });
  return person.id;
}
