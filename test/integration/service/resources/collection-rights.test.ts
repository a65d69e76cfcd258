import { describe, expect, test } from 'vitest';
import { clientFor, type ServiceClient, sendForm } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { make, newcomer } from '../../../helpers/service/service-people.ts';
import { png } from '../../../helpers/service/service-samples.ts';

const COLLECTIONS = '/api2/collections';
/** `collection-move`, and the four permissions on which it depends. */
const ALL = ['collection-read', 'collection-create', 'collection-delete', 'collection-update', 'collection-move'];
const WITHOUT_MOVE = ALL.filter((name) => name !== 'collection-move');
const service = await serviceOfFile();
const admin = await clientFor(service);
let made = 0;

/** A new collection; it inherits no memberships by default. */
async function collection(parent_id: string, fields: Record<string, unknown> = {}): Promise<string> {
  made += 1;
  const body = { display_name: `C${made}`, parent_id, inherit_memberships: false, ...fields };
  return (await admin.post(COLLECTIONS, body)).body.id;
}

/** A user with exactly these permissions in these collections. */
async function holding(...grants: [collectionId: string, permissions: string[]][]): Promise<ServiceClient> {
  const { id, client } = await newcomer(service, admin);
  for (const [collection_id, permissions] of grants) {
    const role = await make(admin, 'roles', { display_name: `R${made}`, permissions });
    await make(admin, 'memberships', { user_id: id, collection_id, role_id: role.id });
  }
  return client;
}

test.each([
  ['moving collection', WITHOUT_MOVE, ALL, ALL],
  ['old parent', ALL, WITHOUT_MOVE, ALL],
  ['new parent', ALL, ALL, ['collection-read', 'collection-delete', 'collection-update']],
])('a move through parent_id in an update needs the rights of a move on the %s, or changes nothing', async (...row) => {
  const [, onMoving, onOld, onNew] = row;
  const [old, fresh] = [await collection('1'), await collection('1')];
  const moving = await collection(old);
  const person = await holding([moving, onMoving], [old, onOld], [fresh, onNew]);
  const path = `${COLLECTIONS}/${moving}`;
  expect((await person.post(path, { parent_id: fresh, description: 'Elsewhere' })).status).toBe(403);
  expect((await admin.get(path)).body).toMatchObject({ parent_id: old, description: '' });
  expect((await person.post(path, { parent_id: old, description: 'Here' })).status).toBe(200);
});

describe('a deletion', () => {
  test('deletes the thumbnails from the disk', async () => {
    const id = await collection('1');
    const { body } = await admin.post(`${COLLECTIONS}/${id}/thumbs`, {
      upload_name: 'a.png',
      upload_size: png().length,
    });
    await sendForm(body.upload, 'a.png', png());
    const [{ content_url }] = (await admin.get(`${COLLECTIONS}/${id}/thumbs`)).body.items;
    expect((await fetch(content_url)).status).toBe(200);
    await admin.delete(`${COLLECTIONS}/${id}`);
    expect((await fetch(content_url)).status).toBe(404);
  });

  test('refuses a thumbnail that arrives afterwards: 404', async () => {
    const id = await collection('1');
    const creation = { upload_name: 'a.png', upload_size: png().length };
    const { body } = await admin.post(`${COLLECTIONS}/${id}/thumbs`, creation);
    await admin.delete(`${COLLECTIONS}/${id}`);
    expect((await sendForm(body.upload, 'a.png', png())).status).toBe(404);
  });
});

test('reslugify generates the slug from the current name', async () => {
  const path = `${COLLECTIONS}/${await collection('1', { display_name: 'Before', slug: 'own-choice' })}`;
  await admin.post(path, { display_name: 'Quite Another' });
  expect((await admin.get(path)).body.slug).toBe('own-choice');
  await admin.post(`${path}/reslugify`);
  expect((await admin.get(path)).body.slug).toBe('quite-another');
});

describe('autotranscription', () => {
  const SETTINGS = { autotranscribe_enabled: true, autotranscribe_profile_id: 'profile-7' };
  const settingsOf = async (id: string) => {
    const { autotranscribe_enabled, autotranscribe_profile_id } = (await admin.get(`${COLLECTIONS}/${id}`)).body;
    return { autotranscribe_enabled, autotranscribe_profile_id };
  };
  const OFF = { autotranscribe_enabled: false, autotranscribe_profile_id: null };

  test('has no profile when its id is empty', async () => {
    const id = await collection('1', { ...SETTINGS, autotranscribe_profile_id: '' });
    expect((await settingsOf(id)).autotranscribe_profile_id).toBeNull();
    await admin.post(`${COLLECTIONS}/${id}`, SETTINGS);
    await admin.post(`${COLLECTIONS}/${id}`, { autotranscribe_profile_id: '' });
    expect((await settingsOf(id)).autotranscribe_profile_id).toBeNull();
  });

  test('without autotranscribe_subcollections applies to its collection only', async () => {
    const top = await collection('1', SETTINGS);
    const below = await collection(top);
    await admin.post(`${COLLECTIONS}/${top}`, { autotranscribe_enabled: true });
    expect([await settingsOf(top), await settingsOf(below)]).toEqual([SETTINGS, OFF]);
  });

  test('with autotranscribe_subcollections applies to all descendants, old and new, and so does a later change', async () => {
    const top = await collection('1');
    const old = await collection(await collection(top));
    await admin.post(`${COLLECTIONS}/${top}`, { ...SETTINGS, autotranscribe_subcollections: true });
    const fresh = await collection(old);
    expect([await settingsOf(old), await settingsOf(fresh)]).toEqual([SETTINGS, SETTINGS]);
    await admin.post(`${COLLECTIONS}/${top}`, { autotranscribe_enabled: false, autotranscribe_profile_id: null });
    expect([await settingsOf(old), await settingsOf(fresh)]).toEqual([OFF, OFF]);
    await admin.post(`${COLLECTIONS}/${old}`, { autotranscribe_enabled: true });
    await admin.post(`${COLLECTIONS}/${top}`, { display_name: 'Only the name' });
    expect((await settingsOf(old)).autotranscribe_enabled).toBe(true);
  });
});

test('an item becomes more popular with each view of its page', async () => {
  const { body: group } = await admin.get('/api2/groups/public');
  const role = await make(admin, 'roles', { display_name: 'Seen', permissions: ['collection-read', 'media-read'] });
  const collection_id = await collection('1');
  await make(admin, 'memberships', { group_id: group.id, collection_id, role_id: role.id });
  const views = [1, 3, 0];
  const items: string[] = [];
  for (const count of views) {
    const item = await admin.createItem('Seen', { collection_id });
    await admin.post(`${item}/publish`);
    for (let round = 0; round < count; round += 1) {
      expect((await fetch(`${service.baseUrl}${item}/${round === 1 ? 'embed' : 'view'}`)).status).toBe(200);
    }
    expect((await admin.get(item)).body.views_count).toBe(count);
    items.push(item.split('/').at(-1) ?? '');
  }
  const { body } = await admin.get(`/api2/media?collection_id=${collection_id}&sort=popularity&order=desc`);
  expect(body.items.map((item: { id: string }) => item.id)).toEqual([items[1], items[0], items[2]]);
});
