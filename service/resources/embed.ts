import type { Site } from '../site/site.ts';

export const DEFAULT_EMBED_WIDTH = 400;
export const DEFAULT_EMBED_HEIGHT = 225;

/** An iframe template with the words that a client replaces. */
export const EMBED_TEMPLATE =
  '<iframe src="URL" width="WIDTH" height="HEIGHT" frameborder="0" allow="fullscreen" allowfullscreen></iframe>';

/** The markup that embeds an item's player, and the player's address. */
export function embedCode(
  site: Site,
  mediaId: number,
  width: number = DEFAULT_EMBED_WIDTH,
  height: number = DEFAULT_EMBED_HEIGHT,
): { html: string; url: string } {
  const url = `${site.baseUrl}/embed/${mediaId}`;
  const html = EMBED_TEMPLATE.replace('URL', url).replace('WIDTH', String(width)).replace('HEIGHT', String(height));
  return { html, url };
}
