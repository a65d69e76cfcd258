import { resolve } from 'node:path';
import type { CallOutput } from '../../../../shared/contract/contract.ts';
import { counted, reportFailed } from '../../admin/admin-outcome.ts';
import { applyMembers } from '../../admin/apply-members.ts';
import { readSaveTarget, refuseExisting, type SaveTarget } from '../../admin/save-csv.ts';
import { EXPORT_OPTIONS, openAdminTable, printOrSave, shortened } from '../../admin/table-import.ts';
import { noOperands, onlyOperand, optionText } from '../../arguments/options.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { currentSite, type EngineContext } from '../../command-base/context.ts';
import { CHANGING_INTERRUPTED, defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import { FORM_OPTIONS, readSpreadsheetForm, type SpreadsheetForm } from '../../spreadsheets/spreadsheet.ts';

export const adminMembersExportCommand = defineEngineCommand<{ save: SaveTarget | null }>({
  name: 'admin members export',
  operands: '',
  summary: 'Print who has which role in which collection as CSV, which “admin members import” reads.',
  options: EXPORT_OPTIONS,
  read(values, operands) {
    noOperands(operands);
    return { save: readSaveTarget(values, 'out') };
  },
  async run(context, { save }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    if (save !== null) await refuseExisting(save, 'admin members export');
    const { rows, skipped } = await engine.call('admin.membersTable', { siteId });
    await printOrSave(output, save, rows);
    output.note(`${counted(rows.length - 1, 'membership')}.`);
    if (skipped === 0) return EXIT.complete;
    output.note(`${counted(skipped, 'entry', 'entries')} of the library can’t be read. The table lacks them.`);
    return EXIT.incomplete;
  },
});

type Plan = NonNullable<CallOutput<'admin.planMembers'>['plan']>;

interface ImportInput {
  path: string;
  form: SpreadsheetForm;
  source: string;
  applies: boolean;
  removes: boolean;
}

/** Checks a table of memberships against the library, and makes its changes with `--apply`. The same table again sends nothing. */
export const adminMembersImportCommand = defineEngineCommand<ImportInput>({
  name: 'admin members import',
  operands: 'FILE',
  summary: 'Show which roles in collections a CSV or XLSX file would give and change; do it with --apply.',
  options: {
    apply: { value: null, help: 'Give and change the roles. Rows with a problem are skipped.' },
    remove: {
      value: null,
      help: 'With --apply: also remove the roles that earlier imports of the file gave and that are missing from it now, unless somebody has given them anew.',
    },
    ...FORM_OPTIONS,
    source: { value: 'NAME', help: 'Remember the roles under this name, for a file that moves. Default: its path.' },
  },
  read(values, operands) {
    const path = resolve(onlyOperand(operands, 'Enter the file to import.'));
    return {
      path,
      form: readSpreadsheetForm(values),
      source: optionText(values, 'source') ?? path,
      applies: values.apply === true,
      removes: values.remove === true,
    };
  },
  interruptedText: CHANGING_INTERRUPTED,
  run: importMembers,
});

async function importMembers(context: EngineContext, input: ImportInput): Promise<ExitCode> {
  const { engine, output, interruption } = context;
  const { source, applies, removes } = input;
  const { id: siteId } = await currentSite(context);
  const rows = await openAdminTable('admin members import', input.path, input.form);
  const table = rows.map(({ row, line, cells }) => ({ row, line, cells }));
  const { plan, skipped: unreadable } = await engine.call('admin.planMembers', { siteId, source, rows: table });
  if (plan === null) {
    const wanted = 'columns for the collection, for the user or the group, and for the role';
    throw new UsageError(`The file needs ${wanted}.`, 'admin members import');
  }
  output.record({ import: plan });
  // The reasons of skipped rows are never behind the rows that are fine.
  const { skipped, changes, missing } = planLines(plan);
  for (const lines of [skipped, changes, missing]) for (const line of shortened(lines)) output.line(line);
  output.line(summary(rows.length - 1, plan));
  const removable = plan.missing.filter(({ reason }) => reason === null);
  if (removable.length > 0 && removes)
    output.line(`Removed because they are missing: ${counted(removable.length, 'role')}.`);
  if (removable.length > 0 && !removes) {
    output.note(
      `Missing from the file: ${counted(removable.length, 'role')} that it gave earlier. --remove removes them.`,
    );
  }
  if (unreadable > 0) {
    output.note(
      `${counted(unreadable, 'entry', 'entries')} of the library can’t be read: nothing can be changed by a table.`,
    );
    return EXIT.incomplete;
  }
  const isComplete = plan.skipped.length === 0;
  if (!applies) {
    output.note('Nothing was changed. To change the roles, add --apply.');
    return isComplete ? EXIT.complete : EXIT.incomplete;
  }
  const outcome = await applyMembers(context, { siteId, source, set: plan.set, remove: removes ? removable : [] });
  output.record({ imported: outcome });
  output.line(`Given or changed: ${counted(outcome.set, 'role')}. Removed: ${counted(outcome.removed, 'role')}.`);
  const code = reportFailed(output, outcome.failed);
  return interruption.exitCode() ?? (isComplete ? code : EXIT.incomplete);
}

function summary(rows: number, { set, unchanged, skipped }: Plan): string {
  const [created, changed] = [set.filter(({ before }) => before === null), set.filter(({ before }) => before !== null)];
  const parts = [
    `${created.length} ${created.length === 1 ? 'gives' : 'give'} a role`,
    `${changed.length} ${changed.length === 1 ? 'changes' : 'change'} one`,
    `${unchanged} ${unchanged === 1 ? 'changes' : 'change'} nothing`,
    `${skipped.length} ${skipped.length === 1 ? 'is' : 'are'} skipped`,
  ];
  return `${counted(rows, 'row')}: ${parts.join(', ')}.`;
}

/** Returns a line for each row that is skipped, for each that changes something, and for each role missing from the table. */
function planLines({ set, skipped, missing }: Plan): Record<'skipped' | 'changes' | 'missing', string[]> {
  const reasons = {
    'other-role': '; stays, because somebody else has given it this role',
    'skipped-rows': '; stays while rows are skipped',
  };
  return {
    skipped: skipped.map(({ line, reason }) => `line ${line}: skip: ${reason}`),
    changes: set.map(({ line, subjectName, path, roleName, before }) => {
      const instead = before === null ? '' : ` instead of “${before.name}”`;
      return `line ${line}: ${subjectName} gets “${roleName}”${instead} in ${path.join(' / ')}`;
    }),
    missing: missing.map(
      ({ subjectName, path, roleName, reason }) =>
        `missing: ${subjectName}, “${roleName}” in ${path.join(' / ')}${reason === null ? '' : reasons[reason]}`,
    ),
  };
}
