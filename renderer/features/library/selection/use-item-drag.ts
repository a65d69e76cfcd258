import { type MouseEvent, useEffect, useRef } from 'react';
import { submitMove, useBulk } from '../state/selection/bulk-store.ts';
import { selectedTarget, type Target } from '../state/selection/media-selection.ts';
import { setExpanded } from '../state/tree-store.ts';

const THRESHOLD_PX = 6;
const EDGE_PX = 28;
const SCROLL_PX = 8;
const OPEN_AFTER_MS = 700;

/**
 * Drags the selected items onto a collection of the tree. Escape cancels the drag; a pause above a collection expands it; near an
 * edge, the tree scrolls. Returns the function for the mouse-down on a row; `onClick` runs when the mouse did not move.
 */
export function useItemDrag(): (down: MouseEvent, onClick: () => void) => void {
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);

  return (down, onClick) => {
    const start = { x: down.clientX, y: down.clientY };
    let at = start;
    /** Read when the drag begins: the mouse-down may have changed the selection. */
    let target: Target | null = null;
    let frame = 0;
    let opening: { id: string; timer: number } | null = null;

    const hover = (over: string | null) => {
      if (opening?.id === over) return;
      if (opening !== null) window.clearTimeout(opening.timer);
      opening =
        over === null ? null : { id: over, timer: window.setTimeout(() => setExpanded(over, true), OPEN_AFTER_MS) };
    };
    const show = () => {
      if (target === null) return;
      const over = collectionAt(at);
      hover(over);
      useBulk.setState({ drag: { target, overId: over, ...at } });
    };
    const scroll = () => {
      if (scrollTree(at)) show();
      frame = requestAnimationFrame(scroll);
    };
    const onMove = (move: globalThis.MouseEvent) => {
      at = { x: move.clientX, y: move.clientY };
      if (target === null) {
        if (Math.hypot(at.x - start.x, at.y - start.y) < THRESHOLD_PX) return;
        target = selectedTarget();
        if (target === null) return end();
        frame = requestAnimationFrame(scroll);
      }
      show();
    };
    const end = () => {
      cancelAnimationFrame(frame);
      hover(null);
      window.removeEventListener('mousemove', onMove);
      window.removeEventListener('mouseup', onUp);
      window.removeEventListener('keydown', onKey, true);
      stop.current = null;
      if (target !== null) useBulk.setState({ drag: null });
    };
    const onUp = () => {
      const dragged = target;
      const over = dragged === null ? null : collectionAt(at);
      end();
      if (dragged === null) return onClick();
      // Without this, the click after the drop would open the collection under the pointer.
      const swallow = (click: globalThis.MouseEvent) => click.stopPropagation();
      window.addEventListener('click', swallow, { capture: true, once: true });
      window.setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 0);
      if (over !== null) void submitMove(dragged, over);
    };
    const onKey = (key: KeyboardEvent) => {
      if (key.key !== 'Escape' || target === null) return;
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

/** The collection of the tree under a point of the window; null for none. */
function collectionAt({ x, y }: { x: number; y: number }): string | null {
  const line = document.elementFromPoint(x, y)?.closest<HTMLElement>('[role="tree"] [data-collection-id]');
  return line?.dataset.collectionId ?? null;
}

/** Scrolls the tree while the pointer is near its upper or lower edge; returns whether it scrolled. */
function scrollTree({ x, y }: { x: number; y: number }): boolean {
  const tree = document.querySelector<HTMLElement>('[role="tree"]');
  if (tree === null) return false;
  const { left, right, top, bottom } = tree.getBoundingClientRect();
  if (x < left || x > right) return false;
  const step = y < top + EDGE_PX ? -SCROLL_PX : y > bottom - EDGE_PX ? SCROLL_PX : 0;
  tree.scrollTop += step;
  return step !== 0;
}
