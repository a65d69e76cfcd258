import type { FileChoice, ListedFile } from '../../../shared/contract/upload-files.ts';
import { CHECKED, UNCHECKED } from '../../../shared/model/grid/cell-text.ts';
import {
  changedRows,
  createGrid,
  type GridColumn,
  type GridModel,
  type GridRow,
  withRows,
} from '../../../shared/model/grid/grid-model.ts';
import { localDay } from '../../../shared/model/local-day.ts';
import { renderTitle, titleTemplateProblem } from '../../../shared/model/title-template.ts';
import { formatBytes, formatDateTime } from '../../text/format.ts';
import type { Description, Descriptions } from './add-described.ts';
import { cellsOf, fieldsOf, ITEM_COLUMNS } from './item-columns.ts';
import { texts } from './texts.ts';

/** What decides the values that the table shows before the user changes any. */
export interface TableOptions {
  titleTemplate: string;
  tags: readonly string[];
  /** Values that other files have for them; they replace those of the options. */
  descriptions?: Descriptions;
}

const { columns } = texts;
const shown = (key: 'file' | 'size' | 'note', width: number): GridColumn => ({
  ...{ key, label: columns[key], width, kind: 'text', readOnly: true },
});
const ADD: GridColumn = {
  key: 'add',
  label: columns.add,
  width: 52,
  kind: 'check',
  validate: (text) => (text === CHECKED || text === UNCHECKED ? null : texts.notYesOrNo),
};
const COLUMNS = [shown('file', 220), ADD, ...ITEM_COLUMNS, shown('size', 80), shown('note', 220)];
const ADD_AT = COLUMNS.indexOf(ADD);

/** Returns the table of files, or the same table with other files and options: what the user changed in it stays. */
export function fileTable(before: GridModel | null, files: readonly ListedFile[], options: TableOptions): GridModel {
  return rebased(before, files, options, leftOutIn(before));
}

/** Returns the table after a change of the user: files that are left out have no number in titles. */
export function renumbered(
  before: GridModel,
  after: GridModel,
  files: readonly ListedFile[],
  options: TableOptions,
): GridModel {
  if (!/\{n+\}/.test(options.titleTemplate)) return after;
  const [was, is] = [leftOutIn(before), leftOutIn(after)];
  if (was.size === is.size && [...is].every((path) => was.has(path))) return after;
  const { selection, last } = after;
  return { ...rebased(after, files, options, is), selection, last };
}

function rebased(
  before: GridModel | null,
  files: readonly ListedFile[],
  options: TableOptions,
  leftOut: ReadonlySet<string>,
): GridModel {
  const rows = rowsOf(files, options, leftOut);
  return before === null ? createGrid(COLUMNS, rows) : withRows(before, rows);
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
  { titleTemplate, tags, descriptions = new Map() }: TableOptions,
  leftOut: ReadonlySet<string>,
): GridRow[] {
  const template = titleTemplateProblem(titleTemplate) === null ? titleTemplate.trim() || '{name}' : '{name}';
  const root = commonFolder(files.map(({ path }) => path));
  let number = 1;
  return files.map((file) => {
    const { path, fileName, folderName, sizeBytes, date, problem, unclear } = file;
    const name = `${folderOf(path).slice(root.length)}${fileName}`;
    if (problem !== null) {
      const reason =
        unclear === null || unclear.doubt === 'unreadable' ? texts.cantUpload(problem.message) : texts.needsChoice;
      const cells = [name, UNCHECKED, reason, '', '', '', formatBytes(sizeBytes), ''];
      return { id: path, cells, readOnly: true };
    }
    const title = renderTitle(template, { fileName, folderName, number, date: date ?? localDay(Date.now()) });
    if (!leftOut.has(path)) number += 1;
    const described = descriptions.get(path);
    const item = cellsOf({ title, byline: '', description: '', tags: [...tags], ...described?.fields });
    const fields = ITEM_COLUMNS.map(({ key }) => item[key as keyof typeof item]);
    return { id: path, cells: [name, CHECKED, ...fields, formatBytes(sizeBytes), noteOf(file, described)] };
  });
}

function noteOf({ isLikelyDuplicate, sidecars }: ListedFile, described: Description | undefined): string {
  const notes = [
    ...(described === undefined ? [] : descriptionNotes(described)),
    ...(isLikelyDuplicate ? [texts.likelyDuplicate] : []),
    ...(sidecars.length > 0 ? [texts.withSidecars(sidecars)] : []),
  ];
  return notes.join(' · ');
}

function descriptionNotes({ source, publish, collection }: Description): string[] {
  const { ownPublication } = texts;
  return [
    texts.described(source),
    ...(collection === null ? [] : [texts.ownCollection(collection.name)]),
    ...(publish === null
      ? []
      : [publish.kind === 'at' ? ownPublication.at(formatDateTime(publish.at)) : ownPublication[publish.kind]]),
  ];
}

/** With the separator at its end; empty for a bare name. */
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

/** What the table adds, and what the user left out of it. */
export interface TableSum {
  files: number;
  bytes: number;
  leftOut: number;
  leftOutBytes: number;
}

export function sumOf(grid: GridModel, files: readonly ListedFile[]): TableSum {
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

/**
 * Returns the choices for `uploads.add`: one for each listed file, or only for changed ones where the list does not have
 * all files.
 */
export function choicesOf(
  grid: GridModel,
  files: readonly ListedFile[],
  isAll: boolean,
  descriptions: Descriptions = new Map(),
): FileChoice[] {
  const changes = new Map(changedRows(grid).map(({ id, cells }) => [id, cells]));
  return files.flatMap(({ path }): FileChoice[] => {
    const cells = changes.get(path);
    if (cells?.add === UNCHECKED) return [{ path, isExcluded: true }];
    const described = descriptions.get(path);
    if (cells === undefined && described === undefined) return isAll ? [{ path }] : [];
    const fields = { ...described?.fields, ...fieldsOf(cells ?? {}) };
    return [{ path, fields, ...(described?.publish == null ? {} : { publish: described.publish }) }];
  });
}
