import { memo, type ReactNode, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { headedLines, type RowHeading } from '../../lists/headed-lines.ts';
import { countSelected, isSelected } from '../../lists/selection.ts';
import { classes } from '../button.tsx';
import { texts } from '../texts.ts';
import { RowCheck } from './cell.tsx';
import { HeadingRow } from './heading-row.tsx';
import { useRowFocus } from './row-controls.ts';
import rowStyles from './rows.module.css';
import { type GridBehavior, useGridInput } from './use-grid-input.ts';
import { useLineWindow, useRowSlots } from './use-line-window.ts';
import styles from './virtual-grid.module.css';

export interface VirtualGridProps extends GridBehavior {
  label: string;
  rowHeight: number;
  /** The class that lays out the cells of a row. */
  rowClass?: string | undefined;
  columnCount: number;
  head?: ReactNode;
  /** Headings of the rows in their order; the first one is that of the first row. */
  headings?: readonly RowHeading[] | undefined;
  /** Minimum width of rows and head, in CSS pixels; a narrower grid scrolls sideways. */
  minWidth?: number;
  /** Changes when another list is shown, so that the grid scrolls to its top. */
  listKey: string;
  /** Called when other rows become visible; both ends are included. */
  onShow: (first: number, last: number) => void;
  /** The row to make visible when the grid appears; -1 for the top. */
  startAt?: number;
  /** Renders the cells of a row: elements with the role gridcell. Rows render again when this function changes. */
  renderRow: (index: number) => ReactNode;
  /** Another number renders all visible rows again with the same `renderRow`. */
  version?: number;
}

/** Rows drawn above and below the visible ones. */
const OVERSCAN = 2;
const NO_HEADINGS: readonly RowHeading[] = [];

/**
 * A grid of any length: only visible rows are in the document. The grid itself has the focus and refers to its current
 * row by aria-activedescendant, so that the focus stays when that row scrolls out of view. Tab enters it once: controls of rows
 * need `tabIndex={-1}` and are reached with the right arrow key; Shift+F10 and a right click open the `RowMenu` of a row.
 */
export function VirtualGrid(props: VirtualGridProps) {
  const { total, rowHeight, selection, onShow, idAt, listKey, minWidth = 0, startAt = -1 } = props;
  const { headings = NO_HEADINGS } = props;
  const headed = useMemo(() => headedLines(total, headings), [total, headings]);
  const scroller = useRef<HTMLDivElement>(null);
  const gridId = useId();
  const lines = useLineWindow({
    scroller,
    lines: headed.count,
    lineHeight: rowHeight,
    overscan: OVERSCAN,
    listKey,
    startAt: startAt < 0 ? -1 : headed.lineOf(startAt),
  });
  const [first, last] = [headed.rowFrom(lines.first), headed.rowUntil(lines.last)];
  const lastShown = last < 0 ? Math.ceil((lines.viewport.height || 800) / rowHeight) : last;
  useEffect(() => onShow(first, lastShown), [onShow, first, lastShown]);

  const { onKeyDown, rowHandlers, byPointer } = useGridInput(props, {
    columns: 1,
    moved: headed.moved,
    pageSize: () => Math.max(1, Math.floor(lines.viewport.height / rowHeight) - 1),
    reveal: (index) => lines.reveal(headed.lineOf(index)),
    current: () => document.getElementById(`${gridId}-${selection.focus}`),
  });
  const head = useHead(scroller);
  const top = headed.headingAt(lines.firstVisible);
  const linesAbove = (props.head === undefined ? 0 : 1) + (top === null ? 0 : 1);
  const hasHead = props.head !== undefined;
  const isFocusDrawn = selection.focus >= first && selection.focus <= last;
  const grid = useRef<HTMLDivElement>(null);
  const noteFocus = useRowFocus(grid, (control) => {
    const row = control.closest<HTMLElement>('[data-index]');
    return row === null ? undefined : idAt(Number(row.dataset.index));
  });
  const slots = useRowSlots(first, last);
  const rows = slots.map(({ slot, index }) => {
    const line = headed.lineOf(index);
    const element = (
      <GridRow
        key={slot}
        id={`${gridId}-${index}`}
        index={index}
        rowIndex={line + linesAbove + 1}
        top={lines.topOf(line)}
        height={rowHeight}
        rowClass={props.rowClass}
        isFocus={index === selection.focus}
        isSelected={isSelected(selection, idAt(index))}
        hasCheck={props.hasChecks ?? false}
        renderRow={props.renderRow}
        version={props.version ?? 0}
      />
    );
    return { line, element };
  });
  const headingRows = headed.headingsIn(lines.first, lines.last).map(({ heading, line }) => {
    const place = { rowIndex: line + linesAbove + 1, height: rowHeight, top: lines.topOf(line) };
    const element = (
      <HeadingRow key={`above-${heading.index}`} heading={heading} columnCount={props.columnCount} {...place} />
    );
    return { line, element };
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: CSS places the rows, and only visible ones exist
    <div
      ref={grid}
      role="grid"
      aria-label={props.label}
      aria-rowcount={headed.rowCount + linesAbove}
      aria-colcount={props.columnCount}
      aria-multiselectable={!props.isSingle}
      tabIndex={0}
      className={rowStyles.grid}
      onKeyDown={onKeyDown}
      onFocus={noteFocus}
      {...(byPointer ? { 'data-pointer': '' } : {})}
      {...(props.hasChecks && countSelected(selection, total) > 1 ? { 'data-several': '' } : {})}
      {...(isFocusDrawn ? { 'aria-activedescendant': `${gridId}-${selection.focus}` } : {})}
    >
      {hasHead ? (
        <div ref={head.ref} className={styles.head} onScroll={head.onScroll} role="presentation">
          <div style={{ minWidth: minWidth + head.barWidth, paddingRight: head.barWidth }} role="presentation">
            {props.head}
          </div>
        </div>
      ) : null}
      {top === null ? null : (
        <HeadingRow heading={top} columnCount={props.columnCount} rowIndex={linesAbove} height={rowHeight} />
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid; a scroller that is no stop of the Tab key */}
      <div
        ref={scroller}
        className={rowStyles.scroller}
        role="rowgroup"
        tabIndex={-1}
        {...rowHandlers}
        {...(hasHead ? { onScroll: head.follow } : {})}
      >
        <div
          className={classes(rowStyles.sizer, styles.sizer)}
          role="presentation"
          style={{ height: lines.height, minWidth }}
        >
          {inOrder(rows, headingRows)}
          {total === 0 ? <EmptyRow columnCount={props.columnCount} /> : null}
        </div>
      </div>
    </div>
  );
}

interface GridRowProps {
  id: string;
  index: number;
  /** The position of the row in the grid, from 1, its head included. */
  rowIndex: number;
  top: number;
  height: number;
  rowClass: string | undefined;
  isFocus: boolean;
  isSelected: boolean;
  hasCheck: boolean;
  renderRow: (index: number) => ReactNode;
  version: number;
}

/** A row. Its props compare by value, so that scrolling renders only the rows that appear. */
const GridRow = memo(function GridRow(props: GridRowProps) {
  const { id, index, rowIndex, top, height, rowClass, isFocus, isSelected, hasCheck, renderRow } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    <div
      id={id}
      role="row"
      tabIndex={-1}
      data-index={index}
      aria-rowindex={rowIndex}
      aria-selected={isSelected}
      {...(isFocus ? { 'data-focus': '' } : {})}
      className={classes(rowStyles.row, styles.row, rowClass)}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      {renderRow(index)}
      {hasCheck ? <RowCheck /> : null}
    </div>
  );
});

interface Line {
  line: number;
  element: ReactNode;
}

/** Returns the lines in the order in which a screen reader reads them. While rows are out of order, headings come last. */
function inOrder(rows: readonly Line[], headings: readonly Line[]): ReactNode[] {
  const areSorted = rows.every(({ line }, at) => at === 0 || line > (rows[at - 1]?.line ?? 0));
  const all = [...rows, ...headings];
  return (areSorted && headings.length > 0 ? all.sort((a, b) => a.line - b.line) : all).map(({ element }) => element);
}

/** Keeps a head above a scroller at the same horizontal position; leaves room for the vertical scrollbar. */
function useHead(scroller: React.RefObject<HTMLDivElement | null>) {
  const ref = useRef<HTMLDivElement>(null);
  const [barWidth, setBarWidth] = useState(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element !== null) setBarWidth(element.offsetWidth - element.clientWidth);
  }, [scroller]);
  const match = (from: HTMLElement | null, to: HTMLElement | null) => {
    if (from !== null && to !== null && from.scrollLeft !== to.scrollLeft) to.scrollLeft = from.scrollLeft;
  };
  return {
    ref,
    barWidth,
    /** The browser scrolls the head when one of its buttons gets the focus: the rows then scroll with it. */
    onScroll: () => match(ref.current, scroller.current),
    follow: () => match(scroller.current, ref.current),
  };
}

/** The row that a screen reader finds in an empty list, because a grid must have one. The view shows the visible text. */
export function EmptyRow({ columnCount }: { columnCount: number }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    <div role="row" tabIndex={-1} className="visually-hidden">
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
      <span role="gridcell" tabIndex={-1} aria-colspan={columnCount}>
        {texts.list.empty}
      </span>
    </div>
  );
}
