import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALL_CASES } from '../../conformance/cases/all.ts';
import { SECTION_IDS } from '../../conformance/suite/sections.ts';
import { type ServiceProcess, startService } from '../../helpers/service-process.ts';
import { startSmallServer } from '../../helpers/small-server.ts';
import { runSuite } from './run-suite.ts';

// A case that can't fail is worth nothing. So the service is put behind a proxy that bends its answers in one way at a
// time, and the case whose statement is broken by that must say so.

const LIMIT_MS = 60_000;
const SUITE = fileURLToPath(new URL('../../conformance', import.meta.url));

let service: ServiceProcess;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

interface Exchange {
  method: string;
  path: string;
  status: number;
  headers: Headers;
  /** The decoded body; undefined when it is not JSON. */
  json: unknown;
  text: string;
}

type Bend = (exchange: Exchange) => void;

async function failuresOf(caseIds: readonly string[], bend: Bend): Promise<string[]> {
  const proxy = await startSmallServer((request, response) => {
    void forward(request).then((exchange) => {
      if (exchange.path.startsWith('/api2/')) bend(exchange);
      const body = exchange.json === undefined ? exchange.text : JSON.stringify(exchange.json);
      exchange.headers.delete('content-length');
      exchange.headers.delete('transfer-encoding');
      exchange.headers.delete('connection');
      const cookies = exchange.headers.getSetCookie();
      const headers = Object.fromEntries(exchange.headers);
      response.writeHead(exchange.status, cookies.length > 0 ? { ...headers, 'set-cookie': cookies } : headers);
      response.end(exchange.status === 204 ? undefined : body);
    });
  });
  const run = await runSuite(service, { baseUrl: proxy.url, args: caseIds.flatMap((id) => ['--only', id]) });
  expect(run.cases.map(({ id }) => id).sort()).toEqual([...caseIds].sort());
  return run.cases.filter(({ status }) => status === 'failed').map(({ id }) => id);
}

async function forward(request: {
  method: string;
  url: string;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}): Promise<Exchange> {
  const { method, url, headers } = request;
  const sent = new Headers();
  for (const name of ['authorization', 'content-type', 'cookie', 'accept', 'origin']) {
    const value = headers[name];
    if (typeof value === 'string') sent.set(name, value);
  }
  const answer = await fetch(service.baseUrl + url, {
    method,
    headers: sent,
    redirect: 'manual',
    ...(method === 'GET' || method === 'HEAD' || request.body === '' ? {} : { body: request.body }),
  });
  const text = await answer.text();
  const isJson = /json/.test(answer.headers.get('content-type') ?? '') && text !== '';
  const json = isJson ? (JSON.parse(text) as unknown) : undefined;
  return { method, path: url, status: answer.status, headers: new Headers(answer.headers), json, text };
}

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

const BENDS: Readonly<Record<string, [string, Bend]>> = {
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
};

const gone = new Set<string>();

describe('a case notices when', () => {
  for (const [what, [caseId, bend]] of Object.entries(BENDS)) {
    test(`${what} (${caseId})`, async () => expect(await failuresOf([caseId], bend)).toEqual([caseId]), LIMIT_MS);
  }

  test(
    'nothing is bent: the proxy by itself changes no verdict',
    async () => {
      const caseIds = [...new Set(Object.values(BENDS).map(([id]) => id))];
      expect(await failuresOf(caseIds, () => {})).toEqual([]);
    },
    LIMIT_MS,
  );
});

describe('the cases', () => {
  test('cover every section', () => {
    const covered = new Set(ALL_CASES.map(({ section }) => section));
    expect(SECTION_IDS.filter((section) => !covered.has(section))).toEqual([]);
  });

  test('know nothing of the program but the API: they import Node and each other', () => {
    const files = readdirSync(SUITE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const foreign = files.flatMap((name) => {
      const modules = [...readFileSync(join(SUITE, name), 'utf8').matchAll(/ from '([^']+)'|import\('([^']+)'/g)];
      return modules
        .map(([, one, other]) => one ?? other ?? '')
        .filter((module) => !module.startsWith('node:'))
        .filter(
          (module) => !module.startsWith('.') || relative(SUITE, join(SUITE, dirname(name), module)).startsWith('..'),
        )
        .map((module) => `${name}: ${module}`);
    });
    expect(files.length).toBeGreaterThan(30);
    expect(foreign).toEqual([]);
  });
});

describe('the command', () => {
  test('ends with 2 and says why when the password is wrong', async () => {
    const run = await runSuite({ ...service, admin: { ...service.admin, password: 'wrong' } } as ServiceProcess);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('could not sign in');
  });

  test('writes a JUnit report with every case, and prints the counts last', async () => {
    const run = await runSuite(service, { args: ['--only', 'tree-fields', '--only', 'Events'] });
    expect(run.code).toBe(0);
    expect(run.junit.match(/<testcase /g)).toHaveLength(run.cases.length);
    expect(run.junit).toContain('tests="9" failures="0" errors="0" skipped="2"');
    expect(run.stdout.trimEnd().split('\n').at(-1)).toBe('7 passed, 0 failed, 2 skipped');
  });
});
