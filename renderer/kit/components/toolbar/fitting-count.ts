/**
 * Returns how many items of a toolbar fit, from the first one. All lengths are pixels: `widths` of the items, `room` of the
 * toolbar, `gap` between items, `menuWidth` of the button for the rest, which needs no room when everything fits.
 */
export function fittingCount(widths: readonly number[], room: number, gap: number, menuWidth: number): number {
  const all = widths.reduce((sum, width) => sum + width, 0) + gap * Math.max(0, widths.length - 1);
  if (all <= room) return widths.length;
  let used = menuWidth;
  let count = 0;
  for (const width of widths) {
    used += width + gap;
    if (used > room) break;
    count += 1;
  }
  return count;
}
