// The request log: what it says about each request, and what it never says.
import { mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, type ServiceStart, startService } from '../../../helpers/service/service-process.ts';

const running: ServiceProcess[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function start(options: ServiceStart): Promise<ServiceProcess> {
  const service = await startService(options);
  running.push(service);
  return service;
}

// biome-ignore lint/suspicious/noExplicitAny: lines of JSON
const linesOf = (text: string): any[] => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

/** Asks for a path as it is: `fetch` would clean it. */
function rawGet(baseUrl: string, path: string): Promise<unknown> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, agent: false }, (answer) => answer.resume().on('end', resolve))
      .on('error', reject)
      .end();
  });
}

test('a service without --log writes no line for a request, and gives no request id', async () => {
  const service = await start({});
  const answer = await fetch(`${service.baseUrl}/api2/media`);
  expect(answer.headers.get('x-request-id')).toBe(null);
  expect(service.log()).not.toContain('/api2/media');
});

test('each request is one line on standard error, with the id of its answer, its route, status, sizes and user', async () => {
  const service = await start({ options: ['--log', '-'] });
  const client = await clientFor(service);
  const item = await client.createItem('Kept');
  const answer = await client.get(item);
  const id = answer.headers.get('x-request-id');
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  const found = () => linesOf(service.log()).find((line) => line.request_id === id);
  await expect.poll(found, { timeout: 20_000 }).toMatchObject({
    method: 'GET',
    route: '/api2/media/:id',
    status: 200,
    user_id: '1',
  });
  const line = found();
  expect(Object.keys(line)).toEqual([
    'time',
    'request_id',
    'method',
    'route',
    'status',
    'ms',
    'received_bytes',
    'sent_bytes',
    'user_id',
  ]);
  expect(line.sent_bytes).toBeGreaterThan(answer.text.length);
  expect(Date.parse(line.time)).toBeGreaterThan(0);
});

test('a log file is private, survives a rotation, and has no token, title, file name, query, password or signed address', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'library-log-'));
  folders.push(folder);
  const file = join(folder, 'requests.jsonl');
  const service = await start({ options: ['--log', file] });
  const client = await clientFor(service);
  const item = await client.createItem('Secret title');
  const path = await client.upload(item, 'secret-name.wav', Buffer.alloc(2000, 7));
  const { location } = (await client.get(`${path}/content?json=1`)).body;
  await (await fetch(location)).arrayBuffer();
  await client.get('/api2/media?search=secret-words');
  await fetch(`${service.baseUrl}/cdn/secret-token/unknown/more?x=secret`);
  const signed = new URL(location).pathname;
  const { host } = new URL(service.baseUrl);
  for (const path of [
    `/${signed}`,
    `/.${signed}`,
    signed.replace('/cdn', '/CDN'),
    `http://${host}/x${signed}`,
    '/%zz/secret',
  ])
    await rawGet(service.baseUrl, path);
  const text = () => readFileSync(file, 'utf8');
  await expect.poll(text, { timeout: 20_000 }).toContain('"/cdn…"');
  await expect
    .poll(() => linesOf(text()).filter(({ route }) => ['/…', '/.…', '/CDN…', '…'].includes(route)).length)
    .toBe(5);
  for (const part of signed.split('/').slice(2)) expect(text()).not.toContain(part);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { access_token, refresh_token } = client.tokens;
  expect(text()).not.toMatch(/secret/i);
  for (const secret of [access_token, refresh_token, service.admin.password, 'admin@'])
    expect(text()).not.toContain(secret);
  expect(linesOf(text()).map(({ route }) => route)).toEqual(
    expect.arrayContaining(['/upload/:token', '/cdn/:token/:name', '/api2/media', '/api2/oauth/access_token']),
  );
  renameSync(file, `${file}.1`);
  service.signal('SIGHUP');
  await expect
    .poll(
      async () => {
        await client.get(item);
        return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(0);
  expect(linesOf(text())[0]).toMatchObject({ route: '/api2/media/:id' });
});

test('a log file that can not be written costs lines and no request', async () => {
  const service = await start({ options: ['--log', '/dev/full', '--operations', '0'] });
  const client = await clientFor(service);
  await client.createItem('Kept');
  await expect.poll(() => service.log(), { timeout: 20_000 }).toContain('ENOSPC');
  expect((await client.get('/api2/media/count')).body.count).toBe(1);
  const metrics = await (await fetch(`${service.operationsUrl}/metrics`)).text();
  expect(Number(/^library_request_log_dropped_total (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0);
});
