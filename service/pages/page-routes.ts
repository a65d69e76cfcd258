import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TextKey, Texts } from '../languages/texts.ts';
import { encodingsOf, type FileRow, originalsOf } from '../resources/files/file-row.ts';
import { EMBED_TEMPLATE } from '../resources/media/embed.ts';
import { findMedia, type MediaRow, tagsOf } from '../resources/media/media-row.ts';
import { signedContentUrl } from '../signed-urls/content-url.ts';
import { textsOf } from '../site/page-texts.ts';
import type { Site } from '../site/site.ts';
import { escapeHtml } from '../wire/escape-html.ts';
import { inOrder } from '../wire/in-order.ts';
import { notFound } from '../wire/problem.ts';
import { hms, parseId, timestamp } from '../wire/query.ts';
import { browse } from './browse-page.ts';
import { explainMissingPages } from './missing-page.ts';
import { sendViewerPage } from './page-layout.ts';
import { mayPlay, mayWatch, viewerOf } from './viewer.ts';

/**
 * Registers the pages to which the view, embed and browse links lead. The first two show or play an item to viewers who may read
 * it.
 */
export function registerPages(app: FastifyInstance, site: Site): void {
  explainMissingPages(app, site);
  app.get('/api2/media/embed-template', () => ({ html: EMBED_TEMPLATE }));
  app.get('/api2/media/:id/view', (request, reply) => redirect(request, reply, 'watch'));
  app.get('/api2/media/:id/embed', (request, reply) => redirect(request, reply, 'embed'));
  // The address of the library alone leads to a page for people.
  app.get('/', (_request, reply) => reply.redirect('/account', 302));
  app.get('/watch/:id', (request, reply) => show(site, request, reply, false));
  app.get('/embed/:id', (request, reply) => show(site, request, reply, true));
  app.get('/browse/:slug', (request, reply) => browse(site, request, reply));
}

function redirect(request: FastifyRequest, reply: FastifyReply, page: string): FastifyReply {
  const id = parseId((request.params as { id: string }).id);
  if (id === undefined) throw notFound('Media item');
  return reply.header('cache-control', 'no-store').redirect(`/${page}/${id}`, 302);
}

async function show(site: Site, request: FastifyRequest, reply: FastifyReply, bare: boolean): Promise<FastifyReply> {
  const id = parseId((request.params as { id: string }).id);
  const media = id === undefined ? undefined : await findMedia(site.store, id);
  const viewer = await viewerOf(site, request);
  if (!media || !mayWatch(viewer, media)) throw notFound('Media item');
  if (request.method === 'GET' && !site.settings.current().read_only) await countView(site, media.id);
  const texts = textsOf(site, request);
  const player = mayPlay(viewer, media) ? await playerFor(site, texts, media) : note(texts, 'view.not-allowed');
  const body = `<h1>${escapeHtml(media.title)}</h1>
<p class="soft">${escapeHtml([media.byline, media.publish_on && timestamp(media.publish_on)?.slice(0, 10), media.duration && hms(media.duration), ...tagsOf(media)].filter(Boolean).join(' · '))}</p>
<p>${escapeHtml(media.description_plain)}</p>`;
  const hasSpeed = /^<(?:video|audio)/.test(player);
  const content = { title: media.title, body, player: { html: player, hasSpeed } };
  return sendViewerPage(reply, texts, { ...content, contentOrigin: site.blobs.redirect?.origin }, { bare });
}

/** Counts a view of the item; lists sort by this number as `popularity`. */
async function countView(site: Site, mediaId: number): Promise<void> {
  await site.store.run('UPDATE media SET views_count = views_count + 1 WHERE id = ?', mediaId);
}

const note = ({ html }: Texts, key: TextKey) => `<p class="soft">${html(key)}</p>`;

async function playerFor(site: Site, texts: Texts, media: MediaRow): Promise<string> {
  const main = (await originalsOf(site.store, media.id)).find(
    (row) => row.status === 'complete' && row.type === media.type,
  );
  if (!main) return note(texts, 'view.nothing-yet');
  if (main.embed_url !== null)
    return `<iframe src="${escapeHtml(main.embed_url)}" sandbox="allow-scripts allow-same-origin"></iframe>`;
  const playable = (await encodingsOf(site.store, main.id)).find((row) => row.status === 'complete') ?? main;
  const src = escapeHtml(addressOf(site, playable));
  const title = escapeHtml(media.title);
  switch (main.type) {
    case 'video':
      return `<video controls playsinline preload="metadata" src="${src}" aria-label="${title}">${await captionTracks(site, media, main)}</video>`;
    case 'audio':
      return `<audio controls preload="metadata" src="${src}" aria-label="${title}"></audio>`;
    case 'image':
      return `<img src="${src}" alt="${title}">`;
    default:
      return `<iframe src="${src}" title="${title}"></iframe>`;
  }
}

async function captionTracks(site: Site, media: MediaRow, video: FileRow): Promise<string> {
  const captions = (await originalsOf(site.store, media.id)).filter(
    (row) => row.type === 'captions' && row.status === 'complete' && row.encoded_from_id === video.id,
  );
  const shown = async (row: FileRow): Promise<FileRow> => (await encodingsOf(site.store, row.id))[0] ?? row;
  return (await inOrder(captions, shown))
    .map(
      (row) =>
        `<track kind="captions" src="${escapeHtml(addressOf(site, row))}" label="${escapeHtml(row.display_name)}">`,
    )
    .join('');
}

/** Returns the URL of a file on the page's own origin, which its policy permits. */
function addressOf(site: Site, row: FileRow): string {
  return signedContentUrl(site, row, 3600).slice(site.baseUrl.length);
}
