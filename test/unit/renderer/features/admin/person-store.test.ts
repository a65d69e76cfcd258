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

it('is not sent when a listed user has the address, in any letter case', async () => {
  const created = createPerson(NEW);
  const asked = bridge.take('admin.people');
  expect(asked.input.query.text).toBe('ada@crew.example');
  await asked.answer(listed('ada@crew.example.org', 'ada@crew.EXAMPLE'));
  expect([await created, bridge.waiting]).toEqual([null, []]);
});

it('is about the address when the library refuses it as a conflict', async () => {
  const created = createPerson(NEW);
  await bridge.take('admin.people').answer(listed('ada@crew.example.org'));
  await bridge.take('admin.createPerson').refuse('api.conflict');
  expect(await created).toBeNull();
});

it('rejects with the error of the library when a typed unique ID may be the conflict, or for another reason', async () => {
  for (const [input, code] of [
    [{ ...NEW, uniqueId: 'x' }, 'api.conflict'],
    [NEW, 'api.forbidden'],
  ] as const) {
    const created = createPerson(input);
    const refused = expect(created).rejects.toMatchObject({ data: { code } });
    // When the list can't be read, the library decides.
    await bridge.take('admin.people').refuse('network.unreachable');
    await bridge.take('admin.createPerson').refuse(code);
    await refused;
  }
});
