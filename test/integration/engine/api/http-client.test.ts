import http from 'node:http';
import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { outcomeOf } from '../../../../electron/engine/api/classify.ts';
import { lacksToken } from '../../../../electron/engine/api/http-client.ts';
import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import { captureLogger } from '../../../helpers/engine/capture-logger.ts';
import { sendJson, startSmallServer } from '../../../helpers/wire/small-server.ts';
import { clientOf } from './site-client.ts';

const anything = z.unknown();
const failure = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
};

describe('the token', () => {
  it('is sent to the site itself', async () => {
    const server = await startSmallServer((_, response) => sendJson(response, 200, {}));
    await clientOf(server.url).read(anything, '/api2/media');
    expect(server.seen[0]?.headers.authorization).toBe('Bearer token-1');
  });

  it('is never sent to another origin', async () => {
    const other = await startSmallServer((_, response) => sendJson(response, 200, {}));
    const site = await startSmallServer((_, response) => sendJson(response, 200, {}));
    let asked = 0;
    const tokens = { accessToken: async () => `token-${++asked}`, renew: async () => 'never' };
    await clientOf(site.url, { tokens }).request({ method: 'POST', target: new URL(`${other.url}/x`), form: {} });
    expect(other.seen[0]?.headers.authorization).toBeUndefined();
    expect(asked).toBe(0);
  });

  it('is not sent to a redirect target on another origin, which is not followed', async () => {
    const other = await startSmallServer((_, response) => sendJson(response, 200, {}));
    const site = await startSmallServer((_, response) => response.writeHead(302, { location: `${other.url}/x` }).end());
    const error = await failure(clientOf(site.url).read(anything, '/api2/media'));
    expect(error.code).toBe('api.malformed');
    expect(other.seen).toEqual([]);
  });

  it('is refreshed once, and the request repeated once, when the site refuses it', async () => {
    const server = await startSmallServer(({ headers }, response) =>
      sendJson(response, headers.authorization === 'Bearer token-2' ? 200 : 401, { message: 'Bad credentials' }),
    );
    const refused: string[] = [];
    const tokens = {
      accessToken: async () => 'token-1',
      renew: async (token: string) => {
        refused.push(token);
        return 'token-2';
      },
    };
    await clientOf(server.url, { tokens }).request({ method: 'POST', target: '/api2/media', json: { title: 'x' } });
    expect(refused).toEqual(['token-1']);
    expect(server.seen.map(({ body }) => body)).toEqual(['{"title":"x"}', '{"title":"x"}']);
  });

  it('requires a sign-in when it is refused again', async () => {
    const server = await startSmallServer((_, response) => sendJson(response, 401, { message: 'Bad credentials' }));
    const error = await failure(clientOf(server.url).read(anything, '/api2/media'));
    expect(error.code).toBe('sign-in.required');
    expect(server.seen).toHaveLength(2);
  });

  // An error of the whole account is not counted as a failed attempt of this one request.
  it.each([
    ['network.timed-out', 'network.timed-out'],
    ['network.unreachable', 'network.unreachable'],
    ['network.tls', 'network.tls'],
    ['api.read-only', 'api.read-only'],
    ['api.server-error', 'site.unreachable'],
    ['api.malformed', 'site.unreachable'],
    ['api.unexpected', 'site.unreachable'],
    ['api.not-found', 'site.unreachable'],
    ['sign-in.required', 'sign-in.required'],
    ['keychain.locked', 'keychain.locked'],
  ] as const)(
    'that is unavailable because of %s means that the request was not sent, with the error %s',
    async (fault, expectedCode) => {
      const server = await startSmallServer((_, response) => sendJson(response, 401, { message: 'Bad credentials' }));
      const lost = appError(fault, { details: { outcome: 'unknown', status: 599 } });
      const none = async () => Promise.reject(lost);
      const post = { method: 'POST', target: '/api2/media' } as const;
      const renewing = { accessToken: async () => 'token-1', renew: none };
      for (const tokens of [renewing, { accessToken: none, renew: none }]) {
        const error = await failure(clientOf(server.url, { tokens }).request(post));
        expect({ code: error.code, outcome: outcomeOf(error) }).toEqual({ code: expectedCode, outcome: 'not-sent' });
        expect({ lacks: lacksToken(error), status: error.details?.status }).toEqual({ lacks: true, status: 599 });
      }
      expect(server.seen).toHaveLength(1);
    },
  );

  it('appears in no log line and no error', async () => {
    const logger = captureLogger();
    const server = await startSmallServer(({ url }, response) => {
      if (url === '/api2/gone') response.destroy();
      else sendJson(response, 500, { message: 'x' });
    });
    const tokens = { accessToken: async () => 'canary-1234567890', renew: async () => 'canary-1234567890' };
    const client = clientOf(server.url, { tokens, logger });
    const errors = [
      await failure(client.read(anything, '/api2/media', { search: 'canary-1234567890' })),
      await failure(client.request({ method: 'POST', target: '/api2/gone', json: {} })),
      await failure(clientOf('http://127.0.0.1:9', { tokens, logger }).read(anything, '/api2/media')),
    ];
    const { inspect } = await import('node:util');
    expect(logger.lines.length).toBeGreaterThan(0);
    expect(logger.text() + inspect(errors, { depth: 20, showHidden: true })).not.toContain('canary');
  });
});

describe('an answer', () => {
  it('may redirect a read within the site, with the token', async () => {
    const server = await startSmallServer(({ url }, response) => {
      if (url === '/api2/old') response.writeHead(301, { location: '/api2/new' }).end();
      else sendJson(response, 200, { url });
    });
    expect(await clientOf(server.url).read(anything, '/api2/old')).toEqual({ url: '/api2/new' });
    expect(server.seen[1]?.headers.authorization).toBe('Bearer token-1');
  });

  it('is an error when it redirects a read endlessly', async () => {
    const server = await startSmallServer((_, response) => response.writeHead(302, { location: '/api2/a' }).end());
    expect((await failure(clientOf(server.url).read(anything, '/api2/a'))).code).toBe('api.unexpected');
    expect(server.seen.length).toBeLessThan(10);
  });

  it.each([
    [301, '/api2/b'],
    [302, '/api2/b'],
    [303, '/login'],
    [303, 'http://127.0.0.1:9/api2/b'],
    [307, 'http://127.0.0.1:9/api2/b'],
    [308, undefined],
  ])('is not followed, and is no success of a write, when it is %i to %s', async (status, location) => {
    const server = await startSmallServer((_, response) =>
      response.writeHead(status, location ? { location } : {}).end(),
    );
    const error = await failure(clientOf(server.url).request({ method: 'POST', target: '/api2/a', json: {} }));
    expect(error.code).toBe('api.unexpected');
    expect(server.seen).toHaveLength(1);
  });

  it('is a success of a write, and is not followed, when it is a 303 to an API resource', async () => {
    const server = await startSmallServer((_, response) => response.writeHead(303, { location: '/api2/b' }).end());
    const answer = await clientOf(server.url).request({ method: 'POST', target: '/api2/a', json: {} });
    expect({ status: answer.status, requests: server.seen.length }).toEqual({ status: 303, requests: 1 });
  });

  it.each([307, 308])(
    'is followed by the same write at the new address within the site, with token and body, when it is %i',
    async (status) => {
      const server = await startSmallServer(({ url }, response) =>
        url === '/api2/a' ? response.writeHead(status, { location: '/api2/a/' }).end() : sendJson(response, 201, {}),
      );
      const answer = await clientOf(server.url).request({ method: 'POST', target: '/api2/a', json: { title: 'A' } });
      expect(answer.status).toBe(201);
      const [first, second] = server.seen;
      expect(second).toMatchObject({ method: 'POST', url: '/api2/a/', body: '{"title":"A"}' });
      expect(second?.headers.authorization).toBe(first?.headers.authorization);
    },
  );

  it('is an error after a few requests when it redirects a write endlessly', async () => {
    const server = await startSmallServer((_, response) => response.writeHead(308, { location: '/api2/a' }).end());
    const error = await failure(clientOf(server.url).request({ method: 'POST', target: '/api2/a', json: {} }));
    expect(error.code).toBe('api.unexpected');
    expect(server.seen.length).toBeLessThan(10);
  });

  it('is decoded with the charset of its content type', async () => {
    const server = await startSmallServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json; charset="iso-8859-1"' });
      response.end(Buffer.from('{"title":"\x93Übung\x94"}', 'latin1'));
    });
    const read = clientOf(server.url).read(z.object({ title: z.string() }), '/api2/media/1');
    expect(await read).toEqual({ title: '“Übung”' });
  });

  it.each([
    ['HTML of a network log-in page', '<html><body>Please log in</body></html>'],
    ['half of a JSON document', '{"items": [{"id": '],
    ['empty', ''],
    ['JSON of another structure', '{"items": 7}'],
    ['a list nested 200,000 deep', `{"items":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
  ])('is damaged, without a crash, when it is %s', async (_, body) => {
    const server = await startSmallServer((_request, response) => response.end(body));
    const shape: z.ZodType = z.object({ items: z.array(z.lazy(() => z.array(shape).or(z.object({})))) });
    expect((await failure(clientOf(server.url).read(shape, '/api2/media'))).code).toBe('api.malformed');
  });

  it('is not read when it is larger than 64 MiB, compressed or not', async () => {
    const big = JSON.stringify({ text: 'x'.repeat(65 * 1024 * 1024) });
    const packed = gzipSync(big);
    const server = await startSmallServer(({ url }, response) => {
      if (url === '/api2/packed') response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed);
      else response.end(big);
    });
    const client = clientOf(server.url);
    for (const path of ['/api2/plain', '/api2/packed']) {
      const error = await failure(client.read(anything, path));
      expect(error).toMatchObject({ code: 'api.malformed', details: { reason: expect.stringContaining('67108864') } });
    }
  });

  it('is damaged when it is truncated', async () => {
    const server = await startSmallServer((_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"items":[');
      setImmediate(() => response.destroy());
    });
    expect((await failure(clientOf(server.url).read(anything, '/api2/media'))).code).toBe('api.malformed');
  });

  it('is returned with unknown fields and with characters beyond ASCII', async () => {
    const server = await startSmallServer((_, response) => sendJson(response, 200, { title: 'Ümläut 🎬' }));
    expect(await clientOf(server.url).read(anything, '/api2/media')).toEqual({ title: 'Ümläut 🎬' });
  });
});

describe('a connection', () => {
  it('means that the request was not sent when it is refused', async () => {
    const server = await startSmallServer(() => {});
    await server.close();
    const error = await failure(clientOf(server.url).request({ method: 'POST', target: '/api2/media', json: {} }));
    expect(error.code).toBe('network.unreachable');
    expect(outcomeOf(error)).toBe('not-sent');
  });

  it('means that the request was not sent when the host name does not exist', async () => {
    const client = clientOf('https://nowhere.invalid');
    const error = await failure(client.request({ method: 'POST', target: '/api2/media', json: {} }));
    expect(error.code).toBe('network.unreachable');
    expect(outcomeOf(error)).toBe('not-sent');
  });

  it('leaves the result undecided, without a repeat, when it breaks after a write was sent', async () => {
    const server = await startSmallServer((_, response) => response.destroy());
    const error = await failure(clientOf(server.url).request({ method: 'POST', target: '/api2/media', json: {} }));
    expect(error.code).toBe('network.unreachable');
    expect(outcomeOf(error)).toBe('unknown');
    expect(server.seen).toHaveLength(1);
  });

  it('fails when it is not encrypted although it must be', async () => {
    const server = await startSmallServer((_, response) => sendJson(response, 200, {}));
    const error = await failure(clientOf(server.url.replace('http:', 'https:')).read(anything, '/api2/media'));
    expect(error).toMatchObject({
      code: 'network.tls',
      message: 'Mediadesk couldn’t make an encrypted connection to the library.',
    });
    expect(outcomeOf(error)).toBe('not-sent');
  });

  it('makes the answer damaged when the server does not speak HTTP', async () => {
    const server = net.createServer((socket) => socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9.2\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as net.AddressInfo;
    expect((await failure(clientOf(`http://127.0.0.1:${port}`).read(anything, '/api2/media'))).code).toBe(
      'api.malformed',
    );
  });

  it('is shared by reads; a write uses one that a write just used, not an idle one', async () => {
    const ports: (number | undefined)[] = [];
    const idle: net.Socket[] = [];
    const server = await startSmallServer((_, response) => {
      const socket = response.socket as net.Socket;
      ports.push(socket.remotePort);
      idle.push(socket);
      sendJson(response, 200, {});
    });
    const client = clientOf(server.url);
    const write = () => client.request({ method: 'POST', target: '/api2/c', json: {} });
    await client.read(anything, '/api2/a');
    await client.read(anything, '/api2/b');
    await write();
    await write();
    const [read, again, first, second] = ports;
    expect([again, second]).toEqual([read, first]);
    expect(first).not.toBe(read);
    // The client closes an idle connection long before the server would.
    await expect.poll(() => idle.at(-1)?.destroyed, { timeout: 5000 }).toBe(true);
    await write();
    expect(ports.at(-1)).not.toBe(first);
  });

  it('leaves the result undecided when it breaks during a second write, and is not reused by later writes', async () => {
    let onSameConnection: net.Socket | null = null;
    const server = await startSmallServer((_, response) => {
      const { socket } = response;
      if (socket === onSameConnection) response.destroy();
      else sendJson(response, 200, {});
      onSameConnection = socket;
    });
    const client = clientOf(server.url);
    const write = () => client.request({ method: 'POST', target: '/api2/c', json: {} });
    await write();
    expect((await failure(write())).details?.outcome).toBe('unknown');
    await write();
    await write();
    expect(server.seen.map(({ headers }) => headers.connection)).toEqual([
      'keep-alive',
      'keep-alive',
      'close',
      'close',
    ]);
  });

  it('does not fail the next read when the server closed it while it was idle', async () => {
    let requests = 0;
    const server = http.createServer((_, response) => {
      requests++;
      // The second request finds the connection closed, as after an idle timeout of the server at the moment of the
      // request.
      if (requests === 2) response.destroy();
      else sendJson(response, 200, { requests });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    const client = clientOf(`http://127.0.0.1:${(server.address() as net.AddressInfo).port}`);
    await client.read(anything, '/api2/a');
    expect(await client.read(anything, '/api2/b')).toEqual({ requests: 3 });
  });

  it('ends immediately with the caller’s reason when the caller aborts', async () => {
    const server = await startSmallServer(() => {});
    const controller = new AbortController();
    const reason = appError('sign-in.cancelled');
    const asked = clientOf(server.url).read(anything, '/api2/media', undefined, controller.signal);
    await expect.poll(() => server.seen.length).toBe(1);
    controller.abort(reason);
    await expect(asked).rejects.toBe(reason);
  });
});
