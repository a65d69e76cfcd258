import type { PublishChoice } from '../../contract/upload-choices.ts';
import { ITEM_FIELD, type ItemFields, recordOf, TEXT_FIELDS, type TextFieldKey } from '../../item/fields.ts';
import type { EditableMedia } from '../edits/edit-ops.ts';
import { itemFieldProblem } from '../item-fields.ts';
import type { TableRow } from '../table/table-error.ts';
import { unprotected } from '../table/write-csv.ts';
import type { RowProblem } from './check-rows.ts';
import { fieldOfHeader, HEADERS, isFileHeader, MANIFEST_FIELDS, type ManifestField, suggestFields } from './fields.ts';
import { NOT_CALCULATED, shownValue } from './formula-errors.ts';
import type { CellProblemCode } from './problems.ts';
import { type CellProblem, type RowContext, readRow } from './read-row.ts';

// A spreadsheet that describes files: each row names a file, and the fields of its item.

/** The columns. `file`: a path from the folder of the spreadsheet. */
export const FILE_ROW_FIELDS = ['file', ...MANIFEST_FIELDS.filter((field) => field !== 'id')] as const;
export type FileRowField = 'file' | Exclude<ManifestField, 'id'>;

/** The field of each column; null: the column is not used. */
export type FileRowMapping = readonly (FileRowField | null)[];

/** Returns the field of each column by its header. */
export function suggestFileMapping(headers: readonly string[]): (FileRowField | null)[] {
  return suggestFields(headers, fileFieldOf, (field) => (field === 'file' ? 'file' : HEADERS[field]));
}

function fileFieldOf(header: string): FileRowField | null {
  if (isFileHeader(header)) return 'file';
  const field = fieldOfHeader(header);
  return field === 'id' ? null : field;
}

/** Why a mapping can't be used. `column` counts from 0. */
export type FileMappingProblem = { kind: 'no-file' } | { kind: 'twice'; field: FileRowField; column: number };

/** Returns the first problem of a mapping; null when it can be used. A column of files alone is sufficient. */
export function fileMappingProblem(mapping: FileRowMapping): FileMappingProblem | null {
  for (const [column, field] of mapping.entries()) {
    if (field !== null && mapping.indexOf(field) < column) return { kind: 'twice', field, column };
  }
  return mapping.includes('file') ? null : { kind: 'no-file' };
}

/** The file that a cell names: the parts of its path from the folder of the spreadsheet, in the order to try them. */
export type NamedFile =
  | { kind: 'paths'; paths: readonly (readonly string[])[] }
  /** A full path, which may lead into the folder of the spreadsheet. */
  | { kind: 'absolute'; path: string }
  | { kind: 'problem'; code: CellProblemCode };

// biome-ignore lint/suspicious/noControlCharactersInRegex: names with control characters are refused
const CONTROL = /[\u0000-\u001f\u007f]/;
const ABSOLUTE = /^(?:[\\/]|[a-z]:[\\/])/i;
const LONGEST_PATH = 4096;

/** Returns the text between quotes: “Copy as path” of the Explorer and shells put them around a path. */
function unquoted(text: string): string {
  const plain = text.trim();
  const [quote = ''] = plain;
  const isQuoted = plain.length > 2 && (quote === '"' || quote === "'") && plain.endsWith(quote);
  return isQuoted ? plain.slice(1, -1) : text;
}

/**
 * Reads the name of a file. A path that leaves the folder is refused, even if it would return to it. A name may be written with
 * the separators of Windows, and with blanks around it that the file does not have.
 */
export function readFileCell(cell: string): NamedFile {
  const text = unprotected(cell);
  if (text.trim() === '') return { kind: 'problem', code: 'manifest.file-empty' };
  if (text === NOT_CALCULATED) return { kind: 'problem', code: 'manifest.formula-not-calculated' };
  if (CONTROL.test(text) || text.length > LONGEST_PATH) return { kind: 'problem', code: 'manifest.file-invalid' };
  const plain = unquoted(text);
  if (ABSOLUTE.test(plain.trim())) return { kind: 'absolute', path: plain.trim() };
  const forms = [text, plain]
    .flatMap((each) => [each, each.replaceAll('\\', '/')])
    .flatMap((form) => [form, form.trim()]);
  // The apostrophe that protects a cell can also be the beginning of a name.
  if (text !== cell) forms.unshift(cell);
  const paths = [...new Set(forms)].map(stepsOf);
  if (paths.some((path) => path.includes('..'))) return { kind: 'problem', code: 'manifest.file-outside' };
  const usable = paths.filter((path) => path.length > 0);
  return usable.length === 0 ? { kind: 'problem', code: 'manifest.file-invalid' } : { kind: 'paths', paths: usable };
}

function stepsOf(path: string): string[] {
  return path.split('/').filter((step) => step !== '' && step !== '.');
}

/** The file for the cell of a row. `identity`: equal for two names of one file. */
export type FoundFile = { kind: 'found'; path: string; identity: string } | { kind: 'problem'; code: CellProblemCode };

/** A file that a row describes. */
interface DescribedFile {
  /** As a spreadsheet numbers it. */
  row: number;
  path: string;
  /** null: the collection that is chosen for all files. */
  collectionId: string | null;
  /** Fields without a cell have the values that are chosen for all files. */
  fields: Partial<ItemFields>;
  publish: PublishChoice | null;
}

export interface FileRowsInput {
  /** Without the header. */
  rows: readonly TableRow[];
  /** Columns of the header. */
  width: number;
  mapping: FileRowMapping;
  /** By row number. */
  found: ReadonlyMap<number, FoundFile>;
  /** Whether a collection is chosen for rows without one. */
  hasCollection: boolean;
  context: RowContext;
}

export interface MatchedFileRows {
  files: DescribedFile[];
  /** In the order of the rows. */
  problems: RowProblem[];
  /** Rows with a problem. They describe no file, whatever their other cells contain. */
  badRows: number;
}

/** Checks every row before anything is queued. */
export function checkFileRows(input: FileRowsInput): MatchedFileRows {
  const result: MatchedFileRows = { files: [], problems: [], badRows: 0 };
  const seen = new Set<string>();
  for (const row of input.rows) {
    const checked = checkRow(row, input, seen);
    if ('path' in checked) result.files.push(checked);
    else {
      result.badRows += 1;
      for (const problem of checked) result.problems.push({ ...problem, row: row.row });
    }
  }
  return result;
}

/**
 * The collection and the tag of the item with which rows are compared. No collection and no tag is equal to it, so that each
 * value of a row counts as a change, also an empty list of tags.
 */
const NONE = '\u0000';

function checkRow({ row, cells }: TableRow, input: FileRowsInput, seen: Set<string>): DescribedFile | CellProblem[] {
  const { width, mapping, found: files, hasCollection, context } = input;
  const column = mapping.indexOf('file');
  const extra = cells.findIndex((cell, index) => index >= width && cell !== '');
  if (extra >= 0) return [{ column: extra, code: 'manifest.row-too-wide', value: cells[extra] ?? '' }];
  const value = cells[column] ?? '';
  const found = files.get(row) ?? { kind: 'problem', code: 'manifest.file-missing' };
  const problems: CellProblem[] = [];
  if (found.kind === 'problem') problems.push({ column, code: found.code, value: shownValue(value) });
  else if (seen.has(found.identity)) problems.push({ column, code: 'manifest.file-twice', value });
  else seen.add(found.identity);
  const fields = mapping.map((field) => (field === 'file' ? null : field));
  const { change, problems: others } = readRow(cells, fields, NEW_ITEM, context);
  problems.push(...others);
  const given: Partial<ItemFields> = {
    ...Object.fromEntries(TEXT_FIELDS.flatMap((field) => textOf(field, change[field]))),
    ...(change.tags?.kind === 'replace' ? { tags: [...change.tags.tags] } : {}),
  };
  const wrong = itemFieldProblem(given);
  if (wrong !== null) {
    const at = mapping.indexOf(wrong.field);
    problems.push({ column: at < 0 ? null : at, code: codeOf(wrong), value: at < 0 ? '' : (cells[at] ?? '') });
  }
  const { collectionId = null } = change;
  const isUnknown = others.some((problem) => problem.column === mapping.indexOf('collection'));
  if (collectionId === null && !hasCollection && !isUnknown) {
    problems.push({ column: null, code: 'manifest.collection-missing', value: '' });
  }
  if (problems.length > 0 || found.kind === 'problem') return problems;
  return { row, path: found.path, collectionId, fields: given, publish: publishOf(cells, mapping, change.publication) };
}

const NEW_ITEM: EditableMedia = {
  ...recordOf(TEXT_FIELDS, () => ''),
  id: '',
  tags: [NONE],
  collectionId: NONE,
  status: 'draft',
  publishOn: null,
};

/** Returns the text of a cell; `<clear>` empties the field, whatever the values for all files are. */
function textOf(field: TextFieldKey, change: { kind: string; value?: string } | undefined): [TextFieldKey, string][] {
  if (change?.kind === 'clear') return ITEM_FIELD[field].isRequired ? [] : [[field, '']];
  return change?.kind === 'set' ? [[field, change.value ?? '']] : [];
}

function codeOf({ field, kind }: NonNullable<ReturnType<typeof itemFieldProblem>>): CellProblemCode {
  if (field === 'tags') return 'manifest.tags-limit';
  return kind === 'empty' ? 'edit.title-empty' : 'edit.too-long';
}

function publishOf(
  cells: readonly string[],
  mapping: FileRowMapping,
  change: { kind: string; at?: string } | undefined,
): PublishChoice | null {
  if (change?.kind === 'now') return { kind: 'now' };
  if (change?.kind === 'at' && change.at !== undefined) return { kind: 'at', at: change.at };
  const status = cells[mapping.indexOf('status')]?.trim().toLowerCase();
  return status === 'draft' ? { kind: 'draft' } : null;
}
