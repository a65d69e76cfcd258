import type { GroupRow } from '../../../../shared/contract/admin/people.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import { MAX_ADMIN_LINE } from '../../../../shared/model/access/admin-limits.ts';
import { counted, reportFailed } from '../../admin/admin-outcome.ts';
import { isDeletionConfirmed, YES_OPTION } from '../../admin/confirm-deletion.ts';
import { findAll, findNamed } from '../../admin/find-named.ts';
import { readNewName, readRefs, readRenaming } from '../../arguments/names.ts';
import { noOperands } from '../../arguments/options.ts';
import { currentSite } from '../../command-base/context.ts';
import { CHANGING_INTERRUPTED, defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT } from '../../output/exit-codes.ts';

export const adminGroupsListCommand = defineEngineCommand({
  name: 'admin groups list',
  operands: '',
  summary: 'List the groups of users, with the numbers of their users and of their roles in collections.',
  options: {},
  read: (_values, operands) => noOperands(operands),
  async run(context) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const groups = await engine.call('admin.groups', { siteId });
    for (const group of groups) output.record({ group });
    output.table(
      ['ID', 'NAME', 'USERS', 'ROLES', 'KIND'],
      groups.map(({ id, name, people, memberships, builtIn }) => [
        ...[id, name, String(people), String(memberships)],
        builtIn === null ? '' : 'built-in',
      ]),
    );
    return EXIT.complete;
  },
});

export const adminGroupsCreateCommand = defineEngineCommand({
  name: 'admin groups create',
  operands: 'NAME',
  summary: 'Create a group of users.',
  options: {},
  read: (_values, operands) => ({ name: readNewName(operands, MAX_ADMIN_LINE) }),
  interruptedText: CHANGING_INTERRUPTED,
  async run(context, { name }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const group = await engine.call('admin.createGroup', { siteId, name });
    output.record({ group });
    output.line(`Created “${group.name}” (ID ${group.id}).`);
    return EXIT.complete;
  },
});

export const adminGroupsRenameCommand = defineEngineCommand({
  name: 'admin groups rename',
  operands: 'GROUP NAME',
  summary: 'Rename a group of users.',
  options: {},
  read: (_values, operands) =>
    readRenaming(operands, { missing: 'Enter the group and its new name.', most: MAX_ADMIN_LINE }),
  interruptedText: CHANGING_INTERRUPTED,
  async run(context, { ref, name }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const before = findNamed(await engine.call('admin.groups', { siteId }), 'group', ref);
    const group = await engine.call('admin.renameGroup', { siteId, groupId: before.id, name });
    output.record({ group });
    output.line(`Renamed “${before.name}” to “${group.name}”.`);
    return EXIT.complete;
  },
});

export const adminGroupsDeleteCommand = defineEngineCommand({
  name: 'admin groups delete',
  operands: 'GROUP…',
  summary: 'Show what deleting groups removes, ask, and delete them. Their users stay.',
  options: YES_OPTION,
  read: (values, operands) => ({ refs: readRefs(operands, 'Enter the groups to delete.'), isYes: values.yes === true }),
  interruptedText: CHANGING_INTERRUPTED,
  async run(context, { refs, isYes }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const groups = findAll(await engine.call('admin.groups', { siteId }), 'group', refs);
    if (groups.some(({ builtIn }) => builtIn !== null)) throw appError('admin.built-in-group');
    output.record({ deletion: { groups } });
    for (const group of groups) output.line(groupDeletionText(group));
    const count = groups.length;
    if (!(await isDeletionConfirmed(context, { count, one: 'group', isYes }))) return EXIT.incomplete;
    const { done, failed } = await engine.call('admin.deleteGroups', { siteId, groupIds: groups.map(({ id }) => id) });
    output.record({ deleted: { done, failed } });
    output.line(`Deleted: ${counted(done.length, 'group')}.`);
    return reportFailed(output, failed);
  },
});

/** Returns what the deletion of a group ends, as a sentence. */
export function groupDeletionText({
  id,
  name,
  people,
  memberships,
}: Pick<GroupRow, 'id' | 'name' | 'people' | 'memberships'>): string {
  const users = `${counted(people, 'user')} ${people === 1 ? 'leaves' : 'leave'} it`;
  const roles = memberships === 1 ? '1 role in a collection ends' : `${memberships} roles in collections end`;
  return `“${name}” (ID ${id}): ${users}, ${roles}.`;
}
