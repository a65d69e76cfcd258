import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../../../service/app/create-app.ts';
import { openStore } from '../../../../service/database/database.ts';
import { DEFAULT_SETTINGS } from '../../../../service/site/settings.ts';
import type { Site } from '../../../../service/site/site.ts';
import { type Answer, clientFor, clientWith, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { signIn } from '../../../helpers/service/service-sign-in.ts';

/** Ids of resources that the administrator created for this test and that no other user may see. */
type Ids = Record<'collection' | 'media' | 'file' | 'membership' | 'user' | 'group' | 'tag' | 'role', string>;

/**
 * The answer to a user without any permission: `none` a refusal (403, or 404 when the resource is not visible), `empty`
 * a list without items, `silent` a deletion that answers 204 and does nothing, `invalid` a 422 that calls the id
 * unknown, `page` a path that needs no token and decides by itself.
 */
type Verdict = 'none' | 'empty' | 'silent' | 'invalid' | 'page';

const COLLECTION = { display_name: 'x' };
const USER = { is_admin: true, email_address: 'x@x.example', first_name: 'x', last_name: 'x' };

const ROUTES: readonly [
  method: 'GET' | 'POST' | 'DELETE',
  route: string,
  verdict: Verdict,
  body?: (ids: Ids) => unknown,
][] = [
  ['GET', '/api2/collections', 'empty'],
  ['GET', '/api2/collections/tree', 'empty'],
  ['GET', '/api2/collections/:id', 'none'],
  ['POST', '/api2/collections', 'invalid', (ids) => ({ ...COLLECTION, parent_id: ids.collection })],
  ['POST', '/api2/collections/:id', 'none', () => COLLECTION],
  ['POST', '/api2/collections/:id/reslugify', 'none'],
  ['POST', '/api2/collections/:id/move', 'none', () => ({ new_parent_id: '1' })],
  ['DELETE', '/api2/collections/:id', 'silent'],
  ['GET', '/api2/collections/:id/podcast-details', 'none'],
  ['POST', '/api2/collections/:id/podcast-details', 'none', () => ({})],
  ['GET', '/api2/media', 'empty'],
  ['GET', '/api2/media/count', 'empty'],
  ['GET', '/api2/media/:id', 'none'],
  ['GET', '/api2/media/:id/embedcode', 'none'],
  ['POST', '/api2/media', 'invalid', (ids) => ({ title: 'x', collection_id: ids.collection })],
  ['POST', '/api2/media/:id', 'none', () => ({ title: 'x' })],
  ['POST', '/api2/media/:id/publish', 'none'],
  ['POST', '/api2/media/:id/unpublish', 'none'],
  ['POST', '/api2/media/:id/add-tags', 'none', () => ({ tags: ['x'] })],
  ['POST', '/api2/media/:id/remove-tags', 'none', () => ({ tags: ['x'] })],
  ['DELETE', '/api2/media/:id', 'silent'],
  ['GET', '/api2/media/:media_id/files', 'none'],
  ['GET', '/api2/media/:media_id/files/:file_id', 'none'],
  ['GET', '/api2/media/:media_id/files/:file_id/content', 'none'],
  ['POST', '/api2/media/:media_id/files', 'none', () => ({ upload_name: 'x', upload_size: 1 })],
  ['DELETE', '/api2/media/:media_id/files/:file_id', 'silent'],
  ['GET', '/api2/media/:id/thumbs', 'none'],
  ['POST', '/api2/media/:id/thumbs', 'none', () => ({ upload_name: 'x', upload_size: 1 })],
  ['GET', '/api2/collections/:id/thumbs', 'none'],
  ['POST', '/api2/collections/:id/thumbs', 'none', () => ({ upload_name: 'x', upload_size: 1 })],
  ['GET', '/api2/users/:id/thumbs', 'none'],
  ['POST', '/api2/users/:id/thumbs', 'none', () => ({ upload_name: 'x', upload_size: 1 })],
  ['GET', '/api2/users', 'none'],
  ['GET', '/api2/users/:id', 'none'],
  ['POST', '/api2/users', 'none', () => USER],
  ['POST', '/api2/users/:id', 'none', () => ({ is_admin: true })],
  ['POST', '/api2/users/:id/add-groups', 'none', (ids) => ({ group_ids: [ids.group] })],
  ['POST', '/api2/users/:id/remove-groups', 'none', (ids) => ({ group_ids: [ids.group] })],
  ['DELETE', '/api2/users/bulk-delete', 'none'],
  ['DELETE', '/api2/users/:id', 'none'],
  ['GET', '/api2/groups', 'none'],
  ['GET', '/api2/groups/:id', 'none'],
  ['POST', '/api2/groups', 'none', () => ({ display_name: 'x' })],
  ['POST', '/api2/groups/:id', 'none', () => ({ display_name: 'x' })],
  ['POST', '/api2/groups/:id/add-users', 'none', (ids) => ({ user_ids: [ids.user] })],
  ['POST', '/api2/groups/:id/remove-users', 'none', (ids) => ({ user_ids: [ids.user] })],
  ['DELETE', '/api2/groups/:id', 'none'],
  ['GET', '/api2/tags', 'none'],
  ['GET', '/api2/tags/:id', 'none'],
  ['POST', '/api2/tags', 'none', () => ({ display_name: 'x' })],
  ['POST', '/api2/tags/:id', 'none', () => ({ display_name: 'x' })],
  ['DELETE', '/api2/tags/:ids', 'none'],
  ['GET', '/api2/roles', 'none'],
  ['GET', '/api2/roles/count', 'none'],
  ['GET', '/api2/roles/:id', 'none'],
  ['POST', '/api2/roles', 'none', () => ({ display_name: 'x', permissions: [] })],
  ['POST', '/api2/roles/:id', 'none', () => ({ permissions: [] })],
  ['POST', '/api2/roles/:id/add-permissions', 'none', () => ({ permissions: ['media-read'] })],
  ['POST', '/api2/roles/:id/remove-permissions', 'none', () => ({ permissions: ['media-read'] })],
  ['DELETE', '/api2/roles/:id', 'none'],
  ['GET', '/api2/memberships', 'empty'],
  ['GET', '/api2/memberships/calculate-roles-perms', 'empty'],
  ['GET', '/api2/memberships/:id', 'none'],
  [
    'POST',
    '/api2/memberships',
    'invalid',
    (ids) => ({ user_id: ids.user, collection_id: ids.collection, role_id: ids.role }),
  ],
  ['POST', '/api2/memberships/:id', 'none', (ids) => ({ role_id: ids.role })],
  ['DELETE', '/api2/memberships/:id', 'silent'],
  ['GET', '/api2/media/embed-template', 'page'],
  ['GET', '/api2/media/:id/view', 'page'],
  ['GET', '/api2/media/:id/embed', 'page'],
  ['GET', '/', 'page'],
  ['GET', '/watch/:id', 'page'],
  ['GET', '/embed/:id', 'page'],
  ['GET', '/browse/:slug', 'page'],
  ['GET', '/feeds/:slug', 'page'],
  ['GET', '/feeds/:slug/cover', 'page'],
  ['GET', '/feeds/:slug/:media/:file', 'page'],
  ['GET', '/openapi.json', 'page'],
  ['GET', '/cdn/:token/:name', 'page'],
  ['POST', '/upload/:token', 'page'],
  ['POST', '/postprocess/:token', 'page'],
  ['GET', '/api2/oauth/authorize', 'page'],
  ['POST', '/api2/oauth/login', 'page'],
  ['POST', '/api2/oauth/consent', 'page'],
  ['POST', '/api2/oauth/sign-out', 'page'],
  ['POST', '/api2/oauth/access_token', 'page'],
  ['GET', '/api2/oauth/tokeninfo', 'page'],
  ['GET', '/account/set-password/:token', 'page'],
  ['POST', '/account/set-password/:token', 'page'],
  ['GET', '/account', 'page'],
  ['GET', '/account/sign-in', 'page'],
  ['POST', '/account/sign-in', 'page'],
  ['POST', '/account/sign-out', 'page'],
  ['POST', '/account/end', 'page'],
  ['POST', '/account/password', 'page'],
  ['GET', '/account/forgot', 'page'],
  ['POST', '/account/forgot', 'page'],
  ['GET', '/account/people', 'page'],
  ['POST', '/account/people/invite', 'page'],
  ['POST', '/account/people/link', 'page'],
  ['POST', '/account/people/revoke', 'page'],
  ['POST', '/account/people/deactivate', 'page'],
  ['POST', '/account/people/reactivate', 'page'],
  ['GET', '/oidc/:name/start', 'page'],
  ['GET', '/oidc/:name/callback', 'page'],
];

test('the table of privileges contains every route of the service', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'library-routes-'));
  const store = await openStore(join(folder, 'library.sqlite'));
  try {
    const site = {
      baseUrl: 'http://localhost',
      store,
      settings: { current: () => DEFAULT_SETTINGS },
    } as unknown as Site;
    const app = createApp(site);
    const routes: string[] = [];
    app.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) if (each !== 'HEAD' && each !== 'OPTIONS') routes.push(`${each} ${url}`);
    });
    await app.ready();
    expect(routes.toSorted()).toEqual(ROUTES.map(([method, route]) => `${method} ${route}`).toSorted());
    await app.close();
  } finally {
    store.close();
    rmSync(folder, { recursive: true });
  }
});

describe.each(['reference', 'lean', 'strict'] as const)('in the dialect %s', (dialect) => {
  let service: ServiceProcess;
  let admin: ServiceClient;
  let stranger: ServiceClient;
  let ids: Ids;
  const idOf = (path: string) => path.split('/').at(-1) ?? '';

  beforeAll(async () => {
    service = await startService({ dialect });
    admin = await clientFor(service);
    const make = async (path: string, body: unknown) => idOf((await admin.post(path, body)).location);
    const collection = await make('/api2/collections', {
      display_name: 'Closed',
      parent_id: '1',
      inherit_memberships: false,
      is_podcast: true,
    });
    const media = await make('/api2/media', { title: 'Closed', collection_id: collection, tags: ['closed'] });
    const file = idOf(await admin.upload(`/api2/media/${media}`, 'a.bin', Buffer.from('abc')));
    const user = await make('/api2/users', { ...USER, is_admin: false });
    const group = await make('/api2/groups', { display_name: 'Closed' });
    const role = await make('/api2/roles', { display_name: 'Reads', permissions: ['collection-read', 'media-read'] });
    const membership = await make('/api2/memberships', { user_id: user, collection_id: collection, role_id: role });
    ids = { collection, media, file, membership, user, group, role, tag: '1' };
    const account = { email: `n-${dialect}@here.example`, password: 'pass-word' };
    await make('/api2/users', { ...USER, is_admin: false, email_address: account.email, password: account.password });
    stranger = clientWith(service, await signIn(service, account));
  });
  afterAll(() => service?.stop());

  function pathOf(route: string): string {
    const resource = /^\/api2\/(collections|media|users|groups|tags|roles|memberships)/.exec(route)?.[1] ?? '';
    const own: Record<string, string> = {
      collections: ids.collection,
      media: ids.media,
      users: ids.user,
      groups: ids.group,
      tags: ids.tag,
      roles: ids.role,
      memberships: ids.membership,
    };
    const path = route
      .replace(':media_id', ids.media)
      .replace(':file_id', ids.file)
      .replace(/:ids?\b/, own[resource] ?? ids.media)
      .replace(':slug', 'closed')
      .replace(':token', 'x.y')
      .replace(':name', 'x');
    return route.endsWith('calculate-roles-perms') ? `${path}?user_id=${ids.user}` : path;
  }

  /** Everything that a route of the table could change or reveal. */
  async function state(): Promise<string> {
    const paths = [
      `/api2/collections/${ids.collection}`,
      `/api2/collections/${ids.collection}/podcast-details`,
      `/api2/media/${ids.media}`,
      `/api2/media/${ids.media}/files`,
      '/api2/users',
      '/api2/groups',
      `/api2/users?group_id=${ids.group}`,
      '/api2/tags',
      '/api2/roles',
      '/api2/memberships',
      '/api2/collections',
      '/api2/media/count',
    ];
    const answers = await Promise.all(paths.map((path) => admin.get(path)));
    return JSON.stringify(answers.map(({ text }) => text.replace(/"last_login_date":"[^"]*"/g, '')));
  }

  const inApi = ROUTES.filter(([, , verdict]) => verdict !== 'page');

  test.each(inApi)('%s %s is 401 without a token and with a wrong one', async (method, route, _verdict, body) => {
    const before = await state();
    for (const authorization of ['', 'Bearer wrong', `Bearer ${admin.tokens.refresh_token}`, 'Basic YTpi']) {
      const answer = await stranger.request(method, pathOf(route), body?.(ids), { authorization });
      expect([answer.status, Object.keys(answer.body)]).toEqual([401, ['message']]);
    }
    expect(await state()).toBe(before);
  });

  test.each(inApi)(
    '%s %s refuses a user without permissions, and changes nothing',
    async (method, route, verdict, body) => {
      const before = await state();
      const answer = await stranger.request(method, pathOf(route), body?.(ids));
      expectNothing(answer, verdict);
      expect(answer.text).not.toMatch(/Closed|closed|abc|a\.bin/);
      expect(await state()).toBe(before);
    },
  );

  function expectNothing(answer: Answer, verdict: Verdict): void {
    if (verdict === 'none') expect([403, 404]).toContain(answer.status);
    if (verdict === 'silent') expect(answer.status).toBe(204);
    if (verdict === 'invalid') expect(answer.status).toBe(422);
    if (verdict === 'empty') {
      expect(answer.status).toBe(200);
      expect(answer.body.items ?? answer.body.root?.children ?? answer.body.count).toSatisfy(
        (value: unknown) => value === 0 || (Array.isArray(value) && value.length === 0),
      );
    }
  }

  test('pages and URLs without a token refuse an anonymous visitor too', async () => {
    for (const [method, route] of ROUTES.filter(([, path, verdict]) => verdict === 'page' && !path.includes('oauth'))) {
      // Nothing of the library is in these.
      if (route.endsWith('embed-template') || route === '/openapi.json') continue;
      // A visitor gets the form of the sign-in.
      if (method === 'GET' && ['/', '/account', '/account/sign-in', '/account/people'].includes(route)) continue;
      const response = await fetch(service.baseUrl + pathOf(route), { method, redirect: 'follow' });
      expect([route, response.status >= 400]).toEqual([route, true]);
      expect(await response.text()).not.toMatch(/Closed|abc|a\.bin/);
    }
  });

  test('the creation of an item ignores read-only fields, __proto__ and constructor', async () => {
    const extra = {
      id: '4711',
      created_by: '1',
      created_on: '2000-01-01T00:00:00Z',
      status: 'published',
      was_published: 1,
      views_count: 99,
      is_admin: true,
      password_hash: 'x',
      constructor: { prototype: { isAdmin: true } },
    };
    const raw = JSON.stringify({ title: 'Mass', collection_id: ids.collection, ...extra });
    const body = `${raw.slice(0, -1)},"__proto__":{"isAdmin":true,"status":"published"}}`;
    const { location, status } = await admin.request('POST', '/api2/media', body);
    expect([status, idOf(location) === '4711']).toEqual([201, false]);
    const item = (await admin.get(location)).body;
    expect(item.views_count).toBe(0);
    expect(item.status).toBe(dialect === 'strict' ? 'published' : 'draft');
    expect(item.created_on.startsWith('2000')).toBe(false);
    expect((await stranger.get('/api2/users')).status).toBeGreaterThanOrEqual(403);
    await admin.delete(location);
  });

  test.each(['9007199254740993', '99999999999999999999', '1e3', '0x1', '-1', '1.0', '%31%00', '٣', '1;2', "1'--"])(
    'the invalid id %s finds nothing, and is never an internal error',
    async (id) => {
      for (const resource of ['collections', 'media', 'users', 'groups', 'tags', 'roles', 'memberships']) {
        const answer = await admin.get(`/api2/${resource}/${id}`);
        expect([400, 404]).toContain(answer.status);
      }
      expect((await admin.get(`/api2/media?collection_id=${id}&exclude_ids=${id}`)).status).toBeLessThan(500);
      expect((await admin.post('/api2/media', { title: 'x', collection_id: id })).status).toBe(422);
    },
  );
});
