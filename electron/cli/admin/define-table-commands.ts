import { resolve } from 'node:path';
import type { TableRow } from '../../../shared/model/table/table-error.ts';
import { noOperands, onlyOperand } from '../arguments/options.ts';
import { UsageError } from '../arguments/usage-error.ts';
import { currentSite, type EngineContext } from '../command-base/context.ts';
import { CHANGING_INTERRUPTED, defineEngineCommand } from '../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../output/exit-codes.ts';
import { FORM_OPTIONS, readSpreadsheetForm, type SpreadsheetForm } from '../spreadsheets/spreadsheet.ts';
import { counted } from './admin-outcome.ts';
import { readSaveTarget, refuseExisting, type SaveTarget } from './save-csv.ts';
import { EXPORT_OPTIONS, openAdminTable, printOrSave } from './table-import.ts';

/** A table of the library, and what else is said about it. */
interface ExportedTable {
  rows: readonly (readonly string[])[];
  note: string;
  /** A sentence about entries that could not be read; null when the table is complete. */
  lack: string | null;
}

interface TableExport {
  name: string;
  summary: string;
  table(context: EngineContext, siteId: string): Promise<ExportedTable>;
}

/** Defines a command that prints or saves a table. Its exit code is 3 when entries are missing. */
export function defineTableExport({ name, summary, table }: TableExport) {
  return defineEngineCommand<{ save: SaveTarget | null }>({
    name,
    operands: '',
    summary,
    options: EXPORT_OPTIONS,
    read(values, operands) {
      noOperands(operands);
      return { save: readSaveTarget(values, 'out') };
    },
    async run(context, { save }) {
      const { id: siteId } = await currentSite(context);
      if (save !== null) await refuseExisting(save, name);
      const { rows, note, lack } = await table(context, siteId);
      await printOrSave(context.output, save, rows);
      context.output.note(note);
      if (lack === null) return EXIT.complete;
      context.output.note(lack);
      return EXIT.incomplete;
    },
  });
}

interface ImportInput {
  path: string;
  form: SpreadsheetForm;
  applies: boolean;
}

/** The site, and the user in whose name the command changes it. */
interface Actor {
  siteId: string;
  userId: string | null;
}

interface TableImport<Plan> {
  name: string;
  summary: string;
  /** The help of `--apply`. */
  applyHelp: string;
  /** What it changes, such as `groups`. */
  changed: string;
  /** Why a file without the necessary columns is refused. */
  noColumns: string;
  /** Compares the rows, the header first, with the library as it is now; null for a file without the necessary columns. */
  plan(context: EngineContext, actor: Actor, rows: readonly TableRow[]): Promise<Plan | null>;
  /** Prints what each row would do. */
  print(context: EngineContext, siteId: string, plan: Plan): Promise<void> | void;
  /** Returns the numbers of rows of each kind as a sentence. */
  counts(rows: number, plan: Plan): string;
  apply(context: EngineContext, siteId: string, plan: Plan, path: string): Promise<ExitCode>;
}

/** Defines a command that checks a table against the library, and makes its changes with `--apply`. */
export function defineTableImport<Plan extends { skipped: readonly unknown[] }>(spec: TableImport<Plan>) {
  const { name, changed, summary, applyHelp } = spec;
  return defineEngineCommand<ImportInput>({
    name,
    operands: 'FILE',
    summary,
    options: { apply: { value: null, help: applyHelp }, ...FORM_OPTIONS },
    read: (values, operands) => ({
      path: resolve(onlyOperand(operands, 'Enter the file to import.')),
      applies: values.apply === true,
      form: readSpreadsheetForm(values),
    }),
    interruptedText: CHANGING_INTERRUPTED,
    async run(context, { path, form, applies }) {
      const { engine, output, interruption } = context;
      const { id: siteId, userId } = await currentSite(context);
      const rows = await openAdminTable(name, path, form);
      await engine.call('admin.read', { siteId, isFresh: true });
      const plan = await spec.plan(context, { siteId, userId }, rows);
      if (plan === null) throw new UsageError(spec.noColumns, name);
      output.record({ import: plan });
      await spec.print(context, siteId, plan);
      output.line(spec.counts(rows.length - 1, plan));
      const isComplete = plan.skipped.length === 0;
      if (!applies) {
        output.note(`Nothing was changed. To change the ${changed}, add --apply.`);
        return isComplete ? EXIT.complete : EXIT.incomplete;
      }
      const interrupted = interruption.exitCode();
      if (interrupted !== null) return interrupted;
      const code = await spec.apply(context, siteId, plan, path);
      return isComplete || code !== EXIT.complete ? code : EXIT.incomplete;
    },
  });
}

/** Returns the numbers of rows that create, change and leave things of one kind. `one`: with its article, such as `a role`. */
export function plannedCountsText(
  rows: number,
  one: string,
  {
    create,
    change,
    unchanged: same,
    skipped: left,
  }: Record<'create' | 'change' | 'unchanged' | 'skipped', readonly unknown[]>,
): string {
  const [creates, changes, unchanged, skipped] = [create.length, change.length, same.length, left.length];
  const parts = [
    `${creates} ${creates === 1 ? 'creates' : 'create'} ${one}`,
    `${changes} ${changes === 1 ? 'changes' : 'change'} one`,
    `${unchanged} ${unchanged === 1 ? 'changes' : 'change'} nothing`,
    `${skipped} ${skipped === 1 ? 'is' : 'are'} skipped`,
  ];
  return `${counted(rows, 'row')}: ${parts.join(', ')}.`;
}
