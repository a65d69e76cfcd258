import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { visibleColumns } from '../../lists/columns.ts';
import { assignSlots, type RowSlot, sortSlots } from '../../lists/row-slots.ts';
import {
  isCompressed,
  isNearWrongEnd,
  linesToDraw,
  placeAfterScroll,
  type ScrollGeometry,
  type ScrollPlace,
  scrollHeightOf,
  scrollTopFor,
  topToReveal,
  withinContent,
} from '../../lists/scroll-geometry.ts';

interface LineWindowOptions {
  scroller: RefObject<HTMLElement | null>;
  lines: number;
  lineHeight: number;
  overscan: number;
  /** A changed key scrolls to the top. */
  listKey: string;
  /** The line to make visible at first; -1 for the top. */
  startAt?: number;
  /** Pixels at the top of the scroll box that a sticky head covers. */
  coveredTop?: number;
}

interface LineWindow {
  /** The lines to draw; `last` is inclusive; -1 when there are no lines. */
  first: number;
  last: number;
  /** The height of the element that contains the lines. */
  height: number;
  /** The visible size of the scroll box without its head, in CSS pixels; 0 before the first layout. */
  viewport: { width: number; height: number };
  /** Returns the position of a line in the element that contains the lines. */
  topOf(line: number): number;
  /** The first line of which a part is visible. */
  firstVisible: number;
  /** The first line that is at least half visible. */
  topLine: number;
  /** Scrolls by the shortest distance to make a line visible, or `count` from it on. */
  reveal(line: number, count?: number): void;
  /** Scrolls until a line is the first one. */
  showFirst(line: number): void;
}

/** Time without scrolling after which the scroll position of a compressed range is corrected. */
const REST_MS = 160;
const ASSUMED_HEIGHT = 800;

interface Drawn {
  first: number;
  last: number;
  /** The line at the top of the visible part. */
  top: number;
  /** Added to the position of each line in the content. */
  shift: number;
}

/** The visible lines of a list of equal lines. All positions are computed, so the time does not depend on the number of lines. */
export function useLineWindow({
  scroller,
  lines,
  lineHeight,
  overscan,
  listKey,
  startAt = -1,
  coveredTop = 0,
}: LineWindowOptions): LineWindow {
  const [viewport, setViewport] = useState({ width: 0, height: 0 });
  const geometry: ScrollGeometry = { lines, lineHeight, viewport: viewport.height || ASSUMED_HEIGHT };
  const latest = useRef({ geometry, overscan });
  latest.current = { geometry, overscan };
  const place = useRef<ScrollPlace>({ scrollTop: 0, top: 0 });
  const [, setDrawn] = useState<Drawn>({ first: 0, last: -1, top: 0, shift: 0 });

  /** Draws other lines if the visible ones changed. */
  const draw = useCallback(() => {
    const next = drawnAt(latest.current.geometry, place.current, latest.current.overscan);
    setDrawn((drawn) => (isSame(drawn, next) ? drawn : next));
  }, []);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    let rest: ReturnType<typeof setTimeout> | undefined;
    /** Sets the scroll position that belongs to the content, which is not moved. */
    const align = () => {
      // The box was scrolled and its event has not arrived yet: the event decides which content belongs to the new position.
      if (element.scrollTop !== place.current.scrollTop) return;
      const wanted = scrollTopFor(latest.current.geometry, place.current.top);
      if (Math.abs(wanted - element.scrollTop) < 1) return;
      element.scrollTop = wanted;
      place.current = { scrollTop: element.scrollTop, top: place.current.top };
      // The lines move together with the scroll position, so that the user sees no change.
      flushSync(draw);
    };
    const onScroll = () => {
      const current = latest.current.geometry;
      place.current = placeAfterScroll(current, place.current, element.scrollTop);
      draw();
      if (!isCompressed(current)) return;
      clearTimeout(rest);
      if (isNearWrongEnd(current, place.current)) align();
      else rest = setTimeout(align, REST_MS);
    };
    const measure = () => {
      const { clientWidth: width } = element;
      const height = Math.max(0, element.clientHeight - coveredTop);
      setViewport((size) => (size.width === width && size.height === height ? size : { width, height }));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      clearTimeout(rest);
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller, draw, coveredTop]);

  // When the number or the height of the lines changes, another line belongs to the same scroll position.
  // biome-ignore lint/correctness/useExhaustiveDependencies: these change what belongs to a scroll position
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    place.current = placeAfterScroll(latest.current.geometry, place.current, element.scrollTop);
    draw();
  }, [lines, lineHeight, viewport, overscan, draw, scroller]);

  const scrollTo = useCallback(
    (topOf: (geometry: ScrollGeometry, top: number) => number) => {
      const element = scroller.current;
      const { geometry: current } = latest.current;
      const top = topOf(current, place.current.top);
      if (element === null || top === place.current.top) return;
      element.scrollTop = scrollTopFor(current, top);
      place.current = { scrollTop: element.scrollTop, top };
      draw();
    },
    [scroller, draw],
  );
  const reveal = useCallback(
    (line: number, count = 1) => scrollTo((current, top) => topToReveal(current, top, line, count)),
    [scrollTo],
  );
  const showFirst = useCallback(
    (line: number) => scrollTo((current) => withinContent(current, line * current.lineHeight)),
    [scrollTo],
  );

  // Runs once the size is known: another list starts at its top, the first list at its start line.
  const shownKey = useRef<string | null>(null);
  useEffect(() => {
    if (viewport.height === 0 || shownKey.current === listKey) return;
    const isFirst = shownKey.current === null;
    shownKey.current = listKey;
    if (isFirst && startAt >= 0) showFirst(startAt);
    else scroller.current?.scrollTo({ top: 0 });
  }, [listKey, startAt, viewport, showFirst, scroller]);

  // Computed in this render: `lines` may be fewer than at the stored position.
  const { first, last, top, shift } = drawnAt(geometry, place.current, overscan);
  return {
    first,
    last,
    height: scrollHeightOf(geometry),
    viewport,
    topOf: (line) => line * lineHeight + shift,
    firstVisible: top,
    topLine: Math.round(place.current.top / lineHeight),
    reveal,
    showFirst,
  };
}

function drawnAt(geometry: ScrollGeometry, { scrollTop, top }: ScrollPlace, overscan: number): Drawn {
  const shift = isCompressed(geometry) ? scrollTop - top : 0;
  return { ...linesToDraw(geometry, top, overscan), top: Math.floor(top / geometry.lineHeight), shift };
}

function isSame(one: Drawn, other: Drawn): boolean {
  return one.first === other.first && one.last === other.last && one.top === other.top && one.shift === other.shift;
}

/** How long after the last change the elements get the order of their rows. */
const SETTLES_MS = 150;

/**
 * Returns the elements that show the rows `first..last` (both included) of a long list: an element whose row is no longer visible
 * shows a new one. When the list does not move, the elements are in the order of their rows.
 */
export function useRowSlots(first: number, last: number): readonly RowSlot[] {
  const before = useRef<readonly RowSlot[]>([]);
  const [settled, setSettled] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `settled` changes when `before` was put in order
  const slots = useMemo(() => assignSlots(before.current, first, last), [first, last, settled]);
  useLayoutEffect(() => {
    before.current = slots;
  }, [slots]);
  useEffect(() => {
    if (sortSlots(slots) === slots) return;
    const timer = window.setTimeout(() => {
      before.current = sortSlots(slots);
      setSettled((count) => count + 1);
    }, SETTLES_MS);
    return () => window.clearTimeout(timer);
  }, [slots]);
  return slots;
}

/**
 * Returns the columns of a table that are drawn now: the same array while they are the same. `width`: of the visible part of the
 * table. `offset`: the width of the content before the first column.
 */
export function useVisibleColumns(
  scroller: RefObject<HTMLElement | null>,
  widths: readonly number[],
  { width, offset }: { width: number; offset: number },
): readonly number[] {
  const [drawn, setDrawn] = useState<readonly number[]>(() => [...widths.keys()]);
  const key = widths.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal widths come in a new array each time
  const update = useCallback(() => {
    const left = scroller.current?.scrollLeft ?? 0;
    const next = visibleColumns(widths, { left, width, offset });
    setDrawn((before) => (before.join() === next.join() ? before : next));
  }, [scroller, key, width, offset]);
  useLayoutEffect(() => {
    const element = scroller.current;
    update();
    element?.addEventListener('scroll', update, { passive: true });
    return () => element?.removeEventListener('scroll', update);
  }, [scroller, update]);
  return drawn;
}
