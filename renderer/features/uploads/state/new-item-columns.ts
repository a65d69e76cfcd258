import {
  ITEM_FIELD,
  ITEM_FIELDS,
  type ItemField,
  type ItemFields,
  recordOf,
  TEXT_FIELDS,
} from '../../../../shared/item/fields.ts';
import { descriptionCell, descriptionOfCell } from '../../../../shared/model/description.ts';
import type { GridColumn } from '../../../../shared/model/grid/grid-model.ts';
import { itemFieldProblem } from '../../../../shared/model/item-fields.ts';
import { CELL_KINDS, joinTags, readTags } from '../../../../shared/model/manifest/cells.ts';
import { texts } from './texts.ts';

/** The columns of a table of new items, one for each field of an item. Their keys are the names of the fields. */
export const NEW_ITEM_COLUMNS: readonly GridColumn[] = [
  column('title', 250),
  column('tags', 150),
  ...TEXT_FIELDS.filter((field) => field !== 'title').map((field) =>
    column(field, ITEM_FIELD[field].kind === 'html' ? 220 : 150),
  ),
];

function column(field: ItemField, width: number): GridColumn {
  const kind = CELL_KINDS[ITEM_FIELD[field].kind];
  return { key: field, label: texts.columns[field], kind, width, validate: (text) => problemOf(field, text) };
}

function problemOf(field: ItemField, text: string): string | null {
  const problem = itemFieldProblem({ [field]: cellValue(field, text) });
  return problem === null ? null : texts.cells[problem.field][problem.kind];
}

/** Returns the cells of a row by the key of their column. */
export function cellsOf(fields: ItemFields): Record<ItemField, string> {
  const texts = recordOf(TEXT_FIELDS, (field) =>
    ITEM_FIELD[field].kind === 'html' ? descriptionCell(fields[field]) : fields[field],
  );
  return { ...texts, tags: joinTags(fields.tags) };
}

/** Returns the values of changed cells. Cells of other columns are ignored. */
export function newItemFields(cells: Readonly<Record<string, string>>): Partial<ItemFields> {
  const fields = ITEM_FIELDS.flatMap((field) => {
    const text = cells[field];
    return text === undefined ? [] : [[field, cellValue(field, text)]];
  });
  return Object.fromEntries(fields);
}

function cellValue(field: ItemField, text: string): string | string[] {
  switch (ITEM_FIELD[field].kind) {
    case 'tags':
      return readTags(text);
    case 'html':
      return descriptionOfCell(text);
    case 'line':
      return text;
  }
}
