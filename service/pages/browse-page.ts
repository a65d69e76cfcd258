import type { FastifyReply, FastifyRequest } from 'fastify';
import { feedPath, hasFeed } from '../feeds/feed-of-collection.ts';
import { markup, type Texts } from '../languages/texts.ts';
import { browsePath, type CollectionRow } from '../resources/collections/collection-row.ts';
import { type MediaRow, mediaPath } from '../resources/media/media-row.ts';
import { textsOf } from '../site/page-texts.ts';
import type { Site } from '../site/site.ts';
import { escapeHtml } from '../wire/escape-html.ts';
import { notFound } from '../wire/problem.ts';
import { hms, queryOf, timestamp, wholeNumber } from '../wire/query.ts';
import { sendViewerPage } from './page-layout.ts';
import { type Viewer, viewerOf } from './viewer.ts';

const PER_PAGE = 50;

/**
 * Sends the page of a collection: its description, its subcollections and its published items, limited to those that the viewer
 * may see. For viewers without collection-read, the collection does not exist.
 */
export async function browse(site: Site, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { slug } = request.params as { slug: string };
  const row = await site.store.get<CollectionRow>('SELECT * FROM collections WHERE slug = ?', slug);
  const viewer = await viewerOf(site, request);
  if (!row || !viewer.access.may('collection-read', row.id)) throw notFound('Collection');
  const page = Math.max(1, wholeNumber(queryOf(request.query)._p ?? '') ?? 1);
  const texts = textsOf(site, request);
  const body = [
    `<h1>${escapeHtml(row.display_name)}</h1>`,
    row.description_plain ? `<p>${escapeHtml(row.description_plain)}</p>` : '',
    (await hasFeed(site, row))
      ? `<p><a href="${feedPath(row)}" type="application/rss+xml">${texts.html('view.feed')}</a></p>`
      : '',
    await collectionLinks(site, texts, viewer, row),
    await itemLinks(site, texts, viewer, row, page),
  ];
  return sendViewerPage(reply, texts, { title: row.display_name, body: body.join('') });
}

async function collectionLinks(site: Site, { html }: Texts, viewer: Viewer, row: CollectionRow): Promise<string> {
  const isReadable = ({ id }: CollectionRow) => viewer.access.may('collection-read', id);
  const parent =
    row.parent_id === null
      ? []
      : (await site.store.all<CollectionRow>('SELECT * FROM collections WHERE id = ?', row.parent_id)).filter(
          isReadable,
        );
  const children = (
    await site.store.all<CollectionRow>(
      'SELECT * FROM collections WHERE parent_id = ? ORDER BY display_name COLLATE NOCASE, id',
      row.id,
    )
  ).filter(isReadable);
  const link = (each: CollectionRow) => `<a href="${browsePath(each)}">${escapeHtml(each.display_name)}</a>`;
  const up = parent
    .map((each) => `<p class="soft">${html('view.in', { collection: markup(link(each)) })}</p>`)
    .join('');
  if (children.length === 0) return up;
  return `${up}<h2>${html('view.collections')}</h2><ul>${children.map((each) => `<li>${link(each)}</li>`).join('')}</ul>`;
}

async function itemLinks(
  site: Site,
  { html }: Texts,
  viewer: Viewer,
  row: CollectionRow,
  page: number,
): Promise<string> {
  const title = `<h2>${html('view.media')}</h2>`;
  const items = viewer.access.may('media-read', row.id) ? await publishedItems(site, row.id, page) : [];
  if (items.length === 0) return `${title}<p class="soft">${html('view.empty')}</p>`;
  const list = items.slice(0, PER_PAGE).map((item) => {
    const facts = [timestamp(item.publish_on)?.slice(0, 10), item.duration > 0 && hms(item.duration)].filter(Boolean);
    return `<li><a href="${mediaPath(item.id)}/view">${escapeHtml(item.title)}</a><span>${facts.join(' · ')}</span></li>`;
  });
  const links = [
    page > 1 ? `<a href="?_p=${page - 1}">${html('view.newer')}</a>` : '',
    items.length > PER_PAGE ? `<a href="?_p=${page + 1}">${html('view.older')}</a>` : '',
  ];
  return `${title}<ul>${list.join('')}</ul><nav>${links.join('')}</nav>`;
}

/** Returns the published items of a page, newest first, followed by one more item if older ones exist. */
function publishedItems(site: Site, collectionId: number, page: number): Promise<MediaRow[]> {
  return site.store.all<MediaRow>(
    `SELECT * FROM media WHERE collection_id = ? AND status = 'published'
     ORDER BY publish_on DESC NULLS LAST, id DESC LIMIT ? OFFSET ?`,
    collectionId,
    PER_PAGE + 1,
    (page - 1) * PER_PAGE,
  );
}
