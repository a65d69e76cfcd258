import { created, DELETED, updated } from '../../wire/answer.ts';
import { inOrder } from '../../wire/in-order.ts';
import { pageOf } from '../../wire/paging.ts';
import { joinsOf } from '../../wire/query.ts';
import type { ApiChange, ApiRoutes } from '../api-router.ts';
import { getEmbedCode } from './embed.ts';
import { type FilesOf, joinMedia, MEDIA_JOINS } from './media-joins.ts';
import { countMediaList, listMedia, listMediaJson } from './media-list.ts';
import { publishMedia, unpublishMedia } from './media-publish.ts';
import { findMedia, type MediaRow, mediaPath, renderMedia, visibleMedia } from './media-row.ts';
import { changeTags } from './media-tags.ts';
import { createMedia, deleteMedia, updateMedia } from './media-write.ts';

export function mediaRoutes(routes: ApiRoutes, filesOf: FilesOf): void {
  routes.getInTurn('/api2/media', async ({ call, query, reply }) => {
    const joins = joinsOf(query, MEDIA_JOINS);
    const page = pageOf(call.site, query);
    if (joins.size === 0) {
      reply.type('application/json; charset=utf-8');
      return await listMediaJson(call, query, page);
    }
    const { rows, links } = await listMedia(call, query, page);
    return { items: await inOrder(rows, (row) => joinMedia(call.site, row, joins, filesOf)), links };
  });
  routes.getInTurn('/api2/media/count', async ({ call, query }) => ({ count: await countMediaList(call, query) }));
  routes.get('/api2/media/:id', async ({ call, params, query }) => {
    return await joinMedia(call.site, await visibleMedia(call, params.id ?? ''), joinsOf(query, MEDIA_JOINS), filesOf);
  });
  routes.get('/api2/media/:id/embedcode', ({ call, params, query }) => getEmbedCode(call, params.id ?? '', query));
  routes.post('/api2/media', async ({ call, body }) => {
    const id = await createMedia(call, body);
    return created(
      call.site,
      mediaPath(id),
      await creationBody(call.site.dialect().mediaCreationBody, async () => {
        const row = await findMedia(call.site.store, id);
        return row && renderMedia(row);
      }),
    );
  });
  action(routes, '', ({ call, params, body }) => updateMedia(call, params.id ?? '', body));
  action(routes, '/publish', ({ call, params, body }) => publishMedia(call, params.id ?? '', body));
  action(routes, '/unpublish', ({ call, params }) => unpublishMedia(call, params.id ?? ''));
  action(routes, '/add-tags', ({ call, params, body }) => changeTags(call, params.id ?? '', body, 'add'));
  action(routes, '/remove-tags', ({ call, params, body }) => changeTags(call, params.id ?? '', body, 'remove'));
  routes.delete('/api2/media/:id', async ({ call, params }) => {
    await deleteMedia(call, params.id ?? '');
    return DELETED;
  });
}

function action(routes: ApiRoutes, name: string, act: (request: ApiChange) => Promise<MediaRow>): void {
  routes.post(`/api2/media/:id${name}`, async (request) => {
    const row = await act(request);
    return updated(request.call.site, () => renderMedia(row));
  });
}

async function creationBody(
  kind: 'resource' | 'none' | 'empty-object',
  resource: () => Promise<unknown>,
): Promise<unknown> {
  if (kind === 'none') return undefined;
  return kind === 'empty-object' ? {} : await resource();
}
