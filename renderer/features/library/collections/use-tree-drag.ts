import { type MouseEvent, type RefObject, useEffect, useRef } from 'react';
import { moveCollections } from '../state/collections/collection-commands.ts';
import { canMoveTo, targetsOf, topmost } from '../state/collections/collection-selection.ts';
import { useCollections } from '../state/collections/collections-store.ts';
import { setExpanded, useTree } from '../state/tree-store.ts';

const THRESHOLD_PX = 5;
const EDGE_PX = 28;
const SCROLL_PX = 8;
const OPEN_AFTER_MS = 700;

/**
 * Drags collections of the tree into another collection. Escape cancels the drag; a pause above a collection expands it; near an
 * edge, the tree scrolls. Returns the handler for a mouse-down on a line, which begins a drag.
 */
export function useTreeDrag(scroller: RefObject<HTMLElement | null>): (event: MouseEvent, id: string) => void {
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);

  return (down, id) => {
    const { rows, marks } = useTree.getState();
    if (down.button !== 0 || (rows.get(id)?.parentId ?? null) === null) return;
    const ids = topmost(rows, targetsOf(marks, id));
    const start = { x: down.clientX, y: down.clientY };
    let at = start;
    let isDragging = false;
    let frame = 0;
    let opening: { id: string; timer: number } | null = null;

    const hover = (over: string | null) => {
      if (opening?.id === over) return;
      if (opening !== null) window.clearTimeout(opening.timer);
      opening =
        over === null ? null : { id: over, timer: window.setTimeout(() => setExpanded(over, true), OPEN_AFTER_MS) };
    };
    const show = () => {
      const line = document.elementFromPoint(at.x, at.y)?.closest<HTMLElement>('[data-collection-id]') ?? null;
      const over = line === null || !scroller.current?.contains(line) ? null : (line.dataset.collectionId ?? null);
      hover(over);
      const overId = over !== null && canMoveTo(useTree.getState().rows, ids, over) ? over : null;
      useCollections.setState({ drag: { ids, overId, ...at } });
    };
    const scroll = () => {
      const element = scroller.current;
      if (element !== null) {
        const { top, bottom } = element.getBoundingClientRect();
        const step = at.y < top + EDGE_PX ? -SCROLL_PX : at.y > bottom - EDGE_PX ? SCROLL_PX : 0;
        if (step !== 0) {
          element.scrollTop += step;
          show();
        }
      }
      frame = requestAnimationFrame(scroll);
    };
    const onMove = (move: globalThis.MouseEvent) => {
      at = { x: move.clientX, y: move.clientY };
      if (!isDragging && Math.hypot(at.x - start.x, at.y - start.y) < THRESHOLD_PX) return;
      if (!isDragging) frame = requestAnimationFrame(scroll);
      isDragging = true;
      show();
    };
    const end = () => {
      cancelAnimationFrame(frame);
      hover(null);
      window.removeEventListener('mousemove', onMove);
      window.removeEventListener('mouseup', onUp);
      window.removeEventListener('keydown', onKey, true);
      stop.current = null;
      if (isDragging) useCollections.setState({ drag: null });
    };
    const onUp = () => {
      const target = useCollections.getState().drag?.overId ?? null;
      const wasDragging = isDragging;
      end();
      if (!wasDragging) return;
      // Without this, the click after the drop would open the collection under the pointer.
      const swallow = (click: globalThis.MouseEvent) => click.stopPropagation();
      window.addEventListener('click', swallow, { capture: true, once: true });
      window.setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 0);
      if (target !== null) void moveCollections(ids, target);
    };
    const onKey = (key: KeyboardEvent) => {
      if (key.key !== 'Escape' || !isDragging) return;
      key.preventDefault();
      key.stopPropagation();
      end();
    };
    stop.current?.();
    stop.current = end;
    window.addEventListener('mousemove', onMove);
    window.addEventListener('mouseup', onUp);
    window.addEventListener('keydown', onKey, true);
  };
}
