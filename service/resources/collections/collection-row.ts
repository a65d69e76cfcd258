import type { Collection } from '../../../shared/api/collections.ts';
import type { Store } from '../../database/store.ts';
import type { Call } from '../../site/site.ts';

export interface CollectionRow {
  id: number;
  parent_id: number | null;
  slug: string;
  display_name: string;
  description: string;
  description_plain: string;
  inherit_memberships: number;
  is_podcast: number;
  autotranscribe_enabled: number;
  autotranscribe_subcollections: number;
  autotranscribe_profile_id: string | null;
}

/** The number of items in each collection that the caller may see; computed once per request. */
export type Counts = ReadonlyMap<number, number>;

export function findCollection(store: Store, id: number): Promise<CollectionRow | undefined> {
  return store.get<CollectionRow>('SELECT * FROM collections WHERE id = ?', id);
}

export function collectionPath(id: number): string {
  return `/api2/collections/${id}`;
}

/** The path of a collection's page. */
export function browsePath({ slug }: Pick<CollectionRow, 'slug'>): string {
  return `/browse/${encodeURIComponent(slug)}`;
}

export function renderCollection(row: CollectionRow, counts: Counts): Collection {
  const self = collectionPath(row.id);
  return {
    id: String(row.id),
    parent_id: row.parent_id === null ? null : String(row.parent_id),
    slug: row.slug,
    display_name: row.display_name,
    description: row.description,
    description_plain: row.description_plain,
    media_count: counts.get(row.id) ?? 0,
    inherit_memberships: row.inherit_memberships === 1,
    is_podcast: row.is_podcast === 1,
    autotranscribe_enabled: row.autotranscribe_enabled === 1,
    autotranscribe_subcollections: row.autotranscribe_subcollections === 1,
    autotranscribe_profile_id: row.autotranscribe_profile_id,
    links: {
      self,
      parent: row.parent_id === null ? null : collectionPath(row.parent_id),
      media: `/api2/media?collection_id=${row.id}`,
      podcast_details: row.is_podcast === 1 ? `${self}/podcast-details` : null,
      thumbs: `${self}/thumbs`,
      view: browsePath(row),
    },
  };
}

/**
 * Counts the items in collections that the caller may see: published items, and others if the caller may edit or publish them, or
 * created them. With `published`, only published items are counted.
 */
export async function countMedia(
  call: Call,
  ids: readonly number[] | 'all',
  which: 'all' | 'published' = 'all',
): Promise<Counts> {
  const { store } = call.site;
  const access = await call.site.access.of(call.caller);
  const rows =
    ids === 'all'
      ? await store.derived('media-counts', 'media-counts', () => countAll(store))
      : await countIn(store, ids);
  const own = new Map<number, number>();
  if (which === 'all' && !call.caller.isAdmin) {
    const mine = await store.all<{ collection_id: number; count: number }>(
      `SELECT collection_id, count(*) AS count FROM media
       WHERE created_by = ? AND status <> 'published' GROUP BY collection_id`,
      call.caller.userId,
    );
    for (const row of mine) own.set(row.collection_id, row.count);
  }
  return new Map(
    rows.map((row) => {
      const id = row.collection_id;
      if (!access.may('media-read', id)) return [id, 0];
      if (which === 'published') return [id, row.published];
      const seesAll = access.may('media-update', id) || access.may('media-publish', id);
      return [id, row.published + (seesAll ? row.others : (own.get(id) ?? 0))];
    }),
  );
}

interface CountRow {
  collection_id: number;
  published: number;
  others: number;
}

const COUNT = `SELECT collection_id, count(CASE WHEN status = 'published' THEN 1 END) AS published,
  count(CASE WHEN status <> 'published' THEN 1 END) AS others FROM media`;

function countAll(store: Store): Promise<CountRow[]> {
  return store.all<CountRow>(`${COUNT} GROUP BY collection_id`);
}

function countIn(store: Store, ids: readonly number[]): Promise<CountRow[]> {
  return store.all<CountRow>(
    `${COUNT} WHERE collection_id IN (SELECT value FROM json_each(?)) GROUP BY collection_id`,
    JSON.stringify(ids),
  );
}
