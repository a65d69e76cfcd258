import { created, DELETED, updated } from '../../wire/answer.ts';
import { type ApiRoutes, administratorsOnly } from '../api-router.ts';
import { createTag, deleteTags, listTags, renderTag, tagOf, tagPath, updateTag } from './tags.ts';

export function tagRoutes(api: ApiRoutes): void {
  const routes = administratorsOnly(api);
  routes.getInTurn('/api2/tags', ({ call, query }) => listTags(call, query));
  routes.get('/api2/tags/:id', async ({ call, params }) => renderTag(await tagOf(call, params.id ?? '')));
  routes.post('/api2/tags', async ({ call, body }) => {
    const row = await createTag(call, body);
    return created(call.site, tagPath(row.id), renderTag(row));
  });
  routes.post('/api2/tags/:id', async ({ call, params, body }) => {
    const row = await updateTag(call, params.id ?? '', body);
    return updated(call.site, () => renderTag(row));
  });
  routes.delete('/api2/tags/:ids', async ({ call, params }) => {
    await deleteTags(call, params.ids ?? '');
    return DELETED;
  });
}
