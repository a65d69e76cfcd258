import type { AdminOutcome } from '../../../shared/contract/admin/admin-calls.ts';
import { MAX_MEMBERS_CHANGES, type MembersChange } from '../../../shared/contract/admin/members-import.ts';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import { endsAll } from '../../../shared/contract/errors/error-catalog.ts';
import type { MissingMembership, PlannedMembership } from '../../../shared/model/access/members-import.ts';
import type { EngineContext } from '../command-base/context.ts';

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
  { engine, interruption }: Pick<EngineContext, 'engine' | 'interruption'>,
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
  let end: AppErrorData | null = null;
  for (let at = 0; at < all.length && !interruption.signal.aborted; at += MAX_MEMBERS_CHANGES) {
    const part = all.slice(at, at + MAX_MEMBERS_CHANGES);
    const changes = part.map(({ change }) => change);
    const failed: readonly { index: number; error: AppErrorData }[] =
      end === null
        ? (await engine.call('admin.applyMembers', { siteId, source, changes })).failed
        : failedWith(part.length, end);
    const errors = new Map(failed.map(({ index, error }) => [index, error]));
    for (const [index, { change, name }] of part.entries()) {
      const error = errors.get(index);
      if (error !== undefined) applied.failed.push({ id: change.subject.id, name, error });
      else if (change.kind === 'set') applied.set++;
      else applied.removed++;
    }
    end ??= failed.find(({ error }) => endsAll(error.code))?.error ?? null;
  }
  return applied;
}

function failedWith(count: number, error: AppErrorData): { index: number; error: AppErrorData }[] {
  return Array.from({ length: count }, (_, index) => ({ index, error }));
}

function settingOf({ collectionId, subject, roleId, membershipId, before }: PlannedMembership): MembersChange {
  const present = membershipId === null || before === null ? null : { membershipId, roleId: before.id };
  return { kind: 'set', collectionId, subject, roleId, present };
}

function removalOf({ collectionId, subject, roleId, membershipId }: MissingMembership): MembersChange {
  return { kind: 'remove', collectionId, subject, roleId, membershipId };
}
