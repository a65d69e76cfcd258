import http from 'node:http';
import net from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLoopbackRedirect } from '../../../../electron/engine/account/loopback-redirect.ts';

const state = 's'.repeat(43);
const right = `/?code=abc&state=${state}`;

async function open(ports?: readonly number[]) {
  const redirect = await openLoopbackRedirect({ state, ...(ports && { ports }) });
  onTestFinished(() => redirect.close());
  return { redirect, port: Number(new URL(redirect.redirectUri).port) };
}

interface Visit {
  host?: string;
  method?: string;
  headers?: Record<string, string>;
  address?: string;
}

function visit(port: number, path: string, { host, method = 'GET', headers = {}, address = '127.0.0.1' }: Visit = {}) {
  return new Promise<{ status: number; headers: http.IncomingHttpHeaders; body: string }>((resolve, reject) => {
    const request = http.request(
      { host: address, port, path, method, agent: false, headers: { host: host ?? `localhost:${port}`, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end();
  });
}

const refusesConnections = (port: number, address: string) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect({ port, host: address });
    socket.on('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.on('error', () => resolve(true));
  });

describe('the redirect of a sign-in', () => {
  it('is accepted at http://localhost:<port>/ on both loopback addresses only', async () => {
    const { redirect, port } = await open();
    expect(redirect.redirectUri).toBe(`http://localhost:${port}/`);
    expect((await visit(port, '/favicon.ico')).status).toBe(404);
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    if (addresses.some(({ address }) => address === '::1')) {
      expect((await visit(port, '/favicon.ico', { address: '::1' })).status).toBe(404);
    }
    const outside = addresses.filter(({ internal, family }) => !internal && family === 'IPv4');
    for (const { address } of outside) expect(await refusesConnections(port, address)).toBe(true);
  });

  it('returns the code once, and then closes the port', async () => {
    const { redirect, port } = await open();
    expect((await visit(port, right)).status).toBe(200);
    expect(await redirect.answer).toEqual({ kind: 'code', code: 'abc' });
    expect(await refusesConnections(port, '127.0.0.1')).toBe(true);
  });

  it.each(['127.0.0.1', '[::1]', 'localhost'])('is accepted under the name %s', async (name) => {
    const { redirect, port } = await open();
    await visit(port, right, { host: `${name}:${port}` });
    expect(await redirect.answer).toEqual({ kind: 'code', code: 'abc' });
  });

  it('returns a denial with its text', async () => {
    const { redirect, port } = await open();
    await visit(port, `/?error=access_denied&error_description=No%20%3Cb%3E&state=${state}`);
    expect(await redirect.answer).toEqual({ kind: 'error', error: 'access_denied', description: 'No <b>' });
  });

  it.each([
    ['a request for a foreign host name', right, { host: 'evil.example' }, 421],
    ['a request for a host name without the port', right, { host: 'localhost' }, 421],
    ['a request for another port', right, { host: 'localhost:1' }, 421],
    ['a request from a script of a web page', right, { headers: { origin: 'https://evil.example' } }, 403],
    ['a request for an image in a web page', right, { headers: { 'sec-fetch-dest': 'image' } }, 403],
    ['a request for a frame in a web page', right, { headers: { 'sec-fetch-dest': 'iframe' } }, 403],
    ['a POST request', right, { method: 'POST' }, 405],
    ['a HEAD request', right, { method: 'HEAD' }, 405],
    ['a request for another path', `/callback${right.slice(1)}`, {}, 404],
    ['a request for a path in a folder', `/x/${right}`, {}, 404],
    ['a request for a path with a doubled slash', `/${right}`, {}, 404],
    ['a request without a code or an error', `/?state=${state}`, {}, 400],
    ['a request without a query', '/', {}, 400],
  ] satisfies [string, string, Visit, number][])(
    'is not %s, and the sign-in keeps waiting',
    async (_, path, how, status) => {
      const { redirect, port } = await open();
      const answer = await visit(port, path, how);
      expect(answer.status).toBe(status);
      await visit(port, right);
      expect(await redirect.answer).toEqual({ kind: 'code', code: 'abc' });
    },
  );

  it.each([
    ['a wrong state', '/?code=abc&state=wrong'],
    ['only the beginning of the expected state', `/?code=abc&state=${state.slice(0, -1)}`],
    ['no state', '/?code=abc'],
    ['an empty state', '/?code=abc&state='],
    ['two states', `${right}&state=${state}`],
    ['two codes', `${right}&code=def`],
    ['an empty code', `/?code=&state=${state}`],
    ['an error with a wrong state', '/?error=access_denied&state=wrong'],
  ])('ends the sign-in when it has %s', async (_, path) => {
    const { redirect, port } = await open();
    expect((await visit(port, path)).status).toBe(400);
    await expect(redirect.answer).rejects.toMatchObject({ code: 'sign-in.state-mismatch' });
    expect(await refusesConnections(port, '127.0.0.1')).toBe(true);
  });

  it('is answered by a page that contains no value of its address, is not cached and sends no referrer', async () => {
    const { port } = await open();
    const page = await visit(port, `/?code=%3Cscript%3Ecanary&state=${state}`);
    expect(page.body).toContain('Mediadesk');
    expect(page.body).not.toMatch(/canary|<script/);
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-content-type-options': 'nosniff',
      connection: 'close',
    });
  });

  it('closes connections that a browser keeps open', async () => {
    const { redirect, port } = await open();
    const idle = net.connect({ port, host: '127.0.0.1' });
    await new Promise<void>((resolve) => idle.once('connect', resolve));
    const ended = new Promise<void>((resolve) => idle.once('close', () => resolve()));
    idle.on('error', () => {});
    await visit(port, right);
    await redirect.answer;
    await ended;
  });

  it('uses the next port when one is in use on either address', async () => {
    for (const address of ['127.0.0.1', '::1']) {
      const other = net.createServer();
      const isThere = await new Promise<boolean>((resolve) => {
        other.once('error', () => resolve(false));
        other.listen(0, address, () => resolve(true));
      });
      if (!isThere) continue;
      onTestFinished(() => void other.close());
      const taken = (other.address() as net.AddressInfo).port;
      await expect(openLoopbackRedirect({ state, ports: [taken, taken] })).rejects.toMatchObject({
        code: 'sign-in.port-taken',
      });
      const { port } = await open([taken, 0]);
      expect(port).not.toBe(taken);
    }
  });
});
