import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientFor, clientWith, type ServiceClient, sendForm } from '../../../helpers/service/service-client.ts';
import { make } from '../../../helpers/service/service-people.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { png } from '../../../helpers/service/service-samples.ts';
import { signIn } from '../../../helpers/service/service-sign-in.ts';

const COLLECTIONS = '/api2/collections';
/** `collection-move`, and the four permissions on which it depends. */
const ALL = ['collection-read', 'collection-create', 'collection-delete', 'collection-update', 'collection-move'];
const WITHOUT_MOVE = ALL.filter((name) => name !== 'collection-move');
const WITHOUT_CREATE = ['collection-read', 'collection-delete', 'collection-update'];
const WITHOUT_DELETE = ['collection-read', 'collection-create', 'collection-update'];
let service: ServiceProcess;
let admin: ServiceClient;
let made = 0;

beforeAll(async () => {
  service = await startService();
  admin = await clientFor(service);
});
afterAll(() => service.stop());

/** A new collection; it inherits no memberships by default. */
async function collection(parent_id: string, fields: Record<string, unknown> = {}): Promise<string> {
  made += 1;
  const body = { display_name: `C${made}`, parent_id, inherit_memberships: false, ...fields };
  return (await admin.post(COLLECTIONS, body)).body.id;
}

/** A user with exactly these permissions in these collections. */
async function holding(...grants: [collectionId: string, permissions: string[]][]): Promise<ServiceClient> {
  made += 1;
  const [email, password] = [`r${made}@here.example`, `pass-word-${made}`];
  const { id } = await make(admin, 'users', { email_address: email, password });
  for (const [collection_id, permissions] of grants) {
    const role = await make(admin, 'roles', { display_name: `R${made}`, permissions });
    await make(admin, 'memberships', { user_id: id, collection_id, role_id: role.id });
  }
  return clientWith(service, await signIn(service, { email, password }));
}

describe('a move', () => {
  test.each<[string, number, string[], string[], string[]]>([
    ['all required permissions', 200, ALL, ALL, ['collection-read', 'collection-create']],
    ['no collection-move on the moving collection', 403, WITHOUT_MOVE, ALL, ALL],
    ['no collection-move on the old parent', 403, ALL, WITHOUT_MOVE, ALL],
    ['no collection-delete on the old parent', 403, ALL, WITHOUT_DELETE, ALL],
    ['no collection-create on the new parent', 403, ALL, ALL, WITHOUT_CREATE],
  ])('by a user with its permissions (%s) is %i', async (_words, status, onMoving, onOld, onNew) => {
    const [from, to] = [await collection('1'), await collection('1')];
    const moving = await collection(from);
    const mover = await holding([moving, onMoving], [from, onOld], [to, onNew]);
    const answers = [
      () => mover.post(`${COLLECTIONS}/${moving}/move`, { new_parent_id: to }),
      () => mover.post(`${COLLECTIONS}/${moving}`, { parent_id: to }),
    ];
    for (const answer of answers) {
      expect((await answer()).status).toBe(status);
      expect((await admin.get(`${COLLECTIONS}/${moving}`)).body.parent_id).toBe(status === 200 ? to : from);
      await admin.post(`${COLLECTIONS}/${moving}/move`, { new_parent_id: from });
    }
  });

  test('through parent_id in an update needs the same rights: collection-update alone changes nothing', async () => {
    const [old, fresh] = [await collection('1'), await collection('1')];
    const moving = await collection(old);
    const person = await holding([moving, WITHOUT_MOVE], [old, ALL], [fresh, ALL]);
    const path = `${COLLECTIONS}/${moving}`;
    expect((await person.post(path, { parent_id: fresh, description: 'Elsewhere' })).status).toBe(403);
    expect((await admin.get(path)).body).toMatchObject({ parent_id: old, description: '' });
    expect((await person.post(path, { parent_id: old, description: 'Here' })).status).toBe(200);
  });

  test('requires new_parent_id', async () => {
    const moving = await collection('1');
    for (const body of [{}, { new_parent_id: null }, { new_parent_id: 'x' }, { new_parent_id: {} }]) {
      const answer = await admin.post(`${COLLECTIONS}/${moving}/move`, body);
      expect([answer.status, answer.body.errors[0].field]).toEqual([422, 'new_parent_id']);
    }
  });
});

describe('a deletion', () => {
  test('needs collection-delete on the collection and all its descendants', async () => {
    const top = await collection('1');
    const inner = await collection(await collection(top, { inherit_memberships: true }));
    const half = await holding([top, ['collection-read', 'collection-delete']]);
    expect((await half.delete(`${COLLECTIONS}/${top}`)).status).toBe(403);
    expect((await admin.get(`${COLLECTIONS}/${inner}`)).status).toBe(200);
    const grant = ['collection-read', 'collection-delete'];
    const whole = await holding([top, grant], [inner, grant]);
    expect((await whole.delete(`${COLLECTIONS}/${top}`)).status).toBe(204);
    expect((await admin.get(`${COLLECTIONS}/${inner}`)).status).toBe(404);
  });

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

describe('a change of a collection', () => {
  test.each(['', '/reslugify', '/podcast-details'])('with POST <id>%s needs collection-update', async (action) => {
    const id = await collection('1', { is_podcast: true });
    const reader = await holding([id, ['collection-read', 'collection-create', 'collection-delete']]);
    const editor = await holding([id, ['collection-read', 'collection-update']]);
    expect((await reader.post(`${COLLECTIONS}/${id}${action}`, {})).status).toBe(403);
    expect((await editor.post(`${COLLECTIONS}/${id}${action}`, {})).status).toBe(200);
  });

  test('with reslugify generates the slug from the current name', async () => {
    const id = await collection('1', { display_name: 'Before', slug: 'own-choice' });
    await admin.post(`${COLLECTIONS}/${id}`, { display_name: 'Quite Another' });
    expect((await admin.get(`${COLLECTIONS}/${id}`)).body.slug).toBe('own-choice');
    await admin.post(`${COLLECTIONS}/${id}/reslugify`);
    expect((await admin.get(`${COLLECTIONS}/${id}`)).body.slug).toBe('quite-another');
  });
});

describe('autotranscription', () => {
  const SETTINGS = { autotranscribe_enabled: true, autotranscribe_profile_id: 'profile-7' };
  const settingsOf = async (id: string) => {
    const { autotranscribe_enabled, autotranscribe_profile_id } = (await admin.get(`${COLLECTIONS}/${id}`)).body;
    return { autotranscribe_enabled, autotranscribe_profile_id };
  };
  const OFF = { autotranscribe_enabled: false, autotranscribe_profile_id: null };

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
