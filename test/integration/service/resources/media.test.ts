import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { png, wav } from '../../../helpers/service/service-samples.ts';
import { FormBrowser, PKCE } from '../../../helpers/service/service-sign-in.ts';

let service: ServiceProcess;
let admin: ServiceClient;
let editor: ServiceClient;
let producer: ServiceClient;
let viewer: ServiceClient;
beforeAll(async () => {
  service = await startService();
  [admin, editor, producer, viewer] = [
    await clientFor(service),
    await clientFor(service, 'editor'),
    await clientFor(service, 'producer'),
    await clientFor(service, 'viewer'),
  ];
});
afterAll(() => service.stop());

describe('an item', () => {
  test('has every field of the API when only its title is given', async () => {
    const { body } = await admin.get(await admin.createItem('Plain'));
    expect(body).toEqual({
      id: expect.any(String),
      type: null,
      status: 'draft',
      title: 'Plain',
      collection_id: '1',
      created_on: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      modified_on: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      publish_on: null,
      byline: null,
      duration: 0,
      duration_hms: '00:00:00',
      comments_count: 0,
      likes_count: 0,
      views_count: 0,
      description: '',
      description_plain: '',
      tags: [],
      links: {
        self: `/api2/media/${body.id}`,
        collection: '/api2/collections/1',
        files: `/api2/media/${body.id}/files`,
        thumbs: `/api2/media/${body.id}/thumbs`,
        view: `/api2/media/${body.id}/view`,
      },
    });
  });

  test('keeps the fields of its creation', async () => {
    const fields = { byline: 'Ann Ö', description: '<p>A &amp; B</p>', tags: ['optics', 'Light', 'optics', 'OPTICS'] };
    const { body } = await admin.get(await admin.createItem('  Emoji 🎥 "quoted" <b>  ', fields));
    expect(body).toMatchObject({
      title: '  Emoji 🎥 "quoted" <b>  ',
      byline: 'Ann Ö',
      description: '<p>A &amp; B</p>',
      description_plain: 'A & B',
      tags: ['Light', 'optics'],
    });
  });

  test('changes only the given fields', async () => {
    const item = await admin.createItem('Before', { byline: 'Ann', tags: ['a', 'b'], description: '<p>x</p>' });
    const before = (await admin.get(item)).body;
    await admin.post(item, { title: 'After' });
    expect((await admin.get(item)).body).toMatchObject({ ...before, title: 'After', modified_on: expect.any(String) });
    await admin.post(item, { tags: ['c'], byline: null });
    expect((await admin.get(item)).body).toMatchObject({
      title: 'After',
      tags: ['c'],
      byline: null,
      description: '<p>x</p>',
    });
  });

  test('gets and loses tags without an effect on the others', async () => {
    const item = await admin.createItem('Tagged', { tags: ['keep', 'drop'] });
    await admin.post(`${item}/add-tags`, { tags: ['new', 'KEEP'] });
    expect((await admin.get(item)).body.tags).toEqual(['drop', 'keep', 'new']);
    await admin.post(`${item}/remove-tags`, { tags: ['Drop', 'never there'] });
    expect((await admin.get(item)).body.tags).toEqual(['keep', 'new']);
    expect((await admin.post(`${item}/add-tags`, {})).status).toBe(422);
    expect((await admin.post(`${item}/add-tags`, { tags: 'x' })).status).toBe(422);
    expect((await admin.post(`${item}/add-tags`, { tags: [''] })).status).toBe(422);
  });

  test.each([
    [{ collection_id: '1' }, 'title'],
    [{ title: '', collection_id: '1' }, 'title'],
    [{ title: '   ', collection_id: '1' }, 'title'],
    [{ title: ['x'], collection_id: '1' }, 'title'],
    [{ title: 'x' }, 'collection_id'],
    [{ title: 'x', collection_id: '99999' }, 'collection_id'],
    [{ title: 'x', collection_id: '-1' }, 'collection_id'],
    [{ title: 'x', collection_id: '1 OR 1=1' }, 'collection_id'],
    [{ title: 'x', collection_id: '1', tags: 'x' }, 'tags'],
    [{ title: 'x', collection_id: '1', byline: 7 }, 'byline'],
    [{ title: 'x'.repeat(1001), collection_id: '1' }, 'title'],
    [{ title: '\ud800', collection_id: '1' }, 'title'],
  ])('is refused with 422 for %j, with the field %s', async (body, field) => {
    const count = (await admin.get('/api2/media/count')).body.count;
    const answer = await admin.post('/api2/media', body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].field).toBe(field);
    expect((await admin.get('/api2/media/count')).body.count).toBe(count);
  });

  test('is created in the personal collection when the site has one and none is given', async () => {
    await service.control('PATCH', '/settings', { personal_media_collection_id: '1' });
    expect((await admin.post('/api2/media', { title: 'Mine' })).status).toBe(201);
    await service.control('PATCH', '/settings', { personal_media_collection_id: null });
  });

  test('is deleted with 204, also repeatedly, with its files and their content', async () => {
    const item = await admin.createItem('Gone');
    const file = await admin.upload(item, 'a.png', png());
    const { body } = await admin.get(`${file}/content?json`);
    await admin.processed(file);
    expect((await fetch(body.location)).status).toBe(200);
    for (let count = 0; count < 2; count += 1) expect((await admin.delete(item)).status).toBe(204);
    expect((await admin.get(item)).status).toBe(404);
    expect((await admin.get(file)).status).toBe(404);
    expect((await fetch(body.location)).status).toBe(404);
    expect((await admin.delete('/api2/media/99999')).status).toBe(204);
    expect((await admin.delete('/api2/media/nonsense')).status).toBe(204);
  });

  test('has the type and duration of its file, and includes joins when requested', async () => {
    const item = await admin.createItem('Joined');
    await admin.processed(await admin.upload(item, 'tone.wav', wav(3)));
    const { body } = await admin.get(`${item}?joins=files,thumbs,embedcode`);
    expect(body).toMatchObject({ type: 'audio', duration: 3, duration_hms: '00:00:03', thumbs: [] });
    expect(body.files).toHaveLength(1);
    expect(body.embedcode.html).toContain('width="400" height="225"');
  });
});

describe('rights on items', () => {
  test('an unpublished item exists only for its creator and its editors', async () => {
    const item = await producer.createItem('Draft');
    expect((await producer.get(item)).status).toBe(200);
    expect((await editor.get(item)).status).toBe(200);
    expect((await viewer.get(item)).status).toBe(404);
    expect((await viewer.get(`/api2/media?search=Draft`)).body.items).toEqual([]);
    await producer.post(`${item}/publish`);
    expect((await viewer.get(item)).status).toBe(200);
  });

  test('a viewer cannot change anything: 403', async () => {
    const item = await admin.createItem('Safe');
    await admin.post(`${item}/publish`);
    for (const [path, body] of [
      ['', { title: 'x' }],
      ['/add-tags', { tags: ['x'] }],
      ['/publish', {}],
      ['/files', { upload_name: 'a.wav', upload_size: 1 }],
      ['/thumbs', { upload_name: 'a.png', upload_size: 1 }],
    ] as const) {
      expect([path, (await viewer.post(item + path, body)).status]).toEqual([path, 403]);
    }
    expect((await viewer.delete(item)).status).toBe(403);
    expect((await viewer.post('/api2/media', { title: 'x', collection_id: '1' })).status).toBe(403);
  });

  test('a creator changes and deletes their own draft within three hours, and not later', async () => {
    const [early, late] = [await producer.createItem('Early'), await producer.createItem('Late')];
    expect((await producer.post(early, { title: 'Early 2' })).status).toBe(200);
    expect((await producer.post(`${early}/add-tags`, { tags: ['x'] })).status).toBe(200);
    await service.control('PATCH', '/settings', { clock_offset_ms: 3 * 3_600_000 - 60_000 });
    const before = await clientFor(service, 'producer');
    expect((await before.delete(early)).status).toBe(204);
    expect((await before.post(late, { title: 'Late 2' })).status).toBe(200);
    await service.control('PATCH', '/settings', { clock_offset_ms: 3 * 3_600_000 + 60_000 });
    const after = await clientFor(service, 'producer');
    expect((await after.post(late, { title: 'Late 3' })).status).toBe(403);
    expect((await after.delete(late)).status).toBe(403);
    await service.control('PATCH', '/settings', { clock_offset_ms: 0 });
    [admin, editor, producer, viewer] = await Promise.all([
      clientFor(service),
      clientFor(service, 'editor'),
      clientFor(service, 'producer'),
      clientFor(service, 'viewer'),
    ]);
  });

  test("a creator can't change their own item once it was published, even after it is unpublished", async () => {
    const item = await producer.createItem('Out and in');
    await producer.post(`${item}/publish`);
    expect((await producer.post(item, { title: 'x' })).status).toBe(403);
    expect((await producer.delete(item)).status).toBe(403);
    expect((await editor.post(item, { title: 'x' })).status).toBe(200);
    await editor.post(`${item}/unpublish`);
    expect((await producer.post(item, { title: 'x' })).status).toBe(403);
    expect((await producer.delete(item)).status).toBe(403);
  });

  test('a creator cannot change the items of others', async () => {
    const item = await admin.createItem('Theirs');
    await admin.post(`${item}/publish`);
    expect((await producer.post(item, { title: 'x' })).status).toBe(403);
  });

  test('an item can be moved only to a collection where the caller may create media', async () => {
    const { body } = await admin.post('/api2/collections', {
      display_name: 'Off limits',
      parent_id: '1',
      inherit_memberships: false,
    });
    const item = await producer.createItem('Stays');
    expect((await producer.post(item, { collection_id: body.id })).status).toBe(422);
    expect((await producer.get(item)).body.collection_id).toBe('1');
  });
});

describe('links to pages', () => {
  test('view and embed redirect to pages that play the item, for viewers who may see it', async () => {
    const item = await admin.createItem('Watch <me> & "me"', {
      byline: '<script>',
      description: '<p>x<img src=x></p>',
    });
    await admin.processed(await admin.upload(item, 'tone.wav', wav(1)));
    const browser = new FormBrowser();
    const query = `response_type=code&client_id=${service.clientId}&redirect_uri=http://localhost/&state=x&${new URLSearchParams(PKCE)}`;
    const login = await browser.open(`${service.baseUrl}/api2/oauth/authorize?${query}`);
    await browser.submit(login, 'email_address', service.admin);
    for (const kind of ['view', 'embed']) {
      const redirect: Answer = await admin.request('GET', `${item}/${kind}`, undefined, { authorization: '' });
      expect(redirect.status).toBe(302);
      expect((await fetch(service.baseUrl + redirect.location)).status).toBe(404);
      const { html, response } = await browser.open(service.baseUrl + redirect.location);
      expect(response.status).toBe(200);
      expect(html).toContain('<title>Watch &#60;me&#62; &#38; &#34;me&#34;</title>');
      expect(html.replace(/<script>\nfor\(const label[^<]*<\/script>/, '')).not.toContain('<script');
      const src = /<audio[^>]* src="([^"]*)"/.exec(html)?.[1] ?? '';
      expect((await fetch(service.baseUrl + src)).headers.get('content-type')).toMatch(/^audio/);
    }
  });

  test('the embed template has the three placeholders of the API', async () => {
    const { html } = (await admin.request('GET', '/api2/media/embed-template', undefined, { authorization: '' })).body;
    for (const word of ['URL', 'WIDTH', 'HEIGHT']) expect(html).toContain(word);
  });

  test('the embed code has the requested size', async () => {
    const item = await admin.createItem('Embedded');
    const { body } = await admin.get(`${item}/embedcode?width=640&height=360`);
    expect(body.html).toContain('width="640" height="360"');
    expect(body.html).toContain(body.url);
    expect((await admin.get(`${item}/embedcode?width=x`)).status).toBe(422);
    expect((await admin.get(`${item}/embedcode?width=0`)).status).toBe(422);
  });
});
