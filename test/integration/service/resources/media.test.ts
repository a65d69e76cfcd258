import { describe, expect, test } from 'vitest';
import { type Answer, clientFor } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { png, wav } from '../../../helpers/service/service-samples.ts';
import { FormBrowser, PKCE } from '../../../helpers/service/service-sign-in.ts';

const service = await serviceOfFile();
const admin = await clientFor(service);
const editor = await clientFor(service, 'editor');
const producer = await clientFor(service, 'producer');
const viewer = await clientFor(service, 'viewer');

describe('an item', () => {
  test('is a draft without a type, a date and texts when only its title is given', async () => {
    expect((await admin.get(await admin.createItem('Plain'))).body).toMatchObject({
      type: null,
      status: 'draft',
      publish_on: null,
      byline: null,
      description: '',
      description_plain: '',
      tags: [],
      duration: 0,
      duration_hms: '00:00:00',
      comments_count: 0,
      likes_count: 0,
      views_count: 0,
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

  test('has at most 500 tags, also by single additions', async () => {
    const tags = Array.from({ length: 500 }, (_, index) => `of many ${String(index).padStart(3, '0')}`);
    const item = await admin.createItem('Many tags', { tags });
    const refused = await admin.post(`${item}/add-tags`, { tags: ['one more'] });
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toEqual([{ field: 'tags', message: 'must have at most 500 tags' }]);
    expect((await admin.post(`${item}/add-tags`, { tags: ['OF MANY 007'] })).status).toBe(200);
    const { body } = await admin.get(item);
    expect(body.tags).toEqual(tags);
    expect((await admin.post(item, { tags: body.tags })).status).toBe(200);
  });

  test('is found by words of its description that stand in cells, nested lists and behind a line', async () => {
    const description =
      '<ul><li>Apples<ul><li>Boskoop</li></ul></li></ul><table><tr><td>Zeppelin</td><td>Kraftwerk</td></tr></table>' +
      'above<hr/>below <a title="left > right">shown</a>';
    const item = await admin.createItem('Blocks', { description });
    expect((await admin.get(item)).body.description_plain).toBe(
      'Apples\nBoskoop\nZeppelin Kraftwerk\nabove\nbelow shown',
    );
    for (const word of ['boskoop', 'kraftwerk', 'below', 'shown'])
      expect((await admin.get(`/api2/media/count?search=${word}`)).body.count).toBe(1);
    expect((await admin.get('/api2/media/count?search=right')).body.count).toBe(0);
  });

  test('gets and loses tags in any letter case', async () => {
    const item = await admin.createItem('Tagged', { tags: ['keep', 'drop'] });
    await admin.post(`${item}/add-tags`, { tags: ['new', 'KEEP'] });
    expect((await admin.get(item)).body.tags).toEqual(['drop', 'keep', 'new']);
    await admin.post(`${item}/remove-tags`, { tags: ['Drop', 'never there'] });
    expect((await admin.get(item)).body.tags).toEqual(['keep', 'new']);
  });

  test('is deleted with the content of its files', async () => {
    const item = await admin.createItem('Gone');
    const file = await admin.upload(item, 'a.png', png());
    const { body } = await admin.get(`${file}/content?json`);
    await admin.processed(file);
    expect((await fetch(body.location)).status).toBe(200);
    await admin.delete(item);
    expect((await fetch(body.location)).status).toBe(404);
  });

  test('has the type and duration of its file, and includes joins when requested', async () => {
    const item = await admin.createItem('Joined');
    await admin.processed(await admin.upload(item, 'tone.wav', wav(3)));
    const { body } = await admin.get(`${item}?joins=files,thumbs,embedcode`);
    expect(body).toMatchObject({ type: 'audio', duration: 3, duration_hms: '00:00:03', thumbs: [] });
    expect(body.files).toHaveLength(1);
    expect(body.embedcode.html).toContain('width="400" height="225"');
    expect(body.embedcode.html).toContain(body.embedcode.url);
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
});
