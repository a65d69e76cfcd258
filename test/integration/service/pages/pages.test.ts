import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { clientFor, clientWith } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { make } from '../../../helpers/service/service-people.ts';
import { png, wav } from '../../../helpers/service/service-samples.ts';
import { FormBrowser, PKCE, signIn } from '../../../helpers/service/service-sign-in.ts';

/** A value that every page must show as text. */
const EVIL = `"'><script>alert(1)</script><img src=x onerror=alert(1)>&lt;b&gt;`;
const OOB = 'urn:ietf:wg:oauth:2.0:oob';

const service = await serviceOfFile();
const admin = await clientFor(service);
beforeAll(async () => {
  await service.control('POST', '/clients', {
    id: 'evil',
    display_name: EVIL,
    redirect_uris: [OOB, 'http://localhost/'],
  });
});

function authorizeUrl(params: Record<string, string> = {}): string {
  const query = { response_type: 'code', client_id: 'evil', redirect_uri: OOB, state: EVIL, ...PKCE, ...params };
  return `${service.baseUrl}/api2/oauth/authorize?${new URLSearchParams(query)}`;
}

/** Checks that a page contains EVIL only as text (and at all, if `shows`), and has a policy that permits no scripts but its own. */
function expectHarmless({ html, response }: { html: string; response: Response }, shows = true): void {
  expect(html).toMatch(/^<!doctype html>/);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = response.headers.get('content-security-policy') ?? '';
  const foreign = html.replace(/<script>([^<]*)<\/script>/g, (whole, script: string) => {
    const hash = createHash('sha256').update(script).digest('base64');
    return policy.includes(`script-src 'sha256-${hash}'`) ? '' : whole;
  });
  expect(foreign).not.toMatch(/<script|<img src=x|<b>gt/i);
  expect(html).not.toContain(`"'>`);
  if (shows) expect(html).toMatch(/&#60;script&#62;alert\(1\)|%3Cscript%3E/);
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
  expect(response.headers.get('content-security-policy')).not.toContain('unsafe');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('cache-control')).toBe('no-store');
}

/** Signs in on the pages; returns the consent page. */
async function browserOf(account: { email_address: string; password: string }, params: Record<string, string> = {}) {
  const browser = new FormBrowser();
  const login = await browser.open(authorizeUrl(params));
  const consent = await browser.submit(login, 'email_address', account);
  return { browser, login, consent };
}

describe('pages show stored and sent values only as text', () => {
  test('on the login page, with and without a problem, and on the out-of-band page, when approved and when denied', async () => {
    const browser = new FormBrowser();
    const login = await browser.open(authorizeUrl());
    expectHarmless(login);
    const wrong = await browser.submit(login, 'email_address', { email_address: `${EVIL}@x`, password: EVIL });
    expect(wrong.response.status).toBe(401);
    expectHarmless(wrong);
    for (const decision of ['approve', 'deny']) {
      const { browser: signedIn, consent } = await browserOf(service.admin);
      const end = await signedIn.submit(consent, 'decision', { decision });
      expect(end.html).toContain(decision === 'approve' ? '<title>Success code=' : '<title>Denied error=access_denied');
      expectHarmless(end);
    }
  });

  test('on the consent page, with the names of the application and of the user', async () => {
    const account = { email_address: `a"'<b>x&@here.example`, password: 'pass-word-evil' };
    await make(admin, 'users', { ...account, first_name: EVIL, last_name: EVIL });
    const { consent } = await browserOf(account);
    expectHarmless(consent);
    expect(consent.html).toContain('a&#34;&#39;&#60;b&#62;x&#38;@here.example');
    expect(consent.html.match(/&#60;script&#62;/g)?.length).toBeGreaterThanOrEqual(4);
  });

  test('on the page that refuses too many attempts', async () => {
    const browser = new FormBrowser();
    const page = await browser.open(authorizeUrl());
    const guess = () => browser.submit(page, 'email_address', { email_address: `x${EVIL}`, password: 'no' });
    let last = await guess();
    for (let count = 0; count < 10; count += 1) last = await guess();
    expect(last.response.status).toBe(429);
    expectHarmless(last);
  });

  test('on pages that refuse an unregistered client or redirect, or a form of another site', async () => {
    const odd: Record<string, string>[] = [{ client_id: EVIL }, { redirect_uri: `http://localhost/${EVIL}` }];
    for (const params of odd) {
      const page = await new FormBrowser().open(authorizeUrl(params));
      expect(page.response.status).toBe(400);
      expectHarmless(page, false);
    }
    for (const form of ['login', 'consent', 'sign-out']) {
      const body = new URLSearchParams({ request: EVIL, csrf: EVIL, email_address: EVIL, decision: EVIL });
      const page = await new FormBrowser().open(`${service.baseUrl}/api2/oauth/${form}`, body);
      expect(page.response.status).toBe(403);
      expectHarmless(page, false);
    }
  });

  test('on view, embed and browse pages, with players for audio, a picture and embedded content', async () => {
    const { browser } = await browserOf(service.admin, { state: 'x' });
    const shelf = await admin.post('/api2/collections', {
      display_name: EVIL,
      parent_id: '1',
      description: `${EVIL}<p>x`,
    });
    await admin.post('/api2/collections', { display_name: `${EVIL} below`, parent_id: shelf.body.id });
    const fields = { collection_id: shelf.body.id, byline: EVIL, description: EVIL, tags: [EVIL] };
    const items: string[] = [];
    for (const [name, bytes] of [
      ['tone.wav', wav(1)],
      ['p.png', png()],
    ] as const) {
      const item = await admin.createItem(EVIL, fields);
      await admin.processed(await admin.upload(item, name, bytes));
      items.push(item);
    }
    const embedding = await admin.createItem(EVIL, fields);
    const embed_url = 'https://videos.example/"><script>alert(1)</script>';
    await admin.post(`${embedding}/files`, { upload_name: `${EVIL}.mp4`, upload_size: 0, embed_url });
    for (const item of [...items, embedding]) {
      await admin.post(`${item}/publish`);
      for (const kind of ['view', 'embed']) expectHarmless(await browser.open(`${service.baseUrl}${item}/${kind}`));
    }
    const { html } = await browser.open(`${service.baseUrl}${embedding}/view`);
    expect(html).toContain('<iframe src="https://videos.example/&#34;&#62;&#60;script&#62;');
    expectHarmless(await browser.open(service.baseUrl + shelf.body.links.view));
  });

  test.each(['lean', 'strict', 'reference'] as const)('in errors of the %s dialect', async (dialect) => {
    await service.control('PATCH', '/settings', { dialect });
    for (const path of ['/api2/media/', '/api2/collections/', '/watch/', '/embed/', '/browse/', '/cdn/', '/nowhere/']) {
      const answer = await admin.get(path + encodeURIComponent(EVIL));
      expect(answer.text).not.toMatch(/<script|<img/i);
    }
  });
});

test('the address of the library alone leads to the page of the own account', async () => {
  const answer = await fetch(service.baseUrl, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/account']);
  expect((await fetch(service.baseUrl)).status).toBe(200);
});

describe('the page of an item', () => {
  test('plays it for viewers who may fetch its content, and only describes it to those who may only read it', async () => {
    const { body: shelf } = await admin.post('/api2/collections', {
      display_name: 'To look at',
      parent_id: '1',
      inherit_memberships: false,
    });
    const item = await admin.createItem('Silent', { collection_id: shelf.id });
    const file = await admin.upload(item, 'tone.wav', wav(1));
    await admin.processed(file);
    await admin.post(`${item}/publish`);
    const account = { email_address: 'reader@here.example', password: 'pass-word-reader' };
    const { id } = await make(admin, 'users', account);
    const role = await make(admin, 'roles', { display_name: 'Reads', permissions: ['collection-read', 'media-read'] });
    await make(admin, 'memberships', { user_id: id, collection_id: shelf.id, role_id: role.id });
    const { browser } = await browserOf(account, { state: 'x' });
    const reader = clientWith(
      service,
      await signIn(service, { email: account.email_address, password: account.password }),
    );
    const pages = () =>
      Promise.all(
        ['view', 'embed'].map(async (kind) => (await browser.open(`${service.baseUrl}${item}/${kind}`)).html),
      );

    for (const html of await pages()) {
      expect(html).toContain('<title>Silent');
      expect(html).not.toMatch(/<audio|cdn|src=/);
    }
    expect((await reader.get(`${file}/content?json`)).status).toBe(403);
    for (const permission of ['media-play', 'media-download']) {
      await admin.post(`/api2/roles/${role.id}/add-permissions`, { permissions: [permission] });
      expect((await reader.get(`${file}/content?json`)).status).toBe(200);
      for (const html of await pages()) expect(html).toMatch(/<audio controls[^>]* src="\/cdn\//);
      await admin.post(`/api2/roles/${role.id}/remove-permissions`, { permissions: [permission] });
    }
    for (const html of await pages()) expect(html).not.toContain('<audio');
  });
});

describe('the page of a collection', () => {
  test('is reached by its view link, and shows its subcollections and its published items, the newest first', async () => {
    const { body } = await admin.post('/api2/collections', {
      display_name: 'Ökologie & more',
      parent_id: '1',
      description: '<p>On <b>plants</b></p>',
    });
    const below = await admin.post('/api2/collections', { display_name: 'Below', parent_id: body.id });
    const titles = ['First', 'Second', 'A draft'];
    const items = [];
    for (const title of titles) items.push(await admin.createItem(title, { collection_id: body.id }));
    await admin.post(`${items[0]}/publish`);
    await service.control('PATCH', '/settings', { clock_offset_ms: 60_000 });
    await (await clientFor(service)).post(`${items[1]}/publish`);
    await service.control('PATCH', '/settings', { clock_offset_ms: 0 });
    const { browser } = await browserOf(service.admin, { state: 'x' });
    const { html, response } = await browser.open(service.baseUrl + body.links.view);
    expect(response.status).toBe(200);
    expect(html).toContain('<h1>Ökologie &#38; more</h1><p>On plants</p>');
    expect(html).toContain(`<a href="${below.body.links.view}">Below</a>`);
    expect(html).toContain('<a href="/browse/library">Library</a>');
    expect(html.indexOf('>Second</a>')).toBeLessThan(html.indexOf('>First</a>'));
    expect(html).not.toContain('A draft');
    const item = await browser.open(
      service.baseUrl + (/<a href="(\/api2\/media\/\d+\/view)">Second/.exec(html)?.[1] ?? ''),
    );
    expect(item.html).toContain('<h1>Second</h1>');
  });

  test('exists for viewers who may read the collection, and shows items to those who may read media', async () => {
    const { body: closed } = await admin.post('/api2/collections', {
      display_name: 'Closed',
      parent_id: '1',
      inherit_memberships: false,
    });
    await admin.post(`${await admin.createItem('Inside', { collection_id: closed.id })}/publish`);
    const { body: hidden } = await admin.post('/api2/collections', {
      display_name: 'Hidden',
      parent_id: closed.id,
      inherit_memberships: false,
    });
    const account = { email_address: 'visitor@here.example', password: 'pass-word-visitor' };
    const { id } = await make(admin, 'users', account);
    const url = service.baseUrl + closed.links.view;
    expect((await fetch(url)).status).toBe(404);
    const { browser } = await browserOf(account, { state: 'x' });
    expect((await browser.open(url)).response.status).toBe(404);
    const role = await make(admin, 'roles', { display_name: 'Looks', permissions: ['collection-read'] });
    await make(admin, 'memberships', { user_id: id, collection_id: closed.id, role_id: role.id });
    const bare = (await browser.open(url)).html;
    expect(bare).toContain('<h1>Closed</h1>');
    expect(bare).not.toMatch(/Inside|Hidden|Library<\/a>/);
    await admin.post(`/api2/roles/${role.id}/add-permissions`, { permissions: ['media-read'] });
    expect((await browser.open(url)).html).toContain('Inside');
    expect((await browser.open(service.baseUrl + hidden.links.view)).response.status).toBe(404);
    const everyone = await admin.get('/api2/groups/public');
    await make(admin, 'memberships', { group_id: everyone.body.id, collection_id: closed.id, role_id: role.id });
    expect(await (await fetch(url)).text()).toContain('Inside');
  });

  test('has several pages when it has more than 50 items', async () => {
    const { body } = await admin.post('/api2/collections', { display_name: 'Full', parent_id: '1' });
    const person = clientWith(service, await signIn(service));
    for (let index = 0; index < 51; index += 1) {
      await person.post(`${await person.createItem(`Item ${index}`, { collection_id: body.id })}/publish`);
    }
    const { browser } = await browserOf(service.admin, { state: 'x' });
    const count = (html: string) => html.match(/<li><a href="\/api2\/media/g)?.length ?? 0;
    const first = await browser.open(service.baseUrl + body.links.view);
    expect(count(first.html)).toBe(50);
    expect(first.html).toContain('<a href="?_p=2">Older</a>');
    const second = await browser.open(`${service.baseUrl}${body.links.view}?_p=2`);
    expect(count(second.html)).toBe(1);
    expect(second.html).toContain('<a href="?_p=1">Newer</a>');
    for (const odd of ['0', 'x', '-1', '999999999']) {
      expect((await browser.open(`${service.baseUrl}${body.links.view}?_p=${odd}`)).response.status).toBe(200);
    }
  });
});
