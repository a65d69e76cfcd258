import type { CallOutput } from '../../../../../shared/contract/contract.ts';
import { ITEM_FIELD, ITEM_FIELDS, type ItemFieldKind } from '../../../../../shared/item/fields.ts';
import type { CellKind } from '../../../../../shared/model/grid/cell-text.ts';
import type { GridColumn, GridRow } from '../../../../../shared/model/grid/grid-model.ts';
import { CELL_KINDS } from '../../../../../shared/model/manifest/cells.ts';
import { editableCell } from '../../../../../shared/model/manifest/edited-cells.ts';
import { FACT_COLUMNS, type FactColumn, type ManifestField } from '../../../../../shared/model/manifest/fields.ts';
import { texts } from '../texts.ts';

/** The fields of an item that can be edited in a table: the same fields that an import of a spreadsheet can change. */
export type TableField = Exclude<ManifestField, 'id'>;

/** The read-only columns that a table can also show: the export columns that an import ignores, and the id. */
export const TABLE_FACTS = [...FACT_COLUMNS, 'id'] as const;
export type TableFact = (typeof TABLE_FACTS)[number];

const WIDTHS = { line: 180, html: 300, tags: 200 } as const satisfies Record<ItemFieldKind, number>;
const TITLE_WIDTH = 300;

const FIELDS: readonly { key: TableField; kind: CellKind; width: number }[] = [
  ...ITEM_FIELDS.map((key) => {
    const { kind } = ITEM_FIELD[key];
    return { key, kind: CELL_KINDS[kind], width: key === 'title' ? TITLE_WIDTH : WIDTHS[kind] };
  }),
  { key: 'collection', kind: 'choice', width: 220 },
  { key: 'status', kind: 'choice', width: 110 },
  { key: 'publishOn', kind: 'text', width: 180 },
];
export const TABLE_FIELDS: readonly TableField[] = FIELDS.map(({ key }) => key);

const FACT_WIDTHS: Readonly<Record<TableFact, number>> = {
  type: 90,
  length: 90,
  createdOn: 180,
  modifiedOn: 180,
  size: 110,
  captions: 90,
  views: 80,
  likes: 80,
  comments: 90,
  id: 110,
};

const STATUSES = ['draft', 'scheduled', 'published'];

type TableColumn = GridColumn & { key: TableField | TableFact };

/**
 * Returns the columns of the table: all fields, then the chosen facts. `collections`: the paths that the collection column
 * offers.
 */
export function tableColumns(collections: readonly string[], facts: readonly TableFact[]): TableColumn[] {
  const fields = FIELDS.map((column) => ({
    ...column,
    label: texts.table.columns[column.key],
    ...(column.key === 'collection' ? { choices: collections } : {}),
    ...(column.key === 'status' ? { choices: STATUSES } : {}),
  }));
  const shown = facts.map((key) => ({
    key,
    label: texts.table.columns[key],
    width: FACT_WIDTHS[key],
    kind: 'text' as const,
    readOnly: true,
  }));
  return [...fields, ...shown];
}

/** Returns an item as a row of the table. */
export function tableRow(
  { item, collection, facts }: CallOutput<'manifest.table'>['rows'][number],
  columns: readonly TableColumn[],
  timeZone: string,
): GridRow {
  const cells = columns.map(({ key }) => {
    if (key === 'collection') return collection;
    if (key === 'id') return item.id;
    return isFact(key) ? facts[key] : editableCell(key, item, timeZone);
  });
  return { id: item.id, cells };
}

function isFact(key: TableField | TableFact): key is FactColumn {
  return (FACT_COLUMNS as readonly string[]).includes(key);
}

export function isTableFact(key: unknown): key is TableFact {
  return (TABLE_FACTS as readonly unknown[]).includes(key);
}

/** Returns the valid facts in stored data in their order, whatever version of the app wrote the data. */
export function storedFacts(stored: unknown): TableFact[] {
  return Array.isArray(stored) ? TABLE_FACTS.filter((fact) => stored.includes(fact)) : [];
}
