import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useRowSlots } from '../../../kit/components/list/use-line-window.ts';
import type { RowSlot } from '../../../kit/lists/row-slots.ts';
import type { Outline, OutlinePlace } from '../state/outline/outline.ts';

/** Rows of a list, both ends included. */
interface Rows {
  first: number;
  last: number;
}

/** Rows of a list, and the elements that show them. */
export interface VisibleRows extends Rows {
  slots: readonly RowSlot[];
}

/** The number of rows that are rendered above and below the visible ones. */
const OVERSCAN = 5;
const AT_FIRST: Rows = { first: 0, last: 30 };

/**
 * Returns the rows to render, and keeps the first visible row at its position on the screen when rows above it are added or
 * removed. At the top of the list, new rows move the others down, unless `isHeld` reports that the pointer is above a row.
 */
export function useVisibleRows(
  scroller: RefObject<HTMLElement | null>,
  outline: Outline,
  isHeld: () => boolean,
): VisibleRows {
  const [rows, setRows] = useState(AT_FIRST);
  const slots = useRowSlots(rows.first, rows.last);
  const latest = useRef(outline);
  const anchor = useRef<{ place: OutlinePlace; offset: number } | null>(null);

  useLayoutEffect(() => {
    latest.current = outline;
    const element = scroller.current;
    if (element === null) return;
    const kept = anchor.current;
    if (kept !== null && (element.scrollTop > 0 || isHeld())) {
      const index = outline.indexOf(kept.place);
      // The row disappeared with its collapsed batch: the header of the batch takes its position.
      const header = outline.section(kept.place.batchId);
      if (index >= 0) element.scrollTop = outline.topOf(index) + kept.offset;
      else if (header !== undefined && element.scrollTop > header.top) element.scrollTop = header.top;
    }
    measure(element, latest.current, setRows, anchor);
  }, [outline, scroller, isHeld]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const update = () => measure(element, latest.current, setRows, anchor);
    const observer = new ResizeObserver(update);
    observer.observe(element);
    element.addEventListener('scroll', update, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', update);
    };
  }, [scroller]);
  return { ...rows, slots };
}

function measure(
  element: HTMLElement,
  outline: Outline,
  setRows: (change: (before: Rows) => Rows) => void,
  anchor: { current: { place: OutlinePlace; offset: number } | null },
): void {
  const { scrollTop, clientHeight } = element;
  const top = Math.max(0, outline.indexAt(scrollTop));
  const bottom = Math.max(top, outline.indexAt(scrollTop + clientHeight));
  const place = outline.placeAt(top);
  anchor.current = place === undefined ? null : { place, offset: scrollTop - outline.topOf(top) };
  const first = Math.max(0, top - OVERSCAN);
  const last = Math.min(outline.count - 1, bottom + OVERSCAN);
  setRows((before) => (before.first === first && before.last === last ? before : { first, last }));
}
