import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import type { EditSelection } from '../../../../shared/contract/edits.ts';
import { EXPORT_COLUMNS, type ExportColumn, HEADERS } from '../../../../shared/model/manifest/fields.ts';
import { requiredText } from '../../arguments/options.ts';
import { readTimeZone, TIME_ZONE_OPTION } from '../../arguments/time-zone.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { currentSite, type EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { withReadProgress } from '../../edits/plan-progress.ts';
import { mediaQueryOf } from '../../library/each-item.ts';
import { type ItemQuery, QUERY_OPTIONS, readItemQuery } from '../../library/query-options.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';

interface ExportInput {
  query: ItemQuery;
  /** null: standard output. */
  path: string | null;
  format: 'csv' | 'xlsx';
  protects: boolean;
  timeZone: string;
  /** null: the default columns. */
  columns: ExportColumn[] | null;
}

const FORMATS = ['csv', 'xlsx'] as const;

/** Saves the items of a query as a spreadsheet, which “library import” reads again. */
export const libraryExportCommand = defineEngineCommand<ExportInput>({
  name: 'library export',
  operands: '[TEXT] --out FILE',
  summary: 'Save items as a spreadsheet, to edit them there and import them again.',
  options: {
    ...QUERY_OPTIONS,
    out: {
      value: 'FILE',
      help: 'The file to write; its extension is .csv or .xlsx. An existing file is replaced. “-”: CSV to standard output.',
    },
    columns: {
      value: 'NAMES',
      help: `The columns in their order, separated by commas: ${EXPORT_COLUMNS.map((column) => HEADERS[column]).join(', ')}. An import needs id.`,
    },
    raw: { value: null, help: 'CSV: no apostrophe before cells that begin like a formula.' },
    ...TIME_ZONE_OPTION,
  },
  read(values, words) {
    const out = requiredText(values, 'out');
    const path = out === '-' ? null : resolve(out);
    return {
      query: readItemQuery(values, words.join(' ').trim()),
      path,
      format: path === null ? 'csv' : readFormat(path),
      protects: values.raw !== true,
      columns: readColumns(values.columns),
      timeZone: readTimeZone(values),
    };
  },
  run: exportItems,
});

/** Returns the format of the file extension. Throws `UsageError`. */
function readFormat(path: string): ExportInput['format'] {
  const extension = extname(path).slice(1).toLowerCase();
  const format = FORMATS.find((each) => each === extension);
  if (format === undefined) throw new UsageError('The name of the file must end with .csv or .xlsx.');
  return format;
}

/** Returns the columns of a list of headers. Throws `UsageError` for an unknown one, or one that is given twice. */
function readColumns(given: string | boolean | undefined): ExportColumn[] | null {
  if (typeof given !== 'string') return null;
  const columns = given.split(',').map((name) => {
    const wanted = name.trim().toLowerCase();
    const column = EXPORT_COLUMNS.find((each) => HEADERS[each] === wanted);
    if (column === undefined) throw new UsageError(`Unknown column: ${name.trim()}`);
    return column;
  });
  if (new Set(columns).size < columns.length) throw new UsageError('A column is given twice.');
  return columns;
}

async function exportItems(
  context: EngineContext,
  { query, path, columns, ...others }: ExportInput,
): Promise<ExitCode> {
  const { engine, output } = context;
  const form = { ...others, ...(columns === null ? {} : { columns }) };
  const { id: siteId } = await currentSite(context);
  const selection: EditSelection = { siteId, query: await mediaQueryOf(engine, siteId, query), except: [] };
  if (path === null) return printItems(context, selection, form);
  const saved = await withReadProgress(context, 'Reading the items…', () =>
    engine.call('manifest.export', { selection, path, ...form }),
  );
  output.record({ export: saved });
  output.line(`${saved.items === 1 ? '1 item' : `${saved.items} items`} saved as ${saved.path}.`);
  if (saved.emptied > 0) {
    output.note(
      `${saved.emptied} texts are too long for a cell of XLSX, so their cells are empty. An empty cell changes nothing.`,
    );
  }
  return EXIT.complete;
}

/** Prints the items as CSV. The file that the engine writes first is in a private folder, and removed. */
async function printItems(
  { engine, output }: EngineContext,
  selection: EditSelection,
  form: Pick<ExportInput, 'format' | 'protects' | 'timeZone'> & { columns?: ExportColumn[] },
): Promise<ExitCode> {
  const folder = await mkdtemp(join(tmpdir(), 'mediadesk-'));
  try {
    const { path, items } = await engine.call('manifest.export', {
      selection,
      path: join(folder, 'items.csv'),
      ...form,
    });
    output.document(await readFile(path, 'utf8'));
    output.note(items === 1 ? '1 item.' : `${items} items.`);
    return EXIT.complete;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
