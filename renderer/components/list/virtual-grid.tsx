import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { countSelected, isSelected } from '../../lists/selection.ts';
import { classes } from '../button.tsx';
import { RowCheck } from './row-check.tsx';
import rowStyles from './rows.module.css';
import { texts } from './texts.ts';
import { type GridBehaviour, useGridInput } from './use-grid-input.ts';
import { useLineWindow } from './use-line-window.ts';
import styles from './virtual-grid.module.css';

export interface VirtualGridProps extends GridBehaviour {
  label: string;
  rowHeight: number;
  /** The class that lays out the cells of a row. */
  rowClass?: string | undefined;
  columnCount: number;
  head?: ReactNode;
  /** Rows and head are at least as wide, in CSS pixels; a narrower grid scrolls sideways. */
  minWidth?: number;
  /** Changes when another list is shown, so that the grid scrolls to its top. */
  listKey: string;
  /** Called when other rows become visible; both ends are included. */
  onShow: (first: number, last: number) => void;
  /** The row to make visible when the grid appears; -1 for the top. */
  startAt?: number;
  /** Renders the cells of a row: elements with the role gridcell. */
  renderRow: (index: number) => ReactNode;
}

/** Rows drawn above and below the visible ones. */
const OVERSCAN = 2;

/**
 * A grid of any length: only visible rows are in the document. The grid itself has the focus and refers to its current
 * row by aria-activedescendant, so that the focus stays when that row scrolls out of view. Tab enters it once: controls of rows
 * need `tabIndex={-1}` and are reached with the right arrow key; Shift+F10 and a right click open the `RowMenu` of a row.
 */
export function VirtualGrid(props: VirtualGridProps) {
  const { total, rowHeight, selection, onShow, idAt, listKey, minWidth = 0, startAt = -1 } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const gridId = useId();
  const lines = useLineWindow({ scroller, lines: total, lineHeight: rowHeight, overscan: OVERSCAN, listKey, startAt });
  const { first, last } = lines;
  const lastShown = last < 0 ? Math.ceil((lines.viewport.height || 800) / rowHeight) : last;
  useEffect(() => onShow(first, lastShown), [onShow, first, lastShown]);

  const { onKeyDown, rowHandlers, byPointer } = useGridInput(props, {
    columns: 1,
    pageSize: () => Math.max(1, Math.floor(lines.viewport.height / rowHeight) - 1),
    reveal: lines.reveal,
    current: () => document.getElementById(`${gridId}-${selection.focus}`),
  });
  const head = useHead(scroller);
  const hasHead = props.head !== undefined;
  const isFocusDrawn = selection.focus >= first && selection.focus <= last;
  const rows: ReactNode[] = [];
  for (let index = first; index <= last; index += 1) {
    rows.push(
      // biome-ignore lint/a11y/useSemanticElements: see the grid
      <div
        key={index}
        id={`${gridId}-${index}`}
        role="row"
        tabIndex={-1}
        aria-rowindex={index + (hasHead ? 2 : 1)}
        aria-selected={isSelected(selection, idAt(index))}
        {...(index === selection.focus ? { 'data-focus': '' } : {})}
        className={classes(rowStyles.row, styles.row, props.rowClass)}
        style={{ height: rowHeight, transform: `translateY(${lines.topOf(index)}px)` }}
        {...rowHandlers(index)}
      >
        {props.renderRow(index)}
        {props.hasChecks ? <RowCheck /> : null}
      </div>,
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: CSS places the rows, and only visible ones exist
    <div
      role="grid"
      aria-label={props.label}
      aria-rowcount={total + (hasHead ? 1 : 0)}
      aria-colcount={props.columnCount}
      aria-multiselectable={!props.isSingle}
      tabIndex={0}
      className={rowStyles.grid}
      onKeyDown={onKeyDown}
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
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid; a scroller that is no stop of the Tab key */}
      <div
        ref={scroller}
        className={rowStyles.scroller}
        role="rowgroup"
        tabIndex={-1}
        {...(hasHead ? { onScroll: head.follow } : {})}
      >
        <div
          className={classes(rowStyles.sizer, styles.sizer)}
          role="presentation"
          style={{ height: lines.height, minWidth }}
        >
          {rows}
          {total === 0 ? <EmptyRow columnCount={props.columnCount} /> : null}
        </div>
      </div>
    </div>
  );
}

/** Keeps a head above a scroller at the same place sideways; leaves room for the vertical scrollbar. */
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
    /** The head scrolls by itself when one of its buttons gets the focus. */
    onScroll: () => match(ref.current, scroller.current),
    follow: () => match(scroller.current, ref.current),
  };
}

/** What a screen reader finds in a list without rows; a grid must have one. What is visible is the view's own. */
export function EmptyRow({ columnCount }: { columnCount: number }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    <div role="row" tabIndex={-1} className="visually-hidden">
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
      <span role="gridcell" tabIndex={-1} aria-colspan={columnCount}>
        {texts.empty}
      </span>
    </div>
  );
}
