import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type GridCommand, gridCommand } from '../../lists/grid-keys.ts';
import {
  clickRow,
  type IdAt,
  type Modifiers,
  moveTo,
  type Selection,
  selectAll,
  toggleOne,
} from '../../lists/selection.ts';
import { classes } from '../button.tsx';
import { modifiersOf, NO_MODIFIERS, openRowMenu, runControlKey, runRowKey } from './row-controls.ts';
import { texts } from './texts.ts';
import styles from './virtual-grid.module.css';

export interface VirtualGridProps {
  label: string;
  total: number;
  rowHeight: number;
  /** The class that lays out the cells of a row. */
  rowClass?: string | undefined;
  columnCount: number;
  head?: ReactNode;
  /** Changes when another list is shown, so that the grid scrolls to its top. */
  listKey: string;
  idAt: IdAt;
  selection: Selection;
  /** Only one row can be selected: a click or an arrow key replaces the selection. */
  isSingle?: boolean;
  onSelect: (selection: Selection) => void;
  /** Called when other rows become visible; both ends are included. */
  onShow: (first: number, last: number) => void;
  /** Loads the rows of a range selection that are not loaded. */
  onReach: (first: number, last: number) => Promise<void>;
  /** Returns the ids of all rows, for lists that can be too long to load. null when that failed. */
  onSelectAll?: () => Promise<ReadonlySet<string> | null>;
  onActivate?: (index: number) => void;
  /** Called for keys that the grid does not use; `preventDefault` keeps the grid from entering the row. */
  onKey?: (event: KeyboardEvent) => void;
  /** Renders the cells of a row: elements with the role gridcell. */
  renderRow: (index: number) => ReactNode;
}

/**
 * A grid of any length: only visible rows are in the document. The grid itself has the focus and refers to its current
 * row by aria-activedescendant, so that the focus stays when that row scrolls out of view. Tab enters it once: controls of rows
 * need `tabIndex={-1}` and are reached with the right arrow key; Shift+F10 and a right click open the `RowMenu` of a row.
 */
export function VirtualGrid(props: VirtualGridProps) {
  const { total, rowHeight, selection, onSelect, onShow, idAt, listKey } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const gridId = useId();
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 5,
    useFlushSync: false,
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? Math.ceil((scroller.current?.clientHeight ?? 800) / rowHeight);

  useEffect(() => onShow(first, last), [onShow, first, last]);
  // The head is above the scroller, so it has to leave room for the scrollbar.
  const [barWidth, setBarWidth] = useState(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element !== null) setBarWidth(element.offsetWidth - element.clientWidth);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins at its top
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
  }, [listKey]);

  // The ring around the current row is for keyboard users only.
  const [byPointer, setByPointer] = useState(false);
  const latest = useRef(selection);
  useEffect(() => {
    latest.current = selection;
  }, [selection]);
  // A row without an id is not loaded yet: it is loaded, then selected, unless the selection changed meanwhile.
  const selectAt = (index: number, next: (selection: Selection) => Selection, isRange: boolean) => {
    onSelect(next(selection));
    const anchor = isRange ? Math.max(0, selection.anchor) : index;
    if (!isRange && idAt(index) !== undefined) return;
    void props.onReach(Math.min(anchor, index), Math.max(anchor, index)).then(() => {
      if (latest.current.focus === index) onSelect(next(selection));
    });
  };
  const onRowMouseDown = (event: MouseEvent, index: number) => {
    if (event.button !== 0 && !(event.button === 2 && !selection.ids.has(idAt(index) ?? ''))) return;
    if ((event.target as Element).closest('button, a, input, [role="menu"]') !== null) return;
    // The grid keeps the focus: a focused cell would scroll away with its row.
    event.preventDefault();
    event.currentTarget.closest<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true });
    setByPointer(true);
    const modifiers = props.isSingle ? NO_MODIFIERS : modifiersOf(event);
    selectAt(index, (from) => clickRow(from, index, modifiers, idAt), modifiers.shift);
  };
  const selectAllRows = () => {
    if (props.onSelectAll !== undefined) {
      void props.onSelectAll().then((ids) => {
        if (ids !== null) onSelect({ ids, focus: Math.max(0, latest.current.focus), anchor: 0 });
      });
      return;
    }
    const focus = Math.max(0, selection.focus);
    if (total > 0)
      void props.onReach(0, total - 1).then(() => onSelect(selectAll(total, idAt, { ...selection, focus })));
  };
  const run = (command: GridCommand, modifiers: Modifiers) => {
    switch (command.kind) {
      case 'move':
        virtualizer.scrollToIndex(command.to);
        selectAt(command.to, (from) => moveTo(from, command.to, modifiers, idAt), modifiers.shift);
        return;
      case 'select-all':
        selectAllRows();
        return;
      case 'toggle':
        if (!props.isSingle) onSelect(toggleOne(selection, selection.focus, idAt));
        return;
      case 'deselect':
        onSelect({ ids: new Set(), focus: selection.focus, anchor: -1 });
        return;
      case 'activate':
        props.onActivate?.(selection.focus);
        return;
    }
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget) {
      runControlKey(event);
      return;
    }
    setByPointer(false);
    const modifiers = props.isSingle ? NO_MODIFIERS : modifiersOf(event);
    const command = gridCommand(
      { key: event.key, alt: event.altKey, ...modifiers },
      {
        focus: selection.focus,
        total,
        pageSize: Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowHeight) / rowHeight) - 1),
        selectedCount: selection.ids.size,
        isSingle: props.isSingle ?? false,
        canActivate: props.onActivate !== undefined,
      },
    );
    if (command === null) {
      props.onKey?.(event);
      if (!event.defaultPrevented) runRowKey(event, document.getElementById(`${gridId}-${selection.focus}`));
      return;
    }
    event.preventDefault();
    run(command, modifiers);
  };

  const focused = items.some((item) => item.index === selection.focus) ? selection.focus : -1;
  return (
    // biome-ignore lint/a11y/useSemanticElements: CSS places the rows, and only visible ones exist
    <div
      role="grid"
      aria-label={props.label}
      aria-rowcount={total + (props.head === undefined ? 0 : 1)}
      aria-colcount={props.columnCount}
      aria-multiselectable={!props.isSingle}
      tabIndex={0}
      className={styles.grid}
      onKeyDown={onKeyDown}
      {...(byPointer ? { 'data-pointer': '' } : {})}
      {...(focused < 0 ? {} : { 'aria-activedescendant': `${gridId}-${focused}` })}
    >
      {props.head === undefined ? null : (
        <div className={styles.head} style={{ paddingRight: barWidth }}>
          {props.head}
        </div>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid; a scroller that is no stop of the Tab key */}
      <div ref={scroller} className={styles.scroller} role="rowgroup" tabIndex={-1}>
        <div className={styles.sizer} role="presentation" style={{ height: virtualizer.getTotalSize() }}>
          {items.map((item) => (
            // biome-ignore lint/a11y/useSemanticElements: see the grid
            <div
              key={item.key}
              id={`${gridId}-${item.index}`}
              role="row"
              tabIndex={-1}
              aria-rowindex={item.index + (props.head === undefined ? 1 : 2)}
              aria-selected={selection.ids.has(idAt(item.index) ?? '')}
              {...(item.index === selection.focus ? { 'data-focus': '' } : {})}
              className={classes(styles.row, props.rowClass)}
              style={{ height: rowHeight, transform: `translateY(${item.start}px)` }}
              onMouseDown={(event) => onRowMouseDown(event, item.index)}
              onDoubleClick={() => props.onActivate?.(item.index)}
              onContextMenu={(event) => {
                // A menu of this row is a child for React only: a key that reports a context menu there is not for the row.
                if (!event.currentTarget.contains(event.target as Element)) return;
                if (openRowMenu(event.currentTarget, { x: event.clientX, y: event.clientY })) event.preventDefault();
              }}
            >
              {props.renderRow(item.index)}
            </div>
          ))}
          {total === 0 ? <EmptyRow columnCount={props.columnCount} /> : null}
        </div>
      </div>
    </div>
  );
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
