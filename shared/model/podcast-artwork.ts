/** The least and the largest width of artwork that podcast directories accept, in pixels. It has to be square. */
export const ARTWORK = { least: 1400, most: 3000 };

export type ArtworkProblem = 'not-square' | 'too-small' | 'too-large';

/** Returns why podcast directories refuse a picture of this size (pixels) as artwork; empty when they accept it. */
export function artworkProblems({ width, height }: { width: number; height: number }): ArtworkProblem[] {
  return [
    ...(width === height ? [] : (['not-square'] as const)),
    ...(Math.min(width, height) < ARTWORK.least ? (['too-small'] as const) : []),
    ...(Math.max(width, height) > ARTWORK.most ? (['too-large'] as const) : []),
  ];
}
