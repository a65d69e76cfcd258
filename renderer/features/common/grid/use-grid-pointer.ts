import { type MouseEvent, useEffect, useRef } from 'react';
import type { GridPlace } from '../../../../shared/model/grid/grid-model.ts';
import { focusCell, selectAllCells, selectWhole } from '../../../../shared/model/grid/grid-selection.ts';
import type { Grid } from './use-grid.ts';

/** How close to an edge a drag scrolls, and by how many pixels for each frame. */
const EDGE = 24;
const SCROLL_STEP = 14;

/** Selects cells, rows and columns by mouse. */
export function useGridPointer(grid: Grid, scroller: React.RefObject<HTMLElement | null>) {
  const stopDrag = useRef<(() => void) | null>(null);
  const current = useRef(grid);
  current.current = grid;
  useEffect(() => () => stopDrag.current?.(), []);

  const dragFrom = (column: number | null, row: number | null) => {
    let pointer: { x: number; y: number } | null = null;
    let frame = 0;
    const extend = () => {
      frame = 0;
      if (pointer === null || scroller.current === null) return;
      const isScrolled = scrollTowards(scroller.current, pointer);
      const place = placeAt(pointer.x, pointer.y);
      if (place !== null) {
        const to = { row: row ?? place.row, column: column ?? place.column };
        const { extent } = current.current.model.selection;
        if (to.row !== extent.row || to.column !== extent.column) {
          current.current.act((model) => focusCell(model, to, { extends: true }));
        }
      }
      if (isScrolled) frame = requestAnimationFrame(extend);
    };
    const onMove = (event: globalThis.MouseEvent) => {
      pointer = { x: event.clientX, y: event.clientY };
      if (frame === 0) frame = requestAnimationFrame(extend);
    };
    const stop = () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('mousemove', onMove);
      window.removeEventListener('mouseup', stop);
      stopDrag.current = null;
    };
    stopDrag.current?.();
    stopDrag.current = stop;
    window.addEventListener('mousemove', onMove);
    window.addEventListener('mouseup', stop);
  };

  const onMouseDown = (event: MouseEvent) => {
    const { target } = event;
    if (!(target instanceof Element) || event.button !== 0) return;
    // A selection by mouse in the text of an edited cell belongs to its text field.
    if (grid.editing !== null && target.matches('textarea')) return;
    const place = gridCellAt(target);
    if (place === null) return;
    event.preventDefault();
    if (grid.editing !== null) grid.commit();
    const { row, column } = place;
    const lastColumn = grid.model.columns.length - 1;
    const lastRow = grid.model.rows.length - 1;
    const options = { extends: event.shiftKey };
    if (column < 0 && row < 0) {
      grid.act(selectAllCells);
    } else if (column < 0) {
      grid.act((model) => selectWhole(focusCell(model, { row, column: 0 }, options), 'rows'));
      dragFrom(lastColumn, null);
    } else if (row < 0) {
      grid.act((model) =>
        selectWhole(focusCell(model, { row: model.selection.focus.row, column }, options), 'columns'),
      );
      dragFrom(null, lastRow);
    } else {
      grid.act((model) => focusCell(model, place, options));
      dragFrom(null, null);
    }
  };

  const onDoubleClick = (event: MouseEvent) => {
    const place = event.target instanceof Element ? gridCellAt(event.target) : null;
    if (place === null || place.row < 0 || place.column < 0 || grid.editing !== null) return;
    if (grid.model.columns[place.column]?.kind !== 'check') grid.beginEdit('edit');
  };

  return { onMouseDown, onDoubleClick };
}

function placeAt(x: number, y: number): GridPlace | null {
  const target = document.elementFromPoint(x, y);
  return target === null ? null : gridCellAt(target);
}

/** Returns the cell of an element. Row -1: a column header. Column -1: a row number. Both: the corner. */
export function gridCellAt(target: Element): GridPlace | null {
  const cell = target.closest('[aria-colindex]');
  const row = cell?.closest('[data-row]')?.getAttribute('data-row');
  if (cell == null || row == null) return null;
  return { row: Number(row), column: Number(cell.getAttribute('aria-colindex')) - 2 };
}

function scrollTowards(scroller: HTMLElement, { x, y }: { x: number; y: number }): boolean {
  const box = scroller.getBoundingClientRect();
  const by = (at: number, from: number, to: number) =>
    at < from + EDGE ? -SCROLL_STEP : at > to - EDGE ? SCROLL_STEP : 0;
  const [left, top] = [by(x, box.left, box.right), by(y, box.top, box.bottom)];
  if (left === 0 && top === 0) return false;
  scroller.scrollBy(left, top);
  return true;
}
