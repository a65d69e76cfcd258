import { describe, expect, it } from 'vitest';
import {
  applySeriesFill,
  planSeriesFill,
  rowsToFill,
} from '../../../../../../renderer/features/common/state/series-fill.ts';
import { CHECKED, UNCHECKED } from '../../../../../../shared/model/grid/cell-text.ts';
import { undo } from '../../../../../../shared/model/grid/grid-changes.ts';
import { createGrid, type GridColumn, type GridModel } from '../../../../../../shared/model/grid/grid-model.ts';
import { focusCell, selectAllCells } from '../../../../../../shared/model/grid/grid-selection.ts';
import { localTimeZone } from '../../../../../../shared/model/local-time-zone.ts';
import { readDate } from '../../../../../../shared/model/manifest/dates.ts';

const column = (key: string, kind: GridColumn['kind'] = 'text'): GridColumn => ({ key, label: key, width: 100, kind });
const COLUMNS = [column('title'), column('add', 'check'), column('publishOn')];
const ROWS = ['a', 'b', 'c', 'd', 'e'].map((id) => ({
  id,
  cells: [id, id === 'b' ? UNCHECKED : CHECKED, ''],
  readOnly: id === 'd',
}));
const TABLE = createGrid(COLUMNS, ROWS);
const SERIES = {
  first: '2035-10-24T18:00',
  timeZone: 'UTC',
  interval: { unit: 'week' as const, count: 1 },
  skipped: [],
};
const times = (rows: readonly number[]) => {
  const plan = planSeriesFill(rows, SERIES, 0);
  return 'times' in plan ? plan.times : [];
};
const instants = (table: GridModel) =>
  table.rows.map(({ cells }) => {
    const read = readDate(cells[2] ?? '', localTimeZone());
    return read.kind === 'at' ? new Date(read.at).toISOString().slice(0, 16) : null;
  });

describe('a series in a table', () => {
  it('fills the selected rows except read-only ones and those that are left out, as one undo step', () => {
    const rows = rowsToFill(selectAllCells(TABLE));
    expect(rows).toEqual([0, 2, 4]);
    const filled = applySeriesFill(TABLE, 'publishOn', rows, times(rows));
    expect(instants(filled)).toEqual(['2035-10-24T18:00', null, '2035-10-31T18:00', null, '2035-11-07T18:00']);
    expect(filled.last).toEqual({ action: 'fill', changed: 3, readOnly: 0, outside: 0 });
    expect(instants(undo(filled))).toEqual([null, null, null, null, null]);
  });

  it('fills only the rows between the ends of the selection', () => {
    const from = focusCell(TABLE, { row: 1, column: 0 }, { extends: false });
    expect(rowsToFill(focusCell(from, { row: 2, column: 0 }, { extends: true }))).toEqual([2]);
  });

  it('has a reason instead of times when the first date does not exist', () => {
    expect(planSeriesFill([0], { ...SERIES, first: '2035-02-30T18:00' }, 0)).toEqual({
      reason: 'The series needs a first date and time; “2035-02-30 18:00” isn’t one.',
    });
  });
});
