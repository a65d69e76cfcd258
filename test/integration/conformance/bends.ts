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
  'timestamps have another form': [
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
  'deleting again is an error': [
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
  'a bad token gets no message': [
    'tokens.bad',
    (exchange) => {
      if (exchange.status === 401) exchange.json = {};
    },
  ],
  'a bad token gets a 403': [
    'tokens.bad',
    (exchange) => {
      if (exchange.status === 401) exchange.status = 403;
    },
  ],
  'errors of a 422 are no array': [
    'errors.422-upload-type-body',
    (exchange) => {
      if (exchange.status === 422) exchange.json = { message: 'No.', errors: {} };
    },
  ],
  'a used slug is a 422': [
    'errors.409-slug',
    (exchange) => {
      if (exchange.status === 409) exchange.status = 422;
    },
  ],
  'the content endpoint redirects for good': [
    'files.content',
    (exchange) => {
      if (exchange.path.includes('/content')) exchange.status = 301;
    },
  ],
  'the token response may be cached': ['tokens.headers', ({ headers }) => headers.set('cache-control', 'private')],
  'the token type is spelled otherwise': [
    'tokens.token-type',
    inBody((object) => {
      if (object.token_type === 'Bearer') object.token_type = 'bearer';
    }),
  ],
  'the state is lost': [
    'authorization.state-signs',
    ({ headers }) => {
      const location = headers.get('location');
      if (location?.startsWith('http://localhost:'))
        headers.set('location', location.replace(/state=[^&]*/, 'state=x'));
    },
  ],
  'the oob page has another title': [
    'native-flow.oob-granted',
    (exchange) => {
      exchange.text = exchange.text.replace('<title>Success ', '<title>OK ');
    },
  ],
  'the token comes in the query': [
    'browser-flow.not-in-query',
    ({ headers }) => {
      const location = headers.get('location');
      if (location?.includes('#')) headers.set('location', location.replace('#', '?'));
    },
  ],
  'scheduled items are called published': [
    'media-status.schedule-draft',
    inBody((object) => {
      if (object.status === 'scheduled') object.status = 'published';
    }),
  ],
  'counts are of the whole library': [
    'media-list.count-tag',
    (exchange) => {
      if (exchange.path.startsWith('/api2/media/count')) exchange.json = { count: 1000 };
    },
  ],
  'a permission is held without what it depends on': [
    'dependencies.add-media-play-without-media-read',
    inBody((object) => {
      if (Array.isArray(object.permissions)) object.permissions.push('media-play');
    }),
  ],
  'what rests on a removed permission stays': [
    'dependencies.remove-media-read-from-media-play',
    inBody((object) => {
      if (Array.isArray(object.permissions) && !object.permissions.includes('media-play')) {
        object.permissions.push('media-play');
      }
    }),
  ],
  'anyone may list users': [
    'administrators.list-users',
    (exchange) => {
      if (exchange.status === 403) exchange.status = 200;
    },
  ],
  'a role is created with 201': [
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
  'both a user and a group are a 422': [
    'memberships.calculate-both',
    (exchange) => {
      if (exchange.status === 400) exchange.status = 422;
    },
  ],
  'a wildcard is taken for a letter': [
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
  'the default size of the player is another': [
    'limits.embed-width',
    inBody((object) => {
      if (typeof object.html === 'string') object.html = object.html.replace('400', '480');
    }),
  ],
  'a single accessible collection stands as the root': [
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
  'the count forgets a filter': [
    'media-list.count-type-image',
    inBody((object) => {
      if (typeof object.count === 'number') object.count += 1;
    }),
  ],
  'the token of a user who is gone is good for ever': [
    'tokens.revoked',
    (exchange) => {
      if (exchange.status === 401) exchange.status = 200;
    },
  ],
};
