/** The number of columns up to which all are drawn: omitting some saves less than it costs while the user scrolls sideways. */
export const MOST_WHOLE = 10;
/** The number of columns beside the visible ones, so that a short horizontal scroll draws no new column. */
const OVERSCAN = 1;

/**
 * Returns the indexes of the columns to draw in a table that scrolls sideways: the visible ones, and the first one, which can
 * stay in view. `offset`: the width of the content before the first column. `width` 0: it is not known yet.
 */
export function visibleColumns(
  widths: readonly number[],
  { left, width, offset }: { left: number; width: number; offset: number },
): number[] {
  const all = [...widths.keys()];
  if (widths.length <= MOST_WHOLE || width === 0) return all;
  let at = offset;
  const visible = all.filter((column) => {
    const from = at;
    at += widths[column] ?? 0;
    return at > left && from < left + width;
  });
  const [first = 0, last = 0] = [visible[0], visible.at(-1)];
  return all.filter((column) => column === 0 || (column >= first - OVERSCAN && column <= last + OVERSCAN));
}
