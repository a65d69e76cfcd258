import type { ItemChange } from '../../contract/edits.ts';
import { ITEM_FIELD, TEXT_FIELDS } from '../../item/fields.ts';
import { descriptionOfCell, hasFormatting } from '../description.ts';
import { canonicalTag } from '../edits/canonical.ts';
import type { EditableMedia } from '../edits/edit-ops.ts';
import { tagsProblem } from '../item-fields.ts';
import { unprotected } from '../table/write-csv.ts';
import { type CellContext, CLEAR, cellOf, readCollection, readTags } from './cells.ts';
import { readDate } from './dates.ts';
import type { ManifestField, Mapping } from './fields.ts';
import { formulaProblemOf, shownValue } from './formula-errors.ts';
import type { CellProblemCode } from './problems.ts';

/** The collections to which a reference can refer. */
export type CollectionMatch = { kind: 'one'; id: string } | { kind: 'none' } | { kind: 'several' };

export interface RowContext extends CellContext {
  /** Looks up a collection by id, slug, path or name. */
  findCollection(ref: string): CollectionMatch;
  hasCollection(id: string): boolean;
  /** Epoch milliseconds. */
  nowMs: number;
  /** The user typed the cells, so that none has an apostrophe that only protects it in a file. */
  isTyped?: boolean;
}

/** A cell that can't be imported. `column` counts from 0; null: the row as a whole. */
export interface CellProblem {
  column: number | null;
  code: CellProblemCode;
  value: string;
}

/** The changes of a row to its item: only values that differ from the present ones. */
export interface RowChange {
  change: ItemChange;
  problems: CellProblem[];
}

/** The cells of one row by field, without cells that are empty or equal to the text that an export would write now. */
type Wanted = Map<ManifestField, { text: string; column: number }>;

/**
 * Returns the changes of an item by the cells of a row. An empty cell, and a cell with the text that an export would write,
 * changes nothing; `<clear>` empties a field. Problems of several cells are all returned.
 */
export function readRow(
  cells: readonly string[],
  mapping: Mapping,
  item: EditableMedia,
  context: RowContext,
): RowChange {
  const problems: CellProblem[] = [];
  const wanted: Wanted = new Map();
  for (const [column, field] of mapping.entries()) {
    const cell = cells[column] ?? '';
    if (field === null || field === 'id' || cell.trim() === '') continue;
    const present = cellOf(field, item, context);
    if (isSameCell(cell, present)) continue;
    const text = context.isTyped === true ? cell : unprotected(cell);
    if (isSameCell(text, present) || (field === 'publishOn' && isSameTime(text, item, context))) continue;
    const failed = formulaProblemOf(text);
    if (failed !== null) problems.push({ column, code: failed, value: shownValue(cell) });
    else wanted.set(field, { text, column });
  }
  const change: ItemChange = {};
  const note = (code: CellProblemCode, { column, text }: { column: number; text: string }) =>
    problems.push({ column, code, value: text });
  readTexts(wanted, item, context, change, note);
  readTagsOf(wanted, item, change, note);
  readCollectionOf(wanted, item, context, change, note);
  readPublication(wanted, item, context, change, note);
  return { change, problems };
}

/** Returns whether a cell is the present publish time in another form: a file can be written and read in different time zones. */
function isSameTime(text: string, { status, publishOn }: EditableMedia, { timeZone }: RowContext): boolean {
  if (status === 'draft' || publishOn === null) return false;
  const read = readDate(text, timeZone);
  return read.kind === 'at' && read.at === Math.floor(Date.parse(publishOn) / 1000) * 1000;
}

type Note = (code: CellProblemCode, cell: { column: number; text: string }) => void;

/** Returns whether texts are equal except for their line ends, which spreadsheets change. */
function isSameCell(cell: string, present: string): boolean {
  return cell === present || unixLines(cell) === unixLines(present);
}

function unixLines(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

const isClear = (text: string) => text.trim().toLowerCase() === CLEAR;

function readTexts(wanted: Wanted, item: EditableMedia, context: RowContext, change: ItemChange, note: Note): void {
  for (const field of TEXT_FIELDS) {
    const cell = wanted.get(field);
    if (cell === undefined) continue;
    if (isClear(cell.text)) {
      if (ITEM_FIELD[field].isRequired) note('edit.title-empty', cell);
      else change[field] = { kind: 'clear' };
    } else if (ITEM_FIELD[field].kind === 'html' && context.isOnScreen === true) {
      const value = descriptionOfCell(cell.text);
      // Plain text would remove the formatting. The table does not show formatting, so it reports a problem.
      if (hasFormatting(item[field]) && !hasFormatting(value)) note('manifest.formatting-lost', cell);
      else change[field] = { kind: 'set', value };
    } else change[field] = { kind: 'set', value: cell.text };
  }
}

function readTagsOf(wanted: Wanted, item: EditableMedia, change: ItemChange, note: Note): void {
  const cell = wanted.get('tags');
  if (cell === undefined) return;
  const tags = isClear(cell.text) ? [] : readTags(cell.text);
  if (tagsProblem(tags) !== null) {
    note('manifest.tags-limit', cell);
    return;
  }
  const forms = (list: readonly string[]) => list.map(canonicalTag).sort().join('\n');
  if (forms(tags) !== forms(item.tags)) change.tags = { kind: 'replace', tags };
}

function readCollectionOf(wanted: Wanted, item: EditableMedia, context: RowContext, change: ItemChange, note: Note) {
  const cell = wanted.get('collection');
  if (cell === undefined) return;
  if (isClear(cell.text)) {
    note('manifest.cant-clear', cell);
    return;
  }
  const named = readCollection(cell.text);
  const found = 'ref' in named ? context.findCollection(named.ref) : byId(named.id, context);
  if (found.kind === 'none') note('manifest.collection-unknown', cell);
  else if (found.kind === 'several') note('manifest.collection-ambiguous', cell);
  else if (found.id !== item.collectionId) change.collectionId = found.id;
}

function byId(id: string, { hasCollection }: RowContext): CollectionMatch {
  return hasCollection(id) ? { kind: 'one', id } : { kind: 'none' };
}

/**
 * Reads the publication: status and publish time together. A new time alone schedules a draft and moves a scheduled item; for a
 * published item the row must also contain `scheduled`.
 */
function readPublication(wanted: Wanted, item: EditableMedia, context: RowContext, change: ItemChange, note: Note) {
  const statusCell = wanted.get('status');
  const dateCell = wanted.get('publishOn');
  const status = statusCell?.text.trim().toLowerCase() ?? null;
  if (statusCell !== undefined && !['draft', 'scheduled', 'published'].includes(status ?? '')) {
    note(isClear(statusCell.text) ? 'manifest.cant-clear' : 'manifest.status-unknown', statusCell);
    return;
  }
  if (dateCell === undefined) {
    statusOnly(status, item, context, change, statusCell, note);
    return;
  }
  if (isClear(dateCell.text)) {
    if (status === 'draft') change.publication = { kind: 'unpublish' };
    else if (item.status !== 'draft') note('manifest.date-cleared', dateCell);
    return;
  }
  const read = readDate(dateCell.text, context.timeZone);
  if (read.kind === 'problem') {
    note(`manifest.date-${read.problem}`, dateCell);
    return;
  }
  // A new time in the future would hide an item that is public now.
  const hidesItem = item.status === 'published' && status !== 'scheduled';
  if (status === 'draft' || status === 'published' || hidesItem) {
    note('manifest.status-date', dateCell);
    return;
  }
  if (read.at <= context.nowMs) {
    note('manifest.date-passed', dateCell);
    return;
  }
  const isSame = item.status === 'scheduled' && item.publishOn !== null && Date.parse(item.publishOn) === read.at;
  if (!isSame) change.publication = { kind: 'at', at: new Date(read.at).toISOString().replace('.000Z', 'Z') };
}

function statusOnly(
  status: string | null,
  item: EditableMedia,
  { nowMs }: RowContext,
  change: ItemChange,
  cell: { column: number; text: string } | undefined,
  note: Note,
) {
  if (cell === undefined || status === item.status) return;
  if (status === 'draft') change.publication = { kind: 'unpublish' };
  else if (status === 'published') change.publication = { kind: 'now' };
  else {
    const at = item.publishOn === null ? Number.NaN : Date.parse(item.publishOn);
    if (!(at > nowMs)) {
      note('manifest.date-missing', cell);
      return;
    }
    change.publication = { kind: 'at', at: new Date(at).toISOString() };
  }
}
