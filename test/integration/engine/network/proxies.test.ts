// The connections themselves, through a proxy: encrypted and plain, with small answers and with forms of large files.
import { createHash } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openContentAddress } from '../../../../electron/engine/api/content-stream.ts';
import { fetchBytes } from '../../../../electron/engine/api/fetch-bytes.ts';
import { createTransport } from '../../../../electron/engine/api/transport.ts';
import { type Connections, NetworkConnections } from '../../../../electron/engine/network/connections.ts';
import { Routes } from '../../../../electron/engine/network/routes.ts';
import { Trust } from '../../../../electron/engine/network/trust.ts';
import { silentLogger } from '../../../../electron/engine/ports/logger.ts';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { UploadConnections } from '../../../../electron/engine/uploads/delivery/upload-connections.ts';
import { DEFAULT_NETWORK } from '../../../../shared/model/default-network.ts';
import { failToSend, makeFile, sendFile } from '../../../helpers/sender/form-sending.ts';
import { type Authority, createAuthority } from '../../../helpers/wire/authority.ts';
import { hasOpenssl } from '../../../helpers/wire/certificate.ts';
import { startForwardProxy } from '../../../helpers/wire/forward-proxy.ts';
import { hasSquid, startSquid } from '../../../helpers/wire/squid.ts';

const NAME = 'library.test';
const USER = { user: 'ann', password: 'right: wröng%' };
const CONTENT = Buffer.from('small answer');

if (!hasSquid) console.warn('Squid is not here: only the proxy of the tests is used.');

describe.skipIf(!hasOpenssl).each([
  ['the proxy of the tests', false],
  ['Squid', true],
])('connections through %s', (_, isSquid) => {
  let authority: Authority;
  let proxy: { name: string; close(): Promise<void> };
  const servers: http.Server[] = [];
  let secure: string;
  let plain: string;
  /** The SHA-256 of each form that a server received. */
  const received: string[] = [];

  const listen = async (server: http.Server, scheme: string) => {
    server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
      if (request.url?.startsWith('/moved')) {
        response.writeHead(307, { location: `http${scheme === 'https' ? 's' : ''}://127.0.0.1:1/` }).end();
        return;
      }
      if (request.method === 'GET') {
        response.end(CONTENT);
        return;
      }
      const hash = createHash('sha256');
      request.on('data', (chunk: Buffer) => hash.update(chunk));
      request.on('end', () => {
        received.push(hash.digest('hex'));
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
    return `${scheme}://${NAME}:${(server.address() as AddressInfo).port}/`;
  };

  beforeAll(async () => {
    if (isSquid && !hasSquid) return;
    authority = createAuthority('Example University CA');
    secure = await listen(https.createServer(authority.issue(NAME)), 'https');
    plain = await listen(http.createServer(), 'http');
    const user = { name: USER.user, password: USER.password };
    proxy = isSquid ? await startSquid(NAME, user) : await startForwardProxy({ user }, true);
  });
  afterAll(async () => {
    await proxy?.close();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    authority?.remove();
  });

  function connectionsWith(credentials: typeof USER | null): Connections {
    const settings = { ...DEFAULT_NETWORK, proxyMode: 'manual', proxy: proxy.name } as const;
    const routes = new Routes({
      clock: nodeClock,
      logger: silentLogger,
      environment: {},
      resolver: null,
      settings: () => settings,
    });
    const trust = new Trust(
      () => ({ texts: [], source: null }),
      () => [authority.cert],
    );
    return new NetworkConnections({ clock: nodeClock, routes, trust, credentialsFor: async () => credentials });
  }

  function transportWith(credentials: typeof USER | null) {
    const transport = createTransport(connectionsWith(credentials));
    onTestFinished(() => transport.close());
    return transport;
  }

  const asked = (url: string, method: 'GET' | 'POST' = 'GET', body: string | null = null) =>
    ({ method, url: new URL(url), headers: {}, body, timeoutMs: 20_000 }) as const;

  describe.skipIf(isSquid && !hasSquid).each([
    ['encrypted', () => secure],
    ['plain', () => plain],
  ])('%s', (_kind, address) => {
    it('carry requests, several after each other and at the same time, and writes', async () => {
      const transport = transportWith(USER);
      for (let times = 0; times < 3; times += 1) {
        expect(await transport.exchange(asked(address()))).toMatchObject({ status: 200, body: CONTENT.toString() });
      }
      const many = await Promise.all(Array.from({ length: 20 }, () => transport.exchange(asked(address()))));
      expect(many.map(({ status }) => status)).toEqual(Array(20).fill(200));
      expect(await transport.exchange(asked(address(), 'POST', '{}'))).toMatchObject({ status: 204 });
    });

    it('carry a large form byte for byte, and reuse the connection for the next one', async () => {
      const uploads = new UploadConnections(connectionsWith(USER));
      onTestFinished(() => uploads.close());
      const file = await makeFile(3 * 1024 * 1024);
      for (let times = 0; times < 2; times += 1) {
        const result = await sendFile(new URL(address()), file.path, { connections: uploads });
        expect(result).toMatchObject({ status: 204, sha256: file.sha256 });
      }
    });

    it('don’t let a destination redirect a form to this computer, although the proxy is on it', async () => {
      const uploads = new UploadConnections(connectionsWith(USER));
      onTestFinished(() => uploads.close());
      const file = await makeFile(1000);
      const error = await failToSend(new URL('/moved', address()), file.path, { connections: uploads });
      expect(error).toMatchObject({
        code: 'upload.refused',
        details: { reason: 'redirect: into a private network', host: '127.0.0.1:1' },
      });
    });

    it('carry contents and thumbnails', async () => {
      const pool = connectionsWith(USER).pool({ keepAlive: true });
      onTestFinished(() => pool.close());
      const signal = new AbortController().signal;
      const base = { url: new URL(address()), from: new URL(address()), userAgent: 'test', connections: pool, signal };
      const content = await openContentAddress({ ...base, range: null, ifRange: null });
      const chunks: Uint8Array[] = [];
      for await (const chunk of content.body) chunks.push(chunk);
      expect(Buffer.concat(chunks).equals(CONTENT)).toBe(true);
      expect((await fetchBytes({ ...base, maxBytes: 1000 }))?.equals(CONTENT)).toBe(true);
    });

    it.each([
      ['no password', null, false],
      ['a wrong password', { user: 'ann', password: 'wrong' }, true],
    ])(
      'are refused by the proxy with %s, and nothing was sent to the server',
      async (_what, credentials, wasRefused) => {
        const fault = {
          code: 'PROXY_SIGN_IN',
          sent: false,
          facts: { proxy: proxy.name, ...(wasRefused && { wasRefused }) },
        };
        const transport = transportWith(credentials);
        const before = received.length;
        await expect(transport.exchange(asked(address(), 'POST', '{}'))).rejects.toMatchObject(fault);
        await expect(transport.exchange(asked(address()))).rejects.toMatchObject(fault);

        const uploads = new UploadConnections(connectionsWith(credentials));
        onTestFinished(() => uploads.close());
        const file = await makeFile(300_000);
        const error = await failToSend(new URL(address()), file.path, { connections: uploads });
        expect(error).toMatchObject({ code: 'network.proxy-sign-in', details: { proxy: proxy.name } });

        const pool = connectionsWith(credentials).pool();
        const signal = new AbortController().signal;
        const base = {
          url: new URL(address()),
          from: new URL(address()),
          userAgent: 'test',
          connections: pool,
          signal,
        };
        await expect(openContentAddress({ ...base, range: null, ifRange: null })).rejects.toMatchObject({
          code: 'network.proxy-sign-in',
        });
        expect(received).toHaveLength(before);
      },
    );
  });

  it.skipIf(isSquid && !hasSquid)('name the proxy when it does not reach the server', async () => {
    const transport = transportWith(USER);
    await expect(transport.exchange(asked(`https://${NAME}:1/`))).rejects.toMatchObject({
      sent: false,
      facts: { proxy: proxy.name },
    });
  });
});
