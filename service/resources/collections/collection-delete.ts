import { type Call, removeBlobs } from '../../site/site.ts';
import { conflict, forbidden } from '../../wire/problem.ts';
import { parseId } from '../../wire/query.ts';
import { subtreeIds } from './collection-move.ts';
import { findCollection } from './collection-row.ts';

/**
 * Deletes a collection with all its descendants; does nothing when it does not exist. Refused for a root, without
 * collection-delete on each of them, and while any of them contains media.
 */
export async function deleteCollection(call: Call, idText: string): Promise<void> {
  const { store, access } = call.site;
  const rights = await access.of(call.caller);
  const id = parseId(idText);
  const row = id === undefined ? undefined : await findCollection(store, id);
  if (!row || !rights.may('collection-read', row.id)) return;
  const ids = await subtreeIds(store, row.id);
  if (!ids.every((each) => rights.may('collection-delete', each))) throw forbidden();
  if (row.parent_id === null) throw conflict('A root collection cannot be deleted.');
  const list = JSON.stringify(ids);
  const held = await store.get(
    'SELECT 1 FROM media WHERE collection_id IN (SELECT value FROM json_each(?)) LIMIT 1',
    list,
  );
  if (held) throw conflict('The collection still contains media.');
  const ofThem = `resource = 'collections' AND resource_id IN (SELECT value FROM json_each(?))`;
  const thumbs = await store.transaction(async () => {
    const names = await store.all<{ stored_name: string }>(`SELECT stored_name FROM thumbs WHERE ${ofThem}`, list);
    await store.run(`DELETE FROM thumbs WHERE ${ofThem}`, list);
    // Children are deleted before their parents.
    for (const each of ids.toReversed()) await store.run('DELETE FROM collections WHERE id = ?', each);
    return names;
  });
  call.effect({ name: 'collection-deleted', collection_id: row.id });
  await removeBlobs(
    call.site,
    thumbs.map(({ stored_name }) => stored_name),
  );
}
