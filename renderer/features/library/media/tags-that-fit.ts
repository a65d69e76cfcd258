/** In CSS pixels, as in `media-list.module.css`: the padding of a tag, its maximum width, the space between tags, and `+12`. */
const PADDING = 14;
const MOST = 120;
const GAP = 4;
const MORE = 28;
/**
 * The assumed width of a letter. It is wider than most letters of the font, because a cut-off tag is worse than a counted one.
 */
const LETTER = 6.4;

/**
 * Returns the number of tags that fit in a column together with the count of the remaining ones; at least one. Estimated from the
 * lengths of the tags, because measuring each row would cost a layout.
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
