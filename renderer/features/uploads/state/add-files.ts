import type { MediaFacts } from '../../../../shared/contract/media-facts.ts';
import type { Series } from '../../../../shared/contract/series.ts';
import type { FileChoice, ListedFile } from '../../../../shared/contract/upload-files.ts';
import { noItemFields } from '../../../../shared/item/fields.ts';
import { CHECKED, UNCHECKED } from '../../../../shared/model/grid/cell-text.ts';
import {
  changedRows,
  createGrid,
  type GridColumn,
  type GridModel,
  type GridRow,
  withChecks,
  withRows,
} from '../../../../shared/model/grid/grid-model.ts';
import { isoOf } from '../../../../shared/model/iso-instant.ts';
import { localDay } from '../../../../shared/model/local-day.ts';
import { seriesNoteText } from '../../../../shared/model/series/series-text.ts';
import type { SeriesTime } from '../../../../shared/model/series/series-times.ts';
import {
  composeTitle,
  needsTitleContents,
  type TitleFacts,
  titleTemplateProblem,
  titleUsesRecordingDate,
} from '../../../../shared/model/title-template.ts';
import { formatBytes } from '../../../kit/text/format.ts';
import { shownName } from '../../../kit/text/shown-name.ts';
import type { Description, Descriptions } from './add-described.ts';
import { type FileTimes, fileTimes } from './add-series.ts';
import { type KnownContents, NOTHING_KNOWN } from './file-contents.ts';
import { earlierText, recordedText } from './file-text.ts';
import { cellsOf, NEW_ITEM_COLUMNS, newItemFields } from './new-item-columns.ts';
import {
  collectionOfCell,
  type OfferedCollection,
  ownChoiceCells,
  ownChoiceColumns,
  publishOfCell,
} from './own-choices.ts';
import { texts } from './texts.ts';

/** The options that decide about the values in the table before the user changes any. */
export interface TableOptions {
  titleTemplate: string;
  tags: readonly string[];
  /** The known data from inside the files; default: none. */
  contents?: KnownContents;
  /** Values from spreadsheets and details for the files; they replace the values of the options. */
  descriptions?: Descriptions;
  /** The collections that a single file can be added to instead of the collection of the sheet. */
  collections?: readonly OfferedCollection[];
  /** The publish times of the files one after another; null or absent: the publication of the sheet applies. */
  times?: FileTimes | null;
}

const { columns } = texts;
const shown = (key: 'file' | 'size' | 'note', width: number): GridColumn => ({
  key,
  label: columns[key],
  width,
  kind: 'text',
  readOnly: true,
});
const ADD: GridColumn = {
  key: 'add',
  label: columns.add,
  width: 52,
  kind: 'check',
  validate: (text) => (text === CHECKED || text === UNCHECKED ? null : texts.notYesOrNo),
};
const FIRST_COLUMNS = [shown('file', 220), ADD, ...NEW_ITEM_COLUMNS];
const LAST_COLUMNS = [shown('size', 80), shown('note', 220)];
const ADD_AT = FIRST_COLUMNS.indexOf(ADD);
const NO_COLLECTIONS: readonly OfferedCollection[] = [];

const NO_DESCRIPTIONS: Descriptions = new Map();

/** The columns of the last call: a table compares its columns by identity, so equal columns have to be the same object. */
let lastColumns: { of: readonly unknown[]; columns: readonly GridColumn[] } | null = null;

function columnsOf(collections: readonly OfferedCollection[], descriptions: Descriptions): readonly GridColumn[] {
  if (lastColumns?.of[0] === collections && lastColumns.of[1] === descriptions) return lastColumns.columns;
  const columns = [...FIRST_COLUMNS, ...ownChoiceColumns(collections, descriptions), ...LAST_COLUMNS];
  lastColumns = { of: [collections, descriptions], columns };
  return columns;
}

/** Returns the table of files, or the same table with other files and options. Changes that the user made in the table stay. */
export function fileTable(before: GridModel | null, files: readonly ListedFile[], options: TableOptions): GridModel {
  return rebased(before, files, options, leftOutIn(before));
}

/** Returns whether the user omitted the same files in both tables. */
export function omitsSame(one: GridModel, other: GridModel): boolean {
  const [was, is] = [leftOutIn(one), leftOutIn(other)];
  return was.size === is.size && [...is].every((path) => was.has(path));
}

/** Returns the table after the user omitted other files, with new numbers and publish times: omitted files have none. */
export function renumbered(after: GridModel, files: readonly ListedFile[], options: TableOptions): GridModel {
  if (!/\{n+\}/.test(options.titleTemplate) && !options.times) return after;
  const { selection, last } = after;
  return { ...rebased(after, files, options, leftOutIn(after)), selection, last };
}

function rebased(
  before: GridModel | null,
  files: readonly ListedFile[],
  options: TableOptions,
  leftOut: ReadonlySet<string>,
): GridModel {
  const rows = rowsOf(files, options, leftOut);
  const columns = columnsOf(options.collections ?? NO_COLLECTIONS, options.descriptions ?? NO_DESCRIPTIONS);
  if (before === null) return createGrid(columns, rows);
  return withRows(before.columns === columns ? before : withChecks(before, columns), rows);
}

function leftOutIn(grid: GridModel | null): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const [index, { cells, changed }] of grid?.rows.entries() ?? []) {
    const path = grid?.base[index]?.id;
    if (changed > 0 && cells[ADD_AT] === UNCHECKED && path !== undefined) paths.add(path);
  }
  return paths;
}

function rowsOf(
  files: readonly ListedFile[],
  {
    titleTemplate,
    tags,
    contents = NOTHING_KNOWN,
    descriptions = NO_DESCRIPTIONS,
    collections = NO_COLLECTIONS,
    times = null,
  }: TableOptions,
  leftOut: ReadonlySet<string>,
): GridRow[] {
  const template = titleTemplateProblem(titleTemplate) === null ? titleTemplate.trim() || '{name}' : '{name}';
  const readsFiles = needsTitleContents(template);
  const root = commonFolder(files.map(({ path }) => path));
  let number = 1;
  return files.map((file) => {
    const { path, fileName, sizeBytes, problem, unclear, late } = file;
    const name = shownName(`${folderOf(path).slice(root.length)}${fileName}`);
    if (problem !== null) {
      const reason =
        unclear === null || unclear.doubt === 'unreadable'
          ? texts.cantUpload(problem.message)
          : unclear.doubt === 'entered'
            ? texts.needsChoiceOfValues
            : texts.needsChoice;
      const cells = [name, UNCHECKED, reason, '', '', '', '', '', formatBytes(sizeBytes), ''];
      return { id: path, cells, readOnly: true };
    }
    if (late !== undefined) {
      const note = late.fields === undefined ? '' : texts.earlier.changes(late.fields);
      const cells = [name, CHECKED, earlierText(late), '', '', '', '', '', formatBytes(sizeBytes), note];
      return { id: path, cells, readOnly: true };
    }
    const known = contents.get(path);
    const { title, missing } = composeTitle(template, titleFactsOf(file, number, known));
    if (!leftOut.has(path)) number += 1;
    const described = descriptions.get(path);
    const item = cellsOf({ ...noItemFields(), title, tags: [...tags], ...described?.fields });
    const fields = NEW_ITEM_COLUMNS.map(({ key }) => item[key as keyof typeof item]);
    const isOwnTitle = described?.fields.title !== undefined;
    const titleNotes = readsFiles && !isOwnTitle ? titleNotesOf(template, missing, known) : [];
    const time = times?.times.get(path);
    const own = ownChoiceCells(described, collections, time);
    const note = noteOf(file, described, titleNotes, time);
    return { id: path, cells: [name, CHECKED, ...fields, ...own, formatBytes(sizeBytes), note] };
  });
}

/** Whether a template is valid and has tokens whose values are inside the files. */
export function usesContents(titleTemplate: string): boolean {
  return titleTemplateProblem(titleTemplate) === null && needsTitleContents(titleTemplate);
}

/** The facts that a title is composed of. `contents`: undefined while they are unknown. */
export function titleFactsOf(
  { fileName, folderName, date }: ListedFile,
  number: number,
  contents: MediaFacts | undefined,
): TitleFacts {
  return { fileName, folderName, number, date: date ?? localDay(Date.now()), contents: contents ?? null };
}

/** Returns the source of the date in a title, or the reason why the title is the name of the file. */
function titleNotesOf(template: string, missing: readonly string[], contents: MediaFacts | undefined): string[] {
  if (contents === undefined) return [texts.contents.reading];
  const { problem, recorded } = contents;
  const reason = problem === null ? [] : [texts.fill.contents[problem]];
  if (missing.length > 0) return [[texts.titleIsName([...new Set(missing)]), ...reason].join(' ')];
  return titleUsesRecordingDate(template) && recorded !== null ? [recordedText(recorded)] : [];
}

function noteOf(
  { isLikelyDuplicate, sidecars }: ListedFile,
  described: Description | undefined,
  titleNotes: readonly string[],
  time: SeriesTime | undefined,
): string {
  const notes = [
    ...titleNotes,
    ...(time?.notes ?? []).map(seriesNoteText),
    ...(described === undefined ? [] : [texts.described(described.source)]),
    ...(isLikelyDuplicate ? [texts.likelyDuplicate] : []),
    ...(sidecars.length > 0 ? [texts.withSidecars(sidecars)] : []),
  ];
  return notes.join(' · ');
}

/** Returns the folder of a path with the separator at its end; an empty text for a bare name. */
function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** Returns the longest folder that contains all paths, with the separator at its end. */
function commonFolder(paths: readonly string[]): string {
  let common = folderOf(paths[0] ?? '');
  for (const path of paths) {
    while (!path.startsWith(common)) common = folderOf(common.slice(0, -1));
  }
  return common;
}

/** The totals of the table: the files to add, and the files that the user omitted. */
export interface TableSum {
  files: number;
  bytes: number;
  leftOut: number;
  leftOutBytes: number;
}

export function tableSumOf(grid: GridModel, files: readonly ListedFile[]): TableSum {
  const sum = { files: 0, bytes: 0, leftOut: 0, leftOutBytes: 0 };
  for (const [index, { sizeBytes, problem }] of files.entries()) {
    if (problem !== null) continue;
    if (grid.rows[index]?.cells[ADD_AT] === UNCHECKED) {
      sum.leftOut += 1;
      sum.leftOutBytes += sizeBytes;
    } else {
      sum.files += 1;
      sum.bytes += sizeBytes;
    }
  }
  return sum;
}

/** Returns the publish times of the files one after another, or why they have none. */
export function timesInSheet(
  grid: GridModel | null,
  files: readonly ListedFile[],
  series: Series,
  descriptions: Descriptions,
): FileTimes {
  return fileTimes(files, series, descriptions, leftOutIn(grid));
}

/**
 * Returns the choices for `uploads.add`: for every listed file, or only for changed files when the list does not contain all
 * files.
 */
export function choicesOf(
  grid: GridModel,
  files: readonly ListedFile[],
  isAll: boolean,
  descriptions: Descriptions = new Map(),
  times: FileTimes | null = null,
): FileChoice[] {
  const changes = new Map(changedRows(grid).map(({ id, cells }) => [id, cells]));
  return files.flatMap(({ path }): FileChoice[] => {
    const cells = changes.get(path);
    if (cells?.add === UNCHECKED) return [{ path, isExcluded: true }];
    const described = descriptions.get(path);
    const time = times?.times.get(path);
    if (cells === undefined && described === undefined && time === undefined) return isAll ? [{ path }] : [];
    const fields = { ...described?.fields, ...newItemFields(cells ?? {}) };
    const own = described?.publish ?? (time === undefined ? null : { kind: 'at' as const, at: isoOf(time.at) });
    const publish = cells?.publish === undefined ? own : publishOfCell(cells.publish);
    return [{ path, fields, ...(publish === null ? {} : { publish }) }];
  });
}

/** Returns the collections of files that are not added to the collection of the sheet, by path. */
export function ownCollections(
  grid: GridModel,
  descriptions: Descriptions,
  collections: readonly OfferedCollection[],
): ReadonlyMap<string, string> {
  const own = new Map<string, string>();
  for (const [path, { collection }] of descriptions) if (collection !== null) own.set(path, collection.id);
  for (const { id: path, cells } of changedRows(grid)) {
    if (cells.collection === undefined) continue;
    const chosen = collectionOfCell(cells.collection, collections);
    if (chosen === null) own.delete(path);
    else own.set(path, chosen);
  }
  return own;
}
