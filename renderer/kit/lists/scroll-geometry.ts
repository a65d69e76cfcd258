// Positions in a list of equal lines that can be higher than a scroll box may be. Browsers limit the height of an element (to 16
// to 33 million device pixels) and end a longer one early, without an error: its last lines can't be reached. Above
// `MAX_SCROLL_HEIGHT` the scroll range is therefore compressed: the box is shorter than its content, and its scroll position is
// mapped to a position in the content.

/** The greatest height of a scroll box in CSS pixels: within the limit at a device pixel ratio of 3. */
export const MAX_SCROLL_HEIGHT = 8_000_000;

export interface ScrollGeometry {
  lines: number;
  /** In CSS pixels, like all lengths here. */
  lineHeight: number;
  /** The visible height of the scroll box. */
  viewport: number;
}

/** `scrollTop`: of the scroll box. `top`: the part of the content at the upper edge of the box. Both are equal unless compressed. */
export interface ScrollPlace {
  scrollTop: number;
  top: number;
}

function contentHeight({ lines, lineHeight }: ScrollGeometry): number {
  return lines * lineHeight;
}

/** Returns the height of the element in the scroll box. */
export function scrollHeightOf(geometry: ScrollGeometry): number {
  return Math.min(contentHeight(geometry), MAX_SCROLL_HEIGHT);
}

export function isCompressed(geometry: ScrollGeometry): boolean {
  return contentHeight(geometry) > MAX_SCROLL_HEIGHT;
}

/** Returns the last possible `top` and the last possible `scrollTop`. */
function ends(geometry: ScrollGeometry): { top: number; scrollTop: number } {
  return {
    top: Math.max(0, contentHeight(geometry) - geometry.viewport),
    scrollTop: Math.max(0, scrollHeightOf(geometry) - geometry.viewport),
  };
}

/** Returns the nearest possible `top`. */
export function withinContent(geometry: ScrollGeometry, top: number): number {
  return Math.min(ends(geometry).top, Math.max(0, top));
}

/** Returns the scroll position for a position in the content, in proportion to the whole. */
export function scrollTopFor(geometry: ScrollGeometry, top: number): number {
  const end = ends(geometry);
  const within = withinContent(geometry, top);
  return isCompressed(geometry) ? (within / end.top) * end.scrollTop : within;
}

/**
 * Returns the position in the content after the box was scrolled to `scrollTop`. In a compressed range a short distance moves the
 * content by as many pixels, so that the wheel and the arrow keys reach every line; a long one (the scrollbar, a jump) moves it
 * in proportion.
 */
export function placeAfterScroll(geometry: ScrollGeometry, before: ScrollPlace, scrollTop: number): ScrollPlace {
  const end = ends(geometry);
  if (!isCompressed(geometry)) return { scrollTop, top: withinContent(geometry, scrollTop) };
  if (scrollTop <= 0) return { scrollTop, top: 0 };
  // Within one pixel of the end counts as the end: the box rounds its scroll position to device pixels.
  if (scrollTop >= end.scrollTop - 1) return { scrollTop, top: end.top };
  const way = scrollTop - before.scrollTop;
  const top = Math.abs(way) <= geometry.viewport ? before.top + way : (scrollTop / end.scrollTop) * end.top;
  return { scrollTop, top: withinContent(geometry, top) };
}

/**
 * Returns true when the scroll box would reach its end long before its content, or vice versa, after many short distances. The
 * caller then sets the scroll position to `scrollTopFor` without moving the content.
 */
export function isNearWrongEnd(geometry: ScrollGeometry, { scrollTop, top }: ScrollPlace): boolean {
  if (!isCompressed(geometry)) return false;
  const end = ends(geometry);
  const margin = 2 * geometry.viewport;
  return (scrollTop < margin && top > 2 * margin) || (end.scrollTop - scrollTop < margin && end.top - top > 2 * margin);
}

/** Returns the `top` that makes `count` lines from `line` on completely visible by the shortest distance. */
export function topToReveal(geometry: ScrollGeometry, top: number, line: number, count = 1): number {
  const from = line * geometry.lineHeight;
  const to = from + count * geometry.lineHeight;
  if (from < top) return from;
  return to > top + geometry.viewport ? Math.min(from, to - geometry.viewport) : top;
}

/** Returns the lines to draw: the visible ones and `overscan` on both sides. `last` is included; -1 without lines. */
export function linesToDraw(geometry: ScrollGeometry, top: number, overscan: number): { first: number; last: number } {
  const { lines, lineHeight, viewport } = geometry;
  const first = Math.max(0, Math.min(lines - 1, Math.floor(top / lineHeight)) - overscan);
  const last = Math.min(lines - 1, Math.ceil((top + viewport) / lineHeight) - 1 + overscan);
  return { first, last };
}
