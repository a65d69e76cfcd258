import type { CallOutput } from '../../../shared/contract/contract.ts';
import type { ExitCode } from '../output/exit-codes.ts';
import type { Output } from '../output/output.ts';
import { counted, reportFailed } from './admin-outcome.ts';
import { type Columns, printPreview } from './print-list.ts';

type Deletion = CallOutput<'admin.deletionOfPeople'>;

/**
 * Prints what a deletion of users removes: the numbers, the users with their groups and roles, then those who can't be deleted, each
 * with the reason. Returns the exit code for the latter.
 */
export function showPeopleDeletion(
  output: Output,
  deletion: Deletion,
  groups: readonly { id: string; name: string }[],
): ExitCode {
  const { people, memberships, refused } = deletion;
  output.record({ deletion });
  if (people.length > 0) {
    const joined = people.reduce((sum, { groupIds }) => sum + groupIds.length, 0);
    output.line(
      `${counted(people.length, 'user')}, ${counted(joined, 'place')} in groups, ${counted(memberships.length, 'role')} in collections:`,
    );
    printPreview(output, columnsOf(deletion, groups), people);
  }
  return reportFailed(output, refused);
}

function columnsOf(
  { memberships }: Deletion,
  groups: readonly { id: string; name: string }[],
): Columns<Deletion['people'][number]> {
  const nameOf = new Map(groups.map(({ id, name }) => [id, name]));
  const roles = Map.groupBy(memberships, ({ subject }) => subject.id);
  return {
    ID: ({ id }) => id,
    NAME: ({ name }) => name,
    'E-MAIL': ({ email }) => email,
    ADMINISTRATOR: ({ isAdmin }) => (isAdmin ? 'yes' : ''),
    GROUPS: ({ groupIds }) => groupIds.map((id) => nameOf.get(id) ?? id).join(', '),
    ROLES: ({ id }) =>
      (roles.get(id) ?? []).map(({ roleName, path }) => `${roleName} in ${path.join(' / ')}`).join(', '),
  };
}
