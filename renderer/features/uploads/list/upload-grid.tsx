import { type KeyboardEvent, type MouseEvent, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { classes } from '../../../kit/components/button.tsx';
import {
  modifiersOf,
  NO_MODIFIERS,
  openRowMenu,
  runControlKey,
  runRowKey,
  useRowFocus,
} from '../../../kit/components/list/row-controls.ts';
import rowStyles from '../../../kit/components/list/rows.module.css';
import { EmptyRow } from '../../../kit/components/list/virtual-grid.tsx';
import { type RowCommand, rowCommand } from '../../../kit/lists/row-keys.ts';
import { clickRow, type Modifiers, moveTo, type Selection, toggleOne } from '../../../kit/lists/selection.ts';
import { cancelSelected } from '../state/cancel-uploads.ts';
import { moveSelected } from '../state/move-uploads.ts';
import type { Outline } from '../state/outline/outline.ts';
import {
  currentSelection,
  deselect,
  expandBatch,
  loadRows,
  select,
  selectAllUploads,
  showRows,
  showSkipped,
  uploadIdAt,
  useOutline,
} from '../state/outline/outline-store.ts';
import { useUploads } from '../state/uploads-store.ts';
import { texts } from '../texts.ts';
import styles from './grid.module.css';
import { SectionRows } from './section-rows.tsx';
import { type TreeCommand, treeCommand } from './tree-keys.ts';
import { dragLabel, reorderIn, useRowDrag } from './use-row-drag.ts';
import { useVisibleRows } from './use-visible-rows.ts';

/** The number of columns. Their cells are in `row/upload-row.tsx`, their widths in its CSS. */
const COLUMNS = 7;
/** The height of the selection bar at the bottom of the list. */
const BAR_HEIGHT = 60;

/**
 * The list of batches and their uploads. The grid itself has the keyboard focus and refers to its current row by
 * aria-activedescendant, so that it is one stop of the Tab key, and the focus stays when a row disappears.
 */
export function UploadGrid({ outline }: { outline: Outline }) {
  const grid = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const gridId = useId();
  const isPointerInside = useRef(false);
  const isHeld = useCallback(() => isPointerInside.current, []);
  const { first, last, slots } = useVisibleRows(scroller, outline, isHeld);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has other rows at the same place
  useEffect(() => showRows(first, last), [first, last, outline]);

  const selected = useOutline((state) => state.selected);
  const focus = useOutline((state) => state.focus);
  const tab = useOutline((state) => state.tab);
  // Rows are not React state: this number changes when a row changes.
  useUploads((state) => state.tick);
  // The ring around the current row is for keyboard users only.
  const [byPointer, setByPointer] = useState(false);
  const current = focus === null ? -1 : outline.indexOf(focus);

  const scrollTo = (index: number) => {
    const element = scroller.current;
    if (element === null || index < 0) return;
    const top = outline.topOf(index);
    // The header of the batch covers the top of the list, the selection bar its bottom.
    const above = outline.placeAt(index)?.kind === 'batch' ? 0 : outline.heights.batch;
    const below = useOutline.getState().selected.size > 0 ? BAR_HEIGHT : 0;
    if (top - above < element.scrollTop) element.scrollTop = top - above;
    const bottom = top + outline.heightOf(index) + below;
    if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab begins at its top
  useEffect(() => scroller.current?.scrollTo({ top: 0 }), [tab]);
  const revealed = useOutline((state) => state.revealed);
  useEffect(() => {
    const section = revealed === null ? undefined : outline.section(revealed);
    if (section === undefined) return;
    scroller.current?.scrollTo({ top: section.top });
    const place = { kind: 'batch', batchId: section.id } as const;
    useOutline.setState({ revealed: null, focus: place, anchor: place });
  }, [revealed, outline]);

  /** A row without an id is not loaded yet: it is loaded, then selected, unless the selection changed in the meantime. */
  const selectAt = (index: number, next: (selection: Selection) => Selection, isRange: boolean) => {
    const selection = currentSelection();
    select(next(selection));
    const anchor = isRange ? Math.max(0, selection.anchor) : index;
    if (!isRange && (uploadIdAt(index) !== undefined || outline.placeAt(index)?.kind !== 'upload')) return;
    void loadRows(Math.min(anchor, index), Math.max(anchor, index)).then(() => {
      if (currentSelection().focus === index) select(next(selection));
    });
  };

  const noteFocus = useRowFocus(grid, rowOfControl);
  const reorder = useMemo(() => reorderIn(outline), [outline]);
  const { drag, begin } = useRowDrag({ scroller, ...reorder });

  const pressUpload = (event: MouseEvent, index: number) => {
    const { ids } = currentSelection();
    const id = uploadIdAt(index) ?? '';
    if (event.button !== 0 && !(event.button === 2 && !ids.has(id))) return;
    const modifiers = modifiersOf(event);
    const pick = () => selectAt(index, (from) => clickRow(from, index, modifiers, uploadIdAt), modifiers.shift);
    const isPlain = event.button === 0 && !modifiers.shift && !modifiers.toggle;
    if (!isPlain || !reorder.canDrag(index)) return pick();
    // A drag of a selected row moves the whole selection, so the click selects this row alone only when the mouse did not move.
    const isOneOfMany = ids.size > 1 && ids.has(id);
    if (!isOneOfMany) pick();
    begin(event, index, isOneOfMany ? pick : () => undefined);
  };

  const onMouseDown = (event: MouseEvent) => {
    const index = indexOfEvent(event);
    if (index === null || !event.currentTarget.contains(event.target as Element)) return;
    // The grid keeps the focus: a focused part of a row would disappear with its row.
    event.preventDefault();
    grid.current?.focus({ preventScroll: true });
    setByPointer(true);
    const place = outline.placeAt(index);
    if (place === undefined || (event.target as Element).closest('button, a') !== null) return;
    if (place.kind !== 'upload') {
      useOutline.setState({ focus: place, anchor: place });
      if (event.button === 0) toggle(outline, index);
      return;
    }
    pressUpload(event, index);
  };

  const rowAt = (index: number) => document.getElementById(`${gridId}-${index}`);

  const run = (command: RowCommand, modifiers: Modifiers) => {
    const selection = currentSelection();
    switch (command.kind) {
      case 'move':
        scrollTo(command.to);
        selectAt(command.to, (from) => moveTo(from, command.to, modifiers, uploadIdAt), modifiers.shift);
        return;
      case 'select-all':
        void selectAllUploads();
        return;
      case 'toggle':
        select(toggleOne(selection, selection.focus, uploadIdAt));
        return;
      case 'deselect':
        deselect();
        return;
      case 'activate':
        openRowMenu(rowAt(selection.focus));
        return;
    }
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget) {
      runControlKey(event);
      return;
    }
    setByPointer(false);
    const selection = currentSelection();
    const modifiers = modifiersOf(event);
    const inTree = event.altKey || modifiers.toggle ? null : treeCommand(event.key, selection.focus, outline);
    if (inTree !== null) {
      event.preventDefault();
      if (inTree.kind === 'move') run(inTree, NO_MODIFIERS);
      else apply(inTree);
      return;
    }
    const command = rowCommand(
      { key: event.key, alt: event.altKey, ...modifiers },
      {
        focus: selection.focus,
        total: outline.count,
        pageSize: Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / outline.heights.upload) - 1),
        selectedCount: selection.ids.size,
        isSingle: false,
        canActivate: true,
      },
    );
    if (command !== null) {
      event.preventDefault();
      run(command, modifiers);
    } else if (!runRowKey(event, rowAt(selection.focus))) onOtherKey(event);
  };

  const sections = outline.sectionsIn(first, last);
  return (
    <div
      ref={grid}
      role="treegrid"
      aria-label={texts.title}
      aria-rowcount={outline.count}
      aria-colcount={COLUMNS}
      aria-multiselectable
      aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
      tabIndex={0}
      className={rowStyles.grid}
      onFocus={noteFocus}
      onKeyDown={onKeyDown}
      {...(byPointer ? { 'data-pointer': '' } : {})}
      {...(current < first || current > last ? {} : { 'aria-activedescendant': `${gridId}-${current}` })}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: CSS places the rows, and only visible ones exist */}
      <div
        ref={scroller}
        className={classes(rowStyles.scroller, drag !== null && styles.dragging)}
        role="rowgroup"
        tabIndex={-1}
        onMouseDown={onMouseDown}
        onMouseEnter={() => {
          isPointerInside.current = true;
        }}
        onMouseLeave={() => {
          isPointerInside.current = false;
        }}
        onContextMenu={(event) => {
          const index = indexOfEvent(event);
          // The menu of a row is inside the list in React only, not in the document.
          if (index === null || !event.currentTarget.contains(event.target as Element)) return;
          if (openRowMenu(rowAt(index), { x: event.clientX, y: event.clientY })) event.preventDefault();
        }}
      >
        <div
          className={rowStyles.sizer}
          role="presentation"
          style={{ height: outline.height + (selected.size > 0 ? BAR_HEIGHT : 0) }}
        >
          {sections.map((section) => (
            <SectionRows
              key={section.id}
              gridId={gridId}
              outline={outline}
              section={section}
              position={outline.sections.indexOf(section) + 1}
              slots={slots}
              current={current}
              selected={selected}
            />
          ))}
          {outline.count === 0 ? <EmptyRow columnCount={COLUMNS} /> : null}
          {drag === null ? null : <div className={styles.gap} style={{ top: outline.topOf(drag.gap) }} aria-hidden />}
        </div>
      </div>
      {drag === null ? null : (
        <div className={styles.ghost} style={{ left: drag.x + 14, top: drag.y + 10 }} aria-hidden>
          {dragLabel(drag.index)}
        </div>
      )}
    </div>
  );
}

/** The id of the upload or batch whose row has the control. */
function rowOfControl(control: Element): string | undefined {
  const row = control.closest<HTMLElement>('[data-upload-id], [data-batch]');
  return row?.dataset.uploadId ?? row?.dataset.batch;
}

/** Expands or collapses the part of the list that the header at this row belongs to. */
function toggle(outline: Outline, index: number): void {
  const command = treeCommand('Enter', index, outline);
  if (command !== null) apply(command);
}

function apply(command: TreeCommand): void {
  if (command.kind === 'expand-batch') expandBatch(command.batchId, command.isOpen);
  if (command.kind === 'show-skipped') showSkipped(command.batchId, command.isOpen);
}

/** Delete cancels the selected uploads; Alt with an arrow key moves them through the queue. */
function onOtherKey(event: KeyboardEvent): void {
  if (event.key === 'Delete' || event.key === 'Backspace') cancelSelected();
  else if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
    event.preventDefault();
    void moveSelected(event.key === 'ArrowUp' ? -1 : 1);
  }
}

/** Returns the row of the list in which an event happened; null for none. */
function indexOfEvent(event: MouseEvent): number | null {
  const row = (event.target as Element).closest<HTMLElement>('[data-index]');
  return row === null ? null : Number(row.dataset.index);
}
