import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import type { MediaQuery } from '../../../../shared/contract/library.ts';
import { isLocalSort } from '../../../../shared/model/local-sorts.ts';
import { classes } from '../../../kit/components/button.tsx';
import { Cell } from '../../../kit/components/list/cell.tsx';
import { COLUMNS, type ColumnId, columnWidthOf, resetWidth, resizeColumn } from '../state/media-columns.ts';
import { sortBy } from '../state/media-store.ts';
import { useSync } from '../state/sync-store.ts';
import { texts } from '../texts.ts';
import styles from './media-list.module.css';

interface MediaHeadProps {
  query: MediaQuery;
  columns: readonly ColumnId[];
}

/**
 * The column headers of the list. They are one stop of the Tab key, at the column that sorts; the left and right arrow keys move
 * between them. A header sorts the list and changes the width of its column.
 */
export function MediaHead({ query, columns }: MediaHeadProps) {
  const isCopied = useSync((state) => state.bySite[query.siteId]?.phase === 'ready');
  const entry = columns.find((id) => COLUMNS[id].sort === query.sort) ?? 'title';
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of a grid that is placed by CSS
    <div role="row" tabIndex={-1} aria-rowindex={1} className={styles.head}>
      <Cell role="columnheader">
        <span className="visually-hidden">{texts.list.columns.type}</span>
      </Cell>
      {columns.map((id) => (
        <ColumnHeader key={id} id={id} query={query} isEntry={id === entry} isCopied={isCopied} />
      ))}
      <Cell role="columnheader">
        <span className="visually-hidden">{texts.row.actions}</span>
      </Cell>
    </div>
  );
}

const STEP = 16;
/** Columns whose values are at the right. */
const NUMBERS: ReadonlySet<ColumnId> = new Set(['length', 'size', 'views', 'likes', 'comments']);

interface ColumnHeaderProps {
  id: ColumnId;
  query: MediaQuery;
  isEntry: boolean;
  isCopied: boolean;
}

function ColumnHeader({ id, query, isEntry, isCopied }: ColumnHeaderProps) {
  const { sort } = COLUMNS[id];
  const label = texts.media.columns[id];
  const isSorted = query.sort === sort;
  const isUp = query.order === 'asc';
  const Arrow = isUp ? ArrowUp : ArrowDown;
  const canSort = !isLocalSort(sort) || isCopied;
  const hint = canSort ? texts.media.columns.sortBy(label) : texts.media.columns.notYetSorted(label);
  const isResizable = id !== 'title';
  const onKeyDown = (event: KeyboardEvent) => {
    const way = event.key === 'ArrowLeft' ? -STEP : event.key === 'ArrowRight' ? STEP : 0;
    if (!event.shiftKey || way === 0 || !isResizable) return;
    // Without Shift, the arrow keys move between the headers.
    event.preventDefault();
    event.stopPropagation();
    resizeColumn(id, columnWidthOf(id) + way, true);
  };
  return (
    <Cell
      role="columnheader"
      className={classes(styles.columnHead, NUMBERS.has(id) && styles.numberHead)}
      sort={isSorted ? (isUp ? 'ascending' : 'descending') : 'none'}
    >
      {isResizable ? <ResizeEdge id={id} /> : null}
      <button
        type="button"
        className={styles.sort}
        tabIndex={isEntry ? 0 : -1}
        title={isResizable ? `${hint} ${texts.media.columns.resize}` : hint}
        data-column={id}
        {...(canSort ? {} : { 'aria-disabled': true })}
        {...(isSorted ? { 'data-sorted': '' } : {})}
        onClick={() => {
          if (canSort) sortBy(sort);
        }}
        onKeyDown={onKeyDown}
      >
        <span className={styles.columnName}>{label}</span>
        {isSorted ? <Arrow size={12} strokeWidth={2.25} aria-hidden /> : null}
      </button>
    </Cell>
  );
}

/**
 * The left edge of a column, which changes its width. The title is to the left and takes the remaining room, so this edge follows
 * the pointer.
 */
function ResizeEdge({ id }: { id: ColumnId }) {
  const start = useRef<{ x: number; width: number } | null>(null);
  const widthAt = ({ clientX }: PointerEvent) => {
    if (start.current === null) return null;
    return start.current.width + start.current.x - clientX;
  };
  return (
    <span
      className={styles.edge}
      aria-hidden
      data-resize={id}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, width: columnWidthOf(id) };
      }}
      onPointerMove={(event) => {
        const width = widthAt(event);
        if (width !== null) resizeColumn(id, width, false);
      }}
      onPointerUp={(event) => {
        const width = widthAt(event);
        start.current = null;
        if (width !== null && width !== columnWidthOf(id)) resizeColumn(id, width, true);
        else resizeColumn(id, columnWidthOf(id), true);
      }}
      onPointerCancel={() => {
        start.current = null;
      }}
      onDoubleClick={() => resetWidth(id)}
    />
  );
}
