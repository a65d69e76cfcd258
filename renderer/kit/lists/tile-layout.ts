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
