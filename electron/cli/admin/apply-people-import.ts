import type { AdminOutcome } from '../../../shared/contract/admin/admin-calls.ts';
import type { Joining, PersonRow } from '../../../shared/contract/admin/people-import.ts';
import type { PeopleImport, PlannedCreation, PlannedUpdate } from '../../../shared/model/access/people-import.ts';
import type { EngineContext } from '../command-base/context.ts';
import { untilInterrupted } from './run-job.ts';

/** A checked table, and where it came from. */
interface Import {
  plan: PeopleImport;
  groups: readonly { id: string; name: string }[];
  source: string;
}

/** Makes the changes of a checked table. The first interruption ends it after a row. */
export async function applyPeopleImport(
  context: Pick<EngineContext, 'engine' | 'interruption'>,
  siteId: string,
  { plan: { create, update }, groups, source }: Import,
): Promise<AdminOutcome> {
  if (context.interruption.signal.aborted || create.length + update.length === 0) return { done: [], failed: [] };
  const rows = [...create, ...update].map(rowOf);
  const joins = joinsOf([...create, ...update], groups);
  return untilInterrupted(context, { siteId, kind: 'importPeople' }, () =>
    context.engine.call('admin.importPeople', { siteId, source, rows, joins }),
  );
}

function rowOf(planned: PlannedCreation | PlannedUpdate): PersonRow {
  const { line, email } = planned;
  if ('person' in planned) return { kind: 'change', line, email, userId: planned.person.id, ...planned.patch };
  const { firstName, lastName, uniqueId, isAdmin } = planned;
  return { kind: 'create', line, email, firstName, lastName, uniqueId, isAdmin };
}

/** Returns the users of each group, in the order of the rows. */
function joinsOf(
  planned: readonly (PlannedCreation | PlannedUpdate)[],
  groups: readonly { id: string; name: string }[],
): Joining[] {
  const nameOf = new Map(groups.map(({ id, name }) => [id, name]));
  const joins = new Map<string, Joining['members']>();
  for (const row of planned) {
    const member = { line: row.line, email: row.email, userId: 'person' in row ? row.person.id : null };
    for (const groupId of row.addGroups) joins.set(groupId, [...(joins.get(groupId) ?? []), member]);
  }
  return [...joins].map(([groupId, members]) => ({
    kind: 'join',
    groupId,
    groupName: nameOf.get(groupId) ?? groupId,
    members,
  }));
}
