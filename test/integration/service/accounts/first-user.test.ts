// A new library whose only account is an administrator that sets a password at a one-time link.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { accountOf, resetLinkFor, runFor, runProgram, setPassword } from '../../../helpers/service/service-accounts.ts';
import { clientWith } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, type ServiceStart, startService } from '../../../helpers/service/service-process.ts';
import { signIn } from '../../../helpers/service/service-sign-in.ts';
import { databaseContent, IS_ON_SERVER } from '../../../helpers/service/test-database.ts';

const EMAIL = 'Amy.Archer@uni.example';
const running: ServiceProcess[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'library-first-'));
  folders.push(made);
  return made;
}

async function start(options: ServiceStart): Promise<ServiceProcess> {
  const service = await startService(options);
  running.push(service);
  return service;
}

const firstUser = (email = EMAIL) => ({ options: ['--first-user', email] });

test('a new library with a first user has this administrator and no other account, and no readable password', async () => {
  const dataDir = folder();
  const service = await start({ dataDir, ...firstUser() });
  expect(readdirSync(dataDir)).not.toContain('admin.json');
  expect(service.admin.password).toBe('');
  await expect.poll(service.log).toContain('The first user has no password yet');
  const token = service.firstUserLink?.split('/').at(-1) ?? '';
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(service.log()).not.toContain(token);
  expect((await setPassword(service.firstUserLink ?? '')).response.status).toBe(200);
  const client = clientWith(service, await signIn(accountOf(service, EMAIL)));
  const { items } = (await client.get('/api2/users')).body;
  expect(items).toEqual([
    expect.objectContaining({ email_address: EMAIL, is_admin: true, unique_id: `basic:${EMAIL}` }),
  ]);
  expect((await client.get('/api2/media/count')).body.count).toBe(0);
  expect((await databaseContent(dataDir)).includes(token)).toBe(false);
});

test('each start before the password is set prints a new link, and the earlier one is dead', async () => {
  const service = await start({ dataDir: folder(), ...firstUser() });
  const first = service.firstUserLink ?? '';
  await service.restart();
  const second = service.firstUserLink ?? '';
  expect((await fetch(first)).status).toBe(404);
  expect((await setPassword(second)).response.status).toBe(200);
  await service.restart();
  expect(service.firstUserLink).toBe(undefined);
  expect((await signIn(accountOf(service, EMAIL))).token_type).toBe('Bearer');
});

test('a start with another address before the password is set corrects the address', async () => {
  const dataDir = folder();
  const wrong = await start({ dataDir, ...firstUser('amy.acher@uni.example') });
  await wrong.stop();
  running.length = 0;
  const service = await start({ dataDir, ...firstUser() });
  await setPassword(service.firstUserLink ?? '');
  await service.stop();
  running.length = 0;
  const later = await start({ dataDir, ...firstUser('mallory@uni.example') });
  expect(later.firstUserLink).toBe(undefined);
  const client = clientWith(later, await signIn(accountOf(later, EMAIL)));
  expect((await client.get('/api2/users')).body.items).toHaveLength(1);
});

test('a library that has the accounts for demos keeps them, whatever first user is asked for', async () => {
  const dataDir = folder();
  const demo = await start({ dataDir });
  await demo.stop();
  running.length = 0;
  const service = await start({ dataDir, ...firstUser() });
  expect(service.firstUserLink).toBe(undefined);
  expect(service.admin).toEqual(demo.admin);
  expect((await signIn(service)).token_type).toBe('Bearer');
});

test('a start that was killed before the library had any content leaves no password behind', async () => {
  const dataDir = folder();
  writeFileSync(join(dataDir, 'admin.json'), '{"email_address":"admin@library.example","password":"left behind"}');
  await start({ dataDir, ...firstUser() });
  expect(existsSync(join(dataDir, 'admin.json'))).toBe(false);
});

test('links begin with the public address of the library, also those of a stopped one', async () => {
  const dataDir = folder();
  const service = await start({ dataDir, publicUrl: 'https://library.example', ...firstUser() });
  const page = /^https:\/\/library\.example\/account\/set-password\/[\w-]{43}$/;
  expect(service.firstUserLink).toMatch(page);
  const path = new URL(service.firstUserLink ?? '').pathname;
  const poisoned = await fetch(service.baseUrl + path, { headers: { 'x-forwarded-host': 'evil.example' } });
  expect(await poisoned.text()).not.toContain('evil.example');
  await service.end('SIGTERM');
  expect(await resetLinkFor(dataDir, EMAIL.toLowerCase())).toMatch(page);
});

test('a reset link is made while the service runs with --operations, and when it does not run', async () => {
  const dataDir = folder();
  const service = await start({ dataDir, options: ['--operations', '0'] });
  expect((await setPassword(await resetLinkFor(dataDir, 'viewer@library.example'))).response.status).toBe(200);
  await service.end('SIGTERM');
  const link = await resetLinkFor(dataDir, 'viewer@library.example');
  await service.restart();
  expect((await setPassword(link)).response.status).toBe(200);
});

test('the command reports an unknown account, a service without --operations and a folder without a library', async () => {
  const dataDir = folder();
  const service = await start({ dataDir });
  const codesOf = ({ code, stdout }: { code: number | null; stdout: string }) => [code, JSON.parse(stdout).error.code];
  const run = async (email: string) => codesOf(await runFor(dataDir, 'reset-link', '--json', email));
  expect(await run('viewer@library.example')).toEqual([1, 'no-operations']);
  await service.end('SIGTERM');
  expect(await run('nobody@library.example')).toEqual([1, 'no-user']);
  const nowhere = ['--data', join(dataDir, 'incoming'), '--json', 'a@b.example'];
  expect(codesOf(await runProgram('reset-link', ...nowhere))).toEqual([1, 'no-library']);
  expect((await runProgram('reset-link', '--data', dataDir)).code).toBe(2);
});

test('without the token of the data folder, the listener for operators makes no link', async () => {
  const service = await start({ options: ['--operations', '0'] });
  for (const authorization of ['', 'Bearer ', 'Bearer wrong']) {
    const url = `${service.operationsUrl}/reset-link`;
    const answer = await fetch(url, { method: 'POST', headers: { authorization }, body: 'admin@library.example' });
    expect([answer.status, await answer.text()]).toEqual([401, '{}']);
  }
});

test.each(['nobody', 'a b@c.example', ''])('the first user %j is wrong usage', async (email) => {
  const { code, stderr } = await runProgram('--data', join(folder(), 'x'), '--first-user', email);
  expect([code, stderr.includes('--first-user must be')]).toEqual([2, true]);
});

test.skipIf(IS_ON_SERVER)('a restored library has no links of the one before', async () => {
  const dataDir = folder();
  await start({ dataDir, options: ['--operations', '0'] });
  const link = await resetLinkFor(dataDir, 'viewer@library.example');
  const [backup, restored] = [`${dataDir}-backup`, `${dataDir}-restored`];
  folders.push(backup, restored);
  expect((await runProgram('backup', '--data', dataDir, '--to', backup)).code).toBe(0);
  expect((await runProgram('restore', '--from', backup, '--data', restored)).code).toBe(0);
  expect((await fetch(link)).status).toBe(200);
  const copy = await start({ dataDir: restored });
  expect((await fetch(new URL(new URL(link).pathname, copy.baseUrl))).status).toBe(404);
});

test('the audit has each link that a command makes, also without the service', async () => {
  const dataDir = folder();
  const service = await start({ dataDir, options: ['--operations', '0'] });
  await resetLinkFor(dataDir, 'viewer@library.example');
  await service.end('SIGTERM');
  await resetLinkFor(dataDir, 'editor@library.example');
  const { stdout } = await runFor(dataDir, 'audit');
  const links = stdout.split('\n').filter((line) => line.includes('account-link.create'));
  expect(links).toHaveLength(2);
  expect(links.join()).toMatch(/viewer@library\.example.*editor@library\.example/);
});
