// The creation of a user whose e-mail address another user has.
import { beforeEach, expect, it } from 'vitest';
import { useAdmin } from '../../../../../renderer/features/admin/state/admin-store.ts';
import { createPerson } from '../../../../../renderer/features/admin/state/person-store.ts';
import type { Person } from '../../../../../shared/contract/admin/people.ts';
import { HeldBridge } from '../../../../helpers/desktop/held-bridge.ts';

const NEW = { firstName: 'Eve', lastName: 'Crew', email: 'Ada@Crew.example', isAdmin: false };
const person = (email: string) => ({ id: '7', name: 'Ada Crew', email }) as Person;
const listed = (...emails: string[]) => ({ total: emails.length, rows: emails.map(person) });

let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
  useAdmin.setState({ siteId: 's' });
});

it('is about the address when the library refuses it as a conflict, and a user has the address in any letter case', async () => {
  const created = createPerson(NEW);
  await bridge.take('admin.createPerson').refuse('api.conflict');
  const asked = bridge.take('admin.people');
  expect(asked.input.query.text).toBe('ada@crew.example');
  await asked.answer(listed('ada@crew.example.org', 'ada@crew.EXAMPLE'));
  expect([await created, bridge.waiting]).toEqual([null, []]);
});

it.each([
  ['no user has the address', listed('ada@crew.example.org')],
  ['the list can’t be read', null],
])('rejects with the error of the library when %s', async (_, list) => {
  const created = createPerson(NEW);
  const refused = expect(created).rejects.toMatchObject({ data: { code: 'api.conflict' } });
  await bridge.take('admin.createPerson').refuse('api.conflict');
  const asked = bridge.take('admin.people');
  await (list === null ? asked.refuse('network.unreachable') : asked.answer(list));
  await refused;
});

it('rejects with any other error of the library', async () => {
  const created = createPerson(NEW);
  const refused = expect(created).rejects.toMatchObject({ data: { code: 'api.forbidden' } });
  await bridge.take('admin.createPerson').refuse('api.forbidden');
  await refused;
  expect(bridge.waiting).toEqual([]);
});
