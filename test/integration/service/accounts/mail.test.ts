// Links that are sent by mail, through a real SMTP server.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { linkIn, type MailServer, startMailServer } from '../../../helpers/service/mail-server.ts';
import { accountOf, PASSWORD, runProgram, setPassword } from '../../../helpers/service/service-accounts.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { FormBrowser, signIn } from '../../../helpers/service/service-sign-in.ts';

const FROM = 'library@uni.example';
let mail: MailServer;
let service: ServiceProcess;
beforeAll(async () => {
  mail = await startMailServer();
  service = await startService({ env: { ...process.env, MEDIADESK_MAIL_PASSWORD: 'from the environment' } });
  await set({ mail_server: mail.url, mail_from: FROM, mail_tls: 'none' });
});
afterEach(async () => {
  mail.mails.length = 0;
  await set({ mail_server: mail.url, mail_tls: 'none', mail_password_file: null });
});
afterAll(async () => {
  await service?.stop();
  await mail?.close();
});

const set = (settings: object) => service.control('PATCH', '/settings', settings);
const at = (path: string) => `${service.baseUrl}${path}`;
const linkOf = (html: string) => /<code>([^<]*)<\/code>/.exec(html)?.[1] ?? '';

async function invite(email: string, names: Record<string, string> = {}) {
  const browser = new FormBrowser();
  const { email_address, password } = service.admin;
  const page = await browser.submit(await browser.open(at('/account/people')), 'email_address', {
    email_address,
    password,
  });
  return browser.submit(page, 'first_name', {
    email_address: email,
    first_name: 'I',
    last_name: 'V',
    mail: '1',
    ...names,
  });
}

async function person(name: string, password: string | null = PASSWORD): Promise<string> {
  const email = `${name}@uni.example`;
  const user = { email_address: email, first_name: name, last_name: 'Test', is_admin: false, password };
  await (await clientFor(service)).post('/api2/users', user);
  return email;
}

async function forgot(email: string) {
  const browser = new FormBrowser();
  const { response, html } = await browser.submit(await browser.open(at('/account/forgot')), 'email_address', {
    email_address: email,
  });
  return { status: response.status, html, waitS: Number(response.headers.get('retry-after') ?? 0) };
}

const mailsTo = (email: string) => mail.mails.filter(({ to }) => to.includes(email));

test('an invitation by mail reaches its address only, as plain text without names, and its link works', async () => {
  const page = await invite('new@uni.example', { first_name: 'Free money at evil.example' });
  expect([linkOf(page.html), page.html.includes('was sent to')]).toEqual(['', true]);
  const [sent] = mail.mails;
  expect([mail.mails.length, sent?.from, sent?.to]).toEqual([1, FROM, ['new@uni.example']]);
  expect(sent?.raw).toMatch(/^Content-Type: text\/plain; charset=utf-8/m);
  expect(sent?.raw).toMatch(/^Auto-Submitted: auto-generated/m);
  expect(sent?.raw).not.toContain('evil.example');
  const link = sent ? linkIn(sent) : '';
  expect(link.startsWith(at('/account/set-password/'))).toBe(true);
  expect((await setPassword(link)).response.status).toBe(200);
});

test('the password of the mail server comes from the environment or from a file, and is in no setting', async () => {
  const seen: (string | null | undefined)[][] = [];
  const asking = await startMailServer({
    authOptional: false,
    onAuth({ username, password }, _session, done) {
      seen.push([username, password]);
      if (password === 'refused') done(new Error('no'));
      else done(null, { user: username ?? '' });
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'mail-password-'));
  onTestFinished(async () => {
    await asking.close();
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, 'password');
  const url = asking.url.replace('//', '//library%40uni.example@');
  await set({ mail_server: url });
  expect((await invite('env@uni.example')).html).toContain('was sent to');
  writeFileSync(file, 'from a file\n');
  await set({ mail_password_file: file });
  expect((await invite('file@uni.example')).html).toContain('was sent to');
  writeFileSync(file, 'refused');
  const refused = await invite('auth@uni.example');
  expect(refused.html).toContain('The mail server refused the user or the password of the library.');
  rmSync(file);
  expect((await invite('nofile@uni.example')).html).toContain('The password for the mail server can’t be read.');
  expect(seen).toEqual([
    ['library@uni.example', 'from the environment'],
    ['library@uni.example', 'from a file'],
    ['library@uni.example', 'refused'],
  ]);
  expect(JSON.stringify(await service.control('GET', '/settings')) + service.log()).not.toContain(
    'from the environment',
  );
});

test.each([
  ['a server that is not there', { mail_server: 'smtp://127.0.0.1:9' }, 'The mail server can’t be reached.'],
  [
    'a server without TLS where it is required',
    { mail_tls: 'required' },
    'The connection to the mail server can’t be encrypted.',
  ],
])('with %s, the administrator sees why the mail was not sent, and the link', async (what, settings, reason) => {
  await set(settings);
  const page = await invite(`${what.replaceAll(' ', '-')}@uni.example`);
  expect([page.html.includes(reason), mail.mails]).toEqual([true, []]);
  expect((await setPassword(linkOf(page.html))).response.status).toBe(200);
});

test('a recipient that the server refuses is a reason too', async () => {
  const refusing = await startMailServer({
    onRcptTo(_address, _session, done) {
      done(new Error('no such user'));
    },
  });
  onTestFinished(() => refusing.close());
  await set({ mail_server: refusing.url });
  expect((await invite('refused@uni.example')).html).toContain('The mail server doesn’t accept this address.');
});

test.each(['two,c@uni.example', 'a<b>@uni.example', 'a;b@uni.example', '"q"@uni.example', 'a@uni.example,evil'])(
  'the address %s, which could mean several, gets no mail; its link is shown',
  async (email) => {
    const page = await invite(email);
    expect([page.response.status, page.html.includes('doesn’t accept this address'), mail.mails]).toEqual([
      200,
      true,
      [],
    ]);
    expect(linkOf(page.html)).not.toBe('');
  },
);

test('a forgotten password is replaced by the link in the mail, and the old one ends', async () => {
  const email = await person('forgets');
  expect((await new FormBrowser().open(at('/account'))).html).toContain('href="/account/forgot"');
  expect((await forgot(email.toUpperCase())).status).toBe(200);
  await expect.poll(() => mailsTo(email).length).toBe(1);
  expect((await signIn(accountOf(service, email))).token_type).toBe('Bearer');
  const [sent] = mailsTo(email);
  const next = 'the password after it';
  expect((await setPassword(sent ? linkIn(sent) : '', next)).response.status).toBe(200);
  expect((await signIn(accountOf(service, email, next))).token_type).toBe('Bearer');
  await expect(signIn(accountOf(service, email))).rejects.toThrow();
});

test('the answer is the same for an account, an account without a password and no account; only the first gets a mail', async () => {
  const [known, invited] = [await person('known'), await person('invited', null)];
  const answers = [];
  for (const email of [known, invited, 'nobody@uni.example', 'not an address', '']) answers.push(await forgot(email));
  expect(new Set(answers.map(({ status, html }) => `${status} ${html}`)).size).toBe(1);
  await expect.poll(() => mailsTo(known).length).toBe(1);
  expect(mail.mails).toHaveLength(1);
});

test('asking again does not end a link that was given before', async () => {
  const email = await person('asks');
  await forgot(email);
  await expect.poll(() => mailsTo(email).length).toBe(1);
  await forgot(email);
  await expect.poll(() => mailsTo(email).length).toBe(2);
  const links = mailsTo(email).map(linkIn);
  expect(await Promise.all(links.map(async (link) => (await fetch(link)).status))).toEqual([200, 200]);
  await setPassword(links[0] ?? '');
  expect(await Promise.all(links.map(async (link) => (await fetch(link)).status))).toEqual([404, 404]);
});

test('an account gets a few mails only, and a network may ask ten times, then once a minute', async () => {
  await service.restart();
  const email = await person('flooded');
  const statuses: number[] = [];
  while (statuses.at(-1) !== 429 && statuses.length < 50) statuses.push((await forgot(email)).status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(3);
  expect(statuses.at(-1)).toBe(429);
  await expect.poll(() => mailsTo(email).length).toBe(3);
  onTestFinished(async () => void (await set({ clock_offset_ms: 0 })));
  for (let minutes = 1; minutes <= 3; minutes += 1) {
    await set({ clock_offset_ms: minutes * 61_000 });
    expect((await forgot('nobody@uni.example')).status).toBe(200);
    const refused = await forgot('nobody@uni.example');
    expect([refused.status, refused.waitS > 0, refused.waitS <= 60]).toEqual([429, true, true]);
  }
});

test.each([
  [{ mail_server: 'smtp://user:secret@host:587' }, 'without a password'],
  [{ mail_server: 'http://host' }, 'must be smtp://'],
  [{ mail_server: 'smtp://host/path' }, 'must be smtp://'],
  [{ mail_from: 'Library <a@b.example>' }, 'must be an e-mail address'],
  [{ mail_from: 'a@b.example\r\nBcc: c@d.example' }, 'must be an e-mail address'],
])('the configuration %j is refused', async (config, reason) => {
  const folder = mkdtempSync(join(tmpdir(), 'mail-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  const { code, stderr } = await runProgram('--data', join(folder, 'data'), '--config', join(folder, 'config.json'));
  expect([code, stderr.includes(reason)]).toEqual([2, true]);
});
