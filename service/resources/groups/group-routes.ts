import { created, DELETED, updated } from '../../wire/answer.ts';
import { type ApiChange, type ApiRoutes, administratorsOnly } from '../api-router.ts';
import { type GroupRow, groupOf, groupPath, renderGroup } from './group-row.ts';
import { changeGroupUsers, createGroup, deleteGroup, listGroups, updateGroup } from './groups.ts';

/** In every path, `public` and `registered-users` are accepted as ids of the built-in groups. */
export function groupRoutes(api: ApiRoutes): void {
  const routes = administratorsOnly(api);
  routes.getInTurn('/api2/groups', ({ call, query }) => listGroups(call, query));
  routes.get('/api2/groups/:id', async ({ call, params }) => renderGroup(await groupOf(call, params.id ?? '')));
  routes.post('/api2/groups', async ({ call, body }) => {
    const row = await createGroup(call, body);
    return created(call.site, groupPath(row.id), renderGroup(row));
  });
  action(routes, '', ({ call, params, body }) => updateGroup(call, params.id ?? '', body));
  action(routes, '/add-users', ({ call, params, body }) => changeGroupUsers(call, params.id ?? '', body, 'add'));
  action(routes, '/remove-users', ({ call, params, body }) => changeGroupUsers(call, params.id ?? '', body, 'remove'));
  routes.delete('/api2/groups/:id', async ({ call, params }) => {
    await deleteGroup(call, params.id ?? '');
    return DELETED;
  });
}

function action(routes: ApiRoutes, name: string, act: (request: ApiChange) => Promise<GroupRow>): void {
  routes.post(`/api2/groups/:id${name}`, async (request) => {
    const row = await act(request);
    return updated(request.call.site, () => renderGroup(row));
  });
}
