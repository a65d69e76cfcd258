import { type Case, casesOf } from '../suite/case.ts';
import { check, deleted, equal, has, hasNot, hasStatus, isString, notAllowed } from '../suite/expect.ts';
import { Skip } from '../suite/failure.ts';
import { audioItem, plainCollection, videoItem } from '../world/fixtures.ts';
import type { World } from '../world/world.ts';

/** For each kind of resource that can be deleted, a function that creates one. */
const DELETABLE: Readonly<Record<string, (w: World) => Promise<{ path: string }>>> = {
  collection: (w) => w.collection(),
  'media-item': (w) => w.media(),
  'media-file': async (w) => w.file(await w.media()),
  user: (w) => w.user(),
  group: (w) => w.group(),
  tag: (w) => w.tag(),
  role: (w) => w.role(['collection-read']),
  membership: async (w) => {
    const [role, group, collection] = [await w.role(['collection-read']), await w.group(), await w.collection()];
    return w.membership({ role_id: role.id, group_id: group.id, collection_id: collection.id });
  },
};

export const conventionCases: Case[] = casesOf('conventions', (it) => {
  it('https', 'All access is over HTTPS', async (w) => {
    const { protocol, hostname } = new URL(w.site.baseUrl);
    const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
    if (protocol === 'http:' && isHere) throw new Skip('the server is on this machine and answers in plain HTTP');
    equal(protocol, 'https:', 'The base address’s protocol');
  });

  for (const [what, path] of Object.entries({ list: '/api2/collections', count: '/api2/media/count' })) {
    it(`json-${what}`, `Response bodies are JSON (${path})`, async (w) => {
      const answer = hasStatus(await w.api.get(path), 200);
      const type = answer.headers.get('content-type') ?? '';
      check(/^application\/json\b/i.test(type), `The content type is ${type}.`);
      answer.object();
    });
  }
  it('json-item', 'Response bodies are JSON (a single item)', async (w) => {
    const answer = hasStatus(await w.api.get((await plainCollection(w)).path), 200);
    check(/^application\/json\b/i.test(answer.headers.get('content-type') ?? ''), `${answer} is not JSON.`);
  });

  it('blank-collection', 'Blank fields of a collection are null, not left out', async (w) => {
    const { parent_id, autotranscribe_profile_id, links } = await w.api.read(
      `/api2/collections/${(await w.collection()).id}`,
    );
    isString(parent_id, 'parent_id');
    equal(autotranscribe_profile_id, null, 'autotranscribe_profile_id');
    check(
      typeof links === 'object' && links !== null && 'podcast_details' in links,
      'links.podcast_details is left out.',
    );
  });
  it('blank-media', 'Blank fields of a media item are null, not left out', async (w) => {
    equal((await w.api.read((await w.media()).path)).byline, null, 'byline');
    const cleared = await w.media({ byline: 'Somebody' });
    await w.api.post(cleared.path, { byline: null });
    equal((await w.api.read(cleared.path)).byline, null, 'byline after an update with null');
  });
  it('blank-file', 'Blank fields of a media file are null, not left out', async (w) => {
    const file = await w.api.read((await videoItem(w)).file.path);
    for (const name of ['height', 'width', 'max_bitrate', 'duration', 'duration_hms', 'encoding_profile']) {
      equal(file[name], null, name);
    }
  });
  it('blank-podcast', 'Blank podcast details are null, not left out', async (w) => {
    const details = await w.api.read(`${(await w.collection({ is_podcast: true })).path}/podcast-details`);
    for (const name of [
      'directory_author_name',
      'directory_subtitle',
      'directory_explicit',
      'copyright',
      'feed_proxy_url',
    ]) {
      equal(details[name], null, name);
    }
  });
  it('blank-user', 'Blank fields of a user are null, not left out', async (w) => {
    equal((await w.api.read((await w.user()).path)).last_login_date, null, 'last_login_date of a new user');
  });

  it('ids', 'Identifiers are strings, in resources and where resources name each other', async (w) => {
    const { media, file } = await audioItem(w);
    const item = await w.api.read(media.path);
    isString(item.id, 'id of a media item');
    isString(item.collection_id, 'collection_id');
    isString((await w.api.read(file.path)).id, 'id of a media file');
    isString((await w.api.read(`/api2/collections/${item.collection_id}`)).parent_id, 'parent_id');
  });

  it('list-and-get', 'GET lists a resource, and GET with an id answers with one item of that list', async (w) => {
    const made = await plainCollection(w);
    const listed = (await w.api.list('/api2/collections', { parent_id: await w.homeId() })).find(
      ({ id }) => id === made.id,
    );
    equal((await w.api.read(`/api2/collections/${made.id}`)).slug, listed?.slug, 'The slug of the single item');
  });
  it('update-by-post', 'Updates are POST requests; fields that are not supplied stay as they are', async (w) => {
    const made = await w.media({ byline: 'Before', description: '<p>Kept</p>' });
    const before = await w.api.read(made.path);
    await w.api.post(made.path, { byline: 'After' });
    const after = await w.api.read(made.path);
    equal(after.byline, 'After', 'byline');
    for (const name of ['title', 'description', 'collection_id', 'status', 'created_on']) {
      equal(after[name], before[name], name);
    }
  });
  it('location', 'A creation answers 201 with a Location header that leads to the new item', async (w) => {
    const made = await w.collection();
    equal((await w.api.read(made.path)).id, made.id, 'The id of what the Location leads to');
  });

  for (const [what, make] of Object.entries(DELETABLE)) {
    it(
      `delete-${what}`,
      `DELETE of a ${what.replace('-', ' ')} answers 204, and 204 again when it no longer exists`,
      async (w) => {
        const { path } = await make(w);
        deleted(await w.api.delete(path));
        hasStatus(await w.api.get(path), 404, 410, 403, 400);
        deleted(await w.api.delete(path));
      },
    );
  }

  it('token-required', 'A request without a bearer token is refused', async (w) => {
    notAllowed(await w.site.send('GET', '/api2/collections'));
  });
  it(
    'cors-unlisted',
    'A cross-origin request from a domain that is not listed gets no permission to read',
    async (w) => {
      const origin = `https://${w.word()}.example`;
      const answer = await w.api.send('GET', '/api2/collections', { headers: { origin } });
      const allowed = answer.headers.get('access-control-allow-origin');
      check(allowed !== origin && allowed !== '*', `access-control-allow-origin is ${allowed}.`);
    },
  );
  it('cors-preflight-unlisted', 'A preflight request from a domain that is not listed is not granted', async (w) => {
    const origin = `https://${w.word()}.example`;
    const headers = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    const answer = await w.site.send('OPTIONS', '/api2/collections', { headers });
    const allowed = answer.headers.get('access-control-allow-origin');
    check(allowed !== origin && allowed !== '*', `access-control-allow-origin is ${allowed}.`);
  });
  it('no-jsonp', 'JSONP is not supported: a callback parameter changes nothing', async (w) => {
    const answer = await w.api.get('/api2/media/count', { callback: 'run', jsonp: 'run' });
    check(!/^\s*(\/\*.*?\*\/)?\s*run\s*\(/.test(answer.text), `The answer is a script: ${answer}`);
  });

  it('visible-collections', 'The collection list with filters contains only what the caller may see', async (w) => {
    const [seen, hidden] = [await w.holding(['collection-read']), await w.holding([])];
    const ids = await seen.api.ids('/api2/collections', { parent_id: await w.homeId() });
    has(ids, seen.collection.id, 'The list');
    hasNot(ids, hidden.collection.id, 'The list');
  });
  it('visible-media', 'The media list with filters contains only what the caller may see', async (w) => {
    const [seen, hidden] = [await w.holding(['media-read']), await w.holding([])];
    const word = w.word();
    const make = async ({ collection }: { collection: { id: string } }) => {
      const media = await w.media({ title: `${word} item`, collection_id: collection.id });
      await w.api.post(`${media.path}/publish`, {});
      return media;
    };
    const [open, closed] = [await make(seen), await make(hidden)];
    const both = `${seen.collection.id},${hidden.collection.id}`;
    const ids = await seen.api.ids('/api2/media', { collection_id: both });
    has(ids, open.id, 'The list');
    hasNot(ids, closed.id, 'The list');
  });
});
