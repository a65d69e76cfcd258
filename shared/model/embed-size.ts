/** The longest side of an embedded player, in pixels. The API documents only the default size. */
export const MAX_EMBED_SIDE = 10_000;

/** Common sizes of a player on web pages; the first one is the API's default. */
export const EMBED_SIZES = [
  { width: 400, height: 225 },
  { width: 640, height: 360 },
  { width: 1280, height: 720 },
] as const;

/** The most items whose embed codes are made at once. */
export const MAX_EMBED_CODES = 1000;
