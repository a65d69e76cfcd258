// Accounts that are deactivated: all access ends at once, nothing is deleted, and it can be given back.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../../../helpers/service/mail-server.ts';
import { accountOf, PASSWORD, resetLinkFor, runFor } from '../../../helpers/service/service-accounts.ts';
import { auditOf } from '../../../helpers/service/service-audit.ts';
import { clientFor, clientWith, type ServiceClient, sendForm } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { authorize, FormBrowser, signIn } from '../../../helpers/service/service-sign-in.ts';

let service: ServiceProcess;
let admin: ServiceClient;
let mail: MailServer;
let boss: FormBrowser;
beforeAll(async () => {
  mail = await startMailServer();
  service = await startService({ options: ['--operations', '0'] });
  admin = await clientFor(service);
  const settings = { mail_server: mail.url, mail_tls: 'none', mail_from: 'library@uni.example' };
  await service.control('PATCH', '/settings', settings);
  boss = new FormBrowser();
  await boss.submit(await boss.open(at('/account/people')), 'email_address', service.admin);
});
afterAll(async () => {
  await service?.stop();
  await mail?.close();
});

const at = (path: string) => `${service.baseUrl}${path}`;

/** Makes a user who may add media to the library. */
async function person(name: string): Promise<{ id: string; email: string }> {
  const email = `${name}@uni.example`;
  const user = { email_address: email, first_name: name, last_name: 'Test', is_admin: false, password: PASSWORD };
  const { id } = (await admin.post('/api2/users', user)).body;
  const [editor] = (await admin.get('/api2/roles?display_name=Editor')).body.items;
  await admin.post('/api2/memberships', { user_id: id, collection_id: '1', role_id: editor.id });
  return { id, email };
}

/** Sends the form of an account on the page of people. */
async function act(verb: 'deactivate' | 'reactivate', email: string) {
  const page = await boss.open(at(`/account/people?${new URLSearchParams({ q: email })}`));
  const form = page.html.split('<form').find((part) => part.includes(`/people/${verb}"`)) ?? '';
  return boss.submit({ ...page, html: `<form${form}` }, 'id', {});
}

async function signInOnPage(email: string, password: string) {
  const browser = new FormBrowser();
  const form = await browser.open(at('/account'));
  return { browser, page: await browser.submit(form, 'email_address', { email_address: email, password }) };
}

test('browsers, apps, codes, links and uploads of a deactivated user end at once, and all come back by a new sign-in', async () => {
  const { id, email } = await person('leaves');
  const { browser } = await signInOnPage(email, PASSWORD);
  const own = clientWith(service, await signIn(accountOf(service, email)));
  const waiting = await authorize(accountOf(service, email));
  const item = await own.createItem('Half an upload');
  const file = (await own.post(`${item}/files`, { upload_name: 'a.txt', upload_size: 3 })).body;
  const link = await resetLinkFor(service.dataDir, email);

  const page = await act('deactivate', email);
  expect(page.html).toMatch(/<p>Deactivated 20\d\d-/);
  expect((await own.get('/api2/media')).status).toBe(401);
  expect((await tokenFor({ grant_type: 'refresh_token', refresh_token: own.tokens.refresh_token })).status).toBe(400);
  const grant = { grant_type: 'authorization_code', code: waiting.params.get('code') ?? '' };
  const exchange = { ...grant, redirect_uri: waiting.redirectUri, code_verifier: waiting.verifier ?? '' };
  expect((await tokenFor(exchange)).status).toBe(400);
  expect((await browser.open(at('/account'))).url).toContain('/account/sign-in');
  expect((await new FormBrowser().open(link)).response.status).toBe(404);
  expect((await sendForm(file.upload, 'a.txt', Buffer.from('abc'))).status).toBe(403);
  const refused = await signInOnPage(email, PASSWORD);
  expect([refused.page.response.status, refused.page.html.includes('Your account is deactivated.')]).toEqual([
    403,
    true,
  ]);
  expect((await refused.browser.open(at('/account'))).url).toContain('/account/sign-in');
  // Without the password, the answer says nothing about the account.
  const guessed = await signInOnPage(email, 'a wrong password');
  expect([guessed.page.response.status, guessed.page.html.includes('deactivated')]).toEqual([401, false]);

  // All data stays.
  expect((await admin.get(`/api2/users/${id}`)).status).toBe(200);
  expect((await admin.get(`/api2/memberships?user_id=${id}`)).body.items).toHaveLength(1);
  expect((await admin.get(item)).status).toBe(200);

  expect((await act('reactivate', email)).html).not.toContain('<p>Deactivated');
  expect((await own.get('/api2/media')).status).toBe(401);
  const again = clientWith(service, await signIn(accountOf(service, email)));
  expect((await again.get(item)).status).toBe(200);
  const rows = (await auditOf(service)).filter(({ request }) => /\/people\/(?:de|re)activate$/.test(request ?? ''));
  expect(rows.map(({ action, actor, target }) => [action, actor?.email_address, target.name])).toEqual([
    ['user.update', service.admin.email_address, email],
    ['user.update', service.admin.email_address, email],
  ]);
});

async function tokenFor(fields: Record<string, string>): Promise<Response> {
  const body = JSON.stringify({ client_id: service.clientId, ...fields });
  return fetch(at('/api2/oauth/access_token'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
}

test('a deactivated user gets no link: not by mail, not from an administrator, and not by the command', async () => {
  const [gone, here] = [await person('gone'), await person('here')];
  const before = await boss.open(at(`/account/people?q=${gone.email}`));
  await act('deactivate', gone.email);
  const forms = before.html.split('<form').filter((part) => part.includes('/people/link"'));
  const given = await boss.submit({ ...before, html: `<form${forms.at(-1)}` }, 'id', {});
  expect([given.response.status, given.html.includes('<code>')]).toEqual([404, false]);
  const byCommand = await runFor(service.dataDir, 'reset-link', gone.email);
  expect([byCommand.code, byCommand.stdout]).toEqual([1, '']);
  for (const { email } of [gone, here]) {
    const browser = new FormBrowser();
    await browser.submit(await browser.open(at('/account/forgot')), 'email_address', { email_address: email });
  }
  // Mails are sent in the order of the requests.
  await expect.poll(() => mail.mails.map(({ to }) => to[0]), { timeout: 30_000 }).toEqual([here.email]);
});

test('an administrator has no button for the own account, and a sent form is refused', async () => {
  const { email } = await person('other');
  const page = await boss.open(at(`/account/people?q=${service.admin.email_address}`));
  expect(page.html).toContain('/account/people/link"');
  expect(page.html).not.toContain('/account/people/deactivate"');
  const other = await boss.open(at(`/account/people?q=${email}`));
  const form = other.html.split('<form').find((part) => part.includes('/people/deactivate"')) ?? '';
  const me = (await admin.get(`/api2/users?email_address=${service.admin.email_address}`)).body.items[0].id;
  const refused = await boss.submit({ ...other, html: `<form${form}` }, 'id', { id: me });
  expect([refused.response.status, refused.html.includes('your own account')]).toEqual([409, true]);
  expect((await boss.open(at('/account/people'))).url).toBe(at('/account/people'));
});

test('the commands of operators work while the service runs and while it does not, and spare the last administrator', async () => {
  const { email } = await person('command');
  const run = (verb: string, address: string) => runFor(service.dataDir, verb, '--json', address);
  const stateOf = async (verb: string, address = email) => {
    const { code, stdout } = await run(verb, address);
    return [code, JSON.parse(stdout)];
  };
  const inactive = [0, { email_address: email, is_active: false }];
  expect(await stateOf('deactivate', email.toUpperCase())).toEqual(inactive);
  await expect(signIn(accountOf(service, email))).rejects.toThrow();
  expect(await stateOf('deactivate')).toEqual(inactive);
  expect(await stateOf('reactivate')).toEqual([0, { email_address: email, is_active: true }]);
  expect((await signIn(accountOf(service, email))).token_type).toBe('Bearer');
  const last = [1, { error: { code: 'last-administrator', message: expect.stringContaining('last administrator') } }];
  expect(await stateOf('deactivate', service.admin.email_address)).toEqual(last);
  const nobody = [1, { error: { code: 'no-user', message: expect.any(String) } }];
  expect(await stateOf('deactivate', 'nobody@uni.example')).toEqual(nobody);

  await service.end('SIGTERM');
  expect(await stateOf('deactivate')).toEqual(inactive);
  expect(await stateOf('deactivate', service.admin.email_address)).toEqual(last);
  await service.restart();
  expect((await signInOnPage(email, PASSWORD)).page.response.status).toBe(403);
  // What changed nothing has no row.
  const rows = (await auditOf(service)).filter(
    ({ action, target }) => action === 'user.update' && target.name === email,
  );
  expect(
    rows.map(({ actor, after }) => [actor, typeof (after as Record<string, unknown> | null)?.deactivated_on]),
  ).toEqual([
    [null, 'number'],
    [null, 'object'],
    [null, 'number'],
  ]);
});

test('an administrator who is deactivated does not count as the one who must stay', async () => {
  const boss2 = {
    email_address: 'second@uni.example',
    first_name: 'S',
    last_name: 'B',
    is_admin: true,
    password: PASSWORD,
  };
  const { id } = (await (await clientFor(service)).post('/api2/users', boss2)).body;
  const fresh = await clientFor(service);
  expect((await runFor(service.dataDir, 'deactivate', boss2.email_address)).code).toBe(0);
  const me = (await fresh.get(`/api2/users?email_address=${service.admin.email_address}`)).body.items[0].id;
  expect((await fresh.post(`/api2/users/${me}`, { is_admin: false })).status).toBe(409);
  expect((await fresh.delete(`/api2/users/${me}`)).status).toBe(409);
  expect((await fresh.delete(`/api2/users/${id}`)).status).toBe(204);
});
