import { type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react';

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
