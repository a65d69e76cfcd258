import type { GroupRow, Person } from '../../../shared/contract/admin/people.ts';

export const aPerson = (id: string, more: Partial<Person> = {}): Person => ({
  id,
  name: `Person ${id}`,
  email: `p${id}@x.example`,
  uniqueId: `sso:${id}`,
  isAdmin: false,
  createdOn: null,
  lastLoginOn: null,
  groupIds: [],
  ...more,
});

export const aGroup = (id: string, name: string, builtIn: GroupRow['builtIn'] = null): GroupRow => ({
  id,
  name,
  builtIn,
  people: 0,
  memberships: 0,
});
