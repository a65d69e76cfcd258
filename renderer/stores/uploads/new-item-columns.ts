import { descriptionCell, descriptionOfCell } from '../../../shared/model/description.ts';
import type { GridColumn } from '../../../shared/model/grid/grid-model.ts';
import { ITEM_FIELDS, type ItemFields, itemFieldProblem } from '../../../shared/model/item-fields.ts';
import { joinTags, readTags } from '../../../shared/model/manifest/cells.ts';
import { texts } from './texts.ts';

/** The columns of a table of new items, one for each field of an item. Their keys are the names of the fields. */
export const NEW_ITEM_COLUMNS: readonly GridColumn[] = [
  column('title', 'text', 250),
  column('tags', 'tags', 150),
  column('byline', 'text', 150),
  column('description', 'multiline', 220),
];

function column(field: keyof ItemFields, kind: GridColumn['kind'], width: number): GridColumn {
  return { key: field, label: texts.columns[field], kind, width, validate: (text) => problemOf(field, text) };
}

function problemOf(field: keyof ItemFields, text: string): string | null {
  const problem = itemFieldProblem({ [field]: cellValue(field, text) });
  return problem === null ? null : texts.cells[problem.field][problem.kind];
}

/** Returns the cells of a row by the key of their column. */
export function cellsOf(fields: ItemFields): Record<keyof ItemFields, string> {
  const { title, byline, description, tags } = fields;
  return { title, byline, description: descriptionCell(description), tags: joinTags(tags) };
}

/** Returns the values of changed cells. Cells of other columns are ignored. */
export function fieldsOf(cells: Readonly<Record<string, string>>): Partial<ItemFields> {
  const fields = ITEM_FIELDS.flatMap((field) => {
    const text = cells[field];
    return text === undefined ? [] : [[field, cellValue(field, text)]];
  });
  return Object.fromEntries(fields);
}

function cellValue(field: keyof ItemFields, text: string): string | string[] {
  if (field === 'tags') return readTags(text);
  return field === 'description' ? descriptionOfCell(text) : text;
}
