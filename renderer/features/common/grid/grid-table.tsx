import { type KeyboardEvent, useCallback, useEffect, useRef } from 'react';
import { clear, fillDown, fillRight, redo, undo } from '../../../../shared/model/grid/grid-changes.ts';
import type { GridModel, GridPlace } from '../../../../shared/model/grid/grid-model.ts';
import {
  focusNextProblem,
  moveFocus,
  rangeOf,
  selectAllCells,
  selectFocus,
  selectWhole,
  sizeOf,
} from '../../../../shared/model/grid/grid-selection.ts';
import { isMac } from '../../../kit/bridge/bridge.ts';
import { classes } from '../../../kit/components/button.tsx';
import rowStyles from '../../../kit/components/list/rows.module.css';
import { useLineWindow, useVisibleColumns } from '../../../kit/components/list/use-line-window.ts';
import { CellInput, isComposing } from './cell-input.tsx';
import { CellMenu, useCellMenu } from './cell-menu.tsx';
import styles from './grid-editor.module.css';
import { GridHead, NUMBER_WIDTH, useColumnWidths } from './grid-head.tsx';
import { type GridKey, gridKey } from './grid-keys.ts';
import { GridRowView } from './grid-row.tsx';
import type { Grid } from './use-grid.ts';
import { useGridPointer } from './use-grid-pointer.ts';

const ROW_HEIGHT = 32;
const HEAD_HEIGHT = 32;
const OVERSCAN = 2;

interface GridTableProps {
  grid: Grid;
  name: string;
  label: string;
  rowLabel: (row: number) => string;
  problemId: string;
  autoFocus: boolean;
  onFind: () => void;
  clipboard: { onCopy: React.ClipboardEventHandler; onPaste: React.ClipboardEventHandler };
}

/** The rows of a grid. Only the visible rows and the focused one are in the document. */
export function GridTable({ grid, name, label, rowLabel, problemId, autoFocus, onFind, clipboard }: GridTableProps) {
  const { model, editing } = grid;
  const scroller = useRef<HTMLDivElement>(null);
  const lines = useLineWindow({
    scroller,
    lines: model.rows.length,
    lineHeight: ROW_HEIGHT,
    overscan: OVERSCAN,
    listKey: '',
    coveredTop: HEAD_HEIGHT,
  });
  const columns = useColumnWidths(name, model.columns);
  const shown = useVisibleColumns(scroller, columns.widths, {
    width: lines.viewport.width,
    offset: NUMBER_WIDTH,
  });
  const pointer = useGridPointer(grid, scroller);
  const { menu, onContextMenu, closeMenu, editAfterwards } = useCellMenu(grid);
  const { focus } = model.selection;
  const { top, left, bottom, right } = rangeOf(model.selection);

  const reveal = useReveal(scroller, lines.reveal, columns.widths);
  // Also when an edit begins: the user may have scrolled away.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => reveal(focus), [reveal, focus, editing]);
  const { focusInput } = grid;
  useEffect(() => {
    if (autoFocus) focusInput();
  }, [autoFocus, focusInput]);

  const run = (key: GridKey) => {
    switch (key.kind) {
      case 'move':
        // `commit` also ends a sequence of Tab keys.
        if (!key.extends) return grid.commit(key.move);
        grid.act((now) => {
          const next = moveFocus(now, key.move, { extends: true });
          reveal(next.selection.extent);
          return next;
        });
        return;
      case 'edit':
        grid.beginEdit('edit');
        return;
      case 'find':
        onFind();
        return;
      case 'resize':
        columns.resizeBy(focus.column, key.by);
        return;
      default:
        grid.act(ACTIONS[key.kind]);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (editing !== null || event.defaultPrevented || isComposing(event)) return;
    const { key, shiftKey: shift, altKey: alt } = event;
    const mod = isMac() ? event.metaKey : event.ctrlKey;
    const page = Math.max(1, Math.floor(lines.viewport.height / ROW_HEIGHT) - 1);
    const command = gridKey({ key, mod, shift, alt }, page);
    if (command === null) return;
    // When no range is selected, Escape is left to the dialog around the grid.
    if (command.kind === 'deselect' && sizeOf(rangeOf(model.selection)).cells === 1) return;
    event.preventDefault();
    event.stopPropagation();
    run(command);
  };

  const drawn: number[] = [];
  for (let row = lines.first; row <= lines.last; row += 1) drawn.push(row);
  if (focus.row < lines.first) drawn.unshift(focus.row);
  else if (focus.row > lines.last && focus.row < model.rows.length) drawn.push(focus.row);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: CSS places the rows, and only visible ones exist */}
      <div
        ref={grid.root as React.RefObject<HTMLDivElement | null>}
        role="grid"
        tabIndex={-1}
        aria-label={label}
        aria-rowcount={model.rows.length + 1}
        aria-colcount={model.columns.length + 1}
        aria-multiselectable
        className={classes(rowStyles.grid, styles.grid)}
        style={columns.style}
        onKeyDown={onKeyDown}
        onCopy={clipboard.onCopy}
        onCut={clipboard.onCopy}
        onPaste={clipboard.onPaste}
        onMouseDown={pointer.onMouseDown}
        onDoubleClick={pointer.onDoubleClick}
        onContextMenu={onContextMenu}
      >
        <div ref={scroller} className={classes(rowStyles.scroller, styles.scroller)} role="presentation">
          <GridHead model={model} columns={columns} left={left} right={right} />
          {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
          <div className={styles.sizer} role="rowgroup" tabIndex={-1} style={{ height: lines.height }}>
            {drawn.map((row) => (
              <DrawnRow
                key={row}
                model={model}
                row={row}
                grid={grid}
                problemId={problemId}
                rowLabel={rowLabel}
                shown={shown}
                top={lines.topOf(row)}
                left={row >= top && row <= bottom ? left : -1}
                right={row >= top && row <= bottom ? right : -1}
              />
            ))}
          </div>
        </div>
      </div>
      {menu === null ? null : <CellMenu grid={grid} place={menu} onEdit={editAfterwards} onClose={closeMenu} />}
    </>
  );
}

const ACTIONS: Readonly<
  Record<Exclude<GridKey['kind'], 'move' | 'edit' | 'find' | 'resize'>, (model: GridModel) => GridModel>
> = {
  'select-all': selectAllCells,
  'select-rows': (model) => selectWhole(model, 'rows'),
  'select-columns': (model) => selectWhole(model, 'columns'),
  deselect: selectFocus,
  clear: (model) => clear(model),
  'fill-down': fillDown,
  'fill-right': fillRight,
  undo,
  redo,
  'next-problem': focusNextProblem,
};

interface DrawnRowProps {
  model: GridModel;
  row: number;
  grid: Grid;
  problemId: string;
  rowLabel: (row: number) => string;
  /** The columns that are drawn. */
  shown: readonly number[];
  top: number;
  left: number;
  right: number;
}

function DrawnRow({ model, row, grid, problemId, rowLabel, shown, top, left, right }: DrawnRowProps) {
  const [state, base] = [model.rows[row], model.base[row]];
  if (state === undefined || base === undefined) return null;
  const { focus } = model.selection;
  const hasFocus = row === focus.row;
  // The column of the field that has the keyboard focus stays rendered, even when it is scrolled out of view.
  const isAside = hasFocus && !shown.includes(focus.column);
  return (
    <GridRowView
      index={row}
      top={top}
      left={left}
      right={right}
      height={ROW_HEIGHT}
      columns={model.columns}
      shown={isAside ? [...shown, focus.column].sort((one, other) => one - other) : shown}
      row={state}
      base={base.cells}
      isReadOnly={base.readOnly === true}
      focus={hasFocus ? focus.column : -1}
      input={
        hasFocus ? <CellInput key={`${row} ${focus.column}`} grid={grid} problemId={problemId} place={focus} /> : null
      }
      label={rowLabel(row)}
    />
  );
}

/** Returns a function that makes a cell visible with the shortest possible scroll. */
function useReveal(
  scroller: React.RefObject<HTMLElement | null>,
  revealLine: (line: number) => void,
  widths: readonly number[],
): (place: GridPlace) => void {
  const latest = useRef(widths);
  latest.current = widths;
  return useCallback(
    ({ row, column }) => {
      revealLine(row);
      const element = scroller.current;
      if (element === null) return;
      if (column === 0) {
        element.scrollLeft = 0;
        return;
      }
      const [first = 0] = latest.current;
      const from = latest.current.slice(0, column).reduce((sum, width) => sum + width, NUMBER_WIDTH);
      const to = from + (latest.current[column] ?? 0);
      // In a narrow grid, the first column scrolls with the others.
      const covered = NUMBER_WIDTH + (isFirstSticky(element) ? first : 0);
      const { scrollLeft, clientWidth } = element;
      if (from - covered < scrollLeft) element.scrollLeft = from - covered;
      else if (to > scrollLeft + clientWidth) element.scrollLeft = Math.min(to - clientWidth, from - covered);
    },
    [revealLine, scroller],
  );
}

function isFirstSticky(scroller: HTMLElement): boolean {
  const first = scroller.querySelector('[role="columnheader"][aria-colindex="2"]');
  return first !== null && getComputedStyle(first).position === 'sticky';
}
