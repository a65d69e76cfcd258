import { collectionPath } from '../resources/collection-row.ts';
import { collectionTree } from '../resources/collection-tree.ts';
import { createCollection, reslugify, updateCollection } from '../resources/collection-write.ts';
import { getCollection, listCollections } from '../resources/collections.ts';
import { created, updated } from './answer.ts';
import type { ApiRoutes } from './api-plugin.ts';
import { pageOf } from './paging.ts';

export function collectionRoutes(routes: ApiRoutes): void {
  routes.get('/api2/collections', ({ call, query }) => listCollections(call, query, pageOf(call.site, query)));
  routes.get('/api2/collections/tree', ({ call, query }) => collectionTree(call, query));
  routes.get('/api2/collections/:id', ({ call, params }) => getCollection(call, params.id ?? ''));
  routes.post('/api2/collections', ({ call, body, reply }) => {
    const id = createCollection(call, body);
    return created(reply, call.site, collectionPath(id), getCollection(call, String(id)));
  });
  routes.post('/api2/collections/:id', ({ call, params, body, reply }) => {
    updateCollection(call, params.id ?? '', body);
    return updated(reply, call.site, () => getCollection(call, params.id ?? ''));
  });
  routes.post('/api2/collections/:id/reslugify', ({ call, params, reply }) => {
    reslugify(call, params.id ?? '');
    return updated(reply, call.site, () => getCollection(call, params.id ?? ''));
  });
}
