import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../../electron/engine/api/classify.ts';
import { finishUpload } from '../../../../electron/engine/api/completion.ts';
import { wasAnswered } from '../../../../electron/engine/api/created.ts';
import { contentLocation, createFile } from '../../../../electron/engine/api/files.ts';
import { createMedia, deleteMedia, publishMedia, updateMedia } from '../../../../electron/engine/api/media.ts';
import type { AppError } from '../../../../shared/contract/app-error.ts';
import { sendJson, startSmallServer } from '../../../helpers/wire/small-server.ts';
import { clientOf } from './site-client.ts';

async function created(headers: Record<string, string>, body = '', status = 201) {
  const server = await startSmallServer((_, response) => response.writeHead(status, headers).end(body));
  return { server, client: clientOf(server.url) };
}

describe('a created resource', () => {
  it.each(['', '{}', '{"id":"wrong"}', 'not JSON', '<html>'])(
    'is identified by its Location and not by a body like %s',
    async (body) => {
      const { client } = await created({ location: '/api2/media/42' }, body);
      expect(await createMedia(client, { title: 'x' })).toEqual({ id: '42' });
    },
  );

  it('is identified by an absolute Location of the same site, and with a 200', async () => {
    const server = await startSmallServer((_, response) => {
      response.writeHead(200, { location: `${server.url}/api2/media/a%2Fb/` }).end();
    });
    expect(await createMedia(clientOf(server.url), { title: 'x' })).toEqual({ id: 'a/b' });
  });

  it('is identified when the rest of the answer was lost', async () => {
    const server = await startSmallServer((_, response) => {
      response.writeHead(201, { location: '/api2/media/42', 'content-length': '500' });
      response.write('{"id":');
      setImmediate(() => response.destroy());
    });
    expect(await createMedia(clientOf(server.url), { title: 'x' })).toEqual({ id: '42' });
  });

  it.each([
    undefined,
    '',
    'https://evil.example/media/42',
    'https://evil.example/api2/media/42/files',
    'https://evil.example/api2/collections/42',
    '//evil.example/?next=/api2/media/42',
    'javascript:alert(1)',
    'data:text/plain,/media/42',
    'http://',
    '/api2/media',
    '/api2/media/',
    '/api2/media/42/files',
    '/api2/collections/42',
    '/api2/media/..',
    '/api2/media/%2e%2e',
    '/',
  ])('has an unknown outcome with the Location %s and no body, because it may exist', async (location) => {
    const { client, server } = await created(location === undefined ? {} : { location });
    const error = await createMedia(client, { title: 'x' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'api.malformed' });
    expect(outcomeOf(error as AppError)).toBe('unknown');
    expect(server.seen).toHaveLength(1);
  });
});

describe('a resource created behind a proxy', () => {
  it.each([
    'http://library.internal:8080/api2/media/42',
    'https://evil.example/api2/media/42',
    '//evil.example/api2/media/42/',
    '/\\evil.example/api2/media/42?created',
    'http://library.internal/app/api2/media/42',
    '42',
    './42',
    'media/42',
  ])('is identified by the path of its Location %s, and nothing is requested there', async (location) => {
    const { client, server } = await created({ location });
    expect(await createMedia(client, { title: 'x' })).toEqual({ id: '42' });
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    ['{"id":"42"}', undefined],
    ['{"id":42,"title":"x"}', ''],
    ['{"id":"42"}', 'https://sso.example/login'],
    ['{"id":"42"}', '/api2/media/42.json'],
    ['{"id":"42"}', '/api2/media/42-a-readable-name'],
    ['{"links":{"self":"/api2/media/42"}}', undefined],
    ['{"id":null,"links":{"self":"http://library.internal/api2/media/42"}}', undefined],
  ])('is identified by a body like %s, with the Location %s', async (body, location) => {
    const { client } = await created(location === undefined ? {} : { location }, body);
    expect(await createMedia(client, { title: 'x' })).toEqual({ id: '42' });
  });

  it.each([
    ['/api2/media/7/files/9', '{"id":"11"}', '11'],
    ['http://library.internal/api2/media/7/files/9', '{"id":"11"}', '11'],
    ['http://library.internal/api2/files/9', '{"id":"11"}', '11'],
    ['/api2/media/1/files/9', '{"id":"11"}', '9'],
    ['http://library.internal/api2/media/1/files/9', '{}', '9'],
    // The body comes from the library; the address of a foreign host is not trusted.
    ['http://library.internal/api2/media/1/files/9', '{"id":"11"}', '11'],
  ])('is not the file of another item: with the Location %s and the body %s it is %s', async (location, body, id) => {
    const { client } = await created({ location }, body);
    expect((await createFile(client, '1', { upload_name: 'a', upload_size: 1 })).id).toBe(id);
  });

  it('counts as created without an id, unless the answer is a page or incomplete', async () => {
    const errorOf = async (headers: Record<string, string>, body: string) =>
      createMedia((await created(headers, body)).client, { title: 'x' }).catch((thrown: unknown) => thrown);
    expect(wasAnswered(await errorOf({}, ''))).toBe(true);
    expect(wasAnswered(await errorOf({ 'content-type': 'application/json' }, '{"message":"ok"}'))).toBe(true);
    expect(wasAnswered(await errorOf({ 'content-type': 'text/html' }, '<p>Log in</p>'))).toBe(false);
    const half = await startSmallServer((_, response) => {
      response.writeHead(201, { 'content-length': '500' });
      response.write('{"id":');
      setImmediate(() => response.destroy());
    });
    const error = await createMedia(clientOf(half.url), { title: 'x' }).catch((thrown: unknown) => thrown);
    expect(wasAnswered(error)).toBe(false);
  });
});

describe('a created file', () => {
  const descriptor = {
    upload_url: 'https://storage.example/u?sig=1',
    upload_file_param: 'file',
    upload_post_params: { n: 1 },
  };
  const location = '/api2/media/1/files/9';

  it('has its destination', async () => {
    const body = JSON.stringify({ id: '9', status: 'uploading', upload: { protocols: { form_data: descriptor } } });
    const { client } = await created({ location }, body);
    const file = await createFile(client, '1', { upload_name: 'a.mp4', upload_size: 3 });
    expect(file).toMatchObject({ id: '9', file: { id: '9', status: 'uploading' } });
    expect(file.descriptor).toEqual({ ...descriptor, upload_post_params: [['n', '1']], postprocess_url: null });
  });

  it('has its destination when everything else in the answer is invalid', async () => {
    const { client } = await created(
      { location },
      JSON.stringify({ upload: { protocols: { form_data: descriptor } } }),
    );
    const file = await createFile(client, '1', { upload_name: 'a.mp4', upload_size: 3 });
    expect(file).toMatchObject({ id: '9', file: null, descriptor: { upload_url: descriptor.upload_url } });
  });

  it('has an absolute destination address when the service sends a path', async () => {
    const upload = { protocols: { form_data: { ...descriptor, upload_url: '/upload/abc' } } };
    const { client, server } = await created({ location }, JSON.stringify({ upload }));
    const file = await createFile(client, '1', { upload_name: 'a.mp4', upload_size: 3 });
    expect(file.descriptor?.upload_url).toBe(`${server.url}/upload/abc`);
  });

  it.each([
    '',
    '{}',
    '{"upload":null}',
    '{"upload":{"protocols":{}}}',
    '{"upload":{"protocols":{"form_data":{"upload_url":"javascript:x","upload_file_param":"f"}}}}',
  ])('has no destination when the answer is %s', async (body) => {
    const { client } = await created({ location }, body);
    expect(await createFile(client, '1', { upload_name: 'a', upload_size: 1 })).toMatchObject({
      id: '9',
      descriptor: null,
    });
  });
});

describe('a change', () => {
  it.each([
    [200, '{"id":"7","title":"something else"}'],
    [204, ''],
    [200, '{"message":"ok"}'],
    [200, ''],
    [202, 'queued'],
  ])('counts as applied when the service answers %i %s', async (status, body) => {
    const server = await startSmallServer((_, response) => response.writeHead(status).end(body));
    const client = clientOf(server.url);
    await updateMedia(client, '7', { title: 'x' });
    await publishMedia(client, '7', { publish_on: '2030-01-01T00:00:00Z' });
    await deleteMedia(client, '7');
    expect(server.seen.map(({ method, url, body: sent }) => [method, url, sent])).toEqual([
      ['POST', '/api2/media/7', '{"title":"x"}'],
      ['POST', '/api2/media/7/publish', '{"publish_on":"2030-01-01T00:00:00Z"}'],
      ['DELETE', '/api2/media/7', ''],
    ]);
  });
});

describe('the completion of an upload', () => {
  it('is an empty POST request, sent to the site with the token', async () => {
    const { client, server } = await created({}, '', 204);
    await finishUpload(client, '/upload/abc/finish?sig=1');
    expect(server.seen[0]).toMatchObject({ method: 'POST', url: '/upload/abc/finish?sig=1', body: '' });
    expect(server.seen[0]?.headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': '0',
      authorization: 'Bearer token-1',
    });
  });

  it.each([200, 202, 204, 303])(
    'is sent to a foreign address without the token, and the answer %i is accepted',
    async (status) => {
      const other = await startSmallServer((_, response) =>
        response.writeHead(status, { location: '/done' }).end('<html>'),
      );
      const { client } = await created({});
      await finishUpload(client, `${other.url}/finish`);
      expect(other.seen).toHaveLength(1);
      expect(other.seen[0]?.headers.authorization).toBeUndefined();
    },
  );

  it('does not end the sign-in when a foreign address refuses it', async () => {
    const other = await startSmallServer((_, response) => response.writeHead(401).end());
    const { client } = await created({});
    await expect(finishUpload(client, `${other.url}/finish`)).rejects.toMatchObject({ code: 'api.forbidden' });
  });

  it('is not sent when its address is no HTTP address, and the answer counts as malformed', async () => {
    const { client } = await created({});
    await expect(finishUpload(client, 'javascript:alert(1)')).rejects.toMatchObject({ code: 'api.malformed' });
  });
});

describe('the contents of a file', () => {
  it('have an address, read from JSON or from a redirect that is not followed', async () => {
    for (const asJson of [true, false]) {
      const server = await startSmallServer((_, response) => {
        if (asJson) sendJson(response, 200, { location: 'https://cdn.example/x?sig=1' });
        else response.writeHead(302, { location: 'https://cdn.example/x?sig=1' }).end();
      });
      expect(await contentLocation(clientOf(server.url), '1', '2', 99_999)).toBe('https://cdn.example/x?sig=1');
      expect(server.seen.map(({ url }) => url)).toEqual(['/api2/media/1/files/2/content?ttl=3600&json=1']);
    }
  });
});
