import type { CallOutput } from '../../../../shared/contract/contract.ts';
import { peopleTable } from '../../../../shared/model/access/people-table.ts';
import { counted, reportFailed } from '../../admin/admin-outcome.ts';
import { isDeletionConfirmed, YES_OPTION } from '../../admin/confirm-deletion.ts';
import { findPeople } from '../../admin/find-person.ts';
import { FORCE_OPTION, readSaveTarget, refuseExisting, type SaveTarget, saveCsv } from '../../admin/save-csv.ts';
import { readRefs } from '../../arguments/names.ts';
import { currentSite, type EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import { Progress } from '../../output/progress.ts';

interface DeleteInput {
  refs: string[];
  isYes: boolean;
  /** null: nothing is saved. */
  save: SaveTarget | null;
}

type Deletion = CallOutput<'admin.deletionOfPeople'>;

/** The most names that are printed. */
const SHOWN = 100;

/** Shows what a deletion of users removes; deletes after a confirmation, and never others than those shown. */
export const adminUsersDeleteCommand = defineEngineCommand<DeleteInput>({
  name: 'admin users delete',
  operands: 'PERSON…',
  summary: 'Show what deleting users removes, ask, and delete them.',
  options: {
    ...YES_OPTION,
    save: { value: 'FILE', help: 'First save the users with their groups and roles as CSV, which only you can read.' },
    ...FORCE_OPTION,
  },
  read(values, refs) {
    return {
      refs: readRefs(refs, 'Enter the users to delete.'),
      isYes: values.yes === true,
      save: readSaveTarget(values, 'save'),
    };
  },
  interruptedText: 'Stopping. A deletion that has begun is completed; to stop it now, press Ctrl-C again.',
  run: deleteUsers,
});

async function deleteUsers(context: EngineContext, { refs, isYes, save }: DeleteInput): Promise<ExitCode> {
  const { engine, output, interruption, screen } = context;
  const { id: siteId } = await currentSite(context);
  if (save !== null) await refuseExisting(save, 'admin users delete');
  const wanted = await findPeople(engine, siteId, refs);
  const deletion = await engine.call('admin.deletionOfPeople', { siteId, userIds: wanted.map(({ id }) => id) });
  const groups = await engine.call('admin.groups', { siteId });
  const groupNames = new Map(groups.map(({ id, name }) => [id, name]));
  output.record({ deletion });
  for (const line of deletionLines(deletion, groupNames)) output.line(line);
  const refused = reportFailed(output, deletion.refused);
  const { people } = deletion;
  if (people.length === 0) return EXIT.incomplete;
  if (!(await isDeletionConfirmed(context, { count: people.length, one: 'user', isYes }))) {
    return interruption.exitCode() ?? EXIT.incomplete;
  }
  if (save !== null) {
    await saveCsv(save, peopleTable(people, { groupNames, memberships: deletion.memberships })).catch((error) => {
      output.note('Nothing was deleted.');
      throw error;
    });
    output.note(`Saved as ${save.path}.`);
  }
  const progress = new Progress({ output, screen });
  progress.show(`Deleting ${counted(people.length, 'user')}…`);
  const userIds = people.map(({ id }) => id);
  const deleted = await engine.call('admin.deletePeople', { siteId, userIds }).finally(() => progress.end());
  output.record({ deleted });
  output.line(`Deleted: ${counted(deleted.done.length, 'user')}.`);
  if (save === null) output.note(`What was deleted is in ${deleted.savedAs}.`);
  const code = reportFailed(output, deleted.failed);
  return code === EXIT.complete ? refused : code;
}

/** Returns the numbers of what goes, then the users with their groups and roles. */
export function deletionLines({ people, memberships }: Deletion, groupNames: ReadonlyMap<string, string>): string[] {
  if (people.length === 0) return [];
  const joined = people.reduce((sum, { groupIds }) => sum + groupIds.length, 0);
  const lines = [
    `${counted(people.length, 'user')}, ${counted(joined, 'place')} in groups, ${counted(memberships.length, 'role')} in collections:`,
  ];
  for (const { id, name, email, isAdmin, groupIds } of people.slice(0, SHOWN)) {
    const roles = memberships.filter(({ subject }) => subject.id === id);
    const facts = [
      ...(isAdmin ? ['administrator'] : []),
      ...(groupIds.length === 0
        ? []
        : [`in ${groupIds.map((each) => `“${groupNames.get(each) ?? each}”`).join(', ')}`]),
      ...roles.map(({ roleName, path }) => `${roleName} in ${path.join(' / ')}`),
    ];
    lines.push(`  ${[`${name} (${[id, email].filter(Boolean).join(', ')})`, ...facts].join('; ')}`);
  }
  if (people.length > SHOWN) lines.push(`  … and ${counted(people.length - SHOWN, 'more user')}`);
  return lines;
}
