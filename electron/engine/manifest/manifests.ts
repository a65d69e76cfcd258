import { basename, dirname, extname, isAbsolute, relative } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { appError } from '../../../shared/contract/app-error.ts';
import type { EngineCallName } from '../../../shared/contract/contract.ts';
import type { EditSelection } from '../../../shared/contract/edits.ts';
import { SAMPLE_ROWS } from '../../../shared/contract/manifest-calls.ts';
import { checkSlices, idsInRows, type RowProblem } from '../../../shared/model/manifest/check-rows.ts';
import {
  DEFAULT_EXPORT_COLUMNS,
  type MappingProblem,
  mappingProblem,
  suggestMapping,
} from '../../../shared/model/manifest/fields.ts';
import {
  checkFileRows,
  type FileMappingProblem,
  fileMappingProblem,
  suggestFileMapping,
} from '../../../shared/model/manifest/file-rows.ts';
import { shownValue } from '../../../shared/model/manifest/formula-errors.ts';
import type { Handlers } from '../common/handlers.ts';
import type { Plan, SelectedItems, SelectionLimit } from '../edits/commands/plan-selection.ts';
import type { CollectionIndex } from '../library/collections/collection-index.ts';
import type { Clock } from '../ports/clock.ts';
import type { Files } from '../ports/files.ts';
import type { Random } from '../ports/random.ts';
import type { SaveFile } from '../ports/save-file.ts';
import { rowContext } from './collections.ts';
import { exportRows, type KnownFiles } from './export-rows.ts';
import { findRowFiles } from './find-files.ts';
import { savedTable } from './saved-table.ts';
import { shownProblem, withErrors } from './shown-problems.ts';
import { type OpenedTable, openTable } from './table/open-table.ts';
import { tableHandlers } from './table-handlers.ts';

export interface ManifestTools {
  files: Files;
  save: SaveFile;
  clock: Clock;
  random: Random;
  /** Returns a path without links. Throws when there is nothing at the path. */
  realPath(path: string): Promise<string>;
  /** Reads the items of a selection as the user sees them. */
  readItems(selection: EditSelection, limit?: SelectionLimit): Promise<SelectedItems>;
  /** Keeps a plan for `edits.plan` and `edits.apply`. Returns its id. */
  keepPlan(plan: Plan): string;
  /** null: the account may not list collections. */
  collections(siteId: string): Promise<CollectionIndex | null>;
  /** Returns what is known about the files of items without a request. */
  fileFacts(siteId: string, ids: readonly string[]): KnownFiles;
}

export type ManifestHandlers = Pick<Handlers, Extract<EngineCallName, `manifest.${string}`>>;

/** A file that a screen imports. */
interface OpenManifest {
  path: string;
  table: OpenedTable;
  /** Of the last check. */
  problems: readonly RowProblem[];
}

/** The maximum number of open files, because each can need much memory. */
const MOST_OPEN = 2;

/** The calls about spreadsheets. */
export function manifestHandlers(tools: ManifestTools): ManifestHandlers {
  const open = new Map<string, OpenManifest>();
  const known = (manifestId: string): OpenManifest => {
    const manifest = open.get(manifestId);
    if (manifest === undefined) throw appError('manifest.over');
    return manifest;
  };
  return {
    'manifest.open': async ({ path, encoding, separator }) => {
      const table = await openTable(tools.files, path, { encoding, separator });
      const manifestId = tools.random.uuid();
      const fileName = basename(path);
      open.set(manifestId, { path, table, problems: [] });
      for (const oldest of open.keys()) if (open.size > MOST_OPEN) open.delete(oldest);
      return {
        manifestId,
        fileName,
        format: table.format,
        headers: table.headers,
        rows: table.rows.length,
        encoding: table.encoding,
        separator: table.separator,
        sheet: table.sheet,
        sample: table.rows
          .slice(0, SAMPLE_ROWS)
          .map(({ cells }) => cells.map((cell) => shownValue(cell).slice(0, 200))),
        mapping: suggestMapping(table.headers),
        fileMapping: suggestFileMapping(table.headers),
      };
    },
    'manifest.check': async ({ manifestId, siteId, mapping, timeZone }) => {
      const manifest = known(manifestId);
      const { headers, rows } = manifest.table;
      const problem = mappingProblem(mapping);
      if (problem !== null || mapping.length !== headers.length) throw mappingError(problem, headers);
      const collections = mapping.includes('collection') ? await tools.collections(siteId) : null;
      const selected = await tools.readItems({ siteId, ids: idsInRows(rows, mapping) });
      await nextTurn();
      const items = new Map(selected.items.map((item) => [item.effective.id, item]));
      const context = rowContext(collections, { timeZone, nowMs: tools.clock.now() });
      const checked = await inTurns(checkSlices({ rows, width: headers.length, mapping, items, context }));
      manifest.problems = checked.problems;
      const planId = tools.keepPlan({
        selected: { ...selected, missing: 0 },
        change: null,
        rows: checked.planned.map(({ item, ops }) => ({ item, ops, problem: null })),
        unchanged: checked.unchanged,
      });
      const { planned, unchanged, badRows, problems } = checked;
      return { planId, rows: rows.length, changed: planned.length, unchanged, badRows, problems: problems.length };
    },
    'manifest.checkFiles': async ({ manifestId, siteId, mapping, timeZone, sidecars, hasCollection }) => {
      const manifest = known(manifestId);
      const { headers, rows } = manifest.table;
      const problem = fileMappingProblem(mapping);
      if (problem !== null || mapping.length !== headers.length) throw mappingError(problem, headers);
      const collections = mapping.includes('collection') ? await tools.collections(siteId) : null;
      const folder = dirname(manifest.path);
      const column = mapping.indexOf('file');
      const found = await findRowFiles(rows, { column, folder, takesSidecars: sidecars }, tools);
      const context = rowContext(collections, { timeZone, nowMs: tools.clock.now() });
      const checked = checkFileRows({ rows, width: headers.length, mapping, found, hasCollection, context });
      manifest.problems = checked.problems;
      const nameOf = (id: string) => collections?.nodes.get(id)?.row.displayName ?? id;
      return {
        rows: rows.length,
        badRows: checked.badRows,
        problems: checked.problems.length,
        files: checked.files.map(({ path, collectionId: id, ...file }) => ({
          ...file,
          path,
          name: relative(folder, path),
          collection: id === null ? null : { id, name: nameOf(id) },
        })),
      };
    },
    'manifest.problems': async ({ manifestId, offset, limit }) => {
      const { table, problems } = known(manifestId);
      const page = problems.slice(offset, offset + limit);
      return { total: problems.length, rows: page.map((each) => shownProblem(each, table.headers)) };
    },
    'manifest.saveErrors': async ({ manifestId, path }) => {
      const { table, problems } = known(manifestId);
      requireExtension(path, table.format);
      const rows = withErrors(table, problems);
      await tools.save(path, savedTable(table.format, rows, { protects: false, separator: table.separator?.value }));
      return { path };
    },
    'manifest.export': async ({ selection, path, format, protects, timeZone, columns = DEFAULT_EXPORT_COLUMNS }) => {
      requireExtension(path, format);
      const { siteId } = selection;
      const [selected, collections] = await Promise.all([tools.readItems(selection), tools.collections(siteId)]);
      const context = rowContext(collections, { timeZone, nowMs: tools.clock.now() });
      let emptied = 0;
      const ids = selected.items.map(({ source }) => source.id);
      const files = tools.fileFacts(siteId, ids);
      const rows = exportRows(selected, context, { format, columns, files }, () => {
        emptied += 1;
      });
      await tools.save(path, savedTable(format, rows, { protects }));
      return { path, items: selected.items.length, missing: selected.missing, emptied };
    },
    ...tableHandlers(tools),
  };
}

/** Runs slices of work in turns of the event loop of their own. Returns the result. */
async function inTurns<T>(slices: Generator<undefined, T>): Promise<T> {
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
    await nextTurn();
  }
}

/** Throws unless the path has the extension of the format: a screen can't overwrite another kind of file. */
function requireExtension(path: string, format: 'csv' | 'xlsx'): void {
  if (isAbsolute(path) && extname(path).toLowerCase() === `.${format}`) return;
  throw appError('input.invalid', { message: `Choose a file name that ends with .${format}.`, details: { path } });
}

function mappingError(problem: MappingProblem | FileMappingProblem | null, headers: readonly string[]) {
  if (problem === null) return appError('input.invalid', { details: { reason: 'the mapping has another length' } });
  if (problem.kind !== 'twice') return appError(`manifest.${problem.kind}`);
  return appError('manifest.column-twice', {
    details: { field: problem.field, column: problem.column + 1, header: headers[problem.column] ?? '' },
  });
}
