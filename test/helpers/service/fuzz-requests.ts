import type { Prng } from '../data/prng.ts';

/** A request that is malformed or nearly valid. */
export interface FuzzRequest {
  method: string;
  path: string;
  contentType: string;
  body: string;
}

type Route = readonly [methods: string, path: string, fields: string];

/** The API's routes, each with its methods and fields. */
const ROUTES: readonly Route[] = [
  ['GET', '/collections', ''],
  ['GET', '/collections/tree', ''],
  ['POST', '/collections', 'display_name parent_id slug is_podcast inherit_memberships description'],
  [
    'GET POST DELETE',
    '/collections/ID',
    'display_name parent_id slug is_podcast description autotranscribe_profile_id',
  ],
  ['POST', '/collections/ID/reslugify', ''],
  ['POST', '/collections/ID/move', 'new_parent_id'],
  ['GET POST', '/collections/ID/podcast-details', 'directory_explicit directory_author_email copyright'],
  ['GET', '/media', ''],
  ['GET', '/media/count', ''],
  ['GET', '/media/embed-template', ''],
  ['POST', '/media', 'title collection_id byline description tags'],
  ['GET POST DELETE', '/media/ID', 'title collection_id byline description tags'],
  ['GET', '/media/ID/view', ''],
  ['GET', '/media/ID/embed', ''],
  ['GET', '/media/ID/embedcode', ''],
  ['POST', '/media/ID/publish', 'publish_on'],
  ['POST', '/media/ID/unpublish', ''],
  ['POST', '/media/ID/add-tags', 'tags'],
  ['POST', '/media/ID/remove-tags', 'tags'],
  ['GET POST', '/media/ID/files', 'upload_name upload_size upload_type embed_url encoded_from_id'],
  ['GET DELETE', '/media/ID/files/ID', ''],
  ['GET', '/media/ID/files/ID/content', ''],
  ['GET POST', '/media/ID/thumbs', 'upload_name upload_size'],
  ['GET POST', '/collections/ID/thumbs', 'upload_name upload_size'],
  ['GET POST', '/users/ID/thumbs', 'upload_name upload_size'],
  ['GET POST', '/users', 'is_admin email_address first_name last_name password unique_id'],
  ['GET POST', '/users/ID', 'is_admin unique_id group_ids'],
  ['POST', '/users/ID/add-groups', 'group_ids'],
  ['POST', '/users/ID/remove-groups', 'group_ids'],
  ['GET POST', '/groups', 'display_name'],
  ['GET', '/groups/public', ''],
  ['GET', '/groups/registered-users', ''],
  ['GET POST DELETE', '/groups/ID', 'display_name'],
  ['POST', '/groups/ID/add-users', 'user_ids'],
  ['POST', '/groups/ID/remove-users', 'user_ids'],
  ['GET POST', '/tags', 'display_name'],
  ['GET POST DELETE', '/tags/ID', 'display_name'],
  ['GET POST', '/roles', 'display_name permissions'],
  ['GET', '/roles/count', ''],
  ['GET POST DELETE', '/roles/ID', 'display_name permissions'],
  ['POST', '/roles/ID/add-permissions', 'permissions'],
  ['POST', '/roles/ID/remove-permissions', 'permissions'],
  ['GET POST', '/memberships', 'role_id collection_id user_id group_id'],
  ['GET', '/memberships/calculate-roles-perms', ''],
  ['GET POST DELETE', '/memberships/ID', 'role_id user_id group_id'],
];

const IDS = ['1', '2', '3', '999999', '0', '-1', 'abc', '1e9', '%00', '..%2f..', '%ff', '1,2,x', '٣', ' '.repeat(3)];

const FIELDS = [
  ...['title', 'collection_id', 'byline', 'description', 'tags', 'publish_on', 'display_name', 'parent_id', 'slug'],
  ...['is_podcast', 'new_parent_id', 'upload_name', 'upload_size', 'upload_type', 'embed_url', 'encoded_from_id'],
  ...['email_address', 'first_name', 'last_name', 'is_admin', 'password', 'unique_id', 'group_ids', 'user_ids'],
  ...['permissions', 'role_id', 'user_id', 'group_id', 'directory_explicit', 'inherit_memberships', '__proto__'],
] as const;

const QUERIES = [
  ...['type', 'status', 'created_before', 'publish_after', 'collection_id', 'tag', 'search', 'related_to', 'sort'],
  ...['order', 'joins', 'exclude_ids', 'per_page', '_p', 'root_id', 'media_count', 'omit_empty', 'permission', 'ttl'],
  ...['json', 'width', 'height', 'is_admin', 'last_login_before', 'unique_id', 'permissions', 'user_id', 'group_id'],
] as const;

const TEXTS = [
  '',
  '1',
  '-1',
  'published',
  'title',
  'asc',
  'all',
  '2026-01-01T00:00:00Z',
  '2026-02-31T25:61:61Z',
  '\u0000',
  '\ud800',
  '"*^:(){}[]',
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '\r\nX-Injected: yes',
  '%_%',
  'x'.repeat(5000),
  '9'.repeat(400),
  'collection-read,media-read',
] as const;

/** Returns one of an endless sequence of requests, determined by the state of `random`. */
export function fuzzRequest(random: Prng): FuzzRequest {
  const [methods, template, fields] = random.pick(ROUTES);
  const tail = template.replaceAll('ID', () => (random.chance(0.8) ? String(random.int(1, 30)) : random.pick(IDS)));
  const query = Array.from({ length: random.int(0, 3) }, () => {
    return `${random.pick(QUERIES)}=${encodeURIComponent(wellFormed(random.pick(TEXTS)))}`;
  });
  const path = `/api2${encodeURI(tail.replace(/%(?![0-9a-f]{2})/gi, '')).replaceAll('%25', '%')}`;
  return {
    method: random.chance(0.95) ? random.pick(methods.split(' ')) : random.pick(['PUT', 'PATCH', 'HEAD', 'DELETE']),
    path: query.length === 0 ? path : `${path}?${query.join('&')}`,
    contentType: random.chance(0.9)
      ? 'application/json'
      : random.pick(['text/plain', 'multipart/form-data', 'a/b; c=d']),
    body: random.chance(0.05) ? brokenJson(random) : JSON.stringify(aBody(random, fields.split(' '))),
  };
}

function wellFormed(text: string): string {
  return text.replaceAll('\ud800', '\ufffd');
}

/** Mostly fields of the route, mostly with values of the right type. */
function aBody(random: Prng, fields: readonly string[]): Record<string, unknown> {
  const wanted = fields.filter((field) => field !== '' && random.chance(0.8));
  return { ...Object.fromEntries(wanted.map((field) => [field, likely(random, field)])), ...anObject(random, 0.1) };
}

function likely(random: Prng, field: string): unknown {
  if (random.chance(0.25)) return aValue(random, 0);
  if (/_ids$|^tags$|^permissions$/.test(field))
    return Array.from({ length: random.int(0, 3) }, () => random.pick(TEXTS));
  if (/^is_|^inherit/.test(field)) return random.chance(0.5);
  if (/_id$/.test(field)) return String(random.int(1, 30));
  if (field === 'upload_size') return random.int(0, 999_999);
  return random.pick(TEXTS);
}

function anObject(random: Prng, probability = 1): Record<string, unknown> {
  if (!random.chance(probability)) return {};
  const fields: [string, unknown][] = Array.from({ length: random.int(0, 5) }, () => [
    random.pick(FIELDS),
    aValue(random, 0),
  ]);
  return Object.fromEntries(fields);
}

function aValue(random: Prng, depth: number): unknown {
  switch (random.int(0, depth > 3 ? 5 : 8)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.pick([0, -1, 1, 1.5, 1e308, 2 ** 53, -(2 ** 31), 4e9]);
    case 3:
    case 4:
    case 5:
      return random.pick(TEXTS);
    case 6:
      return anObject(random);
    default:
      return Array.from({ length: random.int(0, 3) }, () => aValue(random, depth + 1));
  }
}

function brokenJson(random: Prng): string {
  const text = JSON.stringify(anObject(random));
  return random.pick([
    text.slice(0, -1),
    `${text}${text}`,
    '',
    'null',
    '[]',
    '"text"',
    '{"title":"a","title":{"title":1}}',
    '{"a":'.repeat(2000),
    '\ufeff{}',
    '{title: 1}',
  ]);
}
