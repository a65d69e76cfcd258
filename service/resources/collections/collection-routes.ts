import { created, DELETED, updated } from '../../wire/answer.ts';
import { bodyOf } from '../../wire/body.ts';
import { pageOf } from '../../wire/paging.ts';
import type { ApiRoutes } from '../api-router.ts';
import { deleteCollection } from './collection-delete.ts';
import { MOVE_BODY, moveCollection } from './collection-move.ts';
import { collectionPath } from './collection-row.ts';
import { collectionTree } from './collection-tree.ts';
import { createCollection, reslugify, updateCollection } from './collection-write.ts';
import { getCollection, listCollections, readableCollection } from './collections.ts';

export function collectionRoutes(routes: ApiRoutes): void {
  routes.getInTurn('/api2/collections', ({ call, query }) => listCollections(call, query, pageOf(call.site, query)));
  routes.getInTurn('/api2/collections/tree', ({ call, query }) => collectionTree(call, query));
  routes.get('/api2/collections/:id', ({ call, params, query }) => getCollection(call, params.id ?? '', query));
  routes.post('/api2/collections', async ({ call, body }) => {
    const id = await createCollection(call, body);
    return created(call.site, collectionPath(id), await getCollection(call, String(id)));
  });
  routes.post('/api2/collections/:id', async ({ call, params, body }) => {
    await updateCollection(call, params.id ?? '', body);
    return updated(call.site, () => getCollection(call, params.id ?? ''));
  });
  routes.post('/api2/collections/:id/reslugify', async ({ call, params }) => {
    await reslugify(call, params.id ?? '');
    return updated(call.site, () => getCollection(call, params.id ?? ''));
  });
  routes.post('/api2/collections/:id/move', async ({ call, params, body }) => {
    const row = await readableCollection(call, params.id ?? '');
    await moveCollection(call, row, bodyOf(MOVE_BODY, body).new_parent_id);
    return updated(call.site, () => getCollection(call, params.id ?? ''));
  });
  routes.delete('/api2/collections/:id', async ({ call, params }) => {
    await deleteCollection(call, params.id ?? '');
    return DELETED;
  });
}
