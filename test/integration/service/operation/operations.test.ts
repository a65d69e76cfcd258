// The listener for those who operate the service.
import { mkdtempSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, type ServiceStart, startService } from '../../../helpers/service/service-process.ts';
import { startUpload } from '../../../helpers/service/service-raw.ts';
import { IS_ON_SERVER } from '../../../helpers/service/test-database.ts';

const running: ServiceProcess[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function start(options: ServiceStart = {}): Promise<ServiceProcess> {
  const service = await startService({ options: ['--operations', '0', '--reserve-mib', '0'], ...options });
  running.push(service);
  return service;
}

async function ask(service: ServiceProcess, path: string) {
  const answer = await fetch(`${service.operationsUrl}${path}`);
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text };
}

async function ready(service: ServiceProcess) {
  const { status, text } = await ask(service, '/ready');
  return { code: status, ...JSON.parse(text) };
}

/** The value of a sample, by the beginning of its line. */
const sample = (text: string, name: string) =>
  text.split('\n').flatMap((line) => (line.startsWith(`${name} `) ? [Number(line.split(' ').at(-1))] : []))[0];

test('a service without --operations has no second listener, and none of its paths on the first one', async () => {
  const service = await start({ options: [] });
  expect(service.operationsUrl).toBe(undefined);
  const unknown = await fetch(`${service.baseUrl}/nothing`);
  for (const path of ['/live', '/ready', '/metrics']) {
    const answer = await fetch(service.baseUrl + path);
    expect([answer.status, await answer.text()]).toEqual([404, await unknown.clone().text()]);
    expect(answer.headers.get('x-request-id')).toBe(null);
  }
});

test('a service with --operations answers its paths on the second listener only', async () => {
  const service = await start();
  expect(service.operationsUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  for (const path of ['/live', '/ready', '/metrics']) {
    expect((await ask(service, path)).status).toBe(200);
    expect((await fetch(service.baseUrl + path)).status).toBe(404);
  }
  expect((await ask(service, '/api2/media')).status).toBe(404);
  expect((await fetch(`${service.operationsUrl}/live`, { method: 'POST' })).status).toBe(405);
});

test('the second listener refuses a foreign host name, so that no web page can read it', async () => {
  const service = await start();
  const status = await new Promise((resolve, reject) => {
    const asked = request(`${service.operationsUrl}/metrics`, { headers: { host: 'evil.example' } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on('error', reject).end();
  });
  expect(status).toBe(421);
});

test('ready names each check with its figures', async () => {
  const { code, status, checks } = await ready(await start());
  expect([code, status]).toEqual([200, 'ready']);
  expect(Object.keys(checks).sort()).toEqual(['database', 'event_loop', 'free_space', 'running', 'storage']);
  expect(checks.free_space.free_bytes).toBeGreaterThan(0);
});

test('ready fails while the storage folder is gone, and passes when it is back', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'library-ready-'));
  folders.push(dataDir);
  const service = await start({ dataDir });
  const incoming = join(dataDir, 'incoming');
  renameSync(incoming, `${incoming}.away`);
  const checked = { timeout: 20_000 };
  await expect
    .poll(() => ready(service), checked)
    .toMatchObject({ code: 503, status: 'not-ready', checks: { storage: { reason: 'ENOENT' } } });
  expect((await ask(service, '/live')).status).toBe(200);
  renameSync(`${incoming}.away`, incoming);
  await expect.poll(async () => (await ask(service, '/ready')).status, checked).toBe(200);
});

test.skipIf(IS_ON_SERVER)(
  'ready fails when the file of the database is cut, and its question does not release the lock of the database',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'library-ready-'));
    folders.push(dataDir);
    const service = await start({ dataDir });
    expect((await ready(service)).checks.database.ok).toBe(true);
    await expect(startService({ dataDir })).rejects.toThrow();
    truncateSync(join(dataDir, 'library.sqlite'), 0);
    await expect
      .poll(() => ready(service), { timeout: 20_000 })
      .toMatchObject({ code: 503, checks: { database: { ok: false, reason: 'file' } } });
  },
);

test('ready fails when less than the reserve is free', async () => {
  const service = await start({ options: ['--operations', '127.0.0.1:0', '--reserve-mib', '1000000000'] });
  expect(await ready(service)).toMatchObject({ status: 'not-ready', checks: { free_space: { ok: false } } });
});

test('metrics count requests by route and class of status, uploads and their bytes, without names, ids and tokens', async () => {
  const service = await start();
  const client = await clientFor(service);
  const item = await client.createItem('Secret title');
  await client.upload(item, 'secret name.bin', Buffer.alloc(50_000, 1));
  await client.get(item);
  await fetch(`${service.baseUrl}${item}`);
  await fetch(`${service.baseUrl}/no/such/secret-path?token=secret`);
  const { body } = await client.post(`${item}/files`, { upload_name: 'b.bin', upload_size: 3_000_000 });
  const upload = await startUpload(body.upload, 3_000_000, Buffer.alloc(1_000_000));
  const underWay = async () => sample((await ask(service, '/metrics')).text, 'library_uploads_under_way');
  await expect.poll(underWay, { timeout: 20_000 }).toBe(1);
  upload.abort();
  await expect.poll(underWay, { timeout: 20_000 }).toBe(0);
  const { text, headers } = await ask(service, '/metrics');
  expect(headers.get('content-type')).toContain('version=0.0.4');
  const requests = (method: string, route: string, status: string) =>
    sample(text, `library_http_requests_total{method="${method}",route="${route}",status="${status}"}`);
  expect(requests('POST', '/api2/media', '2xx')).toBe(1);
  expect(requests('GET', '/api2/media/:id', '2xx')).toBe(1);
  expect(requests('GET', '/api2/media/:id', '4xx')).toBe(1);
  expect(requests('POST', '/upload/:token', '2xx')).toBe(1);
  expect(requests('POST', '/upload/:token', 'closed')).toBe(1);
  expect(requests('GET', 'unknown', '4xx')).toBe(1);
  expect(sample(text, 'library_http_request_duration_seconds_count{method="POST",route="/api2/media"}')).toBe(1);
  expect(sample(text, 'library_uploaded_bytes_total')).toBeGreaterThan(1_050_000);
  for (const name of ['library_database_bytes', 'library_storage_free_bytes', 'process_resident_memory_bytes']) {
    expect(sample(text, name)).toBeGreaterThan(0);
  }
  expect(text).not.toMatch(/secret/i);
  expect(text).not.toContain(client.tokens.access_token);
  expect(text.split('\n').length).toBeLessThan(2000);
});

test('every line of the metrics is a comment or a sample of a declared metric', async () => {
  const service = await start();
  await fetch(service.baseUrl);
  const { text } = await ask(service, '/metrics');
  expect(text.endsWith('\n')).toBe(true);
  const declared = new Set([...text.matchAll(/^# TYPE (\w+) (?:counter|gauge|histogram)$/gm)].map(([, name]) => name));
  for (const line of text.trimEnd().split('\n')) {
    if (line.startsWith('#')) continue;
    const [, name = ''] = /^(\w+)(?:\{(?:\w+="[^"]*",?)+\})? [\d.e+-]+$/.exec(line) ?? [];
    expect([line, declared.has(name) || declared.has(name.replace(/_(bucket|sum|count)$/, ''))]).toEqual([line, true]);
  }
});
