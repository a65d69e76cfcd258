import { resolve } from 'node:path';
import {
  type PlannedNewRole,
  type PlannedRoleChange,
  planRolesImport,
  type RolesPlan,
  rolesTable,
} from '../../../../shared/model/access/roles-import.ts';
import { openTable } from '../../../engine/manifest/table/open-table.ts';
import { nodeFiles } from '../../../engine/ports/system/node-files.ts';
import { counted, reportOutcome } from '../../admin/admin-outcome.ts';
import { changeEachRow } from '../../admin/change-each-row.ts';
import { printEffects } from '../../admin/effects-text.ts';
import { readSaveTarget, refuseExisting, type SaveTarget } from '../../admin/save-csv.ts';
import { EXPORT_OPTIONS, printOrSave, refusingMissing, shortened } from '../../admin/table-import.ts';
import { noOperands, onlyOperand } from '../../arguments/options.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { currentSite, type EngineContext } from '../../command-base/context.ts';
import { CHANGING_INTERRUPTED, defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import { FORM_OPTIONS, readSpreadsheetForm, type SpreadsheetForm } from '../../spreadsheets/spreadsheet.ts';

/** The most roles of which a preview says what their change means for people. */
const MOST_EFFECTS = 20;

export const adminRolesExportCommand = defineEngineCommand<{ save: SaveTarget | null }>({
  name: 'admin roles export',
  operands: '',
  summary: 'Print the roles with their permissions as CSV, which “admin roles import” reads.',
  options: EXPORT_OPTIONS,
  read(values, operands) {
    noOperands(operands);
    return { save: readSaveTarget(values, 'out') };
  },
  async run(context, { save }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    if (save !== null) await refuseExisting(save, 'admin roles export');
    await engine.call('admin.read', { siteId, isFresh: true });
    const roles = await engine.call('admin.roles', { siteId });
    await printOrSave(output, save, [...rolesTable(roles)]);
    output.note(`${counted(roles.length, 'role')}.`);
    return EXIT.complete;
  },
});

interface ImportInput {
  path: string;
  form: SpreadsheetForm;
  applies: boolean;
}

/** Checks a table of roles against the library, and makes its changes with `--apply`. The same table again sends nothing. */
export const adminRolesImportCommand = defineEngineCommand<ImportInput>({
  name: 'admin roles import',
  operands: 'FILE',
  summary:
    'Show which roles a CSV or XLSX file would create and change, and who gains and loses what; do it with --apply.',
  options: {
    apply: { value: null, help: 'Create and change the roles. Rows with a problem are skipped.' },
    ...FORM_OPTIONS,
  },
  read: (values, operands) => ({
    path: resolve(onlyOperand(operands, 'Enter the file to import.')),
    applies: values.apply === true,
    form: readSpreadsheetForm(values),
  }),
  interruptedText: CHANGING_INTERRUPTED,
  run: importRoles,
});

async function importRoles(context: EngineContext, { path, form, applies }: ImportInput): Promise<ExitCode> {
  const { engine, output, interruption } = context;
  const { id: siteId } = await currentSite(context);
  const { headerRow, rows } = await openTable(nodeFiles, path, form).catch(refusingMissing('admin roles import'));
  await engine.call('admin.read', { siteId, isFresh: true });
  const plan = planRolesImport([headerRow, ...rows], await engine.call('admin.roles', { siteId }));
  if (plan === null) throw new UsageError('The file needs columns “role” and “permissions”.', 'admin roles import');
  output.record({ import: plan });
  for (const line of shortened(plan.skipped.map(({ line, reason }) => `line ${line}: skip: ${reason}`)))
    output.line(line);
  for (const line of shortened(plan.create.map(creationLine))) output.line(line);
  await printChanges(context, siteId, plan.change);
  output.line(summary(rows.length, plan));
  const isComplete = plan.skipped.length === 0;
  if (!applies) {
    output.note('Nothing was changed. To change the roles, add --apply.');
    return isComplete ? EXIT.complete : EXIT.incomplete;
  }
  const options = { signal: interruption.signal, nameOf: ({ line, name }: Planned) => `line ${line}, ${name}` };
  const outcome = await changeEachRow<Planned>([...plan.create, ...plan.change], options, async (planned) => {
    const sent =
      'role' in planned
        ? engine.call('admin.changeRole', changeOf(siteId, planned))
        : engine.call('admin.createRole', { siteId, name: planned.name, permissions: planned.permissions });
    return (await sent).id;
  });
  const code = reportOutcome(context, 'imported', { one: 'role', outcome });
  return isComplete || code !== EXIT.complete ? code : EXIT.incomplete;
}

type Planned = PlannedNewRole | PlannedRoleChange;

function changeOf(siteId: string, { role, name, permissions }: PlannedRoleChange) {
  const renaming = name === role.name ? {} : { name };
  return { siteId, roleId: role.id, seen: role.permissions, permissions, ...renaming };
}

/** Prints each change of a role, with what it means for people. */
async function printChanges(
  context: EngineContext,
  siteId: string,
  changes: readonly PlannedRoleChange[],
): Promise<void> {
  for (const [index, change] of changes.entries()) {
    context.output.line(changeLine(change));
    const { role, permissions } = change;
    if (index < MOST_EFFECTS) await printEffects(context, siteId, { kind: 'role', roleId: role.id, permissions });
  }
}

function creationLine({ line, name, permissions, besides }: PlannedNewRole): string {
  return `line ${line}: create the role “${name}” with ${counted(permissions.length, 'permission')}${besidesText(besides)}`;
}

function changeLine({ line, name, permissions, besides, role }: PlannedRoleChange): string {
  const added = permissions.filter((each) => !role.permissions.includes(each));
  const removed = role.permissions.filter((each) => !permissions.includes(each));
  const parts = [
    ...(name === role.name ? [] : [`rename it to “${name}”`]),
    ...(added.length === 0 ? [] : [`add ${added.join(', ')}`]),
    ...(removed.length === 0 ? [] : [`remove ${removed.join(', ')}`]),
  ];
  return `line ${line}: change “${role.name}”: ${parts.join('; ')}${besidesText(besides)}`;
}

function besidesText(besides: readonly string[]): string {
  return besides.length === 0 ? '' : ` (also ${besides.join(', ')}, because others depend on them)`;
}

function summary(rows: number, { create, change, unchanged, skipped }: RolesPlan): string {
  const parts = [
    `${create.length} ${create.length === 1 ? 'creates' : 'create'} a role`,
    `${change.length} ${change.length === 1 ? 'changes' : 'change'} one`,
    `${unchanged.length} ${unchanged.length === 1 ? 'changes' : 'change'} nothing`,
    `${skipped.length} ${skipped.length === 1 ? 'is' : 'are'} skipped`,
  ];
  return `${counted(rows, 'row')}: ${parts.join(', ')}.`;
}
