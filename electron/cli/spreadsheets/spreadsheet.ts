import { extname } from 'node:path';
import { appError, toAppError } from '../../../shared/contract/app-error.ts';
import type { ManifestProblem, OpenedManifest } from '../../../shared/contract/manifest-calls.ts';
import type { Separator } from '../../../shared/model/table/delimited-reader.ts';
import { ENCODINGS, type TextEncoding } from '../../../shared/model/table/encodings.ts';
import { type OptionSpec, type OptionValues, oneOf, optionText } from '../arguments/options.ts';
import { UsageError } from '../arguments/usage-error.ts';
import type { EngineContext } from '../command-base/context.ts';
import type { Output } from '../output/output.ts';
import { Progress } from '../output/progress.ts';

// The parts that all commands which read a spreadsheet share: its options, its columns, and its errors.

const SEPARATOR_NAMES = { comma: ',', semicolon: ';', tab: '\t' } as const;
const PROBLEMS_PAGE = 500;

/** The options for the form of a file, which `readSpreadsheetForm` reads. */
export const FORM_OPTIONS = {
  encoding: {
    value: 'NAME',
    values: ENCODINGS,
    help: `${ENCODINGS.join(', ')}. Default: detected; never windows-1252.`,
  },
  separator: {
    value: 'NAME',
    values: ['comma', 'semicolon', 'tab'],
    help: 'comma, semicolon or tab. Default: detected.',
  },
} as const satisfies Record<string, OptionSpec>;

/** The options of all commands that read a spreadsheet. */
export const SPREADSHEET_OPTIONS = {
  errors: { value: 'FILE', help: 'If there are errors, save a copy of the spreadsheet with an error column.' },
  map: { value: 'COLUMN=FIELD,…', help: 'Use columns as other fields, such as Speaker=byline, or none.' },
  ...FORM_OPTIONS,
} as const satisfies Record<string, OptionSpec>;

/** How a file is read; null: detected. */
export interface SpreadsheetForm {
  encoding: TextEncoding | null;
  separator: Separator | null;
}

/** Reads `FORM_OPTIONS`. Throws `UsageError`. */
export function readSpreadsheetForm(values: OptionValues): SpreadsheetForm {
  const hasSeparator = optionText(values, 'separator') !== null;
  return {
    encoding: optionText(values, 'encoding') === null ? null : oneOf(values, 'encoding', ENCODINGS, 'utf-8'),
    separator: hasSeparator
      ? SEPARATOR_NAMES[oneOf(values, 'separator', ['comma', 'semicolon', 'tab'], 'comma')]
      : null,
  };
}

/** Fields by the columns that the user named; null: the column is not used. */
export type ColumnMap<F extends string> = ReadonlyMap<string, F | null>;

/** Reads the value of `--map`, such as `Speaker=byline,Notes=none`; null: an empty map. Throws `UsageError`. */
export function readColumnMap<F extends string>(text: string | null, fields: readonly F[]): ColumnMap<F> {
  const map = new Map<string, F | null>();
  for (const pair of text === null ? [] : text.split(',')) {
    const equals = pair.lastIndexOf('=');
    const name = pair.slice(equals + 1).trim();
    const field = fields.find((each) => each.toLowerCase() === name.toLowerCase().replace('_', ''));
    if (equals < 1 || (field === undefined && name !== 'none')) {
      throw new UsageError(`Invalid value for --map: ${pair}. Use COLUMN=FIELD, with one of ${fields.join(', ')}.`);
    }
    map.set(pair.slice(0, equals).trim(), field ?? null);
  }
  return map;
}

/**
 * Returns the suggested mapping with the user's choices. A field that the user chose for a column is removed from all others.
 * Throws `UsageError` for a column that the file does not have.
 */
export function mappedBy<F extends string>(
  headers: readonly string[],
  suggested: readonly (F | null)[],
  map: ColumnMap<F>,
): (F | null)[] {
  const result = [...suggested];
  for (const [name, field] of map) {
    const column = headers.findIndex((header) => header.trim() === name);
    if (column < 0) {
      throw new UsageError(`The file has no column “${name}”. It has: ${headers.join(', ')}.`);
    }
    for (const [other, taken] of result.entries()) if (field !== null && taken === field) result[other] = null;
    result[column] = field;
  }
  return result;
}

/**
 * Opens a spreadsheet and prints how it is read. Throws `UsageError` if there is no file at the path, and `table.empty` if it has
 * no rows below its headings.
 */
export async function openSpreadsheet(
  { engine, output, screen }: EngineContext,
  { path, encoding, separator }: SpreadsheetForm & { path: string },
): Promise<OpenedManifest> {
  const progress = new Progress({ output, screen });
  progress.show(`Reading ${path}…`);
  const opened = await engine
    .call('manifest.open', { path, encoding, separator })
    .catch((error: unknown) => {
      const { code } = toAppError(error);
      if (code === 'file.missing') throw new UsageError(`There is no file ${path}. Check the path.`);
      if (code === 'file.not-regular') {
        throw new UsageError(`${path} is a folder, not a spreadsheet. Enter the path of a CSV or XLSX file.`);
      }
      throw error;
    })
    .finally(() => progress.end());
  if (opened.rows === 0) throw appError('table.empty', { details: { path } });
  output.note(howRead(opened));
  return opened;
}

/**
 * Prints which columns are not used because another column has the same heading. `mapping`: the use of each column; null: none.
 */
export function reportRepeatedColumns(
  output: Output,
  headers: readonly string[],
  mapping: readonly (string | null)[],
): void {
  const keys = headers.map((header) => header.trim().toLowerCase());
  for (const [index, key] of keys.entries()) {
    const used = keys.findIndex((other, at) => at !== index && other === key && mapping[at] !== null);
    if (key === '' || mapping[index] !== null || used < 0) continue;
    output.note(
      `Column ${index + 1}, “${headers[index] ?? ''}”, is not used: column ${used + 1} has the same heading. Rename or remove one of them.`,
    );
  }
}

/** Returns a line such as `Reading 40 rows (CSV, utf-8, separated by comma).` or `Reading 40 rows (XLSX, sheet “Talks” of 3).` */
function howRead({ format, rows, encoding, separator, sheet }: OpenedManifest): string {
  const name = Object.entries(SEPARATOR_NAMES).find(([, sign]) => sign === separator?.value)?.[0];
  const from = sheet !== null && sheet.count > 1 ? `, sheet “${sheet.name}” of ${sheet.count}` : '';
  const how = format === 'xlsx' ? `XLSX${from}` : `CSV, ${encoding?.name}, separated by ${name}`;
  return `Reading ${rows === 1 ? '1 row' : `${rows} rows`} (${how}).`;
}

/** Prints the errors of the last check, and saves a copy of the file with them if the user asked for it. */
export async function reportProblems(
  context: EngineContext,
  opened: OpenedManifest,
  { problems, errorsPath }: { problems: number; errorsPath: string | null },
): Promise<void> {
  await printProblems(context, opened.manifestId);
  if (problems > 0 && errorsPath !== null) await saveErrors(context, opened, errorsPath);
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
  const place = header === '' ? `Row ${row}` : `Row ${row}, ${header}`;
  const found = value === '' ? '' : ` Found: “${value}”.`;
  output.note(`${place}: ${error.message}${found} ${error.nextStep ?? ''} (${error.code})`);
}

async function saveErrors({ engine, output }: EngineContext, opened: OpenedManifest, path: string): Promise<void> {
  if (extname(path).toLowerCase() !== `.${opened.format}`) {
    throw new UsageError(`The name of the file for --errors must end with .${opened.format}.`);
  }
  await engine.call('manifest.saveErrors', { manifestId: opened.manifestId, path });
  output.note(`Saved a copy with an error column as ${path}.`);
}
