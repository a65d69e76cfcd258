// Content in real object stores, if they are installed: what is sent arrives, is read in ranges, processed, and deleted days later.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createS3Client } from '../../../../service/storage/s3/client.ts';
import { listObjects, listUnfinished } from '../../../../service/storage/s3/listing.ts';
import { CEPH } from '../../../destinations/ceph.ts';
import type { Store } from '../../../destinations/store.ts';
import { SWIFT } from '../../../destinations/swift.ts';
import { clientFor, type ServiceClient, sendForm } from '../../../helpers/service/service-client.ts';
import { writeStorageConfig } from '../../../helpers/service/service-config.ts';
import { type ServiceProcess, type ServiceStart, startService } from '../../../helpers/service/service-process.ts';
import { startUpload } from '../../../helpers/service/service-raw.ts';
import { png } from '../../../helpers/service/service-samples.ts';

const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;

describe.each([CEPH, SWIFT])('a library with its content in $name', (kind) => {
  const missing = kind.missing();
  if (missing.length > 0) {
    it.skip(`is not installed here: ${missing.join(', ')} (Debian: ${kind.packages.join(' ')})`, () => {});
    return;
  }
  let store: Store;
  let folder: string;
  let service: ServiceProcess;
  let client: ServiceClient;
  const config = (name: string, prefix: string, more: object = {}) =>
    writeStorageConfig({ folder, name, prefix }, store, more);
  const start = async (more: ServiceStart) => {
    const started = await startService(more);
    onTestFinished(() => started.stop());
    return started;
  };

  beforeAll(async () => {
    store = await kind.start();
    folder = mkdtempSync(join(tmpdir(), 'library-objects-'));
    service = await startService({ config: await config('library', 'library/') });
    client = await clientFor(service);
  }, 600_000);
  afterAll(async () => {
    await service?.stop();
    await store?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const sha256Of = async (path: string) => {
    const { sha256 } = await service.control<{ sha256: string }>('GET', `/files/${path.split('/').at(-1)}/sha256`);
    return sha256;
  };
  const contentUrl = async (path: string): Promise<string> => (await client.get(`${path}/content?json`)).body.location;
  const objects = async (prefix = 'library/') => {
    const keys: string[] = [];
    for await (const page of listObjects(objectClient(store, prefix), prefix)) keys.push(...page.map(({ key }) => key));
    return keys.filter((key) => /^[0-9a-f]{32}$/.test(key));
  };
  const unfinished = async () => (await listUnfinished(objectClient(store, 'library/'), 'library/')).length;
  const laterBy = (days: number) => service.control('PATCH', '/settings', { clock_offset_ms: days * DAY_MS });

  it.each([0, 1, 5 * MIB, 64 * MIB, 64 * MIB + 1, 150 * MIB + 7])(
    'stores %d bytes as they are, and nothing on its own disk',
    async (size) => {
      const bytes = Buffer.alloc(size, `content of ${size} bytes, `);
      const item = await client.createItem(`File of ${size}`);
      const file = await client.upload(item, 'a.bin', bytes, { upload_type: 'blob' });
      expect((await client.processed(file)).status).toBe('complete');
      expect(await sha256Of(file)).toBe(hashOf(bytes));
      const content = await fetch(await contentUrl(file));
      expect(hashOf(Buffer.from(await content.arrayBuffer()))).toBe(hashOf(bytes));
      expect(filesIn(service.dataDir)).toEqual([]);
    },
    180_000,
  );

  it('answers ranges and HEAD requests', async () => {
    const file = await client.upload(await client.createItem('Ranges'), 'a.bin', Buffer.from('0123456789'));
    const url = await contentUrl(file);
    const part = await fetch(url, { headers: { range: 'bytes=2-4' } });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 2-4/10', '234']);
    const last = await fetch(url, { headers: { range: 'bytes=-1' } });
    expect([last.status, await last.text()]).toEqual([206, '9']);
    expect((await fetch(url, { headers: { range: 'bytes=10-' } })).status).toBe(416);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '10']);
  });

  it('makes thumbnails of content, and deletes its temporary copies', async () => {
    const item = await client.createItem('Picture');
    expect((await client.processed(await client.upload(item, 'a.png', png()))).status).toBe('complete');
    const { items } = await client.until(`${item}/thumbs`, (body) => body.items.length > 0);
    const thumb = await fetch(items[0].content_url);
    expect([thumb.status, thumb.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(filesIn(service.dataDir)).toEqual([]);
  });

  it('deletes the objects of deleted content after days, not at once, and no others', async () => {
    const item = await client.createItem('Deleted later');
    const file = await client.upload(item, 'a.bin', Buffer.from('deleted'), { upload_type: 'blob' });
    const kept = await client.upload(item, 'b.bin', Buffer.from('kept'), { upload_type: 'blob' });
    await client.processed(file);
    await client.processed(kept);
    const before = await objects();
    expect((await client.delete(file)).status).toBe(204);
    await laterBy(6);
    await service.restart();
    expect((await objects()).length).toBe(before.length);
    await laterBy(8);
    await expect.poll(async () => (await objects()).length, { timeout: 90_000 }).toBe(before.length - 1);
    await laterBy(0);
    client = await clientFor(service);
    expect(await sha256Of(kept)).toBe(hashOf(Buffer.from('kept')));
  }, 180_000);

  it('deletes objects that no row names, and unfinished parts, when they are old', async () => {
    const size = 100 * MIB;
    const item = await client.createItem('Killed');
    const { body } = await client.post(`${item}/files`, { upload_name: 'a.bin', upload_size: size });
    await startUpload(body.upload, size, Buffer.alloc(70 * MIB));
    await expect.poll(unfinished, { timeout: 60_000 }).toBe(1);
    await service.kill9();
    const orphan = 'f'.repeat(32);
    await objectClient(store, 'library/').send({ method: 'PUT', key: orphan, body: 'nobody knows me' });
    await service.restart();
    client = await clientFor(service);
    expect([await unfinished(), (await objects()).includes(orphan)]).toEqual([1, true]);
    await laterBy(8);
    await service.restart();
    await expect.poll(unfinished, { timeout: 90_000 }).toBe(0);
    await expect.poll(async () => (await objects()).includes(orphan), { timeout: 90_000 }).toBe(false);
    await laterBy(0);
    client = await clientFor(service);
  }, 240_000);

  it('leaves no parts and no object when a client disconnects', async () => {
    const size = 100 * MIB;
    const item = await client.createItem('Cut');
    const { location, body } = await client.post(`${item}/files`, { upload_name: 'a.bin', upload_size: size });
    const before = await objects();
    const sending = await startUpload(body.upload, size, Buffer.alloc(70 * MIB));
    await expect.poll(unfinished, { timeout: 60_000 }).toBe(1);
    sending.abort();
    await expect.poll(unfinished, { timeout: 60_000 }).toBe(0);
    expect(await objects()).toEqual(before);
    expect((await client.get(location)).body.status).toBe('uploading');
    expect((await sendForm(body.upload, 'a.bin', Buffer.alloc(size))).status).toBe(204);
  }, 180_000);

  it('refuses uploads and content while the store is away, goes on when it is back, and fails no file for it', async () => {
    const item = await client.createItem('Store away');
    const before = await client.upload(item, 'a.bin', Buffer.from('there'), { upload_type: 'blob' });
    const url = await contentUrl(before);
    const bytes = png();
    const { location, body } = await client.post(`${item}/files`, { upload_name: 'a.png', upload_size: bytes.length });
    expect((await sendForm(body.upload, 'a.png', bytes)).status).toBe(204);
    await store.crash();
    await fetch(body.upload.protocols.form_data.postprocess_url, { method: 'POST' });
    const other = await client.post(`${item}/files`, { upload_name: 'b.bin', upload_size: 9 });
    const refused = await sendForm(other.body.upload, 'b.bin', Buffer.alloc(9));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([502, '10']);
    expect((await fetch(url)).status).toBe(502);
    expect((await client.get(location)).body.status).toBe('processing');
    await store.restart();
    expect((await sendForm(other.body.upload, 'b.bin', Buffer.alloc(9))).status).toBe(204);
    expect((await client.processed(location)).status).toBe('complete');
    expect(await (await fetch(url)).text()).toBe('there');
  }, 180_000);

  it('does not start on the objects of another library, except with --take-storage', async () => {
    const other = { config: await config('other', 'library/') };
    await expect(start(other)).rejects.toThrow('--take-storage');
    const own = mkdtempSync(join(tmpdir(), 'library-taking-'));
    onTestFinished(() => rmSync(own, { recursive: true, force: true }));
    const prefix = { config: await config('taken', 'taken/') };
    await (await startService(prefix)).stop();
    await start({ ...prefix, dataDir: own, options: ['--take-storage'] });
    await expect(start(prefix)).rejects.toThrow('--take-storage');
  });

  it('does not start with its content in another place than before', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'library-moved-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const demo = await startService({ dataDir, seed: 'demo', config: await config('demo', 'demo/') });
    await demo.stop();
    await expect(start({ dataDir })).rejects.toThrow('is in another place');
    await expect(start({ dataDir, config: await config('demo-2', 'demo-2/') })).rejects.toThrow('is in another place');
    const again = await start({ dataDir, config: await config('demo', 'demo/') });
    const { body } = await (await clientFor(again)).get('/api2/media?per_page=1');
    expect(body.items).toHaveLength(1);
  });

  it('says at the start why it can not use the store', async () => {
    await expect(start({ config: await config('no-bucket', 'a/', { bucket: 'nothing-here' }) })).rejects.toThrow(
      'NoSuchBucket',
    );
    await expect(start({ config: await config('no-key', 'a/', { access_key: 'nobody' }) })).rejects.toThrow(
      /answers 403/,
    );
    await expect(start({ config: await config('up', '../') })).rejects.toThrow('must be empty, or end with a slash');
    const redirected = await config('same-host', 'a/', { content: 'redirected' });
    const publicUrl = 'http://127.0.0.1:1234';
    await expect(start({ config: redirected, publicUrl })).rejects.toThrow('must be on another host');
    const closed = { endpoint: 'http://127.0.0.1:9' };
    await expect(start({ config: await config('no-store', 'a/', closed) })).rejects.toThrow(
      'does not answer (ECONNREFUSED)',
    );
  }, 60_000);
});

const gatewayOnly = SWIFT.name;

describe.each([CEPH, SWIFT])('a library whose clients reach $name themselves', (kind) => {
  const missing = kind.missing();
  if (missing.length > 0) {
    it.skip(`is not installed here: ${missing.join(', ')}`, () => {});
    return;
  }
  let store: Store;
  let folder: string;
  let service: ServiceProcess;
  let client: ServiceClient;
  beforeAll(async () => {
    store = await kind.start();
    folder = mkdtempSync(join(tmpdir(), 'library-direct-'));
    const uploads = kind.name === gatewayOnly ? 'gateway' : 'direct';
    const place = { folder, name: 'config', prefix: 'direct/' };
    const config = await writeStorageConfig(place, store, { content: 'redirected', uploads });
    service = await startService({ config });
    client = await clientFor(service);
  }, 600_000);
  afterAll(async () => {
    await service?.stop();
    await store?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it('sends them to the store for content, with type and name, in ranges, and not after the end of an address', async () => {
    const bytes = png();
    const file = await client.upload(await client.createItem('Read there'), 'Größe "1".png', bytes);
    expect((await client.processed(file)).status).toBe('complete');
    const url: string = (await client.get(`${file}/content?json&ttl=60`)).body.location;
    const sent = await fetch(url, { redirect: 'manual' });
    expect(sent.status).toBe(302);
    expect(new URL(sent.headers.get('location') ?? '').origin).toBe(store.s3?.endpoint);
    const content = await fetch(url);
    expect(content.headers.get('content-type')).toBe('image/png');
    expect(content.headers.get('content-disposition')).toContain("filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.png");
    expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true);
    const part = await fetch(url, { headers: { range: 'bytes=1-3' } });
    expect([part.status, await part.text()]).toEqual([206, 'PNG']);
    const head = await fetch(url, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(bytes.length));
    await service.control('PATCH', '/settings', { clock_offset_ms: 61_000 });
    expect((await fetch(url)).status).toBe(403);
    await service.control('PATCH', '/settings', { clock_offset_ms: 0 });
  });

  it.skipIf(kind.name === gatewayOnly)('gets their files without receiving a byte of them', async () => {
    const bytes = png();
    const item = await client.createItem('Sent there');
    const { location, body } = await client.post(`${item}/files`, { upload_name: 'a.png', upload_size: bytes.length });
    const { upload_url, postprocess_url } = body.upload.protocols.form_data;
    expect(new URL(upload_url).origin).toBe(store.s3?.endpoint);
    const complete = () => fetch(postprocess_url, { method: 'POST', body: new URLSearchParams() });
    expect((await complete()).status).toBe(409);
    expect((await sendForm(body.upload, 'a.png', bytes.subarray(1))).status).toBe(400);
    expect((await sendForm(body.upload, 'a.png', Buffer.concat([bytes, bytes]))).status).toBe(400);
    expect((await complete()).status).toBe(409);
    expect((await sendForm(body.upload, 'a.png', bytes)).status).toBe(204);
    expect((await complete()).status).toBe(204);
    expect((await complete()).status).toBe(204);
    expect(await client.processed(location)).toMatchObject({ status: 'complete', size: bytes.length });
    const { items } = await client.until(`${item}/thumbs`, (thumbs) => thumbs.items.length > 0);
    expect(items).toHaveLength(1);
  });

  it.skipIf(kind.name === gatewayOnly)(
    'keeps what was completed when somebody sends other bytes with the same form',
    async () => {
      const item = await client.createItem('Sent twice');
      const { location, body } = await client.post(`${item}/files`, { upload_name: 'a.bin', upload_size: 5 });
      expect((await sendForm(body.upload, 'a.bin', Buffer.from('first'))).status).toBe(204);
      await fetch(body.upload.protocols.form_data.postprocess_url, { method: 'POST' });
      expect((await client.processed(location)).status).toBe('complete');
      expect((await sendForm(body.upload, 'a.bin', Buffer.from('other'))).status).toBe(204);
      const { location: url } = (await client.get(`${location}/content?json`)).body;
      expect(await (await fetch(url)).text()).toBe('first');
      await fetch(body.upload.protocols.form_data.postprocess_url, { method: 'POST' });
      expect(await (await fetch(url)).text()).toBe('first');
    },
  );

  it.skipIf(kind.name === gatewayOnly)('receives itself what the store takes no form for', async () => {
    const item = await client.createItem('Too large');
    const large = { upload_name: 'a.mov', upload_size: 5 * 1024 ** 3 };
    const { body } = await client.post(`${item}/files`, large);
    expect(new URL(body.upload.protocols.form_data.upload_url).origin).toBe(service.baseUrl);
    await service.control('PATCH', '/settings', { dialect: 'lean' });
    const lean = await client.post(`${item}/files`, { upload_name: 'a.bin', upload_size: 5 });
    expect(new URL(lean.body.upload.protocols.form_data.upload_url).origin).toBe(service.baseUrl);
    await service.control('PATCH', '/settings', { dialect: 'reference' });
  });
});

function objectClient(store: Store, prefix: string) {
  if (!store.s3) throw new Error('This store does not speak S3.');
  return createS3Client({ ...store.s3, region: 'us-east-1', prefix });
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
/** The files of content in a data directory. */
const filesIn = (dataDir: string) =>
  ['incoming', 'stored'].flatMap((name) => (existsSync(join(dataDir, name)) ? readdirSync(join(dataDir, name)) : []));
