// Libraries that move between the data directory and a real object store, if one is installed.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { commandLibrary, openUnlessInUse } from '../../../../service/command-database.ts';
import { moveBlobs } from '../../../../service/objects/move-blobs.ts';
import { storageSchema } from '../../../../service/site/storage-settings.ts';
import { CEPH } from '../../../destinations/ceph.ts';
import type { Store } from '../../../destinations/store.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { storageConfig } from '../../../helpers/service/service-config.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { png } from '../../../helpers/service/service-samples.ts';
import { databaseOptions } from '../../../helpers/service/test-database.ts';

const missing = CEPH.missing();

describe.skipIf(missing.length > 0)('a library that moves', () => {
  let store: Store;
  let folder: string;
  beforeAll(async () => {
    store = await CEPH.start();
    folder = mkdtempSync(join(tmpdir(), 'library-moves-'));
  }, 600_000);
  afterAll(async () => {
    await store?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  function target(prefix: string) {
    if (!store.s3) throw new Error('This store does not speak S3.');
    const secret = join(folder, 'secret');
    writeFileSync(secret, store.s3.secretKey);
    const storage = storageConfig(store.s3, prefix, secret);
    const config = join(folder, `${prefix.replace('/', '')}.json`);
    writeFileSync(config, JSON.stringify({ storage }));
    return { storage: storageSchema.parse(storage), config };
  }
  const newDir = () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'library-moving-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    return dataDir;
  };
  const ended = async (service: ServiceProcess) => void (await service.end('SIGTERM'));
  const move = (dataDir: string, from: Target | undefined, to: Target | undefined) =>
    moveBlobs({ dataDir, from: from?.storage, to: to?.storage, open: () => opened(dataDir), onProgress: () => {} });
  const opened = async (dataDir: string) =>
    openUnlessInUse(commandLibrary(dataDir, (await databaseOptions(dataDir)).at(-1)));
  type Target = ReturnType<typeof target>;

  async function fill(service: ServiceProcess, sizes: readonly number[]): Promise<Map<string, string>> {
    const client = await clientFor(service);
    const item = await client.createItem('Moved');
    const hashes = new Map<string, string>();
    for (const size of sizes) {
      const bytes = randomBytes(size);
      const file = await client.upload(item, 'a.bin', bytes, { upload_type: 'blob' });
      await client.processed(file);
      hashes.set(file, createHash('sha256').update(bytes).digest('hex'));
    }
    await client.processed(await client.upload(item, 'a.png', png()));
    await client.until(`${item}/thumbs`, ({ items }) => items.length > 0);
    return hashes;
  }
  async function expectContent(service: ServiceProcess, hashes: ReadonlyMap<string, string>): Promise<ServiceClient> {
    const client = await clientFor(service);
    for (const [path, hash] of hashes) {
      const { location } = (await client.get(`${path}/content?json`)).body;
      const bytes = Buffer.from(await (await fetch(location)).arrayBuffer());
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(hash);
    }
    return client;
  }

  it('is copied while its service runs, moves when it is stopped, and moves back with what came meanwhile', async () => {
    const dataDir = newDir();
    const place = target('there/');
    const service = await startService({ dataDir });
    const first = await fill(service, [0, 1, 70_000_000]);
    expect(await move(dataDir, undefined, place)).toMatchObject({ state: 'copied', copied: 5, missing: [] });
    const second = await fill(service, [1234]);
    await ended(service);
    expect(await move(dataDir, undefined, place)).toMatchObject({ state: 'moved', copied: 3, present: 5 });
    await expect(startService({ dataDir })).rejects.toThrow('is in another place');
    rmSync(join(dataDir, 'stored'), { recursive: true });

    const there = await startService({ dataDir, config: place.config });
    await expectContent(there, new Map([...first, ...second]));
    const third = await fill(there, [99]);
    await ended(there);
    expect(existsSync(join(dataDir, 'stored'))).toBe(false);
    expect(await move(dataDir, place, undefined)).toMatchObject({ state: 'moved', copied: 11 });
    const back = await startService({ dataDir });
    await expectContent(back, new Map([...first, ...second, ...third]));
    await ended(back);
    expect(readdirSync(join(dataDir, 'incoming'))).toEqual([]);
  }, 240_000);

  it('is not moved when content of rows is missing, and goes on where an interrupted move ended', async () => {
    const dataDir = newDir();
    const place = target('interrupted/');
    const service = await startService({ dataDir });
    const hashes = await fill(service, [10, 20, 30]);
    await ended(service);
    const stored = join(dataDir, 'stored');
    const [one = ''] = readdirSync(stored, { recursive: true, encoding: 'utf8' }).filter((name) => name.length > 30);
    const aside = join(folder, 'aside');
    rmSync(aside, { force: true });
    renameSync(join(stored, one), aside);
    const refused = await move(dataDir, undefined, place);
    expect([refused.state, refused.missing]).toEqual(['copied', [one.split(/[\\/]/)[1]]]);
    const again = await startService({ dataDir });
    await ended(again);
    renameSync(aside, join(stored, one));
    expect(await move(dataDir, undefined, place)).toMatchObject({ state: 'moved', copied: 1, present: 4 });
    const there = await startService({ dataDir, config: place.config });
    await expectContent(there, hashes);
    await ended(there);
  }, 240_000);

  it('does not take the objects of another library', async () => {
    const place = target('taken/');
    const owner = await startService({ config: place.config });
    const dataDir = newDir();
    const service = await startService({ dataDir });
    await fill(service, [10]);
    await expect(move(dataDir, undefined, place)).rejects.toThrow('belong to another library');
    await ended(service);
    await expect(move(dataDir, undefined, place)).rejects.toThrow('belong to another library');
    await expect(move(dataDir, place, undefined)).rejects.toThrow('not in');
    await owner.stop();
  }, 120_000);

  it('is not moved to a store that returns other bytes than it was given', async () => {
    const dataDir = newDir();
    const service = await startService({ dataDir });
    const hashes = await fill(service, [5000]);
    await ended(service);
    const liar = await startForgetfulStore();
    onTestFinished(() => liar.close());
    const storage = { ...target('damaged/').storage, endpoint: liar.url };
    const asked = { dataDir, from: undefined, to: storage, open: () => opened(dataDir), onProgress: () => {} };
    await expect(moveBlobs(asked)).rejects.toMatchObject({ code: 'move.changed' });
    const again = await startService({ dataDir });
    await expectContent(again, hashes);
    await ended(again);
  }, 120_000);
});

/** A store that accepts everything, and returns zeros of the same length. */
async function startForgetfulStore(): Promise<{ url: string; close(): void }> {
  const sizes = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://store');
    if (request.method === 'PUT') {
      let size = 0;
      for await (const chunk of request) size += chunk.length;
      sizes.set(pathname, size);
    }
    const size = sizes.get(pathname);
    const isRead = request.method === 'GET' && size !== undefined;
    response.writeHead(size === undefined ? 404 : 200, { etag: '"x"', ...(isRead ? { 'content-length': size } : {}) });
    response.end(isRead ? Buffer.alloc(size) : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
