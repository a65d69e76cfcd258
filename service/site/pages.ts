import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../http/problem.ts';
import { hms, parseId, timestamp } from '../http/query.ts';
import { cookieNames, readCookies, sessionUser } from '../oauth/sessions.ts';
import { EMBED_TEMPLATE } from '../resources/embed.ts';
import { encodingsOf, type FileRow, originalsOf } from '../resources/file-row.ts';
import { findMedia, type MediaRow, tagsOf } from '../resources/media-row.ts';
import { escapeHtml } from '../resources/plain-text.ts';
import { signedContentUrl } from '../storage/cdn-url.ts';
import type { Site } from './site.ts';

const STYLE = `
:root{color-scheme:light dark;--bg:#f4f5f7;--ink:#1b1f27;--soft:#5d6675}
@media (prefers-color-scheme:dark){:root{--bg:#14161a;--ink:#eceff4;--soft:#9aa4b2}}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.6 system-ui,sans-serif}
main{max-width:860px;margin:0 auto;padding:32px 24px}
h1{font-size:24px;line-height:1.3;margin:20px 0 4px}
p{white-space:pre-line}.soft{color:var(--soft);margin:0 0 16px}
video,img,iframe{display:block;width:100%;max-height:70vh;background:#000;border:0;border-radius:10px;object-fit:contain}
audio{width:100%}iframe{height:70vh}
body.bare{background:#000}.bare main{max-width:none;padding:0}.bare video,.bare img,.bare iframe{height:100vh;max-height:none;border-radius:0}
`;
const POLICY = `default-src 'none'; media-src 'self'; img-src 'self'; frame-src 'self' https:; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'`;

/** Small real pages behind the view and embed links: they show or play an item to whoever may read it. */
export function registerPages(app: FastifyInstance, site: Site): void {
  app.get('/api2/media/embed-template', () => ({ html: EMBED_TEMPLATE }));
  app.get('/api2/media/:id/view', (request, reply) => redirect(request, reply, 'watch'));
  app.get('/api2/media/:id/embed', (request, reply) => redirect(request, reply, 'embed'));
  app.get('/watch/:id', (request, reply) => show(site, request, reply, false));
  app.get('/embed/:id', (request, reply) => show(site, request, reply, true));
}

function redirect(request: FastifyRequest, reply: FastifyReply, page: string): FastifyReply {
  const id = parseId((request.params as { id: string }).id);
  if (id === undefined) throw notFound('Media item');
  return reply.header('cache-control', 'no-store').redirect(`/${page}/${id}`, 302);
}

function show(site: Site, request: FastifyRequest, reply: FastifyReply, bare: boolean): FastifyReply {
  const id = parseId((request.params as { id: string }).id);
  const media = id === undefined ? undefined : findMedia(site.store, id);
  if (!media || !mayWatch(site, request, media)) throw notFound('Media item');
  if (request.method === 'GET' && !site.settings.current().read_only) countView(site, media.id);
  const player = playerFor(site, media);
  const about = bare
    ? ''
    : `<h1>${escapeHtml(media.title)}</h1>
<p class="soft">${escapeHtml([media.byline, media.publish_on && timestamp(media.publish_on)?.slice(0, 10), media.duration && hms(media.duration), ...tagsOf(media)].filter(Boolean).join(' · '))}</p>
<p>${escapeHtml(media.description_plain)}</p>`;
  return reply
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': POLICY, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    .send(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(media.title)}</title><style>${STYLE}</style></head>
<body${bare ? ' class="bare"' : ''}><main>${player}${about}</main></body></html>
`);
}

/** Views are what `popularity` goes by. */
function countView(site: Site, mediaId: number): void {
  site.store.run('UPDATE media SET views_count = views_count + 1 WHERE id = ?', mediaId);
}

/** Published items are shown to those who hold media-read: everyone through the public group, or who is signed in here. */
function mayWatch(site: Site, request: FastifyRequest, media: MediaRow): boolean {
  const user = sessionUser(site, readCookies(request.headers.cookie).get(cookieNames(site).session));
  const admin =
    user && site.store.get<{ is_admin: number }>('SELECT is_admin FROM users WHERE id = ?', user.id)?.is_admin === 1;
  if (admin) return true;
  const access = user ? site.access.of({ userId: user.id, isAdmin: false }) : site.access.ofPublic();
  const visible = media.status === 'published' || (user && access.may('media-update', media.collection_id));
  return !!visible && access.may('media-read', media.collection_id);
}

function playerFor(site: Site, media: MediaRow): string {
  const main = originalsOf(site.store, media.id).find((row) => row.status === 'complete' && row.type === media.type);
  if (!main) return '<p class="soft">There is nothing to play yet.</p>';
  if (main.embed_url !== null)
    return `<iframe src="${escapeHtml(main.embed_url)}" sandbox="allow-scripts allow-same-origin"></iframe>`;
  const playable = encodingsOf(site.store, main.id).find((row) => row.status === 'complete') ?? main;
  const src = escapeHtml(addressOf(site, playable));
  const title = escapeHtml(media.title);
  switch (main.type) {
    case 'video':
      return `<video controls preload="metadata" src="${src}" aria-label="${title}">${captionTracks(site, media, main)}</video>`;
    case 'audio':
      return `<audio controls preload="metadata" src="${src}" aria-label="${title}"></audio>`;
    case 'image':
      return `<img src="${src}" alt="${title}">`;
    default:
      return `<iframe src="${src}" title="${title}"></iframe>`;
  }
}

function captionTracks(site: Site, media: MediaRow, video: FileRow): string {
  return originalsOf(site.store, media.id)
    .filter((row) => row.type === 'captions' && row.status === 'complete' && row.encoded_from_id === video.id)
    .map((row) => encodingsOf(site.store, row.id)[0] ?? row)
    .map(
      (row) =>
        `<track kind="captions" src="${escapeHtml(addressOf(site, row))}" label="${escapeHtml(row.display_name)}">`,
    )
    .join('');
}

/** Within the page's own site, so that its policy can name it. */
function addressOf(site: Site, row: FileRow): string {
  return signedContentUrl(site, row, 3600).slice(site.baseUrl.length);
}
