import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Api } from '../http/api.ts';
import { type Case, casesOf } from '../suite/case.ts';
import { check, deleted, done, equal, hasMessage, hasStatus, notAllowed, refused } from '../suite/expect.ts';
import { Skip } from '../suite/failure.ts';
import { eventually } from '../world/eventually.ts';
import { audioItem } from '../world/fixtures.ts';
import { signIn } from '../world/people.ts';
import { png, utf8 } from '../world/samples.ts';
import type { World } from '../world/world.ts';

// Cases that need to change the site's settings. They run only against our own library service, through its control
// port; the rest of the suite does not depend on it.

const HOUR_MS = 3_600_000;

const readOnly = casesOf('read-only', (it) => {
  const under = <T>(w: World, act: () => Promise<T>) => w.control().under({ read_only: true }, act);
  const reads = { list: '/api2/collections', count: '/api2/media/count', tree: '/api2/collections/tree' };
  for (const [id, path] of Object.entries(reads)) {
    it(`get-${id}`, `In read-only mode GET works normally (${path})`, async (w) => {
      await under(w, async () => void hasStatus(await w.api.get(path), 200));
    });
  }
  it('head', 'In read-only mode HEAD works normally', async (w) => {
    await under(w, async () => void hasStatus(await w.api.send('HEAD', '/api2/collections'), 200));
  });
  it('post', 'In read-only mode POST: 503 with {message}, and nothing is written', async (w) => {
    const body = { display_name: w.name('not'), parent_id: await w.homeId() };
    const answer = await under(w, () => w.api.post('/api2/collections', body));
    hasMessage(hasStatus(answer, 503));
    equal(
      await w.api.ids('/api2/collections', { display_name: body.display_name }),
      [],
      'The collections of this name',
    );
  });
  it('delete', 'In read-only mode DELETE: 503 with {message}, and nothing is deleted', async (w) => {
    const { path } = await w.collection();
    hasMessage(hasStatus(await under(w, () => w.api.delete(path)), 503));
    await w.api.read(path);
  });
  it('put', 'In read-only mode PUT: 503 with {message}', async (w) => {
    const { path } = await w.collection();
    const body = { display_name: 'not' };
    hasMessage(hasStatus(await under(w, () => w.api.send('PUT', path, { body })), 503));
  });
  it('after', 'When read-only mode ends, writing works again', async (w) => {
    const { path } = await w.collection();
    await under(w, () => w.api.delete(path));
    deleted(await w.api.delete(path));
  });
});

const cors = casesOf('conventions', (it) => {
  const ORIGIN = 'https://app.conformance.example';
  const under = <T>(w: World, act: () => Promise<T>) => w.control().under({ cors_origins: [ORIGIN] }, act);
  it('cors-listed', 'A cross-origin request from a listed domain may be read', async (w) => {
    const headers = { origin: ORIGIN };
    const answer = await under(w, () => w.api.send('GET', '/api2/collections', { headers }));
    equal(answer.headers.get('access-control-allow-origin'), ORIGIN, 'access-control-allow-origin');
  });
  it('cors-preflight', 'A preflight request from a listed domain is granted', async (w) => {
    const headers = {
      origin: ORIGIN,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    };
    const answer = await under(w, () => w.site.send('OPTIONS', '/api2/collections', { headers }));
    done(answer);
    equal(answer.headers.get('access-control-allow-origin'), ORIGIN, 'access-control-allow-origin');
    check(
      /authorization/i.test(answer.headers.get('access-control-allow-headers') ?? ''),
      `${answer}: no authorization.`,
    );
  });
  it('cors-other', 'A cross-origin request from a domain that is not in the list may not be read', async (w) => {
    for (const origin of ['https://other.conformance.example', `${ORIGIN}.other.example`, 'null']) {
      for (const method of ['GET', 'OPTIONS']) {
        const headers = { origin, 'access-control-request-method': 'GET' };
        const answer = await under(w, () => w.api.send(method, '/api2/collections', { headers }));
        equal(answer.headers.get('access-control-allow-origin'), null, `access-control-allow-origin for ${origin}`);
      }
    }
  });
});

/**
 * Creates an unpublished item with a file, as a user who has only media-create. The returned `ask` sends requests of this user
 * while the server's clock is this number of hours ahead.
 */
async function later(w: World, hours: number) {
  const { api, collection } = await w.holding(['media-create']);
  const media = await w.media({ collection_id: collection.id }, api);
  if ((await w.api.read(media.path)).status === 'published') throw new Skip('new items are published at once here');
  const file = await w.file(media, {}, api);
  const { credentials } = await w.second();
  if (!credentials) throw new Skip('needs the password of the second user');
  const ask = <T>(act: (api: Api) => Promise<T>) =>
    w.control().under({ clock_offset_ms: hours * HOUR_MS }, async () => {
      // Tokens from before are expired when the clock has moved.
      return act(new Api(w.site, await signIn(w.site, w.clientId, credentials)));
    });
  return { media, file, ask };
}

const windows = casesOf('limits', (it) => {
  it('own-window', 'Own unpublished items can be edited within 3 hours of their creation', async (w) => {
    const { media, ask } = await later(w, 2.9);
    done(await ask((api) => api.post(media.path, { byline: 'Mine' })));
  });
  it('own-window-over', 'After 3 hours media-create is not enough to edit own items', async (w) => {
    const { media, ask } = await later(w, 3.1);
    notAllowed(await ask((api) => api.post(media.path, { byline: 'Mine' })));
  });
  it('own-window-delete', 'Own unpublished items can be deleted within 3 hours of their creation', async (w) => {
    const { media, ask } = await later(w, 2.9);
    deleted(await ask((api) => api.delete(media.path)));
  });
  it('own-window-delete-over', 'After 3 hours media-create is not enough to delete own items', async (w) => {
    const { media, ask } = await later(w, 3.1);
    notAllowed(await ask((api) => api.delete(media.path)));
    await w.api.read(media.path);
  });
  it('own-window-file', 'Own files of unpublished items can be deleted within 3 hours', async (w) => {
    const { file, ask } = await later(w, 2.9);
    deleted(await ask((api) => api.delete(file.path)));
  });
  it('own-window-file-over', 'After 3 hours media-create is not enough to delete own files', async (w) => {
    const { file, ask } = await later(w, 3.1);
    notAllowed(await ask((api) => api.delete(file.path)));
  });
});

const contents = casesOf('limits', (it) => {
  it('ttl-over', 'A content URL is valid for its ttl and no longer', async (w) => {
    const { file } = await audioItem(w);
    const { location } = await w.api.read(`${file.path}/content`, { json: 1, ttl: 60 });
    const path = w.site.pathOf(String(location));
    const after = (seconds: number) =>
      w.control().under({ clock_offset_ms: seconds * 1000 }, () => w.site.send('GET', path));
    hasStatus(await after(40), 200);
    refused(await after(80));
  });
});

const states = casesOf('file-status', (it) => {
  const afterMinutes = async (w: World, minutes: number) => {
    const file = await w.file(await w.media());
    const credentials = w.credentials();
    return w.control().under({ clock_offset_ms: minutes * 60_000 }, async () => {
      const api = new Api(w.site, await signIn(w.site, w.clientId, credentials));
      return (await api.read(file.path)).status ?? null;
    });
  };
  it('aborted', 'An upload that is abandoned for more than 30 minutes gets the status aborted', async (w) => {
    equal(await afterMinutes(w, 31), 'aborted', 'status');
  });
  it('not-aborted', 'Before 30 minutes have passed an upload is not aborted', async (w) => {
    equal(await afterMinutes(w, 29), 'uploading', 'status');
  });
  it('error', 'A file whose processing fails gets the status error', async (w) => {
    const status = await w.control().under({ processing: { outcome: 'error' } }, async () => {
      return (await w.uploaded(await w.media(), { name: 'p.png', bytes: png(), type: 'image' })).status;
    });
    equal(status, 'error', 'status');
  });
  it('processing', 'A file has the status processing between uploading and complete', async (w) => {
    const media = await w.media();
    const seen = await w.control().under({ processing: { delay_ms: 1500 } }, async () => {
      const uploaded = w.uploaded(media, { name: 'p.png', bytes: png(), type: 'image' });
      const found = eventually('the file to be processing', async () => {
        const [id] = await w.api.ids(`${media.path}/files`, { status: 'processing' });
        return id;
      });
      return Promise.all([found, uploaded.then(({ status }) => status)]);
    });
    equal(seen[1], 'complete', 'status in the end');
  });
});

const expiry = casesOf('tokens', (it) => {
  it('expired', 'A request with an expired access token: 401 with {message}', async (w) => {
    const credentials = w.credentials();
    const answer = await w.control().under({ access_token_s: 1 }, async () => {
      const token = (await signIn(w.site, w.clientId, credentials)).accessToken;
      return eventually('the token to expire', async () => {
        const asked = await w.site.send('GET', '/api2/collections', { token });
        return asked.status === 200 ? undefined : asked;
      });
    });
    hasMessage(hasStatus(answer, 401));
  });
});

const events = casesOf('events', (it) => {
  /** Runs an action while the webhook is a small server here; waits for `count` requests, and returns how many arrived. */
  async function sentDuring(w: World, act: () => Promise<void>, count: number): Promise<number> {
    let seen = 0;
    const server = createServer((request, response) => {
      seen += 1;
      request.resume().once('end', () => response.writeHead(204).end());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      await w.control().under({ webhook_url: `http://127.0.0.1:${port}/` }, async () => {
        await act();
        await eventually('the notification', async () => (seen >= count ? true : undefined));
      });
    } finally {
      server.closeAllConnections();
      server.close();
    }
    return seen;
  }
  it('complete', 'When the processing of a file has ended with complete, a notification is sent', async (w) => {
    const media = await w.media();
    await sentDuring(w, async () => void (await w.uploaded(media, { name: 'p.png', bytes: png(), type: 'image' })), 1);
  });
  it('error', 'When the processing of a file has ended with error, a notification is sent', async (w) => {
    const media = await w.media();
    const act = async () => {
      await w.control().under({ processing: { outcome: 'error' } }, async () => {
        await w.uploaded(media, { name: 'film.mp4', bytes: utf8('no film'), type: 'video' });
      });
    };
    await sentDuring(w, act, 1);
  });
});

const personal = casesOf('media', (it) => {
  it('personal', 'If the personal-media collection is enabled, it gets items without a collection_id', async (w) => {
    const { id } = await w.collection();
    const answer = await w.control().under({ personal_media_collection_id: id }, () => {
      return w.api.post('/api2/media', { title: w.name('personal') });
    });
    equal((await w.api.read(w.made(hasStatus(answer, 201)).path)).collection_id, id, 'collection_id');
  });
  it('personal-off', 'Without a personal-media collection, collection_id is required', async (w) => {
    const answer = await w.control().under({ personal_media_collection_id: null }, () => {
      return w.api.post('/api2/media', { title: w.name('personal') });
    });
    hasStatus(answer, 400, 422);
  });
});

export const controlCases: Case[] = [
  ...readOnly,
  ...cors,
  ...windows,
  ...contents,
  ...states,
  ...expiry,
  ...events,
  ...personal,
];
