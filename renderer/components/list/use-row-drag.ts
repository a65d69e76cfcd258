import { type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react';

export interface RowReorder {
  /** Whether a row may be dragged. */
  canMove: (index: number) => boolean;
  /** Called when a row was dropped in front of the row `gap`; the number of rows means behind the last one. */
  onMove: (index: number, gap: number) => void;
  /** The text at the pointer during a drag. */
  label: (index: number) => string;
}

interface RowDrag {
  index: number;
  gap: number;
  x: number;
  y: number;
}

const THRESHOLD_PX = 5;
const EDGE_PX = 44;
const SCROLL_PX = 14;

interface RowDragOptions {
  scroller: RefObject<HTMLDivElement | null>;
  rowHeight: number;
  total: number;
  reorder: RowReorder | undefined;
}

/**
 * Lets the person drag rows of a long list to another place. Call `begin` on mousedown of a row; `onClick` runs when
 * the mouse did not move. The list scrolls near its edges; Escape cancels the drag.
 */
export function useRowDrag({ scroller, rowHeight, total, reorder }: RowDragOptions) {
  const [drag, setDrag] = useState<RowDrag | null>(null);
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);

  const begin = (event: MouseEvent, index: number, onClick: () => void) => {
    const element = scroller.current;
    if (element === null || reorder === undefined) return;
    const start = { x: event.clientX, y: event.clientY };
    let at = start;
    let isDragging = false;
    let frame = 0;
    const show = () => {
      const y = at.y - element.getBoundingClientRect().top + element.scrollTop;
      const gap = Math.min(total, Math.max(0, Math.round(y / rowHeight)));
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
      else reorder.onMove(index, gap);
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
