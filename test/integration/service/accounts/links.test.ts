// One-time links: each sets one password, once.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountOf, PASSWORD, resetLinkFor, setPassword } from '../../../helpers/service/service-accounts.ts';
import { clientFor, clientWith } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { FormBrowser, signIn } from '../../../helpers/service/service-sign-in.ts';

const LOG = join(import.meta.dirname, `../../../../node_modules/.cache/links-${process.pid}.jsonl`);
let service: ServiceProcess;
beforeAll(async () => {
  service = await startService({ options: ['--operations', '0', '--log', LOG] });
});
afterAll(async () => {
  await service?.stop();
  rmSync(LOG, { force: true });
});

/** Creates a user without a password and a link for this user. */
async function invited(name: string): Promise<{ email: string; link: string; id: string }> {
  const email = `${name}@uni.example`;
  const admin = await clientFor(service);
  const user = { email_address: email, first_name: name, last_name: 'Test', is_admin: false };
  const { body } = await admin.post('/api2/users', user);
  return { email, link: await resetLinkFor(service.dataDir, email), id: body.id };
}

const deadPage = async () => (await fetch(`${service.baseUrl}/account/set-password/unknown`)).text();

test('a link sets the password of its user once, and opening it changes nothing', async () => {
  const { email, link } = await invited('once');
  expect(link.startsWith(`${service.baseUrl}/account/set-password/`)).toBe(true);
  for (let visit = 0; visit < 3; visit += 1) {
    const opened = await fetch(link);
    expect([opened.status, (await opened.text()).includes(email)]).toEqual([200, true]);
  }
  expect((await fetch(link, { method: 'HEAD' })).status).toBe(200);
  const browser = new FormBrowser();
  const form = await browser.open(link);
  const set = await browser.submit(form, 'password', { password: PASSWORD, again: PASSWORD });
  expect([set.response.status, set.html.includes('Your password is set')]).toEqual([200, true]);
  expect((await signIn(accountOf(service, email))).token_type).toBe('Bearer');
  const other = 'another long password';
  const again = await browser.submit(form, 'password', { password: other, again: other });
  expect([again.response.status, again.html]).toEqual([404, await deadPage()]);
  await expect(signIn(accountOf(service, email, other))).rejects.toThrow();
});

test('of many simultaneous uses of a link exactly one sets the password', async () => {
  const { email, link } = await invited('race');
  const browser = new FormBrowser();
  const form = await browser.open(link);
  const passwords = Array.from({ length: 8 }, (_, index) => `password number ${index}`);
  const answers = await Promise.all(
    passwords.map((password) => browser.submit(form, 'password', { password, again: password })),
  );
  const statuses = answers.map(({ response }) => response.status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 404)).toHaveLength(7);
  const winner = passwords[statuses.indexOf(200)] ?? '';
  expect((await signIn(accountOf(service, email, winner))).token_type).toBe('Bearer');
});

test('a used link, an expired one, and one of a deleted user get the answer of an unknown one', async () => {
  const [used, expired, deleted] = [await invited('used'), await invited('expired'), await invited('deleted')];
  await setPassword(used.link);
  await (await clientFor(service)).delete(`/api2/users/${deleted.id}`);
  for (const { link } of [used, deleted]) {
    const answer = await fetch(link);
    expect([answer.status, await answer.text()]).toEqual([404, await deadPage()]);
  }
  await service.control('PATCH', '/settings', { clock_offset_ms: 72 * 3_600_000 - 60_000 });
  expect((await fetch(expired.link)).status).toBe(200);
  await service.control('PATCH', '/settings', { clock_offset_ms: 72 * 3_600_000 + 60_000 });
  const answer = await fetch(expired.link);
  expect([answer.status, await answer.text()]).toEqual([404, await deadPage()]);
  await service.control('PATCH', '/settings', { clock_offset_ms: 0 });
});

test('a new link ends the earlier one', async () => {
  const { email, link } = await invited('newer');
  const newer = await resetLinkFor(service.dataDir, email);
  expect((await fetch(link)).status).toBe(404);
  expect((await fetch(newer)).status).toBe(200);
});

test('a reset ends the sessions and the tokens of its user, and nobody else’s', async () => {
  const [one, other] = [await invited('reset'), await invited('bystander')];
  const clients = [];
  for (const { email, link } of [one, other]) {
    await setPassword(link);
    clients.push(clientWith(service, await signIn(accountOf(service, email))));
  }
  await setPassword(await resetLinkFor(service.dataDir, one.email), 'a password after the reset');
  const statuses = await Promise.all(clients.map(async (client) => (await client.get('/api2/media')).status));
  expect(statuses).toEqual([401, 200]);
  await expect(signIn(accountOf(service, one.email))).rejects.toThrow();
});

test('the page of a link is stored nowhere, loads nothing from elsewhere, and reveals its address to no other page', async () => {
  const { link } = await invited('headers');
  const answer = await fetch(link);
  const html = await answer.text();
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  });
  expect(answer.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^;]*; form-action 'self';/,
  );
  expect(html).not.toMatch(/https?:|src=/);
});

test('the request log has the template of the route in place of the link', async () => {
  const { link } = await invited('logged');
  await setPassword(link);
  await fetch(`${link}/`);
  await fetch(link.replace('/account/', '/Account/'));
  await expect.poll(() => readFileSync(LOG, 'utf8')).toContain('"/Account…"');
  const log = readFileSync(LOG, 'utf8');
  expect(log).toContain('"method":"POST","route":"/account/set-password/:token","status":200');
  expect(log + service.log()).not.toContain(link.split('/').at(-1));
});

test('a form that was made for another browser is refused, and the link stays valid', async () => {
  const { link } = await invited('forged');
  const form = await new FormBrowser().open(link);
  const forged = await new FormBrowser().submit(form, 'password', { password: PASSWORD, again: PASSWORD });
  expect(forged.response.status).toBe(403);
  const without = await fetch(link, {
    method: 'POST',
    body: new URLSearchParams({ password: PASSWORD, again: PASSWORD }),
  });
  expect(without.status).toBe(403);
  expect((await setPassword(link)).response.status).toBe(200);
});

test.each([
  ['a short password', 'eleven char', 'eleven char', 'at least 12 characters'],
  ['two different passwords', PASSWORD, `${PASSWORD}.`, 'are different'],
  ['one character repeated', 'a'.repeat(20), 'a'.repeat(20), 'different characters'],
  ['a password with the own address', 'My-REFUSED@uni.example', 'My-REFUSED@uni.example', 'contain your email address'],
  ['a password above 1,000 characters', 'ab'.repeat(501), 'ab'.repeat(501), 'at most 1,000'],
  ['a password that is cut off by NUL', 'long enough\0 to be one', 'long enough\0 to be one', 'can’t be used'],
])('%s is refused with the reason, and the link stays valid', async (_what, password, again, reason) => {
  const admin = await clientFor(service);
  const user = { email_address: 'refused@uni.example', first_name: 'R', last_name: 'T', is_admin: false };
  await admin.post('/api2/users', user);
  const link = await resetLinkFor(service.dataDir, 'refused@uni.example');
  const browser = new FormBrowser();
  const page = await browser.submit(await browser.open(link), 'password', { password, again });
  expect([page.response.status, page.html.includes(reason)]).toEqual([422, true]);
  expect(page.html).not.toContain(password);
  expect((await fetch(link)).status).toBe(200);
});

test('a password with letters of any script, spaces and emoji works as typed', async () => {
  const { email, link } = await invited('unicode');
  const password = '  пароль 密码 🔑🔑 é  ';
  expect((await setPassword(link, password)).response.status).toBe(200);
  expect((await signIn(accountOf(service, email, password))).token_type).toBe('Bearer');
});

test('in read-only mode the page says so, and the link stays valid', async () => {
  const { link } = await invited('readonly');
  await service.control('PATCH', '/settings', { read_only: true });
  expect((await setPassword(link)).response.status).toBe(503);
  await service.control('PATCH', '/settings', { read_only: false });
  expect((await setPassword(link)).response.status).toBe(200);
});

test('addresses of links that don’t exist are slowed down for each address, and a valid link works meanwhile', async () => {
  const { link } = await invited('guessed');
  let guesses = 0;
  let retryAfter: string | null = null;
  await expect
    .poll(
      async () => {
        guesses += 1;
        const answer = await fetch(`${service.baseUrl}/account/set-password/guess${guesses}`);
        retryAfter = answer.headers.get('retry-after');
        return answer.status;
      },
      { interval: 0, timeout: 60_000 },
    )
    .toBe(429);
  expect(Number(retryAfter)).toBeGreaterThan(0);
  expect((await setPassword(link)).response.status).toBe(200);
});
