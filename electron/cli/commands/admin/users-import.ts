import { resolve } from 'node:path';
import type { GroupRow } from '../../../../shared/contract/admin/people.ts';
import { type PeopleImport, planPeopleImport } from '../../../../shared/model/access/people-import.ts';
import { openTable } from '../../../engine/manifest/table/open-table.ts';
import { nodeFiles } from '../../../engine/ports/system/node-files.ts';
import { counted, reportOutcome } from '../../admin/admin-outcome.ts';
import { applyPeopleImport } from '../../admin/apply-people-import.ts';
import { allPeople } from '../../admin/find-person.ts';
import { refusingMissing, shortened } from '../../admin/table-import.ts';
import { onlyOperand } from '../../arguments/options.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { currentSite, type EngineContext } from '../../command-base/context.ts';
import { CHANGING_INTERRUPTED, defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import { FORM_OPTIONS, readSpreadsheetForm, type SpreadsheetForm } from '../../spreadsheets/spreadsheet.ts';

interface ImportInput {
  path: string;
  form: SpreadsheetForm;
  applies: boolean;
}

/** Checks a table of users against the library, and makes its changes with `--apply`. The same table again sends nothing. */
export const adminUsersImportCommand = defineEngineCommand<ImportInput>({
  name: 'admin users import',
  operands: 'FILE',
  summary: 'Show what a CSV or XLSX file with users would create and change; do it with --apply.',
  options: {
    apply: { value: null, help: 'Create and change the users. Rows with a problem are skipped.' },
    ...FORM_OPTIONS,
  },
  read: (values, operands) => ({
    path: resolve(onlyOperand(operands, 'Enter the file to import.')),
    applies: values.apply === true,
    form: readSpreadsheetForm(values),
  }),
  interruptedText: CHANGING_INTERRUPTED,
  run: importUsers,
});

async function importUsers(context: EngineContext, { path, form, applies }: ImportInput): Promise<ExitCode> {
  const { engine, output } = context;
  const { id: siteId, userId } = await currentSite(context);
  const { headerRow, rows } = await openTable(nodeFiles, path, form).catch(refusingMissing('admin users import'));
  await engine.call('admin.read', { siteId, isFresh: true });
  const groups = await engine.call('admin.groups', { siteId });
  const plan = planPeopleImport([headerRow, ...rows], {
    ...{ people: await allPeople(engine, siteId), groups },
    actorId: userId,
  });
  if (plan === null) throw new UsageError('The file has no column “email” or “unique id”.', 'admin users import');
  output.record({ import: plan });
  for (const line of planLines(plan, groups)) output.line(line);
  output.line(importSummary(rows.length, plan));
  const isComplete = plan.skipped.length === 0;
  if (!applies) {
    output.note('Nothing was changed. To change the users, add --apply.');
    return isComplete ? EXIT.complete : EXIT.incomplete;
  }
  const outcome = await applyPeopleImport(context, siteId, { plan, groups, source: path });
  const code = reportOutcome(context, 'imported', { one: 'user', outcome });
  return isComplete || code !== EXIT.complete ? code : EXIT.incomplete;
}

/** Returns the numbers of rows of each kind as a sentence. */
export function importSummary(rows: number, { create, update, unchanged, skipped }: PeopleImport): string {
  const parts = [
    `${create.length} ${create.length === 1 ? 'creates' : 'create'} a user`,
    `${update.length} ${update.length === 1 ? 'changes' : 'change'} one`,
    `${unchanged.length} ${unchanged.length === 1 ? 'changes' : 'change'} nothing`,
    `${skipped.length} ${skipped.length === 1 ? 'is' : 'are'} skipped`,
  ];
  return `${counted(rows, 'row')}: ${parts.join(', ')}.`;
}

/** Returns a line for each row that is skipped, then for each that changes something: the reasons are never cut off by the others. */
function planLines({ create, update, skipped }: PeopleImport, groups: readonly GroupRow[]): string[] {
  const nameOf = new Map(groups.map(({ id, name }) => [id, name]));
  const joins = (ids: readonly string[]) => ids.map((id) => `joins “${nameOf.get(id) ?? id}”`);
  const lines = [
    ...create.map((row) => {
      const facts = [row.email, ...(row.isAdmin ? ['administrator'] : []), ...joins(row.addGroups)];
      return { line: row.line, text: `create “${row.firstName} ${row.lastName}”: ${facts.join(', ')}` };
    }),
    ...update.map(({ line, person, patch: { isAdmin, uniqueId }, addGroups }) => {
      const facts = [
        ...(isAdmin === undefined ? [] : [isAdmin ? 'becomes an administrator' : 'is no administrator any more']),
        ...(uniqueId === undefined ? [] : [`unique ID ${person.uniqueId} → ${uniqueId}`]),
        ...joins(addGroups),
      ];
      return { line, text: `change “${person.name}”: ${facts.join(', ')}` };
    }),
  ].sort((one, other) => one.line - other.line);
  return [
    ...shortened(skipped.map(({ line, reason }) => `line ${line}: skip: ${reason}`)),
    ...shortened(lines.map(({ line, text }) => `line ${line}: ${text}`)),
  ];
}
