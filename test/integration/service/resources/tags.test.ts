import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tagSchema } from '../../../../shared/api/people.ts';
import { listEnvelope } from '../../../../shared/api/wire.ts';
import { LONGEST_TAG } from '../../../../shared/item/fields.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { idsOf, make } from '../../../helpers/service/service-people.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';

const TAGS = '/api2/tags';
let service: ServiceProcess;
let admin: ServiceClient;

beforeAll(async () => {
  service = await startService();
  admin = await clientFor(service);
});
afterAll(() => service.stop());

const create = (display_name: string) => make(admin, 'tags', { display_name });
const found = (query?: Record<string, string>) => idsOf(admin, TAGS, query);
const tagsOf = async (item: string): Promise<string[]> => (await admin.get(item)).body.tags;
const itemsTagged = (tag: string) => idsOf(admin, '/api2/media', { tag });
const itemsFound = (search: string) => idsOf(admin, '/api2/media', { search });
const idOfTag = async (name: string): Promise<string> => (await found({ display_name: name }))[0] ?? '';

describe('a tag', () => {
  test('is created with 201 and a Location, and has the two fields of the API', async () => {
    const answer = await admin.post(TAGS, { display_name: ' Physics ' });
    expect([answer.status, answer.location]).toEqual([201, `${TAGS}/${answer.body.id}`]);
    expect(answer.body).toEqual({ id: expect.stringMatching(/^\d+$/), display_name: 'Physics' });
    expect((await admin.get(answer.location)).body).toEqual(answer.body);
  });

  test.each([
    {},
    { display_name: '' },
    { display_name: null },
    { display_name: ['x'] },
    { display_name: 'x'.repeat(LONGEST_TAG + 1) },
  ])('is refused with 422 for %j, at creation and at change', async (body) => {
    const { id } = await create(`Kept ${JSON.stringify(body).slice(0, 40)}`);
    expect((await admin.post(TAGS, body)).status).toBe(422);
    expect((await admin.post(`${TAGS}/${id}`, body)).status).toBe(422);
  });

  test('is refused with 409 when its name exists in any case; it may change the case of its own name', async () => {
    const { id } = await create('Chemistry');
    const other = await create('Biology');
    expect((await admin.post(TAGS, { display_name: 'CHEMISTRY' })).status).toBe(409);
    expect((await admin.post(`${TAGS}/${other.id}`, { display_name: 'chemistry' })).status).toBe(409);
    expect((await admin.post(`${TAGS}/${id}`, { display_name: 'chemistry' })).body.display_name).toBe('chemistry');
  });

  test.each(['0', '99999', 'x', '1,2'])('is 404 with the id %s', async (id) => {
    expect((await admin.get(`${TAGS}/${id}`)).status).toBe(404);
    expect((await admin.post(`${TAGS}/${id}`, { display_name: 'x' })).status).toBe(404);
  });
});

describe('the tags of media items', () => {
  test('are in the list of tags, and have the spelling of a tag that exists already', async () => {
    await admin.createItem('Tagged', { tags: ['From item'] });
    expect((await admin.get(`${TAGS}/${await idOfTag('From item')}`)).body.display_name).toBe('From item');
    await create('Spelled So');
    expect(await tagsOf(await admin.createItem('Other', { tags: ['spelled so'] }))).toEqual(['Spelled So']);
  });

  test('have the new name on the item, in filters and in searches when a tag is renamed', async () => {
    const item = await admin.createItem('Renaming', { tags: ['oldword', 'stays'] });
    const id = item.split('/').at(-1) ?? '';
    await service.control('PATCH', '/settings', { clock_offset_ms: 5000 });
    const before = (await admin.get(item)).body.modified_on;
    await admin.post(`${TAGS}/${await idOfTag('oldword')}`, { display_name: 'newword' });
    expect(await tagsOf(item)).toEqual(['newword', 'stays']);
    expect([await itemsTagged('newword'), await itemsTagged('oldword')]).toEqual([[id], []]);
    expect([await itemsFound('newword'), await itemsFound('oldword')]).toEqual([[id], []]);
    expect((await admin.get(item)).body.modified_on > before).toBe(true);
    await service.control('PATCH', '/settings', { clock_offset_ms: 0 });
  });

  test('do not include a deleted tag, neither on the item nor in filters and searches', async () => {
    const item = await admin.createItem('Deleting', { tags: ['goneword', 'kept'] });
    await admin.delete(`${TAGS}/${await idOfTag('goneword')}`);
    expect(await tagsOf(item)).toEqual(['kept']);
    expect([await itemsTagged('goneword'), await itemsFound('goneword')]).toEqual([[], []]);
  });
});

describe('a deletion', () => {
  test('accepts one id or several, existing or not, also repeatedly', async () => {
    const ids = [(await create('d1')).id, (await create('d2')).id, (await create('d3')).id];
    const kept = (await create('d4')).id;
    expect((await admin.delete(`${TAGS}/${ids[0]}`)).status).toBe(204);
    for (let round = 0; round < 2; round += 1) {
      expect((await admin.delete(`${TAGS}/${ids[0]},99999,${ids[1]},x,,${ids[2]}`)).status).toBe(204);
      for (const id of ids) expect((await admin.get(`${TAGS}/${id}`)).status).toBe(404);
    }
    expect((await admin.get(`${TAGS}/${kept}`)).status).toBe(200);
    for (const id of ['99999', 'x', ',', '%00']) expect((await admin.delete(`${TAGS}/${id}`)).status).toBe(204);
  });

  test('accepts as many ids as fit into a URL', async () => {
    const { id } = await create('The last of many');
    const many = Array.from({ length: 2000 }, (_, index) => 100_000 + index);
    expect((await admin.delete(`${TAGS}/${[...many, id].join(',')}`)).status).toBe(204);
    expect((await admin.get(`${TAGS}/${id}`)).status).toBe(404);
  });
});

describe('the list', () => {
  test('contains all tags by name in one envelope that links to itself only', async () => {
    const { body } = await admin.get(TAGS);
    expect(body.links).toEqual({ self: TAGS });
    listEnvelope(tagSchema).parse(body);
    const names = body.items.map((tag: { display_name: string }) => tag.display_name.toLowerCase());
    expect(names).toEqual([...names].sort());
  });

  test('filters by the complete name and by id', async () => {
    const one = await create('Whole name');
    const two = await create('Whole name two');
    expect(await found({ display_name: 'Whole name' })).toEqual([one.id]);
    expect(await found({ display_name: 'Whole' })).toEqual([]);
    expect(await found({ id: two.id })).toEqual([two.id]);
    expect(await found({ id: two.id, display_name: 'Whole name' })).toEqual([]);
    expect(await found({ id: 'x' })).toEqual([]);
  });
});

test('administrators alone may use tags', async () => {
  const editor = await clientFor(service, 'editor');
  const { id } = await create('Guarded');
  const answers = [
    await editor.get(TAGS),
    await editor.get(`${TAGS}/${id}`),
    await editor.post(TAGS, { display_name: 'x' }),
    await editor.post(`${TAGS}/${id}`, { display_name: 'x' }),
    await editor.delete(`${TAGS}/${id}`),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
  expect((await admin.get(`${TAGS}/${id}`)).body.display_name).toBe('Guarded');
});
