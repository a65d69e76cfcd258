import { readDuration } from '../library-query/ranges.ts';
import { sortKey } from '../sort-key.ts';
import { type GridModel, withRows } from './grid-model.ts';

/**
 * Returns the table with its rows sorted by the present texts of the focused column: without case and accents, numbers by their value,
 * lengths by their seconds, empty cells last in both directions, equal ones in the order that they have. Changes and their undo stay with their rows.
 */
export function sortRows(model: GridModel, order: 'asc' | 'desc'): GridModel {
  const { column } = model.selection.focus;
  const sign = order === 'asc' ? 1 : -1;
  const rows = model.base.map((base, row) => ({ base, key: keyOf(model.rows[row]?.cells[column] ?? '') }));
  const compare = (one: string, other: string) => {
    if (one === other) return 0;
    if (one === '' || other === '') return one === '' ? 1 : -1;
    return one < other ? -sign : sign;
  };
  return withRows(
    model,
    rows.toSorted((one, other) => compare(one.key, other.key)).map(({ base }) => base),
  );
}

/** `9:30` is shorter than `1:00:00`. */
function keyOf(text: string): string {
  const seconds = text.includes(':') ? readDuration(text) : null;
  return sortKey(seconds === null ? text : String(seconds));
}
