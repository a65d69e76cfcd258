import { TEXT_FIELDS } from '../../item/fields.ts';
import { planItem } from '../edits/bulk-change.ts';
import type { EditableMedia } from '../edits/edit-ops.ts';
import type { TableRow } from '../table/table-error.ts';
import { CLEAR, cellOf } from './cells.ts';
import { MANIFEST_FIELDS, type ManifestField, type Mapping } from './fields.ts';
import type { CellProblemCode } from './problems.ts';
import { type RowContext, readRow } from './read-row.ts';

/** The changed cells of one item in a table on the screen. Other cells are omitted; an empty text empties the field. */
export type EditedCells = Readonly<Partial<Record<ManifestField, string>>>;

/** In a table on the screen, descriptions are plain text, and an apostrophe that the user types is part of the text. */
export function editedContext(context: RowContext): RowContext {
  return { ...context, isOnScreen: true, isTyped: true };
}

/** The columns of the rows that `editedRow` returns. */
export const EDITED_MAPPING: Mapping = MANIFEST_FIELDS;

/**
 * Returns the row of a spreadsheet with the same changes: there an empty cell changes nothing, and `<clear>` empties a field. So
 * a table on the screen and a file cause the same edits.
 */
export function editedRow(row: number, item: Pick<EditableMedia, 'id'>, changed: EditedCells): TableRow {
  const cells = MANIFEST_FIELDS.map((field) => {
    if (field === 'id') return `m:${item.id}`;
    const text = changed[field];
    return text === undefined ? '' : text.trim() === '' ? CLEAR : text;
  });
  return { row, line: null, cells };
}

/** A cell that can't be applied. */
interface EditedCellProblem {
  field: ManifestField;
  code: CellProblemCode;
}

/** Returns the problems of the changed cells of an item, as far as they depend on the item alone. */
export function checkEditedCells(
  item: EditableMedia,
  changed: EditedCells,
  context: Pick<RowContext, 'timeZone' | 'nowMs'>,
): EditedCellProblem[] {
  const { cells } = editedRow(1, item, changed);
  const ownContext = editedContext({
    ...context,
    pathOf: () => null,
    // The collections are available in the engine only, which checks them.
    hasCollection: () => true,
    findCollection: () => ({ kind: 'one', id: item.collectionId }),
  });
  const { change, problems } = readRow(cells, EDITED_MAPPING, item, ownContext);
  const found = problems.flatMap(({ column, code }): EditedCellProblem[] => {
    const field = EDITED_MAPPING[column ?? -1];
    return field == null ? [] : [{ field, code }];
  });
  for (const field of TEXT_FIELDS) {
    const wanted = change[field];
    const problem = wanted === undefined ? null : planItem(item, { [field]: wanted }).problem;
    if (problem !== null) found.push({ field, code: `edit.${problem}` });
  }
  return found;
}

/** Returns the texts of an item in a table, without its collection, whose path only the engine knows. */
export function editableCell(
  field: Exclude<ManifestField, 'collection'>,
  item: EditableMedia,
  timeZone: string,
): string {
  return cellOf(field, item, { timeZone, pathOf: () => null, isOnScreen: true });
}
