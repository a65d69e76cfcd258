import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { readMeta, writeMeta } from '../../../../service/database/meta.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { startUpload } from '../../../helpers/service/service-raw.ts';
import { PKCE } from '../../../helpers/service/service-sign-in.ts';
import { databaseOptions, IS_ON_SERVER, withDatabaseOf } from '../../../helpers/service/test-database.ts';

const MAIN = fileURLToPath(new URL('../../../../service/main.ts', import.meta.url));
const running: ServiceProcess[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'library-start-'));
  folders.push(made);
  return made;
}

async function start(options: Parameters<typeof startService>[0]): Promise<ServiceProcess> {
  const service = await startService(options);
  running.push(service);
  return service;
}

function run(args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args], (error, stdout, stderr) => {
      resolve({ code: error ? (error.code as unknown as number) : 0, stdout, stderr });
    });
  });
}

test('the service has the same URL, administrator, client and data after a restart', async () => {
  const service = await start({ dataDir: folder() });
  const item = await (await clientFor(service)).createItem('Kept');
  const { baseUrl, clientId, admin, controlToken } = service;
  for (const end of ['kill9', 'restart'] as const) {
    await service[end]();
    if (end === 'kill9') await service.restart();
    const again = await clientFor(service);
    expect((await again.get(item)).body.title).toBe('Kept');
    expect({ baseUrl, clientId, admin, controlToken }).toEqual({
      baseUrl: service.baseUrl,
      clientId: service.clientId,
      admin: service.admin,
      controlToken: service.controlToken,
    });
  }
});

test('the service exits with 0 during an upload and during processing, and starts with their states and no incomplete file', async () => {
  const service = await start({ dataDir: folder() });
  const client = await clientFor(service);
  const item = await client.createItem('Stopped');
  await service.control('PATCH', '/settings', { processing: { delay_ms: 60_000 } });
  const waiting = await client.upload(item, 'a.bin', Buffer.alloc(10));
  const { body, location } = await client.post(`${item}/files`, { upload_name: 'b.bin', upload_size: 30_000_000 });
  await startUpload(body.upload, 30_000_000, Buffer.alloc(10_000_000));
  await expect.poll(() => readdirSync(join(service.dataDir, 'incoming')).length).toBe(1);
  // restart() ends the service with SIGTERM and throws unless it exits with 0.
  await service.restart();
  expect((await client.get(location)).body.status).toBe('uploading');
  expect((await client.get(waiting)).body.status).toBe('processing');
  expect(readdirSync(join(service.dataDir, 'incoming'))).toEqual([]);
});

test('the service listens on loopback only, and its secrets are private to their owner', async () => {
  const dataDir = folder();
  const service = await start({ dataDir });
  expect(service.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  for (const name of ['admin.json', 'keys.json']) expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
});

test('the service does not start a second time on the same data directory', async () => {
  const dataDir = folder();
  await start({ dataDir });
  const { code, stdout, stderr } = await run(['--data', dataDir, ...(await databaseOptions(dataDir))]);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('could not start');
});

test.each([
  ['no data directory', []],
  ['an invalid port', ['--data', 'x', '--port', '70000']],
  ['an unknown seed', ['--data', 'x', '--seed', 'rich']],
  ['an unknown dialect', ['--data', 'x', '--dialect', 'latin']],
  ['an unknown option', ['--data', 'x', '--colour']],
])('the service reports %s together with the usage, and exits with 2', async (_what, args) => {
  const { code, stderr } = await run(args);
  expect(code).toBe(2);
  expect(stderr).toContain('Usage:');
});

test('the service has an intact database with every confirmed write after it was killed under load five times', {
  timeout: 300_000,
}, async () => {
  const dataDir = folder();
  const service = await start({ dataDir });
  const confirmed: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    const client = await clientFor(service);
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let index = 0; index < 1000; index += 1) {
        confirmed.push(await client.createItem(`${round}.${writer}.${index}`, { tags: [`t${index % 5}`] }));
      }
    });
    const kill = (async () => {
      const before = confirmed.length;
      await expect.poll(() => confirmed.length - before, { timeout: 60_000 }).toBeGreaterThan(20 + round * 15);
      await service.kill9();
    })();
    await Promise.allSettled([...writers, kill]);
    await service.restart();
  }
  const client = await clientFor(service);
  const { count } = (await client.get('/api2/media/count')).body;
  expect(count).toBeGreaterThanOrEqual(confirmed.length);
  expect(new Set(confirmed).size).toBe(confirmed.length);
  for (const path of confirmed.filter((_, index) => index % 7 === 0)) expect((await client.get(path)).status).toBe(200);
  running.splice(running.indexOf(service), 1);
  await service.stop();
  if (IS_ON_SERVER) return;
  const db = new DatabaseSync(join(dataDir, 'library.sqlite'));
  expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
  db.close();
});

test('the service returns URLs at its public base URL, and sets cookies for that origin only', async () => {
  const publicUrl = 'https://library.example';
  const service = await start({ publicUrl, dialect: 'lean' });
  const client = await clientFor(service);
  const created = await client.post('/api2/media', { title: 'Seen from outside', collection_id: '1' });
  expect(created.headers.get('location')).toMatch(/^https:\/\/library\.example\/api2\/media\/\d+$/);
  const item = new URL(created.headers.get('location') ?? '').pathname;
  const file = await client.post(`${item}/files`, { upload_name: 'a.wav', upload_size: 1 });
  expect(file.body.upload.protocols.form_data.upload_url).toMatch(/^https:\/\/library\.example\/upload\//);
  expect((await client.get(`${item}/embedcode`)).body.url).toMatch(/^https:\/\/library\.example\/embed\//);
  const query = `response_type=code&client_id=${service.clientId}&redirect_uri=http://localhost/&state=x&${new URLSearchParams(PKCE)}`;
  const page = await fetch(`${service.baseUrl}/api2/oauth/authorize?${query}`);
  const cookies = page.headers.getSetCookie();
  expect(cookies).not.toEqual([]);
  for (const cookie of cookies) expect(cookie).toMatch(/^__Host-.*; Path=\/;.*; Secure/);
});

test.each([
  'library.example',
  'ftp://library.example',
  'https://library.example/path',
  'https://a:b@library.example',
  '',
])('the service exits with 2 for wrong usage when --base-url is %j', async (baseUrl) => {
  const { code, stdout, stderr } = await run(['--data', folder(), '--base-url', baseUrl]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('--base-url');
});

/** Starts the service for an institution, without the instruments of tests; resolves when it listens. */
async function startForInstitution(args: string[]) {
  const child = spawn(process.execPath, [MAIN, '--data', folder(), '--seed', 'empty', ...args]);
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  const log = createInterface({ input: child.stderr });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, log, ready: JSON.parse(line) as Record<string, unknown> };
}

test('a service for an institution has no control port', async () => {
  const { ready } = await startForInstitution([]);
  expect(Object.keys(ready).sort()).toEqual(['admin', 'base_url', 'client_id']);
});

test.each([{ clock_offset_ms: 1000 }, { dialect: 'lean' }, { faults: [] }])(
  'a service for an institution refuses a configuration with %j',
  async (settings) => {
    const config = join(folder(), 'config.json');
    writeFileSync(config, JSON.stringify(settings));
    const { code, stderr } = await run(['--data', folder(), '--config', config]);
    expect(code).toBe(2);
    expect(stderr).toContain(Object.keys(settings)[0]);
  },
);

test.each(['--dialect=lean', '--test-password-cost'])('a service for an institution refuses %s', async (option) => {
  expect((await run(['--data', folder(), option])).code).toBe(2);
});

test('a service reads its configuration again at SIGHUP, and keeps its settings when it is invalid', async () => {
  const config = join(folder(), 'config.json');
  writeFileSync(config, JSON.stringify({ read_only: true }));
  const { child, log, ready } = await startForInstitution(['--config', config]);
  // Read-only mode refuses every write, also to unknown paths.
  const write = async () => (await fetch(`${ready.base_url}/api2/nothing`, { method: 'POST' })).status;
  const reread = async (content: string) => {
    writeFileSync(config, content);
    child.kill('SIGHUP');
    for (;;) {
      const [line] = (await once(log, 'line')) as [string];
      if (line.includes('the configuration')) return line;
    }
  };
  expect(await write()).toBe(503);
  expect(await reread('{')).toContain('was not read again');
  expect(await write()).toBe(503);
  expect(await reread(JSON.stringify({ read_only: false }))).toContain('read the configuration again');
  expect(await write()).toBe(404);
});

test('a data directory that was used with the instruments of tests starts without them', async () => {
  const dataDir = folder();
  const lab = await start({ dataDir, dialect: 'strict' });
  await lab.control('PATCH', '/settings', { clock_offset_ms: 3_600_000, code_s: 77 });
  await lab.kill9();
  // Earlier versions stored them with the settings of the operator.
  await withDatabaseOf(dataDir, async (store) => {
    const settings = {
      ...JSON.parse((await readMeta(store, 'settings')) ?? ''),
      dialect: 'strict',
      clock_offset_ms: 3_600_000,
    };
    await writeMeta(store, 'settings', JSON.stringify(settings));
  });
  const { ready } = await startForInstitution(['--data', dataDir, ...(await databaseOptions(dataDir))]);
  const answer = await fetch(`${ready.base_url}/api2/nothing`);
  expect(Math.abs(Date.parse(answer.headers.get('date') ?? '') - Date.now())).toBeLessThan(60_000);
  expect(await answer.text()).toContain('"message"');
});

test('a new library is refused in a data folder with stored content, which stays', async () => {
  const dataDir = folder();
  const stored = join(dataDir, 'stored', 'ab');
  mkdirSync(stored, { recursive: true });
  writeFileSync(join(stored, 'abcdef'), 'content of a library whose database is on a server');
  const options = ['--first-user', 'ada@library.example'];
  await expect(startService({ dataDir, options })).rejects.toThrow('Start the service with the configuration');
  expect(readdirSync(stored)).toEqual(['abcdef']);
});
