import type { MediaItem } from '../../../shared/api/media.ts';
import type { ItemFileFacts } from '../../../shared/contract/library.ts';
import { type CellContext, cellOf, dateCell } from '../../../shared/model/manifest/cells.ts';
import {
  type ExportColumn,
  type FactColumn,
  HEADERS,
  MANIFEST_FIELDS,
  type ManifestField,
} from '../../../shared/model/manifest/fields.ts';
import type { RowContext } from '../../../shared/model/manifest/read-row.ts';
import type { SelectedItems } from '../edits/commands/plan-selection.ts';
import { LONGEST_XLSX_CELL } from './table/write-xlsx.ts';

const FIELDS: ReadonlySet<string> = new Set(MANIFEST_FIELDS);

/** What this computer's copy of the library knows about the files of items, by their ids. */
export type KnownFiles = ReadonlyMap<string, Partial<ItemFileFacts>>;

interface ExportOptions {
  format: 'csv' | 'xlsx';
  columns: readonly ExportColumn[];
  files: KnownFiles;
}

/**
 * Yields the rows of an export with their header. `onEmptied` is called for each text that is too long for a cell of XLSX. Its cell
 * is empty, and an empty cell changes nothing.
 */
export function* exportRows(
  { items }: SelectedItems,
  context: RowContext,
  { format, columns, files }: ExportOptions,
  onEmptied: () => void,
): Generator<string[], void, undefined> {
  yield columns.map((column) => HEADERS[column]);
  for (const { effective, source } of items) {
    yield columns.map((column) => {
      const text = isField(column)
        ? cellOf(column, effective, context)
        : factOf(column, source, files.get(source.id), context);
      if (format === 'csv' || text.length <= LONGEST_XLSX_CELL) return text;
      onEmptied();
      return '';
    });
  }
}

function isField(column: ExportColumn): column is ManifestField {
  return FIELDS.has(column);
}

/** Returns the text of a fact about an item as an export, or a table on the screen, shows it. Sizes are bytes. */
export function factOf(
  column: FactColumn,
  item: MediaItem,
  files: Partial<ItemFileFacts> | undefined,
  context: Pick<CellContext, 'timeZone' | 'isOnScreen'>,
): string {
  const time = (text: string | null) => (text === null ? '' : dateCell(Date.parse(text), context));
  switch (column) {
    case 'type':
      return item.type ?? '';
    case 'length':
      return item.duration_hms ?? '';
    case 'createdOn':
      return time(item.created_on);
    case 'modifiedOn':
      return time(item.modified_on);
    case 'size':
      return files?.sizeBytes == null ? '' : String(files.sizeBytes);
    case 'captions':
      return files?.hasCaptions === undefined ? '' : files.hasCaptions ? 'yes' : 'no';
    case 'views':
    case 'likes':
    case 'comments':
      return String(item[`${column}_count`]);
  }
}
