import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { exchange } from '../../../helpers/service/service-raw.ts';
import { signIn } from '../../../helpers/service/service-sign-in.ts';

const path = '/api2/media/embed-template';

async function statusFor(url: string, lines: readonly string[], target = path): Promise<number> {
  const answer = await exchange(url, [`GET ${target} HTTP/1.1`, ...lines, 'Connection: close', '', ''].join('\r\n'));
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
}

describe('a service on loopback', () => {
  let service: ServiceProcess;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service?.stop());
  const port = () => new URL(service.baseUrl).port;

  test.each(['127.0.0.1:PORT', 'localhost:PORT', 'LOCALHOST:PORT', '[::1]:PORT', 'localhost', 'localhost:1'])(
    'answers a request for the host %s',
    async (host) => {
      expect(await statusFor(service.baseUrl, [`Host: ${host.replace('PORT', port())}`])).toBe(200);
    },
  );

  test.each([
    'evil.example:PORT',
    'evil.example',
    'localhost.evil.example:PORT',
    '127.0.0.1.evil.example:PORT',
    'evil.example#localhost',
    'evil.example@localhost:PORT',
    'localhost@evil.example:PORT',
    'localhost:PORT,evil.example',
    'localhost:PORT/evil.example',
    'localhost.:PORT',
    '127.0.0.2:PORT',
    '0.0.0.0:PORT',
    '169.254.169.254:PORT',
    '[::]:PORT',
    'localhost:99999999',
    '',
  ])('refuses a request for the host %j with 421 and without an effect', async (host) => {
    const { access_token } = await signIn(service);
    await service.control('DELETE', '/journal');
    const lines = [`Host: ${host.replace('PORT', port())}`, `Authorization: Bearer ${access_token}`];
    expect(await statusFor(service.baseUrl, lines)).toBe(421);
    expect(await statusFor(service.baseUrl, lines, '/api2/users')).toBe(421);
    const { items } = await service.control<{ items: { status: number; effects: unknown[] }[] }>('GET', '/journal');
    expect(items.map(({ status, effects }) => [status, effects])).toEqual([
      [421, []],
      [421, []],
    ]);
  });

  test('refuses a request with two Host headers', async () => {
    const good = `Host: localhost:${port()}`;
    for (const lines of [
      [good, 'Host: evil.example'],
      ['Host: evil.example', good],
    ]) {
      expect([400, 421]).toContain(await statusFor(service.baseUrl, lines));
    }
  });

  test('refuses a foreign host name in the request line', async () => {
    const lines = [`Host: localhost:${port()}`];
    expect(await statusFor(service.baseUrl, lines, 'http://evil.example/api2/users')).toBeGreaterThanOrEqual(400);
  });

  test('refuses a foreign host name on every route, and on the control port', async () => {
    for (const target of ['/', '/api2/oauth/authorize', '/watch/1', '/cdn/x/y', '/upload/x', '/api2/oauth/tokeninfo']) {
      expect(await statusFor(service.baseUrl, ['Host: evil.example'], target)).toBe(421);
    }
    const token = `Authorization: Bearer ${service.controlToken}`;
    expect(await statusFor(service.controlUrl, ['Host: evil.example', token], '/settings')).toBe(421);
    expect(await statusFor(service.controlUrl, ['Host: localhost', token], '/settings')).toBe(200);
  });
});

test('a service behind a proxy answers for the host of the proxy, and for loopback', async () => {
  const service = await startService({ publicUrl: 'https://library.example' });
  try {
    expect(await statusFor(service.baseUrl, ['Host: library.example'])).toBe(200);
    expect(await statusFor(service.baseUrl, ['Host: Library.Example:443'])).toBe(200);
    expect(await statusFor(service.baseUrl, [`Host: ${new URL(service.baseUrl).host}`])).toBe(200);
    expect(await statusFor(service.baseUrl, ['Host: other.example', 'X-Forwarded-Host: library.example'])).toBe(421);
    expect(await statusFor(service.baseUrl, ['Host: sub.library.example'])).toBe(421);
  } finally {
    await service.stop();
  }
});

test('a service on every address answers for the address of the connection, not for other addresses or host names', async () => {
  const service = await startService({ host: '0.0.0.0' });
  try {
    const port = Number(new URL(service.baseUrl).port);
    const statusAt = (address: string, host: string) =>
      new Promise<number>((resolve, reject) => {
        const socket = connect(port, address, () =>
          socket.end(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
        );
        let text = '';
        socket.on('data', (part) => {
          text += part.toString();
        });
        socket.on('error', reject);
        socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1])));
      });
    expect(await statusAt('127.0.0.1', `127.0.0.1:${port}`)).toBe(200);
    expect(await statusAt('127.0.0.1', 'evil.example')).toBe(421);
    expect(await statusAt('127.0.0.1', `10.9.8.7:${port}`)).toBe(421);
  } finally {
    await service.stop();
  }
});
