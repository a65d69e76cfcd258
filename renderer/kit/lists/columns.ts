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

/** How tiles of equal size fill the width of a list. All lengths in CSS pixels. */
export interface TileLayout {
  columns: number;
  tileWidth: number;
  /** The height of the picture of a tile. */
  pictureHeight: number;
  /** The height of a line of tiles, with the gap below it. */
  lineHeight: number;
}

/** The space between tiles and at both sides. */
export const TILE_GAP = 10;

/**
 * Returns the layout for a wanted tile width: as many tiles in a line as come closest to it, with a width that fills the line.
 * With only as many as fit, a narrow list would show one tile of almost twice that width in each line.
 */
export function tileLayout(width: number, wantedWidth: number, textHeight: number): TileLayout {
  const room = Math.max(1, width - TILE_GAP);
  const columns = Math.max(1, Math.round(room / (wantedWidth + TILE_GAP)));
  const tileWidth = Math.max(1, Math.floor(room / columns) - TILE_GAP);
  const pictureHeight = Math.round((tileWidth * 9) / 16);
  return { columns, tileWidth, pictureHeight, lineHeight: pictureHeight + textHeight + TILE_GAP };
}
