import { z } from 'zod';
import type { Store } from '../../database/store.ts';
import { checkMovedCollection } from '../../quotas/check-quota.ts';
import type { Call } from '../../site/site.ts';
import { bodyId } from '../../wire/body.ts';
import { forbidden, invalid } from '../../wire/problem.ts';
import { parseId } from '../../wire/query.ts';
import type { CollectionRow } from './collection-row.ts';

/** The body of a move of a collection. */
export const MOVE_BODY = z.object({ new_parent_id: bodyId });

/**
 * Moves a collection to another parent. Refused for a root, for a move into a descendant, and without the permissions
 * that the API demands on the collection, its old parent and its new one.
 */
export async function moveCollection(
  call: Call,
  row: CollectionRow,
  newParentText: string,
  field: 'new_parent_id' | 'parent_id' = 'new_parent_id',
): Promise<void> {
  const { store, access } = call.site;
  const rights = await access.of(call.caller);
  const newParentId = parseId(newParentText);
  if (newParentId === undefined || !rights.may('collection-read', newParentId) || !(await exists(store, newParentId))) {
    throw invalid([{ field, message: 'must be the id of a collection' }]);
  }
  if (row.parent_id === null) throw forbidden('A root collection cannot be moved.');
  if (newParentId === row.id || (await isInside(store, newParentId, row.id))) {
    throw forbidden('A collection cannot be moved into one of its own sub-collections.');
  }
  const allowed =
    rights.may('collection-move', row.id) &&
    rights.may('collection-move', row.parent_id) &&
    rights.may('collection-delete', row.parent_id) &&
    rights.may('collection-create', newParentId);
  if (!allowed) throw forbidden();
  await checkMovedCollection(call, field, row.id, row.parent_id, newParentId);
  await store.run(
    'UPDATE collections SET parent_id = ?, modified_on = ? WHERE id = ?',
    newParentId,
    call.nowOn,
    row.id,
  );
  call.effect({ name: 'collection-moved', collection_id: row.id, new_parent_id: newParentId });
}

async function exists(store: Store, id: number): Promise<boolean> {
  return (await store.get('SELECT 1 FROM collections WHERE id = ?', id)) !== undefined;
}

/** Returns whether a collection is a descendant of another one. */
async function isInside(store: Store, id: number, ancestorId: number): Promise<boolean> {
  const found = await store.get(
    `WITH RECURSIVE up (id, parent_id) AS (
       SELECT id, parent_id FROM collections WHERE id = ?
       UNION SELECT c.id, c.parent_id FROM collections c JOIN up ON c.id = up.parent_id
     ) SELECT 1 FROM up WHERE id = ?`,
    id,
    ancestorId,
  );
  return found !== undefined;
}

/** Returns the ids of a collection and all its descendants. */
export async function subtreeIds(store: Store, id: number): Promise<number[]> {
  return (
    await store.all<{ id: number }>(
      `WITH RECURSIVE down (id) AS (
         SELECT CAST(? AS BIGINT) UNION SELECT c.id FROM collections c JOIN down ON c.parent_id = down.id
       ) SELECT id FROM down`,
      id,
    )
  ).map((row) => row.id);
}
