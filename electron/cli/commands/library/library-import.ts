import { resolve } from 'node:path';
import type { CheckedManifest } from '../../../../shared/contract/manifest-calls.ts';
import { MANIFEST_FIELDS, type ManifestField } from '../../../../shared/model/manifest/fields.ts';
import { onlyOperand, optionText } from '../../arguments/options.ts';
import { readTimeZone, TIME_ZONE_OPTION } from '../../arguments/time-zone.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { currentSite, type EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand, EDITING_INTERRUPTED } from '../../command-base/define-engine-command.ts';
import { planLines } from '../../edits/edit-text.ts';
import { withReadProgress } from '../../edits/plan-progress.ts';
import { sendEdits } from '../../edits/send-edits.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import {
  type ColumnMap,
  mappedBy,
  openSpreadsheet,
  readColumnMap,
  readSpreadsheetForm,
  reportProblems,
  reportRepeatedColumns,
  SPREADSHEET_OPTIONS,
  type SpreadsheetForm,
} from '../../spreadsheets/spreadsheet.ts';

interface ImportInput extends SpreadsheetForm {
  path: string;
  map: ColumnMap<ManifestField>;
  isDryRun: boolean;
  /** Whether rows without errors are imported when others have some. */
  validOnly: boolean;
  errorsPath: string | null;
  timeZone: string;
}

const SHOWN_ROWS = 100;

/** Imports changes of items from a spreadsheet, through the same journal as every other edit. */
export const libraryImportCommand = defineEngineCommand<ImportInput>({
  name: 'library import',
  operands: 'FILE',
  summary: 'Import changes of items from a CSV or XLSX file, as “library export” writes it.',
  options: {
    'dry-run': { value: null, help: 'Only check the file and show what would change.' },
    'all-or-nothing': { value: null, help: 'Change nothing if a row has an error. This is the default.' },
    'valid-only': { value: null, help: 'Import the rows without errors, and leave out the others.' },
    ...SPREADSHEET_OPTIONS,
    ...TIME_ZONE_OPTION,
  },
  read(values, operands) {
    if (values['all-or-nothing'] === true && values['valid-only'] === true) {
      throw new UsageError('Use either --all-or-nothing or --valid-only.');
    }
    const path = resolve(onlyOperand(operands, 'Enter the file to import.'));
    const errors = optionText(values, 'errors');
    return {
      path,
      ...readSpreadsheetForm(values),
      map: readColumnMap(optionText(values, 'map'), MANIFEST_FIELDS),
      isDryRun: values['dry-run'] === true,
      validOnly: values['valid-only'] === true,
      errorsPath: errors === null ? null : resolve(errors),
      timeZone: readTimeZone(values),
    };
  },
  interruptedText: EDITING_INTERRUPTED,
  run: importItems,
});

async function importItems(context: EngineContext, input: ImportInput): Promise<ExitCode> {
  const { engine, output } = context;
  const { id: siteId } = await currentSite(context);
  const { timeZone } = input;
  const opened = await openSpreadsheet(context, input);
  const mapping = mappedBy(opened.headers, opened.mapping, input.map);
  reportRepeatedColumns(output, opened.headers, mapping);
  const { manifestId } = opened;
  const checked = await withReadProgress(context, `Checking ${opened.rows} rows…`, () =>
    engine.call('manifest.check', { manifestId, siteId, mapping, timeZone }),
  );
  output.record({ import: { ...opened, mapping, checked } });
  await reportProblems(context, opened, { problems: checked.problems, errorsPath: input.errorsPath });
  if (input.isDryRun) await printPlan(context, siteId, checked);
  output.line(countsText(checked));
  const isComplete = checked.badRows === 0;
  if (input.isDryRun || (!isComplete && !input.validOnly)) {
    output.note(
      input.isDryRun ? 'Nothing was changed.' : 'Nothing was changed. To import the other rows, use --valid-only.',
    );
    return isComplete ? EXIT.complete : EXIT.incomplete;
  }
  const label = `Import ${opened.fileName}`.slice(0, 200);
  const { group } = await withReadProgress(context, `Storing ${checked.changed} edits…`, () =>
    engine.call('edits.apply', { planId: checked.planId, except: [], label }),
  );
  if (group === null) return isComplete ? EXIT.complete : EXIT.incomplete;
  const code = await sendEdits(context, group.id);
  return isComplete || code !== EXIT.complete ? code : EXIT.incomplete;
}

function countsText({ rows, changed, unchanged, badRows }: CheckedManifest): string {
  return `${changed} of ${rows} rows change an item, ${unchanged} change nothing, ${badRows} have errors.`;
}

async function printPlan(
  { engine, output }: EngineContext,
  siteId: string,
  { planId }: CheckedManifest,
): Promise<void> {
  const selection = { siteId, ids: [] };
  const plan = await engine.call('edits.plan', { selection, change: {}, planId, offset: 0, limit: SHOWN_ROWS });
  output.record({ plan });
  for (const line of planLines(plan).slice(0, -1)) output.line(line);
}
