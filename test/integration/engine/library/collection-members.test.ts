// The roles of users and groups in a collection, as each user may read them from the real service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CollectionMembers } from '../../../../shared/contract/collection-members.ts';
import { openEngineAs, type SeededPerson } from '../../../helpers/engine/library-people.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { make } from '../../../helpers/service/service-people.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';

let service: ServiceProcess;
let admin: ServiceClient;
/** `lower` inherits the roles of `upper`; `alone` does not. */
let upper: string;
let lower: string;
let alone: string;

async function createCollection(
  display_name: string,
  parent_id: string,
  inherit_memberships: boolean,
): Promise<string> {
  const { body } = await admin.post('/api2/collections', { display_name, parent_id, inherit_memberships });
  return body.id;
}

beforeAll(async () => {
  service = await startService();
  admin = await clientFor(service);
  const { body } = await admin.get('/api2/collections');
  const top = body.items.find((each: { parent_id: string | null }) => each.parent_id === null).id;
  upper = await createCollection('Upper', top, false);
  lower = await createCollection('Lower', upper, true);
  alone = await createCollection('Alone', upper, false);
  const role = await make(admin, 'roles', { display_name: 'Teacher', permissions: ['collection-read', 'media-read'] });
  const group = await make(admin, 'groups', { display_name: 'Staff' });
  const { body: users } = await admin.get('/api2/users');
  const viewer = users.items.find((each: { email_address: string }) => each.email_address.startsWith('viewer'));
  await make(admin, 'memberships', { role_id: role.id, collection_id: upper, group_id: group.id });
  await make(admin, 'memberships', { role_id: role.id, collection_id: lower, user_id: viewer.id });
  await make(admin, 'memberships', { role_id: role.id, collection_id: alone, user_id: viewer.id });
});
afterAll(() => service.stop());

async function readAs(who: SeededPerson, collectionId: string): Promise<CollectionMembers> {
  const { engine, siteId } = await openEngineAs(service, who);
  return engine.call('library.collectionMembers', { siteId, collectionId });
}

const shown = ({ places }: CollectionMembers) =>
  places.map(({ name, members }) => [
    name,
    ...members.map(({ kind, name, role, isYou }) => `${kind} ${name}: ${role}${isYou ? ' (you)' : ''}`),
  ]);

describe('the users and groups of a collection', () => {
  it('include inherited ones, and are complete for an administrator', async () => {
    const members = await readAs('admin', lower);
    expect(shown(members)).toEqual([
      ['Lower', expect.stringMatching(/^user .+: Teacher$/)],
      ['Upper', 'group Staff: Teacher'],
    ]);
    expect(members).toMatchObject({ visible: 'all', isCut: false });
    expect(shown(await readAs('admin', alone))).toHaveLength(1);
  });

  it('are only the reader’s own role, without a hidden parent collection, when the reader may not share the collection', async () => {
    const members = await readAs('viewer', lower);
    expect(shown(members)).toEqual([['Lower', expect.stringMatching(/^user .+: Teacher \(you\)$/)]]);
    expect(members).toMatchObject({ visible: 'own', isCut: true });
  });

  it('say for each collection above whether the reader sees all roles there', async () => {
    const sharing = ['collection-read', 'collection-update', 'collection-share', 'media-read'];
    const role = await make(admin, 'roles', { display_name: 'Sharer', permissions: sharing });
    const reading = await make(admin, 'roles', {
      display_name: 'Reader',
      permissions: ['collection-read', 'media-read'],
    });
    const { body } = await admin.get('/api2/users?email_address=editor@library.example');
    const [{ id: user_id }] = body.items;
    const top = await createCollection('Top', upper, false);
    const middle = await createCollection('Middle', top, true);
    await make(admin, 'memberships', { role_id: reading.id, collection_id: top, user_id });
    await make(admin, 'memberships', { role_id: role.id, collection_id: middle, user_id });
    const { places, visible } = await readAs('editor', middle);
    expect(places.map((place) => [place.name, place.visible])).toEqual([
      ['Middle', 'all'],
      ['Top', 'own'],
    ]);
    expect(visible).toBe('all');
    expect((await readAs('admin', middle)).places.map((place) => place.visible)).toEqual(['all', 'all']);
  });

  it('are refused for a collection that was deleted, or that the library does not have yet', async () => {
    await expect(readAs('admin', '999999')).rejects.toMatchObject({ code: 'api.not-found' });
    await expect(readAs('admin', 'local:1')).rejects.toMatchObject({ code: 'collection.not-created-yet' });
  });
});
