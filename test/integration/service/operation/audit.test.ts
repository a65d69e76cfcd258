import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RouteOptions } from 'fastify';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../../../service/app/create-app.ts';
import type { AuditRecord } from '../../../../service/audit/audit-rows.ts';
import { DEFAULT_SETTINGS } from '../../../../service/site/settings.ts';
import type { Site } from '../../../../service/site/site.ts';
import { resetLinkFor, setPassword } from '../../../helpers/service/service-accounts.ts';
import { auditOf } from '../../../helpers/service/service-audit.ts';
import { clientFor, sendForm } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { startService } from '../../../helpers/service/service-process.ts';
import { FormBrowser, PKCE, PKCE_VERIFIER, signIn } from '../../../helpers/service/service-sign-in.ts';
import { databaseOptions } from '../../../helpers/service/test-database.ts';

const MAIN = fileURLToPath(new URL('../../../../service/main.ts', import.meta.url));
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const service = await serviceOfFile({ options: ['--operations', '127.0.0.1:0'] });
const admin = await clientFor(service);
const viewer = await clientFor(service, 'viewer');

/** The rows of the requests that `act` sends to a route, without those of the service itself. */
async function rowsOf(request: string, act: () => Promise<unknown>): Promise<AuditRecord[]> {
  const before = (await auditOf(service)).at(-1)?.id ?? 0;
  await act();
  return (await auditOf(service)).filter((row) => row.id > before && row.request === request);
}

async function id(answer: Promise<{ body: { id: string } }>): Promise<string> {
  return (await answer).body.id;
}

let names = 0;
const fresh = (what: string) => {
  names += 1;
  return `${what} ${names}`;
};
const newCollection = () => id(admin.post('/api2/collections', { display_name: fresh('Collection'), parent_id: '1' }));
const newItem = () => admin.createItem(fresh('Item'));
const newGroup = () => id(admin.post('/api2/groups', { display_name: fresh('Group') }));
const newTag = () => id(admin.post('/api2/tags', { display_name: fresh('Tag') }));
const newRole = () =>
  id(admin.post('/api2/roles', { display_name: fresh('Role'), permissions: ['collection-read', 'media-read'] }));
const userBody = () => ({
  ...{ is_admin: false, first_name: 'A', last_name: 'B', password: 'a password of nobody' },
  email_address: `${fresh('u').replace(' ', '')}@library.example`,
});
const newUser = () => id(admin.post('/api2/users', userBody()));
const membershipBody = async () => ({ user_id: await newUser(), collection_id: '1', role_id: await newRole() });
const newFile = async () =>
  (await admin.post(`${await newItem()}/files`, { upload_name: 'a.bin', upload_size: 3 })).body;
const thumbBody = { upload_name: 'a.png', upload_size: PNG.length };

/** Each step prepares what it needs, then returns the one request that changes something. */
type Step = () => Promise<() => Promise<{ status: number }>>;

function onPath(make: () => Promise<string>, suffix: string, body?: unknown): Step {
  return async () => {
    const path = (await make()) + suffix;
    return () => admin.post(path, body);
  };
}

function deletion(make: () => Promise<string>): Step {
  return async () => {
    const path = await make();
    return () => admin.delete(path);
  };
}

const at = (resource: string, make: () => Promise<string>) => async () => `/api2/${resource}/${await make()}`;

async function loginPage() {
  const browser = new FormBrowser();
  const query = {
    response_type: 'code',
    client_id: service.clientId,
    redirect_uri: 'http://localhost:4/',
    state: 'x',
    ...PKCE,
  };
  const page = await browser.open(`${service.baseUrl}/api2/oauth/authorize?${new URLSearchParams(query)}`);
  return { browser, page };
}

async function consentPage() {
  const { browser, page } = await loginPage();
  return { browser, page: await browser.submit(page, 'email_address', service.admin) };
}

const STEPS: Record<string, Step> = {
  'POST /api2/collections': async () => () =>
    admin.post('/api2/collections', { display_name: 'Lectures', parent_id: '1' }),
  'POST /api2/collections/:id': onPath(at('collections', newCollection), '', { description: '<p>x</p>' }),
  'POST /api2/collections/:id/reslugify': async () => {
    const own = await newCollection();
    await admin.post(`/api2/collections/${own}`, { slug: fresh('slug').replace(' ', '-') });
    return () => admin.post(`/api2/collections/${own}/reslugify`);
  },
  'POST /api2/collections/:id/move': async () => {
    const [own, parent] = [await newCollection(), await newCollection()];
    return () => admin.post(`/api2/collections/${own}/move`, { new_parent_id: parent });
  },
  'DELETE /api2/collections/:id': deletion(at('collections', newCollection)),
  'POST /api2/collections/:id/podcast-details': async () => {
    const body = { display_name: fresh('Podcast'), parent_id: '1', is_podcast: true };
    const own = await id(admin.post('/api2/collections', body));
    return () => admin.post(`/api2/collections/${own}/podcast-details`, { directory_author_name: 'Ada' });
  },
  'POST /api2/media': async () => () => admin.post('/api2/media', { title: 'A', collection_id: '1', tags: ['x', 'y'] }),
  'POST /api2/media/:id': onPath(newItem, '', { title: 'New', tags: ['z'] }),
  'POST /api2/media/:id/publish': onPath(newItem, '/publish'),
  'POST /api2/media/:id/unpublish': async () => {
    const item = await newItem();
    await admin.post(`${item}/publish`);
    return () => admin.post(`${item}/unpublish`);
  },
  'POST /api2/media/:id/add-tags': onPath(newItem, '/add-tags', { tags: ['fresh', 'x'] }),
  'POST /api2/media/:id/remove-tags': async () => {
    const item = await admin.createItem('With tags', { tags: ['x', 'y'] });
    return () => admin.post(`${item}/remove-tags`, { tags: ['x'] });
  },
  'DELETE /api2/media/:id': async () => {
    const item = await admin.createItem('With a file', { tags: ['x'] });
    await admin.upload(item, 'a.bin', Buffer.from('abc'));
    return () => admin.delete(item);
  },
  'POST /api2/media/:media_id/files': async () => {
    const item = await newItem();
    return () => admin.post(`${item}/files`, { upload_name: 'a.mp4', upload_size: 3 });
  },
  'DELETE /api2/media/:media_id/files/:file_id': deletion(async () => (await newFile()).links.self),
  'POST /upload/:token': async () => {
    const file = await newFile();
    return () => sendForm(file.upload, 'a.bin', Buffer.from('abc'));
  },
  'POST /postprocess/:token': async () => {
    const { upload } = await newFile();
    await sendForm(upload, 'a.bin', Buffer.from('abc'));
    return () => fetch(upload.protocols.form_data.postprocess_url, { method: 'POST' });
  },
  'POST /api2/media/:id/thumbs': onPath(newItem, '/thumbs', thumbBody),
  'POST /api2/collections/:id/thumbs': onPath(at('collections', newCollection), '/thumbs', thumbBody),
  'POST /api2/users/:id/thumbs': onPath(at('users', newUser), '/thumbs', thumbBody),
  'POST /api2/users': async () => () => admin.post('/api2/users', userBody()),
  'POST /api2/users/:id': onPath(at('users', newUser), '', { is_admin: true }),
  'POST /api2/users/:id/add-groups': async () => {
    const [user, group] = [await newUser(), await newGroup()];
    return () => admin.post(`/api2/users/${user}/add-groups`, { group_ids: [group] });
  },
  'POST /api2/users/:id/remove-groups': async () => {
    const [user, group] = [await newUser(), await newGroup()];
    await admin.post(`/api2/users/${user}/add-groups`, { group_ids: [group] });
    return () => admin.post(`/api2/users/${user}/remove-groups`, { group_ids: [group] });
  },
  'DELETE /api2/users/:id': async () => {
    const body = await membershipBody();
    await admin.post('/api2/memberships', body);
    return () => admin.delete(`/api2/users/${body.user_id}`);
  },
  'DELETE /api2/users/bulk-delete': async () => {
    const { email_address } = (await admin.post('/api2/users', userBody())).body;
    return () => admin.delete(`/api2/users/bulk-delete?email_address=${email_address}`);
  },
  'POST /api2/groups': async () => () => admin.post('/api2/groups', { display_name: 'Teachers' }),
  'POST /api2/groups/:id': onPath(at('groups', newGroup), '', { display_name: 'Other' }),
  'POST /api2/groups/:id/add-users': async () => {
    const [group, ...users] = [await newGroup(), await newUser(), await newUser()];
    return () => admin.post(`/api2/groups/${group}/add-users`, { user_ids: users });
  },
  'POST /api2/groups/:id/remove-users': async () => {
    const [group, user] = [await newGroup(), await newUser()];
    await admin.post(`/api2/groups/${group}/add-users`, { user_ids: [user] });
    return () => admin.post(`/api2/groups/${group}/remove-users`, { user_ids: [user] });
  },
  'DELETE /api2/groups/:id': deletion(at('groups', newGroup)),
  'POST /api2/tags': async () => () => admin.post('/api2/tags', { display_name: 'A tag' }),
  'POST /api2/tags/:id': onPath(at('tags', newTag), '', { display_name: 'Renamed' }),
  'DELETE /api2/tags/:ids': async () => {
    const name = fresh('Tag');
    await admin.createItem('Tagged', { tags: [name] });
    const tag = (await admin.get(`/api2/tags?display_name=${encodeURIComponent(name)}`)).body.items[0].id;
    return () => admin.delete(`/api2/tags/${tag}`);
  },
  'POST /api2/roles': async () => () => admin.post('/api2/roles', { display_name: 'R', permissions: [] }),
  'POST /api2/roles/:id': onPath(at('roles', newRole), '', { display_name: 'Other' }),
  'POST /api2/roles/:id/add-permissions': onPath(at('roles', newRole), '/add-permissions', {
    permissions: ['media-play'],
  }),
  'POST /api2/roles/:id/remove-permissions': onPath(at('roles', newRole), '/remove-permissions', {
    permissions: ['media-read'],
  }),
  'DELETE /api2/roles/:id': deletion(at('roles', newRole)),
  'POST /api2/memberships': async () => {
    const body = await membershipBody();
    return () => admin.post('/api2/memberships', body);
  },
  'POST /api2/memberships/:id': async () => {
    const body = await membershipBody();
    const [own, role] = [await id(admin.post('/api2/memberships', body)), await newRole()];
    return () => admin.post(`/api2/memberships/${own}`, { role_id: role });
  },
  'DELETE /api2/memberships/:id': async () => {
    const own = await id(admin.post('/api2/memberships', await membershipBody()));
    return () => admin.delete(`/api2/memberships/${own}`);
  },
  'POST /account/set-password/:token': async () => {
    const { email_address } = (await admin.post('/api2/users', userBody())).body;
    const link = await resetLinkFor(service.dataDir, email_address);
    return async () => (await setPassword(link)).response;
  },
  'POST /account/sign-in': async () => {
    const browser = new FormBrowser();
    const page = await browser.open(`${service.baseUrl}/account`);
    return async () => (await browser.submit(page, 'email_address', service.admin)).response;
  },
  'POST /account/sign-out': async () => {
    const { browser, page } = await accountPage();
    const signOut = { ...page, html: page.html.slice(page.html.lastIndexOf('<form')) };
    return async () => (await browser.submit(signOut, 'csrf', {})).response;
  },
  'POST /account/end': async () => {
    await accountPage();
    const { browser, page } = await accountPage();
    return async () => (await browser.submit(page, 'what', {})).response;
  },
  'POST /account/password': async () => {
    const user = userBody();
    await admin.post('/api2/users', user);
    const { browser, page } = await accountPage(user);
    const fields = { present: user.password, password: 'another password', again: 'another password' };
    return async () => (await browser.submit(page, 'present', fields)).response;
  },
  'POST /account/forgot': async () => {
    const user = userBody();
    await admin.post('/api2/users', user);
    // No server is there: the link is made, and its mail is not sent.
    await service.control('PATCH', '/settings', { mail_server: 'smtp://127.0.0.1:9', mail_from: 'a@library.example' });
    const browser = new FormBrowser();
    const page = await browser.open(`${service.baseUrl}/account/forgot`);
    return async () => {
      const { response } = await browser.submit(page, 'email_address', { email_address: user.email_address });
      await expect.poll(async () => (await auditOf(service)).at(-1)?.action).toBe('account-link.create');
      return response;
    };
  },
  'POST /account/people/invite': async () => {
    const { browser, page } = await peoplePage();
    const { email_address, first_name, last_name } = userBody();
    return async () => (await browser.submit(page, 'first_name', { email_address, first_name, last_name })).response;
  },
  'POST /account/people/link': async () => {
    const own = await newUser();
    const { browser, page } = await peoplePage();
    return async () => (await browser.submit(page, 'id', { id: own })).response;
  },
  'POST /account/people/deactivate': async () => {
    const own = await newUser();
    const { browser, page } = await peoplePage();
    return async () => (await browser.submit(peopleForm(page, 'deactivate'), 'id', { id: own })).response;
  },
  'POST /account/people/reactivate': async () => {
    const own = await newUser();
    const { browser, page } = await peoplePage();
    await browser.submit(peopleForm(page, 'deactivate'), 'id', { id: own });
    const again = await browser.open(`${service.baseUrl}/account/people`);
    return async () => (await browser.submit(peopleForm(again, 'reactivate'), 'id', {})).response;
  },
  'POST /account/people/revoke': async () => {
    const { browser, page } = await peoplePage();
    const { email_address, first_name, last_name } = userBody();
    await browser.submit(page, 'first_name', { email_address, first_name, last_name });
    const after = await browser.open(`${service.baseUrl}/account/people`);
    return async () => (await browser.submit(peopleForm(after, 'revoke'), 'id', {})).response;
  },
  'POST /api2/oauth/login': async () => {
    const { browser, page } = await loginPage();
    return async () => (await browser.submit(page, 'email_address', service.admin)).response;
  },
  'POST /api2/oauth/consent': async () => {
    const { browser, page } = await consentPage();
    return async () => (await browser.submit(page, 'decision', { decision: 'approve' })).response;
  },
  'POST /api2/oauth/sign-out': async () => {
    const { browser, page } = await consentPage();
    const signOut = { ...page, html: page.html.slice(page.html.indexOf('<footer>')) };
    return async () => (await browser.submit(signOut, 'csrf', {})).response;
  },
  'POST /api2/oauth/access_token': async () => {
    const { browser, page } = await consentPage();
    const { response } = await browser.submit(page, 'decision', { decision: 'approve' });
    const code = new URL(response.headers.get('location') ?? '').searchParams.get('code');
    const body = { grant_type: 'authorization_code', code, client_id: service.clientId, code_verifier: PKCE_VERIFIER };
    return () => admin.post('/api2/oauth/access_token', { ...body, redirect_uri: 'http://localhost:4/' });
  },
};

async function peoplePage() {
  const { browser } = await accountPage();
  return { browser, page: await browser.open(`${service.baseUrl}/account/people`) };
}

const peopleForm = (page: { url: string; html: string }, verb: string) => ({
  ...page,
  html: `<form${page.html.split('<form').find((part) => part.includes(`/people/${verb}"`))}`,
});

async function accountPage(user: { email_address: string; password: string } = service.admin) {
  const browser = new FormBrowser();
  const { email_address, password } = user;
  const form = await browser.open(`${service.baseUrl}/account`);
  return { browser, page: await browser.submit(form, 'email_address', { email_address, password }) };
}

/** The routes of the real application that can change something. */
async function changingRoutes(): Promise<string[]> {
  const site = { settings: { current: () => DEFAULT_SETTINGS }, store: { isShared: false } } as unknown as Site;
  const app = createApp(site);
  const routes: string[] = [];
  app.addHook('onRoute', ({ method, url }: RouteOptions) => {
    for (const each of [method].flat()) if (!['GET', 'HEAD', 'OPTIONS'].includes(each)) routes.push(`${each} ${url}`);
  });
  await app.ready();
  await app.close();
  return routes;
}

describe('every route that changes something', () => {
  test('is tested here', async () => {
    expect(Object.keys(STEPS).sort()).toEqual((await changingRoutes()).sort());
  });

  test.each(Object.keys(STEPS))(
    '%s has exactly one row, with the user, if one is known, and the address',
    async (request) => {
      const change = await (STEPS[request] as Step)();
      const rows = await rowsOf(request, async () => expect((await change()).status).toBeLessThan(400));
      expect(rows, JSON.stringify(rows)).toHaveLength(1);
      expect(rows[0]?.address).toBe('127.0.0.1');
      // An account is changed by its own user.
      const isOwn = request.startsWith('POST /account/') && !request.includes('/people/');
      const own = isOwn ? rows[0]?.target : { id: '1', name: service.admin.email_address };
      // Anyone can ask for a link of an account.
      const isAnyone = request === 'POST /account/forgot';
      expect(rows[0]?.actor).toEqual(isAnyone ? null : { id: own?.id, email_address: own?.name });
      if (request.includes('/api2/') && !request.includes('/oauth/')) expect(rows[0]?.client_id).toBe(service.clientId);
    },
  );

  test.each(Object.keys(STEPS))('%s has no row when it is refused', async (request) => {
    const [method = '', template = ''] = request.split(' ');
    const path = template.replace(/:(ids?|media_id|file_id)\b/g, '1').replace(':token', 'wrong');
    const rows = await rowsOf(request, async () => {
      const noToken = await fetch(new URL(path, service.baseUrl), { method });
      expect(noToken.status).toBeGreaterThanOrEqual(400);
      const { status } = await viewer.request(method, path, method === 'DELETE' ? undefined : { title: 7 });
      // Deleting what is not there is no refusal.
      if (status !== 204) expect(status).toBeGreaterThanOrEqual(400);
    });
    expect(rows).toEqual([]);
  });
});

describe('a row', () => {
  test('has the fields that a request changed, before and after', async () => {
    const item = await admin.createItem('Before', { tags: ['one', 'two'] });
    const [row] = await rowsOf('POST /api2/media/:id', () =>
      admin.post(item, { title: 'After', byline: 'Ada', tags: ['two', 'three'] }),
    );
    expect(row).toMatchObject({
      action: 'media.update',
      target: { kind: 'media', id: item.split('/').at(-1), name: 'After' },
      before: { title: 'Before', byline: null, tags: ['one'] },
      after: { title: 'After', byline: 'Ada', tags: ['three'] },
    });
  });

  test('is not written for a save that changes nothing', async () => {
    const item = await admin.createItem('Same', { tags: ['one'] });
    expect(await rowsOf('POST /api2/media/:id', () => admin.post(item, { title: 'Same', tags: ['one'] }))).toEqual([]);
  });

  test('is written for each user of a bulk deletion', async () => {
    const group = await newGroup();
    const users = [await newUser(), await newUser(), await newUser()];
    await admin.post(`/api2/groups/${group}/add-users`, { user_ids: users });
    const rows = await rowsOf('DELETE /api2/users/bulk-delete', () =>
      admin.delete(`/api2/users/bulk-delete?group_id=${group}`),
    );
    expect(rows.map(({ action, target }) => [action, target.id])).toEqual(users.map((each) => ['user.delete', each]));
    expect(rows.every(({ target }) => /^u\d+@library\.example$/.test(target.name ?? ''))).toBe(true);
  });

  test('names the service for work of its own', async () => {
    const item = await newItem();
    const file = await admin.upload(item, 'a.bin', Buffer.from('abc'));
    await admin.processed(file);
    const rows = await auditOf(service, { actor: 'system' });
    expect(rows.at(-1)).toMatchObject({
      ...{ actor: null, address: null, request: null, action: 'file.update' },
      target: { kind: 'file', id: file.split('/').at(-1) },
      before: { status: 'processing' },
      after: { status: 'complete' },
    });
  });

  test('is written when a used token revokes a sign-in, and not for a refresh', async () => {
    const tokens = await signIn(service);
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: service.clientId };
    const route = 'POST /api2/oauth/access_token';
    expect(await rowsOf(route, () => admin.post('/api2/oauth/access_token', refresh))).toEqual([]);
    const rows = await rowsOf(route, () => admin.post('/api2/oauth/access_token', refresh));
    expect(rows).toMatchObject([{ action: 'token.delete', actor: { id: '1' } }]);
    expect(JSON.stringify(await auditOf(service))).not.toContain(tokens.refresh_token);
  });

  test('is written once for settings that a configuration changes, and not for the same again', async () => {
    const before = (await auditOf(service)).length;
    await service.control('PATCH', '/settings', { max_upload_bytes: 5_000_000 });
    await service.control('PATCH', '/settings', { max_upload_bytes: 5_000_000 });
    const rows = (await auditOf(service)).slice(before).filter(({ target }) => target.kind === 'settings');
    expect(rows).toMatchObject([
      { action: expect.stringMatching(/^settings\./), after: { max_upload_bytes: 5_000_000 }, actor: null },
    ]);
  });

  test('tells the address that the proxy saw, not the one that a client claims', async () => {
    const proxied = await startService({
      publicUrl: 'http://localhost:9999',
      options: ['--operations', '127.0.0.1:0'],
    });
    try {
      const other = await clientFor(proxied);
      const forwarded = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' };
      await other.request('POST', '/api2/tags', { display_name: 'T' }, forwarded);
      expect((await auditOf(proxied)).at(-1)).toMatchObject({ action: 'tag.create', address: '198.51.100.7' });
    } finally {
      await proxied.stop();
    }
  });
});

interface Run {
  code: number;
  rows: AuditRecord[];
  stderr: string;
}

function audit(...args: string[]): Promise<Run> {
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, 'audit', ...args], { maxBuffer: 1e9 }, (error, stdout, stderr) => {
      const lines = stdout.split('\n').filter((line) => line !== '');
      resolve({ code: error ? Number(error.code) : 0, rows: lines.map((line) => JSON.parse(line)), stderr });
    });
  });
}

describe('the command', () => {
  const ofService = async () => ['--data', service.dataDir, ...(await databaseOptions(service.dataDir))];

  test('prints the same rows while the service runs and when it does not', async () => {
    const running = await audit(...(await ofService()));
    expect(running.code, running.stderr).toBe(0);
    expect(running.rows).toEqual(await auditOf(service));
    const ann = await audit(...(await ofService()), '--actor', 'VIEWER@library.example');
    expect(ann.rows.length).toBeGreaterThan(0);
    expect(ann.rows.every(({ actor }) => actor?.email_address === 'viewer@library.example')).toBe(true);
    await service.end('SIGTERM');
    const stopped = await audit(...(await ofService()));
    expect(stopped.rows.slice(0, running.rows.length)).toEqual(running.rows);
    const middle = running.rows[10]?.at ?? '';
    const since = await audit(...(await ofService()), '--since', middle);
    const second = `${middle.slice(0, 19)}.000Z`;
    expect(since.rows).toEqual(stopped.rows.filter(({ at: when }) => when >= second));
    expect((await audit(...(await ofService()), '--until', '2020-01-01')).rows).toEqual([]);
    await service.restart();
  });

  test('refuses a time that is none, and a folder without a library', async () => {
    expect((await audit(...(await ofService()), '--since', 'yesterday')).code).toBe(2);
    expect(await audit('--data', '/nowhere')).toMatchObject({
      code: 1,
      rows: [],
      stderr: expect.stringContaining('no library'),
    });
  });

  test('gives nothing to a program without the token', async () => {
    for (const authorization of ['', 'Bearer wrong', `Bearer ${admin.tokens.access_token}`]) {
      expect((await fetch(`${service.operationsUrl}/audit`, { headers: { authorization } })).status).toBe(401);
    }
  });
});
