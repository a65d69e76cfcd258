import { created, DELETED, updated } from '../../wire/answer.ts';
import { type ApiChange, type ApiRoutes, administratorsOnly } from '../api-router.ts';
import { type RoleRow, renderRole, roleOf, rolePath } from './role-row.ts';
import { changePermissions, countRoles, createRole, deleteRole, listRoles, updateRole } from './roles.ts';

export function roleRoutes(api: ApiRoutes): void {
  const routes = administratorsOnly(api);
  routes.get('/api2/roles', ({ call, query }) => listRoles(call, query));
  routes.get('/api2/roles/count', async ({ call, query }) => ({ count: await countRoles(call, query) }));
  routes.get('/api2/roles/:id', async ({ call, params }) => renderRole(await roleOf(call, params.id ?? '')));
  routes.post('/api2/roles', async ({ call, body }) => {
    const row = await createRole(call, body);
    // This is the only creation that the API answers with 200.
    return { ...created(call.site, rolePath(row.id), renderRole(row)), status: 200 };
  });
  action(routes, '', ({ call, params, body }) => updateRole(call, params.id ?? '', body));
  action(routes, '/add-permissions', ({ call, params, body }) => {
    return changePermissions(call, params.id ?? '', body, 'add');
  });
  action(routes, '/remove-permissions', ({ call, params, body }) => {
    return changePermissions(call, params.id ?? '', body, 'remove');
  });
  routes.delete('/api2/roles/:id', async ({ call, params }) => {
    await deleteRole(call, params.id ?? '');
    return DELETED;
  });
}

function action(routes: ApiRoutes, name: string, act: (request: ApiChange) => Promise<RoleRow>): void {
  routes.post(`/api2/roles/:id${name}`, async (request) => {
    const row = await act(request);
    return updated(request.call.site, () => renderRole(row));
  });
}
