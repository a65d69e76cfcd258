import { describe, expect, it } from 'vitest';
import { setCell, undo } from '../../../../shared/model/grid/grid-changes.ts';
import { changedRows, createGrid, type GridModel } from '../../../../shared/model/grid/grid-model.ts';
import { focusCell } from '../../../../shared/model/grid/grid-selection.ts';
import { sortRows } from '../../../../shared/model/grid/sort-grid.ts';

const COLUMNS = ['title', 'length'].map((key) => ({ key, label: key, width: 100, kind: 'text' as const }));
const ROWS = [
  { id: 'a', cells: ['Part 10', '1:00:00'] },
  { id: 'b', cells: ['', '9:30'] },
  { id: 'c', cells: ['part 9', '10:00'] },
  { id: 'd', cells: ['Élan', ''] },
];
const ids = (model: GridModel) => model.base.map(({ id }) => id).join('');
const at = (model: GridModel, row: number, column: number) => focusCell(model, { row, column }, { extends: false });

describe('a table that is sorted by a column', () => {
  const grid = createGrid(COLUMNS, ROWS);

  it('has its texts and numbers in order, and empty cells last in both directions', () => {
    expect(ids(sortRows(grid, 'asc'))).toBe('dcab');
    expect(ids(sortRows(grid, 'desc'))).toBe('acdb');
    expect(ids(sortRows(at(grid, 0, 1), 'asc'))).toBe('bcad');
  });

  it('sorts by texts as they are now; changes, their undo and the focus stay with their rows', () => {
    const changed = setCell(at(grid, 0, 0), { row: 0, column: 0 }, 'Zoo');
    const sorted = sortRows(changed, 'asc');
    expect(ids(sorted)).toBe('dcab');
    expect(sorted.selection.focus).toEqual({ row: 2, column: 0 });
    expect(changedRows(sorted)).toEqual([{ id: 'a', cells: { title: 'Zoo' } }]);
    const undone = undo(sorted);
    expect(changedRows(undone)).toEqual([]);
    expect(undone.rows[2]?.cells[0]).toBe('Part 10');
  });
});
