/** A request, and its answer before the client receives it. */
export interface Exchange {
  method: string;
  path: string;
  status: number;
  headers: Headers;
  /** The decoded body; undefined when it is not JSON. */
  json: unknown;
  text: string;
}

/** Changes an answer. */
export type Bend = (exchange: Exchange) => void;

/** Applies a change to every object in a body. */
function eachObject(value: unknown, change: (object: Record<string, unknown>) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) change(value as Record<string, unknown>);
  for (const inner of Object.values(value)) eachObject(inner, change);
}

const inBody =
  (change: (object: Record<string, unknown>) => void): Bend =>
  ({ json }) =>
    eachObject(json, change);

/** The paths that earlier requests deleted. */
const gone = new Set<string>();

/** Violations of the API, by what is wrong: each has the id of the case that must fail, and the change of the answers. */
export const BENDS: Readonly<Record<string, [string, Bend]>> = {
  'blank fields are left out': [
    'conventions.blank-media',
    inBody((object) => {
      for (const [name, value] of Object.entries(object)) if (value === null) delete object[name];
    }),
  ],
  'identifiers are numbers': [
    'media-fields.id',
    inBody((object) => {
      if (typeof object.id === 'string') object.id = Number(object.id);
    }),
  ],
  'timestamps have an offset in place of “Z”': [
    'media-fields.created-on',
    inBody((object) => {
      if (typeof object.created_on === 'string') object.created_on = object.created_on.replace('Z', '+00:00');
    }),
  ],
  'creations have no Location': [
    'conventions.location',
    ({ status, headers }) => {
      if (status === 201) headers.delete('location');
    },
  ],
  'the second deletion of a resource is answered with 404': [
    'conventions.delete-media-item',
    (exchange) => {
      if (exchange.method === 'DELETE' && gone.has(exchange.path)) exchange.status = 404;
      gone.add(exchange.path);
    },
  ],
  'lists end after one page': [
    'list-envelope.follow-media',
    inBody((object) => {
      if ('next' in object) object.next = null;
    }),
  ],
  'the answer to an invalid token has no message': [
    'tokens.bad',
    (exchange) => {
      if (exchange.status === 401) exchange.json = {};
    },
  ],
  'an invalid token is answered with 403': [
    'tokens.bad',
    (exchange) => {
      if (exchange.status === 401) exchange.status = 403;
    },
  ],
  'the errors of a 422 are not an array': [
    'errors.422-upload-type-body',
    (exchange) => {
      if (exchange.status === 422) exchange.json = { message: 'No.', errors: {} };
    },
  ],
  'a slug that is in use is answered with 422': [
    'errors.409-slug',
    (exchange) => {
      if (exchange.status === 409) exchange.status = 422;
    },
  ],
  'the content endpoint redirects with 301': [
    'files.content',
    (exchange) => {
      if (exchange.path.includes('/content')) exchange.status = 301;
    },
  ],
  'the token response may be cached': ['tokens.headers', ({ headers }) => headers.set('cache-control', 'private')],
  'the token type is in lower case': [
    'tokens.token-type',
    inBody((object) => {
      if (object.token_type === 'Bearer') object.token_type = 'bearer';
    }),
  ],
  'the redirect of a sign-in returns another state': [
    'authorization.state-signs',
    ({ headers }) => {
      const location = headers.get('location');
      if (location?.startsWith('http://localhost:'))
        headers.set('location', location.replace(/state=[^&]*/, 'state=x'));
    },
  ],
  'the out-of-band page has another title': [
    'native-flow.oob-granted',
    (exchange) => {
      exchange.text = exchange.text.replace('<title>Success ', '<title>OK ');
    },
  ],
  'the token is in the query of the redirect, not in its fragment': [
    'browser-flow.not-in-query',
    ({ headers }) => {
      const location = headers.get('location');
      if (location?.includes('#')) headers.set('location', location.replace('#', '?'));
    },
  ],
  'scheduled items have the status “published”': [
    'media-status.schedule-draft',
    inBody((object) => {
      if (object.status === 'scheduled') object.status = 'published';
    }),
  ],
  'a count with a filter is that of the whole library': [
    'media-list.count-tag',
    (exchange) => {
      if (exchange.path.startsWith('/api2/media/count')) exchange.json = { count: 1000 };
    },
  ],
  'a role has a permission without one that it depends on': [
    'dependencies.add-media-play-without-media-read',
    inBody((object) => {
      if (Array.isArray(object.permissions)) object.permissions.push('media-play');
    }),
  ],
  'a role keeps a permission after one that it depends on was removed': [
    'dependencies.remove-media-read-from-media-play',
    inBody((object) => {
      if (Array.isArray(object.permissions) && !object.permissions.includes('media-play')) {
        object.permissions.push('media-play');
      }
    }),
  ],
  'users who are not administrators may list users': [
    'administrators.list-users',
    (exchange) => {
      if (exchange.status === 403) exchange.status = 200;
    },
  ],
  'the creation of a role is answered with 201': [
    'roles.create',
    (exchange) => {
      if (exchange.method === 'POST' && exchange.path === '/api2/roles') exchange.status = 201;
    },
  ],
  'an earlier membership stays beside the new one': [
    'memberships.replace-user',
    inBody((object) => {
      if (Array.isArray(object.items)) object.items.push(...object.items);
    }),
  ],
  'a request that names both a user and a group is answered with 422': [
    'memberships.calculate-both',
    (exchange) => {
      if (exchange.status === 400) exchange.status = 422;
    },
  ],
  'a filter with a wildcard finds nothing': [
    'users.filter-unique-id-wildcard',
    (exchange) => {
      if (exchange.path.includes('unique_id=') && exchange.path.includes('%25'))
        exchange.json = { items: [], links: {} };
    },
  ],
  'unpublished items are shown to all readers': [
    'permissions.unpublished',
    (exchange) => {
      if (exchange.status === 404) exchange.status = 200;
    },
  ],
  'the player has another default size': [
    'limits.embed-width',
    inBody((object) => {
      if (typeof object.html === 'string') object.html = object.html.replace('400', '480');
    }),
  ],
  'the only accessible collection is the root of the tree': [
    'tree.artificial-root-alone',
    inBody((object) => {
      const root = object.root as { id?: unknown; children?: unknown[] } | undefined;
      if (root?.id === '-1' && root.children?.length === 1) object.root = root.children[0];
    }),
  ],
  'an item is related to itself': [
    'media-list.related-not-itself',
    ({ path, json }) => {
      const related = /[?&]related_to=(\d+)/.exec(path)?.[1];
      const { items } = (json ?? {}) as { items?: unknown[] };
      if (related !== undefined && items) items.push({ id: related });
    },
  ],
  'a count is too high by 1': [
    'media-list.count-type-image',
    inBody((object) => {
      if (typeof object.count === 'number') object.count += 1;
    }),
  ],
  'the token of a deleted user stays valid': [
    'tokens.revoked',
    (exchange) => {
      if (exchange.status === 401) exchange.status = 200;
    },
  ],
};
