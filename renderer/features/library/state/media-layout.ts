import { create } from 'zustand';
import { preferences, savePreferences } from '../../common/state/preferences.ts';

export type MediaLayout = 'list' | 'grid';

/** The limits of the tile width that the user can choose, in CSS pixels. */
export const TILE_WIDTH = { min: 140, max: 360, step: 20 } as const;

/** The layout in which the items of the library are shown. Stored for the next start. */
export const useMediaLayout = create<{ layout: MediaLayout; tileWidth: number }>(() => {
  const { mediaLayout, tileWidth } = preferences();
  return { layout: mediaLayout, tileWidth };
});

export function showLayout(layout: MediaLayout): void {
  useMediaLayout.setState({ layout });
  savePreferences({ mediaLayout: layout });
}

/** Changes the size of the tiles. During a drag, `isEnd` is false, and the size is not stored yet. */
export function resizeTiles(tileWidth: number, isEnd: boolean): void {
  useMediaLayout.setState({ tileWidth });
  if (isEnd) savePreferences({ tileWidth });
}
