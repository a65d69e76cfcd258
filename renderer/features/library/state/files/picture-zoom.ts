// The size of a picture in the player. All lengths in CSS pixels; a scale of 1 shows one pixel of the picture in one CSS pixel.

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

/** The largest scale: single pixels can be counted. */
export const MOST_SCALE = 8;
/** The scales of the buttons and keys. */
const STEPS = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, MOST_SCALE];
/** Scales that differ less look the same. */
const SAME = 0.001;

/** Returns the scale at which a picture is completely visible, at most 1: a small picture is not enlarged. */
export function fitScale(picture: Size, place: Size): number {
  if (picture.width === 0 || picture.height === 0) return 1;
  return Math.min(1, place.width / picture.width, place.height / picture.height);
}

/** Returns a scale within its limits; null for the one that fits, which follows the size of the window. */
export function limited(scale: number, fit: number): number | null {
  return scale <= fit + SAME ? null : Math.min(scale, MOST_SCALE);
}

/** Returns the next larger (1) or smaller (-1) scale of the steps. `scale` and result: null fits. */
export function stepScale(scale: number | null, fit: number, by: 1 | -1): number | null {
  const now = scale ?? fit;
  const next = by > 0 ? STEPS.find((step) => step > now + SAME) : STEPS.findLast((step) => step < now - SAME);
  return limited(next ?? (by > 0 ? MOST_SCALE : fit), fit);
}

/** Returns the factor of a turn of the wheel. `lines`: the distance is in lines; `pinch`: two fingers on a touchpad. */
export function wheelFactor(deltaY: number, { lines, pinch }: { lines: boolean; pinch: boolean }): number {
  const pixels = Math.max(-240, Math.min(240, lines ? deltaY * 40 : deltaY));
  return Math.exp(-pixels * (pinch ? 0.01 : 0.002));
}

/**
 * Returns the scroll position after a change of the scale from `from` to `to`, so that the point of the picture at `at` stays there,
 * unless an edge of the picture would come into the place. `at`: in the place, from its upper left corner.
 */
export function scrollAfterZoom(
  { at, scroll, picture, place }: { at: Point; scroll: Point; picture: Size; place: Size },
  from: number,
  to: number,
): Point {
  const along = (offset: number, scrolled: number, length: number, room: number) => {
    // A picture that is smaller than its place is in the middle.
    const before = Math.max(0, (room - length * from) / 2);
    const onPicture = (scrolled + offset - before) / from;
    const wanted = onPicture * to + Math.max(0, (room - length * to) / 2) - offset;
    return Math.max(0, Math.min(wanted, length * to - room));
  };
  return {
    x: along(at.x, scroll.x, picture.width, place.width),
    y: along(at.y, scroll.y, picture.height, place.height),
  };
}
