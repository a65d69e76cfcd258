import { resolve } from 'node:path';
import { errorFrom } from '../../../../shared/contract/app-error.ts';
import {
  type GroupsPlan,
  groupsTable,
  type PlannedGroup,
  planGroupsImport,
} from '../../../../shared/model/access/groups-import.ts';
import { openTable } from '../../../engine/manifest/table/open-table.ts';
import { nodeFiles } from '../../../engine/ports/system/node-files.ts';
import { counted, reportOutcome } from '../../admin/admin-outcome.ts';
import { changeEachRow } from '../../admin/change-each-row.ts';
import { allPeople } from '../../admin/find-person.ts';
import { readSaveTarget, refuseExisting, type SaveTarget } from '../../admin/save-csv.ts';
import { EXPORT_OPTIONS, printOrSave, refusingMissing, shortened } from '../../admin/table-import.ts';
import { noOperands, onlyOperand } from '../../arguments/options.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { currentSite, type EngineContext } from '../../command-base/context.ts';
import { CHANGING_INTERRUPTED, defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import { FORM_OPTIONS, readSpreadsheetForm, type SpreadsheetForm } from '../../spreadsheets/spreadsheet.ts';

export const adminGroupsExportCommand = defineEngineCommand<{ save: SaveTarget | null }>({
  name: 'admin groups export',
  operands: '',
  summary: 'Print the groups with their users as CSV, which “admin groups import” reads.',
  options: EXPORT_OPTIONS,
  read(values, operands) {
    noOperands(operands);
    return { save: readSaveTarget(values, 'out') };
  },
  async run(context, { save }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    if (save !== null) await refuseExisting(save, 'admin groups export');
    const { skipped } = await engine.call('admin.read', { siteId, isFresh: true });
    const groups = (await engine.call('admin.groups', { siteId })).filter(({ builtIn }) => builtIn === null);
    await printOrSave(output, save, [...groupsTable(groups, await allPeople(engine, siteId))]);
    output.note(`${counted(groups.length, 'group')}.`);
    if (skipped === 0) return EXIT.complete;
    output.note(`${counted(skipped, 'entry', 'entries')} of the library can’t be read. The table may lack them.`);
    return EXIT.incomplete;
  },
});

interface ImportInput {
  path: string;
  form: SpreadsheetForm;
  applies: boolean;
}

/** Checks a table of groups against the library, and makes its changes with `--apply`. The same table again sends nothing. */
export const adminGroupsImportCommand = defineEngineCommand<ImportInput>({
  name: 'admin groups import',
  operands: 'FILE',
  summary: 'Show which groups a CSV or XLSX file would create and rename, and who would join them; do it with --apply.',
  options: {
    apply: { value: null, help: 'Create and rename the groups, and add the users. Rows with a problem are skipped.' },
    ...FORM_OPTIONS,
  },
  read: (values, operands) => ({
    path: resolve(onlyOperand(operands, 'Enter the file to import.')),
    applies: values.apply === true,
    form: readSpreadsheetForm(values),
  }),
  interruptedText: CHANGING_INTERRUPTED,
  run: importGroups,
});

async function importGroups(context: EngineContext, { path, form, applies }: ImportInput): Promise<ExitCode> {
  const { engine, output, interruption } = context;
  const { id: siteId } = await currentSite(context);
  const { headerRow, rows } = await openTable(nodeFiles, path, form).catch(refusingMissing('admin groups import'));
  await engine.call('admin.read', { siteId, isFresh: true });
  const groups = await engine.call('admin.groups', { siteId });
  const plan = planGroupsImport([headerRow, ...rows], { groups, people: await allPeople(engine, siteId) });
  if (plan === null) throw new UsageError('The file has no column “group” or “group id”.', 'admin groups import');
  output.record({ import: plan });
  for (const line of planLines(plan)) output.line(line);
  output.line(summary(rows.length, plan));
  const isComplete = plan.skipped.length === 0;
  if (!applies) {
    output.note('Nothing was changed. To change the groups, add --apply.');
    return isComplete ? EXIT.complete : EXIT.incomplete;
  }
  const options = {
    signal: interruption.signal,
    nameOf: ({ line, name }: PlannedGroup) => `line ${line}, ${name}`,
  };
  const outcome = await changeEachRow(plan.groups, options, (group) => apply(context, siteId, group));
  const code = reportOutcome(context, 'imported', { one: 'group', outcome });
  return isComplete || code !== EXIT.complete ? code : EXIT.incomplete;
}

/** Makes the changes of one group. Returns its id. Throws the first error of a user who did not join. */
async function apply(
  { engine }: Pick<EngineContext, 'engine'>,
  siteId: string,
  { id, name, renamedFrom, joins }: PlannedGroup,
): Promise<string> {
  const groupId = id ?? (await engine.call('admin.createGroup', { siteId, name })).id;
  if (renamedFrom !== null) await engine.call('admin.renameGroup', { siteId, groupId, name });
  if (joins.length === 0) return groupId;
  const userIds = joins.map((user) => user.id);
  const { failed } = await engine.call('admin.changeGroups', { siteId, userIds, add: [groupId], remove: [] });
  const [first] = failed;
  if (first === undefined) return groupId;
  throw errorFrom({ ...first.error, message: `Not added: ${counted(failed.length, 'user')}. ${first.error.message}` });
}

function summary(rows: number, { groups, unchanged, skipped }: GroupsPlan): string {
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
