/** CSS pixels, as in `media-list.module.css`: the padding of a tag, its greatest width, the space between tags, and `+12`. */
const PADDING = 14;
const MOST = 120;
const GAP = 4;
const MORE = 28;
/** Wider than most letters of the font, because a tag that is cut off is worse than one that is counted. */
const LETTER = 6.4;

/**
 * Returns how many tags have room in a column, beside the count of the others; at least one. By their lengths, because measuring each row
 * would cost a layout.
 */
export function tagsThatFit(tags: readonly string[], width: number): number {
  let used = -GAP;
  for (const [index, tag] of tags.entries()) {
    used += GAP + Math.min(MOST, PADDING + tag.length * LETTER);
    const isLast = index === tags.length - 1;
    if (used + (isLast ? 0 : GAP + MORE) > width) return Math.max(1, index);
  }
  return tags.length;
}
