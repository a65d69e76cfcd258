// Values that a field or a filter does not accept: 422, which names the field.
import { beforeAll, describe, expect, test } from 'vitest';
import { LONGEST_TAG } from '../../../../shared/item/fields.ts';
import { type Answer, clientFor } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { make } from '../../../helpers/service/service-people.ts';

const service = await serviceOfFile();
const admin = await clientFor(service);
/** The ids that paths and bodies name in capitals. */
const ids: Record<string, string> = {};
beforeAll(async () => {
  ids.USER = (await make(admin, 'users')).id;
  ids.GROUP = (await make(admin, 'groups', { display_name: 'Group' })).id;
  ids.TAG = (await make(admin, 'tags', { display_name: 'Tag' })).id;
  ids.ROLE = (await make(admin, 'roles', { display_name: 'Role', permissions: ['collection-read'] })).id;
  ids.COLLECTION = (await admin.post('/api2/collections', { display_name: 'C', parent_id: '1' })).body.id;
  ids.ITEM = (await admin.createItem('Item', { tags: ['kept'] })).split('/').at(-1) ?? '';
  const file = await admin.post(filled('/api2/media/ITEM/files'), { upload_name: 'a.wav', upload_size: 1 });
  ids.FILE = file.body.id;
  const membership = { user_id: ids.USER, collection_id: ids.COLLECTION, role_id: ids.ROLE };
  ids.MEMBERSHIP = (await make(admin, 'memberships', membership)).id;
});

const filled = (text: string) => text.replace(/\b[A-Z]{3,}\b/g, (word) => ids[word] ?? word);

type Row = [change: Record<string, unknown>, field?: string];
const NOBODY = '99999';
const names = (...values: unknown[]): Row[] => values.map((display_name) => [{ display_name }]);

/** For each request a valid body, and changes of it that make it invalid: undefined leaves a field out. */
const BODIES: [path: string, valid: Record<string, unknown>, rows: Row[]][] = [
  ['/groups', { display_name: 'x' }, names(undefined, '', null, 5, 'x'.repeat(256))],
  ['/groups/GROUP', {}, names('')],
  ...['/groups/GROUP/add-users', '/groups/GROUP/remove-users'].map((path): (typeof BODIES)[number] => [
    path,
    {},
    [[{}, 'user_ids'], [{ user_ids: 'x' }], [{ user_ids: [{}] }, 'user_ids.0'], [{ user_ids: null }]],
  ]),
  ['/groups/GROUP/add-users', {}, [[{ user_ids: ['USER', NOBODY] }, 'user_ids.1']]],
  ['/tags', { display_name: 'x' }, names(undefined, '', null, ['x'], 'x'.repeat(LONGEST_TAG + 1))],
  ['/tags/TAG', { display_name: 'x' }, names(undefined, '', null, ['x'], 'x'.repeat(LONGEST_TAG + 1))],
  [
    '/roles',
    { display_name: 'x', permissions: [] },
    [
      ...names(undefined, ''),
      ...[undefined, 'media-read'].map((permissions): Row => [{ permissions }]),
      ...[['media-eat'], [null], ['__proto__']].map((permissions): Row => [{ permissions }, 'permissions.0']),
    ],
  ],
  ['/roles/ROLE', {}, [...names(''), [{ permissions: ['x'] }, 'permissions.0'], [{ permissions: {} }]]],
  ...['/roles/ROLE/add-permissions', '/roles/ROLE/remove-permissions'].map((path): (typeof BODIES)[number] => [
    path,
    {},
    [[{}, 'permissions'], [{ permissions: 'media-read' }], [{ permissions: ['media-eat'] }, 'permissions.0']],
  ]),
  [
    '/users',
    { is_admin: false, email_address: 'x@here.example', first_name: 'F', last_name: 'L' },
    [
      ...['is_admin', 'email_address', 'first_name', 'last_name'].map((field): Row => [{ [field]: undefined }]),
      [{ is_admin: 'yes' }],
      ...['nobody', 'a b@c.example', null].map((email_address): Row => [{ email_address }]),
      [{ first_name: '' }],
      ...['a\u0000b', 'x'.repeat(256)].map((last_name): Row => [{ last_name }]),
      ...['', 5].map((password): Row => [{ password }]),
      [{ unique_id: 'x'.repeat(301) }],
    ],
  ],
  ['/users/USER', {}, [[{ is_admin: 'x' }], [{ unique_id: '' }], [{ group_ids: 'x' }]]],
  ['/users/USER', {}, [[{ group_ids: [NOBODY] }, 'group_ids.0']]],
  ...['/users/USER/add-groups', '/users/USER/remove-groups'].map((path): (typeof BODIES)[number] => [
    path,
    {},
    [[{}, 'group_ids'], [{ group_ids: 'x' }], [{ group_ids: [null] }, 'group_ids.0']],
  ]),
  ['/users/USER/add-groups', {}, [[{ group_ids: ['GROUP', NOBODY] }, 'group_ids.1']]],
  [
    '/memberships',
    { user_id: 'USER', collection_id: 'COLLECTION', role_id: 'ROLE' },
    [
      ...[undefined, NOBODY, {}].map((role_id): Row => [{ role_id }]),
      ...[undefined, NOBODY, null].map((collection_id): Row => [{ collection_id }]),
      ...[NOBODY, 'x'].map((user_id): Row => [{ user_id }]),
    ],
  ],
  ['/memberships/MEMBERSHIP', { role_id: 'ROLE' }, [[{ role_id: undefined }], [{ role_id: NOBODY }]]],
  ['/memberships/MEMBERSHIP', { role_id: 'ROLE' }, [[{ user_id: NOBODY }], [{ group_id: NOBODY }]]],
  [
    '/collections',
    { display_name: 'x', parent_id: '1' },
    [
      ...names(undefined, '', 5, 'x'.repeat(256), 'a\u0000b'),
      ...[undefined, NOBODY, null].map((parent_id): Row => [{ parent_id }]),
      ...['a/b', 'a'.repeat(101)].map((slug): Row => [{ slug }]),
      [{ is_podcast: 'yes' }],
    ],
  ],
  [
    '/collections/COLLECTION/move',
    {},
    [undefined, null, 'x', {}, NOBODY].map((new_parent_id): Row => [{ new_parent_id }]),
  ],
  ['/collections/COLLECTION', {}, [null, 'null', '', '0', '-1', 'x', NOBODY].map((id): Row => [{ parent_id: id }])],
  ['/collections/1', {}, ['null', '', '-1'].map((parent_id): Row => [{ parent_id }])],
  [
    '/media',
    { title: 'x', collection_id: '1' },
    [
      ...[undefined, '', '   ', ['x'], 'x'.repeat(1001), '\ud800'].map((title): Row => [{ title }]),
      ...[undefined, NOBODY, '-1', '1 OR 1=1'].map((collection_id): Row => [{ collection_id }]),
      [{ tags: 'x' }],
      [{ byline: 7 }],
    ],
  ],
  ['/media/ITEM/add-tags', {}, [[{}, 'tags'], [{ tags: 'x' }], [{ tags: [''] }, 'tags.0']]],
  [
    '/media/ITEM/publish',
    {},
    [
      ...['tomorrow', '2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z', 5, true, {}, '2030-01-01T00:00:00+24:00'],
      ...['2030-01-01T00:00:00+01:60', '9999-12-31T23:59:59-01:00', '0999-01-01T00:00:00Z', '+010000-01-01T00:00:00Z'],
    ].map((publish_on): Row => [{ publish_on }]),
  ],
  [
    '/media/ITEM/files',
    { upload_name: 'a.wav', upload_size: 10 },
    [
      ...[undefined, '', 'a\nb.wav'].map((upload_name): Row => [{ upload_name }]),
      ...[undefined, -1, 1.5, '10', 1e300, 2 ** 50].map((upload_size): Row => [{ upload_size }]),
      [{ upload_type: 'film' }],
      [{ upload_type: 'captions' }, 'encoded_from_id'],
      [{ upload_name: 'a.srt' }, 'encoded_from_id'],
      [{ upload_name: 'a.srt', encoded_from_id: NOBODY }, 'encoded_from_id'],
      [{ encoded_from_id: '1' }],
      ...['javascript:alert(1)', 'nonsense', ' ', 'ftp://x/', 7, '\thttps://videos.example/1'].map(
        (embed_url): Row => [{ embed_url }],
      ),
      ...['\r\nX-Injected: 1', '\t', '\r\nset-cookie: a=b'].map(
        (end): Row => [{ embed_url: `https://videos.example/${end}` }],
      ),
    ],
  ],
];

/** Everything that one of the bodies could change. */
async function state(): Promise<string> {
  const lists = ['users?joins=groups', 'groups', 'tags', 'roles', 'memberships', 'collections', 'media?joins=files'];
  const answers = await Promise.all(lists.map((path) => admin.get(`/api2/${path}`)));
  return JSON.stringify(answers.map(({ text }) => text));
}

describe.each(BODIES.map(([path, valid, rows]) => ({ path, valid, rows })))('POST $path', ({ path, valid, rows }) => {
  test.each(rows)('with %j is 422, names the field, and changes nothing', async (change, field) => {
    const before = await state();
    const body = filled(JSON.stringify({ ...valid, ...change }));
    const answer = await admin.request('POST', filled(`/api2${path}`), body);
    expectRefusal(answer, field ?? Object.keys(change)[0]);
    expect(await state()).toBe(before);
  });
});

test.each([
  ...['media?type=film', 'media?status=done', 'media?created_before=yesterday', 'media?sort=size', 'media?order=up'],
  ...['media?per_page=0', 'media?per_page=x', 'media?_p=0', 'media?sort=relevance'],
  ...['media/ITEM/embedcode?width=x', 'media/ITEM/embedcode?width=0'],
  ...['0', '3601', '-5', 'x', '1.5', '999999999999'].map((ttl) => `media/ITEM/files/FILE/content?ttl=${ttl}`),
  ...['media/ITEM/files?type=film', 'media/ITEM/files?status=done', 'collections?permission=nonsense'],
  ...['users?is_admin=maybe', 'users?last_login_after=yesterday'],
  ...['roles', 'roles/count'].flatMap((path) =>
    ['deletable=maybe', 'lti=2', 'permissions=media-eat', 'permissions=,'].map((query) => `${path}?${query}`),
  ),
])('GET %s is 422, and names the parameter', async (path) => {
  expectRefusal(await admin.get(filled(`/api2/${path}`)), /\?(\w+)=/.exec(path)?.[1]);
});

function expectRefusal({ status, body }: Answer, field: string | undefined): void {
  const named = new Set(body.errors?.map((error: { field: string }) => error.field));
  expect([status, [...named], typeof body.message]).toEqual([422, [field], 'string']);
}
