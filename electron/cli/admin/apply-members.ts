import type { AdminOutcome } from '../../../shared/contract/admin/admin-calls.ts';
import type { MembersChange } from '../../../shared/contract/admin/members-import.ts';
import type { MissingMembership, PlannedMembership } from '../../../shared/model/access/members-import.ts';
import type { EngineContext } from '../command-base/context.ts';
import { untilInterrupted } from './run-job.ts';

interface AppliedMembers {
  /** The number of roles that were given or changed, and of those that were removed. */
  set: number;
  removed: number;
  failed: AdminOutcome['failed'];
}

interface Changes {
  siteId: string;
  source: string;
  set: readonly PlannedMembership[];
  remove: readonly MissingMembership[];
}

/**
 * Gives and changes roles, then removes the missing ones. The first interruption ends it after some changes, and nothing is sent after an
 * error that concerns all of them.
 */
export async function applyMembers(
  context: Pick<EngineContext, 'engine' | 'interruption'>,
  { siteId, source, set, remove }: Changes,
): Promise<AppliedMembers> {
  const all = [
    ...set.map((planned) => ({
      change: settingOf(planned),
      name: `line ${planned.line}, ${planned.subjectName}`,
    })),
    ...remove.map((missing) => ({ change: removalOf(missing), name: missing.subjectName })),
  ];
  const applied: AppliedMembers = { set: 0, removed: 0, failed: [] };
  if (all.length === 0 || context.interruption.signal.aborted) return applied;
  const { failed } = await untilInterrupted(context, { siteId, kind: 'importMembers' }, () =>
    context.engine.call('admin.applyMembers', { siteId, source, changes: all }),
  );
  const errors = new Map(failed.map(({ index, error }) => [index, error]));
  for (const [index, { change, name }] of all.entries()) {
    const error = errors.get(index);
    // What was not begun because of the interruption is no failure.
    if (error?.code === 'admin.stopped') continue;
    if (error !== undefined) applied.failed.push({ id: change.subject.id, name, error });
    else if (change.kind === 'set') applied.set++;
    else applied.removed++;
  }
  return applied;
}

function settingOf({ collectionId, subject, roleId, membershipId, before }: PlannedMembership): MembersChange {
  const present = membershipId === null || before === null ? null : { membershipId, roleId: before.id };
  return { kind: 'set', collectionId, subject, roleId, present };
}

function removalOf({ collectionId, subject, roleId, membershipId }: MissingMembership): MembersChange {
  return { kind: 'remove', collectionId, subject, roleId, membershipId };
}
