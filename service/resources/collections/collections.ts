import type { Collection } from '../../../shared/api/collections.ts';
import { PERMISSIONS, type Permission } from '../../../shared/api/permission-sets.ts';
import type { Bindable } from '../../database/store.ts';
import { thumbsOf } from '../../signed-urls/thumb-list.ts';
import type { Call } from '../../site/site.ts';
import { inOrder } from '../../wire/in-order.ts';
import { type Page, type PageLinks, pageLinks } from '../../wire/paging.ts';
import { notFound } from '../../wire/problem.ts';
import { joinsOf, oneOf, param, parseId, type Query, zeroOrOne } from '../../wire/query.ts';
import { type CollectionRow, countMedia, findCollection, renderCollection } from './collection-row.ts';

/** Lists the collections that the caller may read, by name, with the query's filters. */
export async function listCollections(
  call: Call,
  query: Query,
  page: Page,
): Promise<{ items: Collection[]; links: PageLinks }> {
  const permission = param(query, 'permission', oneOf(PERMISSIONS), 'must be the name of a permission');
  const isPodcast = param(query, 'is_podcast', zeroOrOne, 'must be 0 or 1');
  const where: string[] = [];
  const params: Bindable[] = [];
  for (const needed of new Set<Permission>(['collection-read', ...(permission ? [permission] : [])])) {
    const held = (await call.site.access.of(call.caller)).condition(needed)?.('collections.id');
    if (!held) continue;
    where.push(held.sql);
    params.push(...held.params);
  }
  if (isPodcast !== undefined) {
    where.push('is_podcast = ?');
    params.push(isPodcast ? 1 : 0);
  }
  if (query.parent_id) {
    where.push('parent_id = ?');
    params.push(parseId(query.parent_id) ?? -1);
  }
  if (query.display_name) {
    where.push('display_name = ?');
    params.push(query.display_name);
  }
  const rows = await call.site.store.all<CollectionRow>(
    `SELECT * FROM collections ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''}
     ORDER BY display_name COLLATE NOCASE, id LIMIT ? OFFSET ?`,
    ...params,
    page.perPage + 1,
    page.offset,
  );
  const shown = rows.slice(0, page.perPage);
  const counts = await countMedia(
    call,
    shown.map((row) => row.id),
  );
  return {
    items: await inOrder(shown, (row): Promise<Collection> => joined(call, renderCollection(row, counts), query)),
    links: pageLinks('/api2/collections', query, page, rows.length > page.perPage),
  };
}

/** Returns a collection that the caller may read; otherwise throws 404. */
export async function readableCollection(call: Call, idText: string): Promise<CollectionRow> {
  const id = parseId(idText);
  const row = id === undefined ? undefined : await findCollection(call.site.store, id);
  if (!row || !(await call.site.access.of(call.caller)).may('collection-read', row.id)) throw notFound('Collection');
  return row;
}

export async function getCollection(call: Call, idText: string, query: Query = {}): Promise<Collection> {
  const row = await readableCollection(call, idText);
  return await joined(call, renderCollection(row, await countMedia(call, [row.id])), query);
}

type JoinedCollection = Collection & { thumbs?: Awaited<ReturnType<typeof thumbsOf>> };

async function joined(call: Call, collection: Collection, query: Query): Promise<JoinedCollection> {
  if (!joinsOf(query, ['thumbs']).has('thumbs')) return collection;
  return { ...collection, thumbs: await thumbsOf(call.site, 'collections', Number(collection.id)) };
}
