import { type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { canMove, movable, moveUploads } from '../state/move-uploads.ts';
import type { Outline } from '../state/outline/outline.ts';
import { uploadRowAt, useOutline } from '../state/outline/outline-store.ts';
import { useUploads } from '../state/uploads-store.ts';
import { texts } from '../texts.ts';

interface RowDrag {
  index: number;
  /** The row in front of which the dragged rows would land. */
  gap: number;
  x: number;
  y: number;
}

const THRESHOLD_PX = 5;
const EDGE_PX = 60;
const SCROLL_PX = 14;

interface RowDragOptions {
  scroller: RefObject<HTMLDivElement | null>;
  /** Returns the gap nearest to a distance from the top of the list, among the gaps that the row at `index` may move to. */
  gapAt: (index: number, y: number) => number;
  /** Called when rows were dropped in front of the row `gap`. */
  onMove: (index: number, gap: number) => void;
}

/**
 * Lets the user drag rows of a long list to another position. Call `begin` on the mouse-down of a row; `onClick` runs when the
 * mouse did not move. The list scrolls near its edges; Escape cancels the drag.
 */
export function useRowDrag({ scroller, gapAt, onMove }: RowDragOptions) {
  const [drag, setDrag] = useState<RowDrag | null>(null);
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);

  const begin = (event: MouseEvent, index: number, onClick: () => void) => {
    const element = scroller.current;
    if (element === null) return;
    const start = { x: event.clientX, y: event.clientY };
    let at = start;
    let isDragging = false;
    let frame = 0;
    const show = () => {
      const gap = gapAt(index, at.y - element.getBoundingClientRect().top + element.scrollTop);
      setDrag({ index, gap, ...at });
      return gap;
    };
    const scroll = () => {
      const { top, bottom } = element.getBoundingClientRect();
      const step = at.y < top + EDGE_PX ? -SCROLL_PX : at.y > bottom - EDGE_PX ? SCROLL_PX : 0;
      if (step !== 0) {
        element.scrollTop += step;
        show();
      }
      frame = requestAnimationFrame(scroll);
    };
    const onMouseMove = (move: globalThis.MouseEvent) => {
      at = { x: move.clientX, y: move.clientY };
      if (!isDragging && Math.hypot(at.x - start.x, at.y - start.y) < THRESHOLD_PX) return;
      if (!isDragging) frame = requestAnimationFrame(scroll);
      isDragging = true;
      show();
    };
    const end = () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('mousemove', onMouseMove);
      window.removeEventListener('mouseup', onMouseUp);
      window.removeEventListener('keydown', onKeyDown, true);
      stop.current = null;
      setDrag(null);
    };
    const onMouseUp = () => {
      const gap = isDragging ? show() : null;
      end();
      if (gap === null) onClick();
      else onMove(index, gap);
    };
    const onKeyDown = (key: KeyboardEvent) => {
      if (key.key !== 'Escape' || !isDragging) return;
      key.preventDefault();
      key.stopPropagation();
      end();
    };
    stop.current?.();
    stop.current = end;
    window.addEventListener('mousemove', onMouseMove);
    window.addEventListener('mouseup', onMouseUp);
    window.addEventListener('keydown', onKeyDown, true);
  };
  return { drag, begin };
}

/** Uploads in a movable state (`MOVABLE_STATES`) can be dragged inside their batch. */
export function reorderIn(outline: Outline) {
  return {
    canDrag: (index: number) => {
      const place = outline.placeAt(index);
      return place?.kind === 'upload' && place.part === 'rows' && canMove(uploadRowAt(index));
    },
    gapAt: (index: number, y: number) => {
      const section = outline.sectionAt(index);
      if (section === undefined) return index;
      const first = section.first + 1;
      const rows = Math.round((y - outline.topOf(first)) / outline.heights.upload);
      return first + Math.min(section.rows, Math.max(0, rows));
    },
    onMove: (index: number, gap: number) => {
      const section = outline.sectionAt(index);
      if (section !== undefined) void moveUploads(draggedIds(index), section.id, gap - section.first - 1);
    },
  };
}

/** Returns the uploads that a drag of a row moves: when the row is selected, all selected uploads of its batch. */
function draggedIds(index: number): string[] {
  const row = uploadRowAt(index);
  if (row === undefined) return [];
  const { selected } = useOutline.getState();
  if (!selected.has(row.id)) return [row.id];
  const { rows } = useUploads.getState();
  return [...selected].filter((id) => (rows.get(id)?.batchId ?? row.batchId) === row.batchId);
}

export function dragLabel(index: number): string {
  const count = movable(draggedIds(index)).length;
  return count > 1 ? texts.uploads(count) : (uploadRowAt(index)?.title ?? '');
}
