import type { PeopleFilter } from '../../../../shared/contract/admin/people.ts';
import { reportOutcome } from '../../admin/admin-outcome.ts';
import { refusalOfDeletion } from '../../admin/confirm-deletion.ts';
import { findNamed } from '../../admin/find-named.ts';
import { showPeopleDeletion } from '../../admin/people-deletion.ts';
import { instantOption } from '../../arguments/instant.ts';
import { noOperands, type OptionValues, optionText } from '../../arguments/options.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { currentSite, type EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';

interface BulkDeleteInput {
  filter: PeopleFilter;
  /** The name or id of the group of the filter. */
  group: string | null;
  isYes: boolean;
}

/** The options that become text of the filter. */
const TEXTS = [
  ['email', 'email'],
  ['first-name', 'firstName'],
  ['last-name', 'lastName'],
  ['unique-id', 'uniqueId'],
] as const;

/** Lists the users of a filter of the library; with `--yes`, deletes exactly those in one request. */
export const adminUsersBulkDeleteCommand = defineEngineCommand<BulkDeleteInput>({
  name: 'admin users bulk-delete',
  operands: '',
  summary: 'List the users that match all of these filters; with --yes, delete them in one request.',
  options: {
    group: { value: 'GROUP', help: 'The users of this group: ID or name.' },
    'signed-in-before': { value: 'DATE', help: 'Users whose last sign-in was before this time.' },
    'signed-in-after': { value: 'DATE', help: 'Users whose last sign-in was after this time.' },
    email: { value: 'ADDRESS', help: 'Users with exactly this e-mail address.' },
    'first-name': { value: 'NAME', help: 'Users with exactly this first name.' },
    'last-name': { value: 'NAME', help: 'Users with exactly this last name.' },
    'unique-id': { value: 'PATTERN', help: 'Users with this unique ID; % stands for any text.' },
    'no-administrators': { value: null, help: 'Only users who are no administrators.' },
    yes: { value: null, help: 'Delete the listed users. You can’t undo this.' },
  },
  read(values, operands) {
    noOperands(operands);
    const group = optionText(values, 'group');
    const filter = filterOf(values);
    const { isAdmin: _isAdmin, ...narrow } = filter;
    if (group === null && Object.keys(narrow).length === 0) {
      throw new UsageError('Enter a filter besides --no-administrators, such as --group or --unique-id.');
    }
    return { filter, group, isYes: values.yes === true };
  },
  interruptedText: 'Stopping. A deletion that has begun is completed; to stop it now, press Ctrl-C again.',
  run: bulkDelete,
});

function filterOf(values: OptionValues): PeopleFilter {
  const filter: PeopleFilter = {};
  for (const [option, field] of TEXTS) {
    const text = optionText(values, option);
    if (text?.trim() === '') throw new UsageError(`Enter a value for --${option}.`);
    if (text !== null) filter[field] = text;
  }
  const before = instantOption(values, 'signed-in-before');
  const after = instantOption(values, 'signed-in-after');
  if (before !== undefined) filter.lastLoginBefore = before;
  if (after !== undefined) filter.lastLoginAfter = after;
  if (values['no-administrators'] === true) filter.isAdmin = false;
  return filter;
}

async function bulkDelete(context: EngineContext, { filter: given, group, isYes }: BulkDeleteInput): Promise<ExitCode> {
  const { engine, output } = context;
  const { id: siteId } = await currentSite(context);
  const groups = await engine.call('admin.groups', { siteId });
  const filter = group === null ? given : { ...given, groupId: findNamed(groups, 'group', group).id };
  const { ids } = await engine.call('admin.filteredPeople', { siteId, filter });
  if (ids.length === 0) {
    output.record({ deletion: { people: [], memberships: [], refused: [] } });
    output.line('No users match.');
    return EXIT.complete;
  }
  const deletion = await engine.call('admin.deletionOfPeople', { siteId, userIds: ids });
  const refused = showPeopleDeletion(output, deletion, groups);
  if (refused !== EXIT.complete) {
    output.note('One request deletes all users of the filter. Nothing was deleted, because these can’t be.');
    return refused;
  }
  const userIds = deletion.people.map(({ id }) => id);
  const unconfirmed = await refusalOfDeletion(context, { count: userIds.length, one: 'user', isYes }, null);
  if (unconfirmed !== null) return unconfirmed;
  const deleted = await engine.call('admin.bulkDeletePeople', { siteId, filter, userIds });
  const code = reportOutcome(context, 'deleted', { one: 'user', outcome: deleted });
  output.note(`What was deleted is in ${deleted.savedAs}.`);
  if (deleted.others.length > 0) {
    const names = deleted.others.map(({ id, name }) => `${name} (${id})`).join(', ');
    output.note(`Not in the list, but gone from the library as well: ${names}.`);
  }
  return deleted.others.length > 0 && code === EXIT.complete ? EXIT.incomplete : code;
}
