import { created, DELETED, updated } from '../../wire/answer.ts';
import { type ApiChange, type ApiRoutes, administratorsOnly } from '../api-router.ts';
import { renderUser, type UserRow, userPath } from './user-row.ts';
import { changeUserGroups, createUser, deleteUser, deleteUsers, updateUser } from './user-write.ts';
import { getUser, listUsers } from './users.ts';

export function userRoutes(api: ApiRoutes): void {
  const routes = administratorsOnly(api);
  routes.getInTurn('/api2/users', ({ call, query }) => listUsers(call, query));
  routes.get('/api2/users/:id', ({ call, params, query }) => getUser(call, params.id ?? '', query));
  routes.postInSteps('/api2/users', async ({ call, body }) => {
    const row = await createUser(call, body);
    return created(call.site, userPath(row.id), renderUser(row, 'creation'));
  });
  action(routes, '', ({ call, params, body }) => updateUser(call, params.id ?? '', body));
  action(routes, '/add-groups', ({ call, params, body }) => changeUserGroups(call, params.id ?? '', body, 'add'));
  action(routes, '/remove-groups', ({ call, params, body }) => changeUserGroups(call, params.id ?? '', body, 'remove'));
  routes.delete('/api2/users/bulk-delete', async ({ call, query }) => {
    await deleteUsers(call, query);
    return DELETED;
  });
  routes.delete('/api2/users/:id', async ({ call, params }) => {
    await deleteUser(call, params.id ?? '');
    return DELETED;
  });
}

function action(routes: ApiRoutes, name: string, act: (request: ApiChange) => Promise<UserRow>): void {
  routes.post(`/api2/users/:id${name}`, async (request) => {
    const row = await act(request);
    return updated(request.call.site, () => renderUser(row));
  });
}
