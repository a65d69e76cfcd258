import type { GroupRow } from '../../../../shared/contract/admin/people.ts';
import { reportOutcome } from '../../admin/admin-outcome.ts';
import { refusalOfDeletion, YES_OPTION } from '../../admin/confirm-deletion.ts';
import { findAll } from '../../admin/find-named.ts';
import { namedCommands } from '../../admin/named-commands.ts';
import { type Columns, printList, printPreview } from '../../admin/print-list.ts';
import { readRefs } from '../../arguments/names.ts';
import { noOperands } from '../../arguments/options.ts';
import { currentSite } from '../../command-base/context.ts';
import { CHANGING_INTERRUPTED, defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT } from '../../output/exit-codes.ts';

const COLUMNS: Columns<GroupRow> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  USERS: ({ people }) => String(people),
  ROLES: ({ memberships }) => String(memberships),
};

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
    const kind = { KIND: ({ builtIn }: GroupRow) => (builtIn === null ? '' : 'built-in') };
    printList(output, { name: 'group', columns: { ...COLUMNS, ...kind } }, groups);
    return EXIT.complete;
  },
});

export const { create: adminGroupsCreateCommand, rename: adminGroupsRenameCommand } = namedCommands(
  {
    one: 'group',
    all: (engine, siteId) => engine.call('admin.groups', { siteId }),
    create: (engine, input) => engine.call('admin.createGroup', input),
    rename: (engine, { id: groupId, ...input }) => engine.call('admin.renameGroup', { groupId, ...input }),
  },
  ['Create a group of users.', 'Rename a group of users.'],
);

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
    const found = findAll(await engine.call('admin.groups', { siteId }), 'group', refs);
    const groups = await engine.call('admin.deletionOfGroups', { siteId, groupIds: found.map(({ id }) => id) });
    output.record({ deletion: { groups } });
    printPreview(output, COLUMNS, groups);
    output.line(groupDeletionText(groups));
    const unconfirmed = await refusalOfDeletion(context, { count: groups.length, one: 'group', isYes });
    if (unconfirmed !== null) return unconfirmed;
    const outcome = await engine.call('admin.deleteGroups', {
      siteId,
      groups: groups.map(({ id, seen }) => ({ id, seen })),
    });
    return reportOutcome(context, 'deleted', { one: 'group', outcome });
  },
});

/** Returns what a deletion of groups removes besides, as sentences. */
export function groupDeletionText(groups: readonly Pick<GroupRow, 'memberships'>[]): string {
  const roles = groups.reduce((sum, { memberships }) => sum + memberships, 0);
  const removed = roles === 1 ? '1 role in a collection is removed.' : `${roles} roles in collections are removed.`;
  return `The users stay in the library. ${removed}`;
}
