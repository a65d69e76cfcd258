// Feeds and files of updates take the way of the settings: the proxy, and the imported authority.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import { fetchFeed, fetchUpdateFile } from '../../../../electron/main/updates/fetch-update.ts';
import { type Institution, openInstitution } from '../../../helpers/engine/institution.ts';
import { type FeedServer, feedFile, startFeedServer } from '../../../helpers/updates/feed-server.ts';
import { hasOpenssl } from '../../../helpers/wire/certificate.ts';
import { startWireProxy, type WireProxy } from '../../../helpers/wire/wire-proxy.ts';

const NAME = 'updates.test';

describe.skipIf(!hasOpenssl)('an update in an institution', () => {
  let site: Institution;
  let server: FeedServer;
  let front: WireProxy;
  let url: URL;
  let folder: string;
  beforeAll(async () => {
    site = await openInstitution();
    server = await startFeedServer();
    front = await startWireProxy(new URL(server.url).origin, { tls: site.authority.issue(NAME), host: NAME });
    url = new URL('/updates/latest-linux.yml', front.baseUrl);
    server.putFeed('the feed');
    folder = mkdtempSync(join(tmpdir(), 'mediadesk-update-network-'));
  });
  afterAll(async () => {
    await front?.close();
    await server?.close();
    await site?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    site.proxy.change({});
    site.proxy.seen.length = 0;
  });

  async function openEngine(): Promise<Engine> {
    const engine = await site.open(site.profile());
    onTestFinished(() => engine.stop());
    return engine;
  }
  const { signal } = new AbortController();
  const fetched = async (engine: Engine) => Buffer.from(await fetchFeed(engine.open, url, signal)).toString();
  const useProxy = (engine: Engine) => engine.call('network.set', { patch: site.manual });
  const trust = (engine: Engine) => engine.call('network.importCertificates', { path: site.authority.file });

  it('is fetched through the proxy, with the imported authority', async () => {
    const engine = await openEngine();
    await useProxy(engine);
    await trust(engine);
    expect(await fetched(engine)).toBe('the feed');
    const content = Buffer.alloc(300_000, 'x');
    server.put('app', content);
    const path = join(folder, 'app');
    const seen: number[] = [];
    await fetchUpdateFile({
      open: engine.open,
      url: new URL('app', url),
      file: feedFile('app', content),
      path,
      signal,
      onProgress: (bytes) => seen.push(bytes),
    });
    expect(readFileSync(path).equals(content)).toBe(true);
    expect(seen.at(-1)).toBe(content.length);
    expect(new Set(site.proxy.seen)).toEqual(new Set([`CONNECT ${url.host}`]));
  });

  it('is refused with the name of the issuer while its authority is not trusted', async () => {
    const engine = await openEngine();
    await useProxy(engine);
    await expect(fetched(engine)).rejects.toMatchObject({
      code: 'network.tls',
      message: expect.stringMatching(/updates\.test.*\(Example University CA\)/),
    });
  });

  it('is said to be out of reach without the proxy, which alone finds its server', async () => {
    const engine = await openEngine();
    await trust(engine);
    await expect(fetched(engine)).rejects.toMatchObject({ code: 'update.unreachable', details: { host: url.host } });
  });

  it('names the proxy that asks for a sign-in, or that refuses', async () => {
    const engine = await openEngine();
    await useProxy(engine);
    await trust(engine);
    site.proxy.change({ user: { name: 'anna', password: 'secret' } });
    await expect(fetched(engine)).rejects.toMatchObject({
      code: 'network.proxy-sign-in',
      message: expect.stringContaining(site.proxy.name),
    });
    site.proxy.change({ refusal: 403 });
    await expect(fetched(engine)).rejects.toMatchObject({
      code: 'network.proxy-refused',
      message: expect.stringContaining(`${site.proxy.name} refused to connect to ${url.host}`),
    });
  });
});
