import { created, DELETED } from '../../wire/answer.ts';
import type { ApiRoutes } from '../api-router.ts';
import { calculateRoles } from './calculated-roles.ts';
import { membershipPath, renderMembership } from './membership-row.ts';
import { createMembership, deleteMembership, listMemberships, membershipOf, updateMembership } from './memberships.ts';

export function membershipRoutes(routes: ApiRoutes): void {
  routes.getInTurn('/api2/memberships', ({ call, query }) => listMemberships(call, query));
  routes.get('/api2/memberships/calculate-roles-perms', ({ call, query }) => calculateRoles(call, query));
  routes.get('/api2/memberships/:id', async ({ call, params }) =>
    renderMembership(await membershipOf(call, params.id ?? '')),
  );
  routes.post('/api2/memberships', async ({ call, body }) => {
    const row = await createMembership(call, body);
    return created(call.site, membershipPath(row.id), renderMembership(row));
  });
  // The API documents this answer, so it is the same in every dialect.
  routes.post('/api2/memberships/:id', async ({ call, params, body }) => {
    return { status: 200, body: renderMembership(await updateMembership(call, params.id ?? '', body)) };
  });
  routes.delete('/api2/memberships/:id', async ({ call, params }) => {
    await deleteMembership(call, params.id ?? '');
    return DELETED;
  });
}
