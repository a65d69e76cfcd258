import { create } from 'zustand';
import { preferences, savePreferences } from '../app/preferences.ts';

export type MediaLayout = 'list' | 'grid';

/** The width of a tile that the user can choose, in CSS pixels. */
export const TILE_WIDTH = { min: 140, max: 360, step: 20 } as const;

/** How the items of the library are shown. Remembered for the next start. */
export const useMediaLayout = create<{ layout: MediaLayout; tileWidth: number }>(() => {
  const { mediaLayout, tileWidth } = preferences();
  return { layout: mediaLayout, tileWidth };
});

export function showLayout(layout: MediaLayout): void {
  useMediaLayout.setState({ layout });
  savePreferences({ mediaLayout: layout });
}

/** Changes the size of the tiles. `isEnd` false during a drag: remembered at its end only. */
export function resizeTiles(tileWidth: number, isEnd: boolean): void {
  useMediaLayout.setState({ tileWidth });
  if (isEnd) savePreferences({ tileWidth });
}
