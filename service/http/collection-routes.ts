import { z } from 'zod';
import { deleteCollection } from '../resources/collection-delete.ts';
import { moveCollection } from '../resources/collection-move.ts';
import { collectionPath } from '../resources/collection-row.ts';
import { collectionTree } from '../resources/collection-tree.ts';
import { createCollection, reslugify, updateCollection } from '../resources/collection-write.ts';
import { getCollection, listCollections, readableCollection } from '../resources/collections.ts';
import { getPodcastDetails, updatePodcastDetails } from '../resources/podcast-details.ts';
import { created, deleted, updated } from './answer.ts';
import type { ApiRoutes } from './api-plugin.ts';
import { bodyId, bodyOf } from './body.ts';
import { pageOf } from './paging.ts';

const moveBody = z.object({ new_parent_id: bodyId });

export function collectionRoutes(routes: ApiRoutes): void {
  routes.get('/api2/collections', ({ call, query }) => listCollections(call, query, pageOf(call.site, query)));
  routes.get('/api2/collections/tree', ({ call, query }) => collectionTree(call, query));
  routes.get('/api2/collections/:id', ({ call, params, query }) => getCollection(call, params.id ?? '', query));
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
  routes.post('/api2/collections/:id/move', ({ call, params, body, reply }) => {
    const row = readableCollection(call, params.id ?? '');
    moveCollection(call, row, bodyOf(moveBody, body).new_parent_id);
    return updated(reply, call.site, () => getCollection(call, params.id ?? ''));
  });
  routes.delete('/api2/collections/:id', async ({ call, params, reply }) => {
    await deleteCollection(call, params.id ?? '');
    return deleted(reply);
  });
  routes.get('/api2/collections/:id/podcast-details', ({ call, params }) => getPodcastDetails(call, params.id ?? ''));
  routes.post('/api2/collections/:id/podcast-details', ({ call, params, body }) => {
    return updatePodcastDetails(call, params.id ?? '', body);
  });
}
