import type { CheckedFileRows } from '../../../shared/contract/manifest-calls.ts';
import type { Series } from '../../../shared/contract/series.ts';
import type { BatchDefaults } from '../../../shared/contract/uploads.ts';
import { TEXT_FIELDS } from '../../../shared/item/fields.ts';
import { FILE_ROW_FIELDS, type FileRowField } from '../../../shared/model/manifest/file-rows.ts';
import { type OptionSpec, type OptionValues, optionText } from '../arguments/options.ts';
import { readTimeZone, TIME_ZONE_OPTION } from '../arguments/time-zone.ts';
import { UsageError } from '../arguments/usage-error.ts';
import type { EngineContext } from '../command-base/context.ts';
import { EXIT, type ExitCode } from '../output/exit-codes.ts';
import type { Output } from '../output/output.ts';
import { Progress } from '../output/progress.ts';
import { publishTimes } from '../output/publish-times.ts';
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
} from './spreadsheet.ts';

type DescribedFile = CheckedFileRows['files'][number];

/** A spreadsheet that describes the files of an upload, and the options for it. */
export interface ManifestInput extends SpreadsheetForm {
  path: string;
  map: ColumnMap<FileRowField>;
  isDryRun: boolean;
  /** Whether the files of rows without errors are queued when other rows have some. */
  validOnly: boolean;
  errorsPath: string | null;
  timeZone: string;
}

export const MANIFEST_OPTIONS = {
  manifest: { value: 'FILE', help: 'A CSV or XLSX file with a row for each file: its name in “file”, and its fields.' },
  'dry-run': { value: null, help: 'With --manifest: only check it, and list the files with their fields.' },
  'valid-only': {
    value: null,
    help: 'With --manifest: queue the files of rows without errors. Default: all or nothing.',
  },
  ...SPREADSHEET_OPTIONS,
  ...TIME_ZONE_OPTION,
} as const satisfies Record<string, OptionSpec>;

/**
 * Reads `MANIFEST_OPTIONS`; null: no manifest is used. `resolve`: makes a path absolute; `allowed`: options that are also used
 * without a manifest. Throws `UsageError`.
 */
export function readManifestOptions(
  values: OptionValues,
  resolve: (path: string) => string,
  allowed: readonly string[] = [],
): ManifestInput | null {
  const path = optionText(values, 'manifest');
  if (path === null) {
    const stray = Object.keys(MANIFEST_OPTIONS).find((name) => values[name] !== undefined && !allowed.includes(name));
    if (stray !== undefined) throw new UsageError(`Use --${stray} only with --manifest.`);
    return null;
  }
  const errors = optionText(values, 'errors');
  return {
    path: resolve(path),
    ...readSpreadsheetForm(values),
    map: readColumnMap(optionText(values, 'map'), FILE_ROW_FIELDS),
    isDryRun: values['dry-run'] === true,
    validOnly: values['valid-only'] === true,
    errorsPath: errors === null ? null : resolve(errors),
    timeZone: readTimeZone(values),
  };
}

/** Files for one collection; null: the files of the rows that name none. */
export interface FileGroup {
  collection: { id: string; name: string } | null;
  files: DescribedFile[];
}

/**
 * Checks all rows of a manifest and prints the result. Returns the files to queue by their collections, and the exit code:
 * complete when no row has errors and a file is described. There are no groups after a dry run, or when rows have errors and
 * `validOnly` is false.
 */
export async function checkManifest(
  context: EngineContext,
  input: ManifestInput,
  {
    siteId,
    collection,
    defaults,
    series,
  }: { siteId: string; collection: string | null; defaults: BatchDefaults; series: Series | null },
): Promise<{ groups: FileGroup[]; code: ExitCode }> {
  const { engine, output } = context;
  const { timeZone } = input;
  const opened = await openSpreadsheet(context, input);
  const mapping = mappedBy(opened.headers, opened.fileMapping, input.map);
  reportRepeatedColumns(output, opened.headers, mapping);
  const { manifestId } = opened;
  const { sidecars } = defaults;
  const progress = new Progress(context);
  progress.show(`Checking ${opened.rows} rows…`);
  const checked = await engine
    .call('manifest.checkFiles', {
      manifestId,
      siteId,
      mapping,
      timeZone,
      sidecars,
      hasCollection: collection !== null,
    })
    .finally(() => progress.end());
  const { rows, badRows, problems } = checked;
  const files = series === null ? checked.files : withTimes(output, series, checked.files);
  output.record({ manifest: { ...opened, mapping, rows, badRows, problems } });
  await reportProblems(context, opened, { problems, errorsPath: input.errorsPath });
  if (input.isDryRun) printFiles(output, files, collection);
  output.line(`${files.length} of ${rows} rows describe a file, ${badRows} have errors.`);
  const code = badRows === 0 && files.length > 0 ? EXIT.complete : EXIT.incomplete;
  if (input.isDryRun || (badRows > 0 && !input.validOnly)) {
    const canContinue = !input.isDryRun && files.length > 0;
    output.note(
      canContinue
        ? 'Nothing was queued. To queue the files of the other rows, use --valid-only.'
        : 'Nothing was queued.',
    );
    return { groups: [], code };
  }
  return { groups: groupsOf(files), code };
}

/** Returns the files with the times of a series, in the order of the rows. Files with a publication of their own keep it. */
function withTimes(output: Output, series: Series, files: readonly DescribedFile[]): DescribedFile[] {
  const open = files.filter(({ publish }) => publish === null);
  const times = publishTimes(
    output,
    series,
    open.map(({ name }) => name),
  );
  const timeOf = new Map(open.map(({ path }, index) => [path, times[index]]));
  return files.map((file) => ({ ...file, publish: file.publish ?? timeOf.get(file.path) ?? null }));
}

/** Returns the files by their collections, in the order of the first file of each. */
function groupsOf(files: readonly DescribedFile[]): FileGroup[] {
  const groups = Map.groupBy(files, ({ collection }) => collection?.id ?? null);
  return [...groups.values()].map((some) => ({ collection: some[0]?.collection ?? null, files: some }));
}

const SHOWN_FILES = 100;
const SHOWN_TEXT = 200;

function printFiles(output: Output, files: readonly DescribedFile[], collection: string | null): void {
  for (const [index, file] of files.entries()) {
    output.record({ file });
    if (index >= SHOWN_FILES) continue;
    output.line(file.name);
    for (const [field, value] of shownFields(file, collection)) output.line(`  ${field}: ${value}`);
  }
  if (files.length > SHOWN_FILES) output.line(`… and ${files.length - SHOWN_FILES} more files.`);
}

function shownFields({ fields, collection, publish }: DescribedFile, fallback: string | null): [string, string][] {
  const lines: [string, string][] = [];
  for (const field of TEXT_FIELDS) {
    const text = fields[field];
    if (text !== undefined)
      lines.push([field, `“${text.length > SHOWN_TEXT ? `${text.slice(0, SHOWN_TEXT)}…` : text}”`]);
  }
  const { tags } = fields;
  if (tags !== undefined) lines.push(['tags', tags.length === 0 ? 'none' : tags.join(', ')]);
  lines.push(['collection', collection?.name ?? fallback ?? '']);
  if (publish !== null) lines.push(['publish', publish.kind === 'at' ? publish.at : publish.kind]);
  return lines;
}
