import { describe, expect, test } from 'vitest';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { idsOf, make } from '../../../helpers/service/service-people.ts';

const TAGS = '/api2/tags';
const service = await serviceOfFile();
const admin = await clientFor(service);

const create = (display_name: string) => make(admin, 'tags', { display_name });
const found = (query?: Record<string, string>) => idsOf(admin, TAGS, query);
const tagsOf = async (item: string): Promise<string[]> => (await admin.get(item)).body.tags;
const itemsTagged = (tag: string) => idsOf(admin, '/api2/media', { tag });
const itemsFound = (search: string) => idsOf(admin, '/api2/media', { search });
const idOfTag = async (name: string): Promise<string> => (await found({ display_name: name }))[0] ?? '';

test('a tag is refused with 409 when its name exists in any case; it may change the case of its own name', async () => {
  const { id, display_name } = await create(' Chemistry ');
  expect(display_name).toBe('Chemistry');
  const other = await create('Biology');
  expect((await admin.post(TAGS, { display_name: 'CHEMISTRY' })).status).toBe(409);
  expect((await admin.post(`${TAGS}/${other.id}`, { display_name: 'chemistry' })).status).toBe(409);
  expect((await admin.post(`${TAGS}/${id}`, { display_name: 'chemistry' })).body.display_name).toBe('chemistry');
});

describe('the tags of media items', () => {
  test('have the spelling of a tag that exists already', async () => {
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

test('a deletion accepts as many ids as fit into a URL, and whatever else is between the commas', async () => {
  const { id } = await create('The last of many');
  const many = Array.from({ length: 2000 }, (_, index) => 100_000 + index);
  expect((await admin.delete(`${TAGS}/${[...many, 'x', '', id].join(',')}`)).status).toBe(204);
  expect((await admin.get(`${TAGS}/${id}`)).status).toBe(404);
  for (const nothing of ['99999', 'x', ',', '%00']) expect((await admin.delete(`${TAGS}/${nothing}`)).status).toBe(204);
});
