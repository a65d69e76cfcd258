import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Outline, Place } from '../../../stores/uploads/outline/outline.ts';

/** Rows of a list, both ends included. */
export interface RowRange {
  first: number;
  last: number;
}

/** Rows that are rendered above and below the visible ones. */
const OVERSCAN = 5;

/**
 * Returns the rows to render, and keeps the first visible row where it is when rows above it come or go. At the top of the
 * list new rows push the others down, unless `isHeld` says that the user points at one.
 */
export function useVisibleRows(
  scroller: RefObject<HTMLElement | null>,
  outline: Outline,
  isHeld: () => boolean,
): RowRange {
  const [range, setRange] = useState<RowRange>({ first: 0, last: 30 });
  const latest = useRef(outline);
  const anchor = useRef<{ place: Place; offset: number } | null>(null);

  useLayoutEffect(() => {
    latest.current = outline;
    const element = scroller.current;
    if (element === null) return;
    const kept = anchor.current;
    if (kept !== null && (element.scrollTop > 0 || isHeld())) {
      const index = outline.indexOf(kept.place);
      // The row is gone with its collapsed batch: its header takes its place.
      const header = outline.section(kept.place.batchId);
      if (index >= 0) element.scrollTop = outline.topOf(index) + kept.offset;
      else if (header !== undefined && element.scrollTop > header.top) element.scrollTop = header.top;
    }
    measure(element, latest.current, setRange, anchor);
  }, [outline, scroller, isHeld]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const update = () => measure(element, latest.current, setRange, anchor);
    const observer = new ResizeObserver(update);
    observer.observe(element);
    element.addEventListener('scroll', update, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', update);
    };
  }, [scroller]);
  return range;
}

function measure(
  element: HTMLElement,
  outline: Outline,
  setRange: (change: (before: RowRange) => RowRange) => void,
  anchor: { current: { place: Place; offset: number } | null },
): void {
  const { scrollTop, clientHeight } = element;
  const top = Math.max(0, outline.indexAt(scrollTop));
  const bottom = Math.max(top, outline.indexAt(scrollTop + clientHeight));
  const place = outline.placeAt(top);
  anchor.current = place === undefined ? null : { place, offset: scrollTop - outline.topOf(top) };
  const first = Math.max(0, top - OVERSCAN);
  const last = Math.min(outline.count - 1, bottom + OVERSCAN);
  setRange((before) => (before.first === first && before.last === last ? before : { first, last }));
}
