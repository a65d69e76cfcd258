import { peopleTable } from '../../../../shared/model/access/people-table.ts';
import { counted, reportOutcome } from '../../admin/admin-outcome.ts';
import { refusalOfDeletion, refusalOfStopped, YES_OPTION } from '../../admin/confirm-deletion.ts';
import { findPresentPeople } from '../../admin/find-person.ts';
import { showPeopleDeletion } from '../../admin/people-deletion.ts';
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
  const { engine, output, screen } = context;
  const { id: siteId } = await currentSite(context);
  if (save !== null) await refuseExisting(save, 'admin users delete');
  const { people: wanted, missing } = await findPresentPeople(engine, siteId, refs);
  if (missing.length > 0) output.note(missingText(missing));
  const deletion = await engine.call('admin.deletionOfPeople', { siteId, userIds: wanted.map(({ id }) => id) });
  const groups = await engine.call('admin.groups', { siteId });
  const refused = showPeopleDeletion(output, deletion, groups);
  const { people } = deletion;
  if (people.length === 0) return EXIT.incomplete;
  const unconfirmed = await refusalOfDeletion(context, { count: people.length, one: 'user', isYes });
  if (unconfirmed !== null) return unconfirmed;
  if (save !== null) {
    const groupNames = new Map(groups.map(({ id, name }) => [id, name]));
    await saveCsv(save, peopleTable(people, { groupNames, memberships: deletion.memberships })).catch((error) => {
      output.note('Nothing was deleted.');
      throw error;
    });
    output.note(`Saved as ${save.path}.`);
    const stopped = refusalOfStopped(context, 'deleted');
    if (stopped !== null) return stopped;
  }
  const progress = new Progress({ output, screen });
  progress.show(`Deleting ${counted(people.length, 'user')}…`);
  const userIds = people.map(({ id }) => id);
  const deleted = await engine.call('admin.deletePeople', { siteId, userIds }).finally(() => progress.end());
  const code = reportOutcome(context, 'deleted', { one: 'user', outcome: deleted });
  if (save === null) output.note(`What was deleted is in ${deleted.savedAs}.`);
  if (code !== EXIT.complete) return code;
  return missing.length > 0 ? EXIT.incomplete : refused;
}

/** The most names of nobody that are printed. */
const MOST_MISSING = 20;

function missingText(missing: readonly string[]): string {
  const names = missing.slice(0, MOST_MISSING).join(', ');
  const more = missing.length > MOST_MISSING ? ` and ${missing.length - MOST_MISSING} more` : '';
  return `Not in the library: ${names}${more}. The others are deleted.`;
}
