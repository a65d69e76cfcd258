import type { CellKind } from '../../../../shared/model/grid/cell-text.ts';
import type { GridColumn } from '../../../../shared/model/grid/grid-model.ts';
import type { ManifestField } from '../../../../shared/model/manifest/fields.ts';
import { texts } from './texts.ts';

/** The fields of an item that can be edited as a table: those that an import of a spreadsheet can change. */
export type TableField = Exclude<ManifestField, 'id'>;

const COLUMNS: readonly { key: TableField; kind: CellKind; width: number }[] = [
  { key: 'title', kind: 'text', width: 300 },
  { key: 'byline', kind: 'text', width: 180 },
  { key: 'description', kind: 'multiline', width: 300 },
  { key: 'tags', kind: 'tags', width: 200 },
  { key: 'collection', kind: 'choice', width: 220 },
  { key: 'status', kind: 'choice', width: 110 },
  { key: 'publishOn', kind: 'text', width: 290 },
];

const STATUSES = ['draft', 'scheduled', 'published'];

/** Returns the columns of the table. `collections`: the paths that it offers. */
export function tableColumns(collections: readonly string[]): (GridColumn & { key: TableField })[] {
  return COLUMNS.map((column) => ({
    ...column,
    label: texts.columns[column.key],
    ...(column.key === 'collection' ? { choices: collections } : {}),
    ...(column.key === 'status' ? { choices: STATUSES } : {}),
  }));
}
