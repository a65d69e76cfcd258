import type { Series } from '../../../../shared/contract/series.ts';
import { UNCHECKED } from '../../../../shared/model/grid/cell-text.ts';
import { change } from '../../../../shared/model/grid/grid-changes.ts';
import type { GridModel } from '../../../../shared/model/grid/grid-model.ts';
import { rangeOf } from '../../../../shared/model/grid/grid-selection.ts';
import { localTimeZone } from '../../../../shared/model/local-time-zone.ts';
import { writeLocalDate } from '../../../../shared/model/manifest/dates.ts';
import { seriesProblemText } from '../../../../shared/model/series/series-text.ts';
import { type SeriesTime, seriesTimes } from '../../../../shared/model/series/series-times.ts';

/** The selected rows of a table that can get a publish time, from top to bottom. Rows whose box “add” is cleared are omitted. */
export function rowsToFill(table: GridModel): number[] {
  const { top, bottom } = rangeOf(table.selection);
  const addAt = table.columns.findIndex(({ key }) => key === 'add');
  const rows: number[] = [];
  for (let row = top; row <= bottom; row += 1) {
    const isLeftOut = addAt >= 0 && table.rows[row]?.cells[addAt] === UNCHECKED;
    if (table.rows[row] !== undefined && table.base[row]?.readOnly !== true && !isLeftOut) rows.push(row);
  }
  return rows;
}

/** Returns the times of these rows, or why there are none. `nowMs`: times before it are marked. */
export function planSeriesFill(
  rows: readonly number[],
  series: Series,
  nowMs: number,
): { times: readonly SeriesTime[] } | { reason: string } {
  const found = seriesTimes(series, rows.length, nowMs);
  return 'problem' in found ? { reason: seriesProblemText(found.problem, series) } : { times: found.times };
}

/** Writes times into a column of these rows, as one undo step. */
export function applySeriesFill(
  table: GridModel,
  column: string,
  rows: readonly number[],
  times: readonly SeriesTime[],
): GridModel {
  const at = table.columns.findIndex(({ key }) => key === column);
  const timeZone = localTimeZone();
  return change(table, 'fill', (put) => {
    for (const [index, row] of rows.entries()) {
      const time = times[index];
      if (time !== undefined) put(row, at, writeLocalDate(time.at, timeZone));
    }
  });
}
