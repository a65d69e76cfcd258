import type { ImportedGroup } from '../../../../shared/contract/admin/groups-import.ts';
import {
  type GroupsPlan,
  groupsTable,
  type PlannedGroup,
  planGroupsImport,
} from '../../../../shared/model/access/groups-import.ts';
import { counted, reportOutcome } from '../../admin/admin-outcome.ts';
import { defineTableExport, defineTableImport } from '../../admin/define-table-commands.ts';
import { allPeople } from '../../admin/find-person.ts';
import { untilInterrupted, withoutStopped } from '../../admin/run-job.ts';
import { shortened } from '../../admin/table-import.ts';

export const adminGroupsExportCommand = defineTableExport({
  name: 'admin groups export',
  summary: 'Print the groups with their users as CSV, which “admin groups import” reads.',
  async table({ engine }, siteId) {
    const { skipped } = await engine.call('admin.read', { siteId, isFresh: true });
    const groups = (await engine.call('admin.groups', { siteId })).filter(({ builtIn }) => builtIn === null);
    const lack = `${counted(skipped, 'entry', 'entries')} of the library can’t be read. The table may lack them.`;
    return {
      rows: [...groupsTable(groups, await allPeople(engine, siteId))],
      note: `${counted(groups.length, 'group')}.`,
      lack: skipped === 0 ? null : lack,
    };
  },
});

/** Checks a table of groups against the library, and makes its changes with `--apply`. The same table again sends nothing. */
export const adminGroupsImportCommand = defineTableImport<GroupsPlan>({
  name: 'admin groups import',
  summary: 'Show which groups a CSV or XLSX file would create and rename, and who would join them; do it with --apply.',
  applyHelp: 'Create and rename the groups, and add the users. Rows with a problem are skipped.',
  changed: 'groups',
  noColumns: 'The file has no column “group” or “group id”.',
  async plan({ engine }, { siteId }, rows) {
    const groups = await engine.call('admin.groups', { siteId });
    return planGroupsImport(rows, { groups, people: await allPeople(engine, siteId) });
  },
  print({ output }, _siteId, plan) {
    for (const line of planLines(plan)) output.line(line);
  },
  counts,
  async apply(context, siteId, { groups }, source) {
    const input = { siteId, source, groups: groups.map(toImported) };
    const call = () => context.engine.call('admin.importGroups', input);
    const outcome = withoutStopped(await untilInterrupted(context, { siteId, kind: 'importGroups' }, call));
    return reportOutcome(context, 'imported', { one: 'group', outcome });
  },
});

function toImported({ id, joins, ...group }: PlannedGroup): ImportedGroup {
  return { groupId: id, ...group, userIds: joins.map((user) => user.id) };
}

function counts(rows: number, { groups, unchanged, skipped }: GroupsPlan): string {
  const created = groups.filter(({ id }) => id === null).length;
  const renamed = groups.filter(({ renamedFrom }) => renamedFrom !== null).length;
  const joins = groups.reduce((sum, group) => sum + group.joins.length, 0);
  const parts = [
    `${counted(created, 'group is', 'groups are')} created`,
    `${renamed} renamed`,
    `${counted(joins, 'user joins', 'users join')} one`,
    `${unchanged} ${unchanged === 1 ? 'row changes' : 'rows change'} nothing`,
    `${skipped.length} ${skipped.length === 1 ? 'is' : 'are'} skipped`,
  ];
  return `${counted(rows, 'row')}: ${parts.join(', ')}.`;
}

/** Returns a line for each row that is skipped, then for each change. */
function planLines({ groups, skipped }: GroupsPlan): string[] {
  const changes = groups.flatMap(({ line, id, name, renamedFrom, joins }) => [
    ...(id === null ? [`line ${line}: create the group “${name}”`] : []),
    ...(renamedFrom === null ? [] : [`line ${line}: rename the group “${renamedFrom}” to “${name}”`]),
    ...joins.map((user) => `line ${user.line}: ${user.name} joins “${name}”`),
  ]);
  return [...shortened(skipped.map(({ line, reason }) => `line ${line}: skip: ${reason}`)), ...shortened(changes)];
}
