import { exactly } from '../database/condition.ts';
import type { Store } from '../database/store.ts';
import { IS_UPLOADING } from '../site/underway.ts';

/** Returns the bytes of all files, with their encodings: stored ones, and uploads under way with their declared size. */
export function siteUsage(store: Store): Promise<number> {
  return usageOf(store, 'site', 0);
}

/** Returns the bytes of the originals that a user created. */
export function userUsage(store: Store, userId: number): Promise<number> {
  return usageOf(store, 'user', userId);
}

async function usageOf(store: Store, scope: 'site' | 'user', id: number): Promise<number> {
  const row = await store.get<{ bytes: number }>(
    `SELECT ${exactly('bytes')} AS bytes FROM usage WHERE scope = ? AND id = ?`,
    scope,
    id,
  );
  return row?.bytes ?? 0;
}

/** Returns the bytes that uploads under way may still need: of their declared sizes. */
export async function reservedBytes(store: Store): Promise<number> {
  const row = await store.get<{ bytes: number }>(
    `SELECT ${exactly('coalesce(sum(declared_size), 0)')} AS bytes FROM files WHERE ${IS_UPLOADING}`,
  );
  return row?.bytes ?? 0;
}

/** Returns the bytes of the originals in a collection and all its descendants. */
export async function subtreeUsage(store: Store, collectionId: number): Promise<number> {
  const row = await store.get<{ bytes: number }>(
    `${DOWN} SELECT ${exactly('coalesce(sum(bytes), 0)')} AS bytes FROM usage
     WHERE scope = 'collection' AND id IN (SELECT id FROM down)`,
    collectionId,
  );
  return row?.bytes ?? 0;
}

/** Returns the bytes of the originals of an item. */
export async function itemUsage(store: Store, mediaId: number): Promise<number> {
  const row = await store.get<{ bytes: number }>(
    `SELECT coalesce(sum(CASE WHEN status = 'uploading' THEN declared_size WHEN stored_name IS NOT NULL THEN size ELSE 0 END), 0) AS bytes
     FROM files WHERE media_id = ? AND parent_id IS NULL`,
    mediaId,
  );
  return row?.bytes ?? 0;
}

/** Returns the ids of a collection and its ancestors, beginning with itself. */
export async function withAncestors(store: Store, collectionId: number): Promise<number[]> {
  return (
    await store.all<{ id: number }>(
      `WITH RECURSIVE up (id, parent_id, depth) AS (
         SELECT id, parent_id, 0 FROM collections WHERE id = ?
         UNION SELECT c.id, c.parent_id, depth + 1 FROM collections c JOIN up ON c.id = up.parent_id
       ) SELECT id FROM up ORDER BY depth`,
      collectionId,
    )
  ).map(({ id }) => id);
}

const DOWN = `WITH RECURSIVE down (id) AS (
  SELECT CAST(? AS BIGINT) UNION SELECT c.id FROM collections c JOIN down ON c.parent_id = down.id
)`;

export interface Consumer {
  id: number;
  name: string;
  bytes: number;
}

/** Returns the collections that take the most, each without its subcollections; `rootId`: only of this subtree. */
export async function largestCollections(store: Store, rootId: number | null, most: number): Promise<Consumer[]> {
  const inTree = rootId === null ? '' : 'AND u.id IN (SELECT id FROM down)';
  return await store.all<Consumer>(
    `${rootId === null ? '' : DOWN} SELECT u.id, c.display_name AS name, u.bytes FROM usage u JOIN collections c ON c.id = u.id
     WHERE u.scope = 'collection' AND u.bytes > 0 ${inTree} ORDER BY u.bytes DESC, u.id LIMIT ?`,
    ...(rootId === null ? [] : [rootId]),
    most,
  );
}

/** Returns the items of a user whose own files take the most, with their collections. */
export function largestItems(
  store: Store,
  userId: number,
  most: number,
): Promise<(Consumer & { collectionId: number })[]> {
  return store.all(
    `SELECT m.id, m.title AS name, m.collection_id AS "collectionId",
       sum(CASE WHEN f.status = 'uploading' THEN f.declared_size WHEN f.stored_name IS NOT NULL THEN f.size ELSE 0 END) AS bytes
     FROM media m JOIN files f ON f.media_id = m.id AND f.parent_id IS NULL AND f.created_by = m.created_by
     WHERE m.created_by = ? GROUP BY m.id ORDER BY bytes DESC, m.id LIMIT ?`,
    userId,
    most,
  );
}
