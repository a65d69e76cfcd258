import { extname, resolve } from 'node:path';
import type { CheckedManifest, ManifestProblem, OpenedManifest } from '../../../shared/contract/manifest-calls.ts';
import { MANIFEST_FIELDS, type ManifestField } from '../../../shared/model/manifest/fields.ts';
import type { Separator } from '../../../shared/model/table/delimited-reader.ts';
import { ENCODINGS, type Encoding } from '../../../shared/model/table/encodings.ts';
import { type OptionValues, oneOf, onlyOperand, optionText } from '../arguments/options.ts';
import { UsageError } from '../arguments/usage-error.ts';
import { currentSite, type EngineContext } from '../command/context.ts';
import { defineEngineCommand } from '../command/define-engine-command.ts';
import { planLines } from '../edits/edit-text.ts';
import { sendEdits } from '../edits/send-edits.ts';
import { readTimeZone, TIME_ZONE_OPTION } from '../library/time-zone.ts';
import { EXIT, type ExitCode } from '../output/exit-codes.ts';
import type { Output } from '../output/output.ts';
import { printable } from '../output/text-format.ts';

interface ImportInput {
  path: string;
  encoding: Encoding | null;
  separator: Separator | null;
  /** The fields of columns by their names in the header; null: not imported. */
  map: ReadonlyMap<string, ManifestField | null>;
  isDryRun: boolean;
  /** Whether rows without errors are imported when others have some. */
  validOnly: boolean;
  errorsPath: string | null;
  timeZone: string;
}

const SEPARATOR_NAMES = { comma: ',', semicolon: ';', tab: '\t' } as const;
const SHOWN_ROWS = 100;
const PROBLEMS_PAGE = 500;

/** Imports changes of items from a spreadsheet, through the same journal as every other edit. */
export const libraryImportCommand = defineEngineCommand<ImportInput>({
  name: 'library import',
  operands: 'FILE',
  summary: 'Import changes of items from a CSV or XLSX file, as “library export” writes it.',
  options: {
    'dry-run': { value: null, help: 'Only check the file and show what would change.' },
    'all-or-nothing': { value: null, help: 'Change nothing if a row has an error. This is the default.' },
    'valid-only': { value: null, help: 'Import the rows without errors, and leave out the others.' },
    errors: { value: 'FILE', help: 'If there are errors, save a copy of the file with an error column.' },
    map: { value: 'COLUMN=FIELD,…', help: 'Import columns as other fields, such as Speaker=byline, or none.' },
    encoding: { value: 'NAME', help: `${ENCODINGS.join(', ')}. Default: detected; never windows-1252.` },
    separator: { value: 'NAME', help: 'comma, semicolon or tab. Default: detected.' },
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
      encoding: optionText(values, 'encoding') === null ? null : oneOf(values, 'encoding', ENCODINGS, 'utf-8'),
      separator: readSeparator(values),
      map: readMap(optionText(values, 'map')),
      isDryRun: values['dry-run'] === true,
      validOnly: values['valid-only'] === true,
      errorsPath: errors === null ? null : resolve(errors),
      timeZone: readTimeZone(values),
    };
  },
  interruptedText: 'Stopping after the items in flight. The rest stays in the list of edits.',
  run: importItems,
});

function readSeparator(values: OptionValues): Separator | null {
  if (optionText(values, 'separator') === null) return null;
  return SEPARATOR_NAMES[oneOf(values, 'separator', ['comma', 'semicolon', 'tab'], 'comma')];
}

function readMap(text: string | null): Map<string, ManifestField | null> {
  const map = new Map<string, ManifestField | null>();
  for (const pair of text === null ? [] : text.split(',')) {
    const equals = pair.lastIndexOf('=');
    const name = pair.slice(equals + 1).trim();
    const field = MANIFEST_FIELDS.find((each) => each.toLowerCase() === name.toLowerCase().replace('_', ''));
    if (equals < 1 || (field === undefined && name !== 'none')) {
      throw new UsageError(
        `Invalid value for --map: ${pair}. Use COLUMN=FIELD, with one of ${MANIFEST_FIELDS.join(', ')}.`,
      );
    }
    map.set(pair.slice(0, equals).trim(), field ?? null);
  }
  return map;
}

/** Returns the mapping with the user's choices. A field that the user chose for a column is taken from all others. */
function mappedBy({ headers, mapping }: OpenedManifest, map: ImportInput['map']): (ManifestField | null)[] {
  const result = [...mapping];
  for (const [name, field] of map) {
    const column = headers.findIndex((header) => header.trim() === name);
    if (column < 0)
      throw new UsageError(`The file has no column “${name}”. It has: ${headers.map(printable).join(', ')}.`);
    for (const [other, taken] of result.entries()) if (field !== null && taken === field) result[other] = null;
    result[column] = field;
  }
  return result;
}

async function importItems(context: EngineContext, input: ImportInput): Promise<ExitCode> {
  const { engine, output } = context;
  const { id: siteId } = await currentSite(context);
  const { path, encoding, separator, timeZone } = input;
  const opened = await engine.call('manifest.open', { path, encoding, separator });
  output.note(howRead(opened));
  const mapping = mappedBy(opened, input.map);
  const { manifestId } = opened;
  const checked = await engine.call('manifest.check', { manifestId, siteId, mapping, timeZone });
  output.record({ import: { ...opened, mapping, checked } });
  await printProblems(context, manifestId);
  if (checked.problems > 0 && input.errorsPath !== null) await saveErrors(context, opened, input.errorsPath);
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
  const { group } = await engine.call('edits.apply', { planId: checked.planId, except: [], label });
  if (group === null) return isComplete ? EXIT.complete : EXIT.incomplete;
  const code = await sendEdits(context, group.id);
  return isComplete || code !== EXIT.complete ? code : EXIT.incomplete;
}

function howRead({ format, rows, encoding, separator }: OpenedManifest): string {
  const name = Object.entries(SEPARATOR_NAMES).find(([, sign]) => sign === separator?.value)?.[0];
  const how = format === 'xlsx' ? 'XLSX' : `CSV, ${encoding?.name}, separated by ${name}`;
  return `Reading ${rows === 1 ? '1 row' : `${rows} rows`} (${how}).`;
}

function countsText({ rows, changed, unchanged, badRows }: CheckedManifest): string {
  return `${changed} of ${rows} rows change an item, ${unchanged} change nothing, ${badRows} have errors.`;
}

async function printProblems({ engine, output }: EngineContext, manifestId: string): Promise<void> {
  for (let offset = 0; ; offset += PROBLEMS_PAGE) {
    const { total, rows } = await engine.call('manifest.problems', { manifestId, offset, limit: PROBLEMS_PAGE });
    for (const problem of rows) printProblem(output, problem, offset < PROBLEMS_PAGE);
    if (offset === 0 && total > PROBLEMS_PAGE) output.note(`… and ${total - PROBLEMS_PAGE} more errors.`);
    if (offset + rows.length >= total) return;
  }
}

function printProblem(output: Output, problem: ManifestProblem, isShown: boolean): void {
  output.record({ problem });
  if (!isShown) return;
  const { row, header, value, error } = problem;
  const place = header === '' ? `Row ${row}` : `Row ${row}, ${printable(header)}`;
  const found = value === '' ? '' : ` Found: “${printable(value)}”.`;
  output.note(`${place}: ${error.message}${found} ${error.nextStep ?? ''} (${error.code})`);
}

async function saveErrors({ engine, output }: EngineContext, opened: OpenedManifest, path: string): Promise<void> {
  if (extname(path).toLowerCase() !== `.${opened.format}`) {
    throw new UsageError(`The name of the file for --errors must end with .${opened.format}.`);
  }
  await engine.call('manifest.saveErrors', { manifestId: opened.manifestId, path });
  output.note(`Saved a copy with an error column as ${printable(path)}.`);
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
