import type { Call, Site } from '../../site/site.ts';
import { invalid } from '../../wire/problem.ts';
import { param, type Query, wholeNumber } from '../../wire/query.ts';
import { visibleMedia } from './media-row.ts';

const DEFAULT_WIDTH = 400;
const DEFAULT_HEIGHT = 225;
/** The largest width and height of a player, in pixels. */
export const MAX_SIDE = 10_000;

/** The iframe of the API's template, in which a client replaces the three words in capitals. */
export const EMBED_TEMPLATE =
  '<iframe src="URL" width="WIDTH" height="HEIGHT" frameborder="0" allow="fullscreen" allowfullscreen></iframe>';

/** Returns the markup that embeds an item's player, and the player's URL. */
export function embedCode(site: Site, mediaId: number, width: number = DEFAULT_WIDTH, height: number = DEFAULT_HEIGHT) {
  const url = `${site.baseUrl}/embed/${mediaId}`;
  const html = EMBED_TEMPLATE.replace('URL', url).replace('WIDTH', String(width)).replace('HEIGHT', String(height));
  return { html, url };
}

export async function getEmbedCode(call: Call, idText: string, query: Query) {
  const media = await visibleMedia(call, idText);
  return embedCode(call.site, media.id, side(query, 'width'), side(query, 'height'));
}

function side(query: Query, name: string): number | undefined {
  const pixels = param(query, name, wholeNumber, 'must be a whole number of pixels');
  if (pixels !== undefined && (pixels < 1 || pixels > MAX_SIDE)) {
    throw invalid([{ field: name, message: `must be between 1 and ${MAX_SIDE}` }]);
  }
  return pixels;
}
