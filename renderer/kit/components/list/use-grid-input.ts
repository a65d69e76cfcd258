import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import type { HeadedLines } from '../../lists/headed-lines.ts';
import { type RowCommand, rowCommand } from '../../lists/row-keys.ts';
import {
  clickRow,
  countSelected,
  type IdAt,
  isSelected,
  type Modifiers,
  moveTo,
  type Selection,
  selectAll,
  selectResults,
  toggleOne,
} from '../../lists/selection.ts';
import { modifiersOf, NO_MODIFIERS, openRowMenu, runControlKey, runRowKey } from './row-controls.ts';

/** The common behavior of a grid of rows and a grid of tiles: selection, keys and menus. */
export interface GridBehavior {
  total: number;
  idAt: IdAt;
  selection: Selection;
  /** Only one row can be selected: a click or an arrow key replaces the selection. */
  isSingle?: boolean;
  onSelect: (selection: Selection) => void;
  /** Loads the rows of a range selection that are not loaded. */
  onReach: (first: number, last: number) => Promise<void>;
  /** Selecting all selects every row of the query, loaded or not, see `Selection.except`. */
  selectsResults?: boolean;
  /** Rows have a box that adds them to the selection by mouse; it is visible at the pointer, and everywhere once several are selected. */
  hasChecks?: boolean;
  /** Called at a mouse-down that may begin a drag of the selected rows; call `onClick` when the mouse did not move. */
  onDragStart?: (event: MouseEvent, onClick: () => void) => void;
  /** Called for Enter and a double-click. */
  onActivate?: (index: number) => void;
  /** Called for Space, which then changes the selection only with Ctrl, ⌘ or Shift. */
  onPreview?: (index: number) => void;
  /** A row to scroll to: a new object each time the view asks for it. */
  revealed?: { index: number } | null;
  /** Replaces the effect of Space on the current row. */
  onToggle?: (index: number) => void;
  /** Called for keys that the grid does not use; after `preventDefault`, the grid does not move the focus into the row. */
  onKey?: (event: KeyboardEvent) => void;
}

interface GridPlaces {
  /** Tiles per line. */
  columns: number;
  /** See `HeadedLines`. */
  moved: HeadedLines['moved'];
  /** Lines that Page Up and Page Down move by. */
  pageSize: () => number;
  reveal: (index: number) => void;
  /** The element of the current row or tile, if it is drawn. */
  current: () => Element | null;
}

/** For the element around all rows or tiles, which have their index as `data-index`. */
interface RowHandlers {
  onMouseDown: (event: MouseEvent) => void;
  onDoubleClick: (event: MouseEvent) => void;
  onContextMenu: (event: MouseEvent) => void;
}

interface GridInput {
  onKeyDown: (event: KeyboardEvent<HTMLDivElement>) => void;
  rowHandlers: RowHandlers;
  /** True after a click: the ring around the current row is for keyboard users only. */
  byPointer: boolean;
}

const CONTROLS = 'button, a, input, [role="menu"]';

/** Selection, keys and menus of a grid, whose element has the focus and refers to its current row by aria-activedescendant. */
export function useGridInput(grid: GridBehavior, places: GridPlaces): GridInput {
  const { columns, moved, pageSize, reveal, current } = places;
  const { total, selection, onSelect, idAt } = grid;
  const [byPointer, setByPointer] = useState(false);
  /** The row of the last single mouse-down: a double-click counts only when both of its clicks were on that row. */
  const pressed = useRef<string | undefined>(undefined);
  const latest = useRef(selection);
  useEffect(() => {
    latest.current = selection;
  }, [selection]);

  const { revealed = null } = grid;
  const seen = useRef(revealed);
  useEffect(() => {
    if (revealed === null || revealed === seen.current) return;
    seen.current = revealed;
    reveal(revealed.index);
  });

  // A row without an id is not loaded yet: it is loaded, then selected, unless the selection changed meanwhile.
  const selectAt = (index: number, next: (selection: Selection) => Selection, isRange: boolean) => {
    onSelect(next(selection));
    const anchor = isRange ? Math.max(0, selection.anchor) : index;
    if (!isRange && idAt(index) !== undefined) return;
    void grid.onReach(Math.min(anchor, index), Math.max(anchor, index)).then(() => {
      if (latest.current.focus === index) onSelect(next(selection));
    });
  };

  const selectAllRows = () => {
    if (grid.selectsResults) return onSelect(selectResults(selection));
    const focus = Math.max(0, selection.focus);
    if (total > 0)
      void grid.onReach(0, total - 1).then(() => onSelect(selectAll(total, idAt, { ...selection, focus })));
  };

  const run = (command: RowCommand, modifiers: Modifiers) => {
    switch (command.kind) {
      case 'move':
        reveal(command.to);
        selectAt(command.to, (from) => moveTo(from, command.to, modifiers, idAt), modifiers.shift);
        return;
      case 'select-all':
        selectAllRows();
        return;
      case 'toggle':
        if (grid.onToggle !== undefined) grid.onToggle(selection.focus);
        else if (!grid.isSingle) onSelect(toggleOne(selection, selection.focus, idAt));
        return;
      case 'deselect':
        onSelect({ ids: new Set(), focus: selection.focus, anchor: -1 });
        return;
      case 'activate':
        grid.onActivate?.(selection.focus);
        return;
      case 'preview':
        grid.onPreview?.(selection.focus);
        return;
    }
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget) {
      runControlKey(event);
      return;
    }
    setByPointer(false);
    const modifiers = grid.isSingle ? NO_MODIFIERS : modifiersOf(event);
    const command = rowCommand(
      { key: event.key, alt: event.altKey, ctrl: event.ctrlKey, ...modifiers },
      {
        focus: selection.focus,
        total,
        columns,
        moved,
        pageSize: pageSize(),
        selectedCount: countSelected(selection, total),
        isSingle: grid.isSingle ?? false,
        canActivate: grid.onActivate !== undefined,
        canPreview: grid.onPreview !== undefined,
      },
    );
    if (command === null) {
      grid.onKey?.(event);
      if (!event.defaultPrevented) runRowKey(event, current());
      return;
    }
    event.preventDefault();
    run(command, modifiers);
  };

  /** Selects a row at a mouse-down that can begin a drag. */
  const beginDrag = (event: MouseEvent, index: number, select: () => void) => {
    // A drag of several rows starts on one of them: a mouse-down on it must not deselect the others.
    const isOneOfMany = countSelected(selection, total) > 1 && isSelected(selection, idAt(index));
    if (grid.onDragStart === undefined || !isOneOfMany) select();
    grid.onDragStart?.(event, isOneOfMany ? select : () => {});
  };

  const rowHandlers: RowHandlers = {
    onMouseDown(event) {
      const index = rowOf(event)?.index;
      if (event.detail < 2) pressed.current = index === undefined ? undefined : idAt(index);
      if (index === undefined) return;
      if (event.button !== 0 && !(event.button === 2 && !isSelected(selection, idAt(index)))) return;
      if ((event.target as Element).closest(CONTROLS) !== null) return;
      // The grid keeps the focus: a focused cell would scroll away with its row.
      event.preventDefault();
      event.currentTarget.closest<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true });
      setByPointer(true);
      const modifiers = grid.isSingle ? NO_MODIFIERS : clickModifiers(event);
      const select = () => selectAt(index, (from) => clickRow(from, index, modifiers, idAt), modifiers.shift);
      if (event.button !== 0 || modifiers.shift || modifiers.toggle) select();
      else beginDrag(event, index, select);
    },
    onDoubleClick(event) {
      const index = rowOf(event)?.index;
      if (index === undefined || (event.target as Element).closest(CONTROLS) !== null || isOnCheck(event)) return;
      // The first click can have been on another list, such as on the collection that this list now shows.
      if (pressed.current === idAt(index)) grid.onActivate?.(index);
    },
    onContextMenu(event) {
      const row = rowOf(event);
      if (row !== null && openRowMenu(row.element, { x: event.clientX, y: event.clientY })) event.preventDefault();
    },
  };

  return { onKeyDown, rowHandlers, byPointer };
}

/**
 * Returns the row or tile of an event; null for an event beside them. The menu of a row is a child of the row in React only, not
 * in the document: its events do not belong to the row.
 */
function rowOf({ target, currentTarget }: MouseEvent): { element: Element; index: number } | null {
  const element = (target as Element).closest<HTMLElement>('[data-index]');
  return element === null || !currentTarget.contains(element)
    ? null
    : { element, index: Number(element.dataset.index) };
}

function isOnCheck(event: MouseEvent): boolean {
  return (event.target as Element).closest('[data-check]') !== null;
}

/** The box of a row adds to the selection or removes from it, like a click with Ctrl. */
function clickModifiers(event: MouseEvent): Modifiers {
  return isOnCheck(event) ? { shift: event.shiftKey, toggle: true } : modifiersOf(event);
}
