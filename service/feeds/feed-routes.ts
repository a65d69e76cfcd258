import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CollectionRow } from '../resources/collections/collection-row.ts';
import { findMedia } from '../resources/media/media-row.ts';
import { signedContentUrl, signedThumbUrl } from '../signed-urls/content-url.ts';
import type { Site } from '../site/site.ts';
import { notFound } from '../wire/problem.ts';
import { parseId } from '../wire/query.ts';
import { coverOf, feedOf, fileInFeed, hasFeed } from './feed-of-collection.ts';
import { feedXml } from './feed-xml.ts';
import { keptFeed } from './kept-feeds.ts';

/** Seconds for which an app may keep the feed without asking. */
const FRESH_S = 300;
/**
 * Seconds for which the address behind an episode is valid. An app that pauses a download for longer asks for the episode again; and
 * an episode that is no longer published can't be played for longer.
 */
const CONTENT_TTL_S = 3600;

/**
 * Registers the RSS feeds of podcast collections. An addition to the API: feeds exist only where the setting `podcast_feeds` is on, and
 * only for podcasts that visitors without an account may see. Their addresses contain no secret.
 */
export function registerFeeds(app: FastifyInstance, site: Site): void {
  app.get('/feeds/:slug', (request, reply) => sendFeed(site, request, reply));
  app.get('/feeds/:slug/cover', (request, reply) => redirectToCover(site, request, reply));
  app.get('/feeds/:slug/:media/:file', (request, reply) => redirectToFile(site, request, reply));
}

async function sendFeed(site: Site, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const collection = await podcastOf(site, request);
  const { body, etag } = await keptFeed(site.store, collection.id, async () => feedXml(await feedOf(site, collection)));
  reply.headers({ etag, 'cache-control': `public, max-age=${FRESH_S}` });
  if (isSame(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type('application/rss+xml; charset=utf-8').send(body);
}

async function redirectToCover(site: Site, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const cover = await coverOf(site, (await podcastOf(site, request)).id);
  if (cover === undefined) throw notFound('Cover');
  return redirect(reply, signedThumbUrl(site, cover));
}

async function redirectToFile(site: Site, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const collection = await podcastOf(site, request);
  const { media: mediaText, file: name } = request.params as { media: string; file: string };
  const mediaId = parseId(mediaText);
  const fileId = parseId(name.split('.')[0]);
  const media = mediaId === undefined ? undefined : await findMedia(site.store, mediaId);
  const isListed = media?.collection_id === collection.id && media.status === 'published';
  const file = isListed && fileId !== undefined ? await fileInFeed(site, media, fileId) : undefined;
  if (media === undefined || file === undefined) throw notFound('Episode');
  return redirect(reply, signedContentUrl(site, file, CONTENT_TTL_S));
}

function redirect(reply: FastifyReply, address: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(address, 302);
}

/** Returns the podcast of a request; 404 when it has no feed. */
async function podcastOf(site: Site, request: FastifyRequest): Promise<CollectionRow> {
  const { slug } = request.params as { slug: string };
  const row = await site.store.get<CollectionRow>('SELECT * FROM collections WHERE slug = ?', slug);
  if (row === undefined || !(await hasFeed(site, row))) throw notFound('Feed');
  return row;
}

/** Returns whether a header `If-None-Match` names the tag; weak tags count, because a feed has only one form. */
function isSame(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
