import type { Answer, Json } from '../http/answer.ts';
import { type AddCase, type Case, casesOf } from '../suite/case.ts';
import { check, equal, hasMessage, hasProblemBody, hasStatus } from '../suite/expect.ts';
import { audioItem, plainCollection, podcast, videoItem } from '../world/fixtures.ts';
import { inSeconds, publish } from '../world/makers.ts';
import type { World } from '../world/world.ts';

function postText(w: World, path: string, text: string): Promise<Answer> {
  return w.api.send('POST', path, { raw: { type: 'application/json', text } });
}

const BODIES = {
  'cut-off': '{"display_name": "x',
  'not-json': 'display_name=x',
  'trailing-comma': '{"display_name": "x",}',
  'single-quotes': "{'display_name': 'x'}",
  'after-the-end': '{"display_name": "x"} x',
  'open-array': '[1,2',
  'null-byte': '\u0000',
} as const;

const WRITABLE: Readonly<Record<string, (w: World) => Promise<string>>> = {
  collections: async () => '/api2/collections',
  collection: async (w) => (await plainCollection(w)).path,
  media: async () => '/api2/media',
  'media-item': async (w) => (await videoItem(w)).media.path,
  files: async (w) => `${(await videoItem(w)).media.path}/files`,
  users: async () => '/api2/users',
  groups: async () => '/api2/groups',
  tags: async () => '/api2/tags',
  roles: async () => '/api2/roles',
  memberships: async () => '/api2/memberships',
};

/** Well-formed requests with an impossible value. */
const INVALID: Readonly<Record<string, { name: string; ask(w: World): Promise<Answer> }>> = {
  'podcast-explicit': {
    name: 'an invalid directory_explicit',
    ask: async (w) => w.api.post(`${(await podcast(w)).path}/podcast-details`, { directory_explicit: 'perhaps' }),
  },
  'upload-type': {
    name: 'an invalid upload_type',
    ask: async (w) =>
      w.api.post(`${(await videoItem(w)).media.path}/files`, { upload_name: 'a', upload_size: 1, upload_type: 'song' }),
  },
  'upload-size': {
    name: 'a negative upload_size',
    ask: async (w) => w.api.post(`${(await videoItem(w)).media.path}/files`, { upload_name: 'a', upload_size: -1 }),
  },
  'publish-on': {
    name: 'an invalid publish_on',
    ask: async (w) => w.api.post(`${(await videoItem(w)).media.path}/publish`, { publish_on: 'soon' }),
  },
  'collection-name': {
    name: 'a display_name that is not a text',
    ask: async (w) => w.api.post('/api2/collections', { display_name: 7, parent_id: await w.homeId() }),
  },
  'captions-without-video': {
    name: 'captions without encoded_from_id',
    ask: async (w) =>
      w.api.post(`${(await videoItem(w)).media.path}/files`, {
        upload_name: 'a.srt',
        upload_size: 1,
        upload_type: 'captions',
      }),
  },
};

function undecodable(it: AddCase): void {
  for (const [id, pathOf] of Object.entries(WRITABLE)) {
    it(`400-${id}`, `A body that is not JSON: 400 (${id.replace('-', ' ')})`, async (w) => {
      hasStatus(await postText(w, await pathOf(w), '{"title": '), 400);
    });
  }
  for (const [id, text] of Object.entries(BODIES)) {
    it(`400-body-${id}`, `An undecodable JSON body: 400 (${text})`, async (w) => {
      hasStatus(await postText(w, '/api2/collections', text), 400);
    });
  }
}

export const errorCases: Case[] = casesOf('errors', (it) => {
  undecodable(it);
  it('400-message', 'If a 400 has a JSON body with a message, the message is a text', async (w) => {
    const answer = hasStatus(await postText(w, '/api2/collections', '{'), 400);
    if (!/json/i.test(answer.headers.get('content-type') ?? '')) return;
    const { message } = answer.object();
    check(message === undefined || typeof message === 'string', `message is ${JSON.stringify(message)}.`);
  });
  it('400-podcast', 'Podcast details of a collection that is not a podcast: 400', async (w) => {
    hasStatus(await w.api.get(`${(await plainCollection(w)).path}/podcast-details`), 400);
  });
  it('400-membership', 'A membership for both a user and a group: 400', async (w) => {
    const body: Json = { role_id: '1', collection_id: await w.homeId(), user_id: '1', group_id: '1' };
    hasStatus(await w.api.post('/api2/memberships', body), 400);
  });
  it('400-calculate', 'Calculated roles of both a user and a group: 400', async (w) => {
    hasStatus(await w.api.get('/api2/memberships/calculate-roles-perms', { user_id: '1', group_id: '1' }), 400);
  });
  it('401', 'A bad token: 401 with {message}, a text', async (w) => {
    hasMessage(hasStatus(await w.site.send('GET', '/api2/media', { token: `no-${w.word()}` }), 401));
  });
  it('401-empty', 'An empty token: 401', async (w) => {
    hasStatus(await w.site.send('GET', '/api2/media', { headers: { authorization: 'Bearer ' } }), 401);
  });
  it('403-move-into-child', 'Moving a collection into one of its own sub-collections: 403', async (w) => {
    const parent = await w.collection();
    const child = await w.collection({ parent_id: parent.id });
    const grandchild = await w.collection({ parent_id: child.id });
    hasStatus(await w.api.post(`${parent.path}/move`, { new_parent_id: grandchild.id }), 403);
  });
  it('409-slug', 'Creating a collection with a slug already in use: 409', async (w) => {
    const slug = w.name('slug');
    await w.collection({ slug });
    const display_name = w.name('not');
    hasStatus(await w.api.post('/api2/collections', { display_name, parent_id: await w.homeId(), slug }), 409);
    equal(await w.api.ids('/api2/collections', { display_name }), [], 'The collections of this name');
  });
  it('409-media', 'Deleting a collection that still contains media: 409', async (w) => {
    const made = await w.collection();
    await publish(w.api, await w.media({ collection_id: made.id }), inSeconds(86_400));
    hasStatus(await w.api.delete(made.path), 409);
  });
  for (const [id, { name, ask }] of Object.entries(INVALID)) {
    it(`422-${id}`, `A correctly formed request with an invalid value: 422 (${name})`, async (w) => {
      hasStatus(await ask(w), 422);
    });
    it(`422-${id}-body`, `The body of a 422 is {message: string, errors: array} (${name})`, async (w) => {
      hasProblemBody(hasStatus(await ask(w), 422));
    });
  }
  it('302', 'Temporary redirects answer 302 with a Location', async (w) => {
    const answer = hasStatus(await w.api.get(`${(await audioItem(w)).file.path}/content`), 302);
    check(answer.location !== null, 'There is no Location.');
  });
  it('302-not-shared', 'A signed URL must not be shared: the redirect to it is not marked as public', async (w) => {
    const answer = hasStatus(await w.api.get(`${(await audioItem(w)).file.path}/content`), 302);
    const caching = answer.headers.get('cache-control') ?? '';
    check(!/\bpublic\b/i.test(caching), `Cache-Control is ${caching}.`);
  });
});

export const limitCases: Case[] = casesOf('limits', (it) => {
  const content = async (w: World) => `${(await audioItem(w)).file.path}/content`;
  it('ttl-maximum', 'A content URL may be asked for with a ttl of 3600 seconds', async (w) => {
    hasStatus(await w.api.get(await content(w), { ttl: 3600 }), 302);
  });
  it('ttl-above', 'A ttl above 3600 seconds is refused or shortened, and is no server error', async (w) => {
    const answer = await w.api.get(await content(w), { ttl: 3601 });
    check(answer.status === 302 || (answer.status >= 400 && answer.status < 500), `302 or 4xx was expected: ${answer}`);
  });
  for (const [side, size] of [
    ['width', 400],
    ['height', 225],
  ] as const) {
    it(`embed-${side}`, `The default ${side} of an embedded player is ${size}`, async (w) => {
      const { html } = await w.api.read(`${(await audioItem(w)).media.path}/embedcode`);
      check(new RegExp(`\\b${size}\\b`).test(String(html)), `html lacks ${size}: ${html}`);
    });
  }
  it('embed-one-side', 'With a width alone the height stays the default', async (w) => {
    const { html } = await w.api.read(`${(await audioItem(w)).media.path}/embedcode`, { width: 777 });
    for (const size of [777, 225]) check(String(html).includes(String(size)), `html lacks ${size}: ${html}`);
  });
});

export const versioningCases: Case[] = casesOf('versioning', (it) => {
  it('prefix', 'The version of the API is in the path: without /api2 there is no list', async (w) => {
    const answer = await w.api.get('/collections');
    check(!answer.ok || !answer.text.includes('"items"'), `The list is there without the version: ${answer}`);
  });
  it('location', 'The path in Location begins with /api2', async (w) => {
    const { path } = await w.collection();
    check(path.startsWith('/api2/'), `Location is ${path}.`);
  });
  it('links', 'The paths in links begin with /api2', async (w) => {
    const { links } = await w.api.read((await audioItem(w)).media.path);
    for (const name of ['self', 'collection', 'files', 'thumbs']) {
      const link = w.site.pathOf(String((links as Record<string, Json>)[name]));
      check(link.startsWith('/api2/'), `links.${name} is ${link}.`);
    }
  });
});
