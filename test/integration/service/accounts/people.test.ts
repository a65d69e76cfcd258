// Administrators invite people and give links to users who can't sign in.
import { beforeAll, expect, test } from 'vitest';
import { accountOf, PASSWORD, setPassword } from '../../../helpers/service/service-accounts.ts';
import { clientFor, clientWith } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { FormBrowser, signIn } from '../../../helpers/service/service-sign-in.ts';

const service = await serviceOfFile();
const admin = await clientFor(service);
let browser: FormBrowser;
beforeAll(async () => {
  browser = new FormBrowser();
  await open(browser, service.admin);
});

const at = (path: string) => `${service.baseUrl}${path}`;

/** Signs in on the way to the page of people. */
async function open(own: FormBrowser, { email_address, password }: { email_address: string; password: string }) {
  const page = await own.open(at('/account/people'));
  return own.submit(page, 'email_address', { email_address, password });
}

const people = (query = '') => browser.open(at(`/account/people${query}`));
const linkOf = (html: string) => /<code>([^<]*)<\/code>/.exec(html)?.[1] ?? '';
const partOf = (html: string, title: string) => html.split(`<h2>${title}</h2>`)[1]?.split('<h2>')[0] ?? '';

async function invite(email: string, fields: Record<string, string> = {}) {
  const input = { email_address: email, first_name: 'Ina', last_name: 'Vited', ...fields };
  return browser.submit(await people(), 'first_name', input);
}

/** Sends one of the forms of an account in a part of the page. */
async function act(part: string, email: string, action: string) {
  const page = await people(part === 'Links for users' ? `?q=${encodeURIComponent(email)}` : '');
  const row =
    partOf(page.html, part)
      .split('<li>')
      .slice(1)
      .find((each) => each.includes(email)) ?? '';
  const form = row.split('<form').find((each) => each.includes(`/account/people/${action}`)) ?? '';
  return browser.submit({ url: page.url, html: `<form${form}` }, 'id', {});
}

const userOf = async (email: string) =>
  (await admin.get(`/api2/users?email_address=${email}&joins=groups`)).body.items[0];

test('an invited user sets a password at the link, which is shown once, and has the chosen groups', async () => {
  const group = (await admin.post('/api2/groups', { display_name: 'Lab <1>' })).body.id;
  expect((await people()).html).toContain('Lab &#60;1&#62;');
  const page = await invite('ina@uni.example', { [`group_${group}`]: '1' });
  const link = linkOf(page.html);
  expect([page.response.status, link.startsWith(at('/account/set-password/'))]).toEqual([200, true]);
  expect((await people()).html).not.toContain(link);
  expect((await setPassword(link)).response.status).toBe(200);
  const user = await userOf('ina@uni.example');
  expect(user).toMatchObject({ display_name: 'Ina Vited', is_admin: false });
  expect(user.groups.map(({ display_name }: { display_name: string }) => display_name)).toContain('Lab <1>');
  expect(partOf((await people()).html, 'Open invitations')).not.toContain('ina@uni.example');
  const own = clientWith(service, await signIn(accountOf(service, 'ina@uni.example')));
  expect((await own.get('/api2/users')).status).toBe(403);
});

test('an invited administrator is one, and can invite others', async () => {
  const page = await invite('boss@uni.example', { is_admin: '1' });
  await setPassword(linkOf(page.html));
  const boss = await open(new FormBrowser(), { email_address: 'boss@uni.example', password: PASSWORD });
  expect([boss.url, boss.html.includes('<h2>Invite somebody</h2>')]).toEqual([at('/account/people'), true]);
});

test('an invitation to an address that has an account is refused, in any case of letters, and gives no link', async () => {
  const page = await invite('ADMIN@library.example');
  expect([page.response.status, page.html.includes('already in use'), linkOf(page.html)]).toEqual([409, true, '']);
  expect(page.html).toContain('value="ADMIN@library.example"');
});

test.each([
  [{ first_name: 'Bell\u0007' }, 'The first name must be one line'],
  [{ last_name: 'Two\r\nlines' }, 'The last name must be one line'],
  [{ first_name: '   ' }, 'The first name must be one line of 1 to 255 characters.'],
  [{ last_name: 'x'.repeat(256) }, 'The last name must be one line of 1 to 255 characters.'],
  [{ email_address: 'no address' }, 'The email address must have the form'],
  [
    { email_address: 'a@b.example\r\nBcc: c@d.example' },
    'The email address must have the form name@example.org, on one line.',
  ],
  [{ group_999999: '1' }, 'One of the groups doesn’t exist any more.'],
])('an invitation with %j is refused, and makes no account', async (fields, reason) => {
  const before = (await admin.get('/api2/users')).body.items.length;
  const page = await invite('strange@uni.example', fields as Record<string, string>);
  expect([page.response.status, page.html.includes(reason)]).toEqual([422, true]);
  expect((await admin.get('/api2/users')).body.items).toHaveLength(before);
});

test('names are shown as text, whatever they contain', async () => {
  const name = '<script>alert(1)</script>"\'&\u202e';
  await invite('script@uni.example', { first_name: name, last_name: '</title>' });
  const { html } = await people('?q=script@uni');
  expect(html).not.toContain('<script');
  expect(html).toContain('&#60;script&#62;');
});

test('an open invitation is listed, can get a new link, and is revoked with its unused account', async () => {
  const first = linkOf((await invite('open@uni.example')).html);
  expect(partOf((await people()).html, 'Open invitations')).toContain('open@uni.example');
  const second = linkOf((await act('Open invitations', 'open@uni.example', 'link')).html);
  expect([(await fetch(first)).status, (await fetch(second)).status]).toEqual([404, 200]);
  await act('Open invitations', 'open@uni.example', 'revoke');
  expect((await fetch(second)).status).toBe(404);
  expect(await userOf('open@uni.example')).toBe(undefined);
  expect((await invite('open@uni.example')).response.status).toBe(200);
});

test('a revoked invitation of an account that is used keeps the account', async () => {
  const page = await people();
  await setPassword(linkOf((await invite('used@uni.example')).html));
  const csrf = /name="csrf" value="([^"]*)"/.exec(page.html)?.[1] ?? '';
  const { id } = await userOf('used@uni.example');
  await browser.open(at('/account/people/revoke'), new URLSearchParams({ csrf, id }));
  expect((await userOf('used@uni.example'))?.id).toBe(id);
});

test('a revoked link of an account that no invitation created ends, and the account and its groups stay', async () => {
  const group = (await admin.post('/api2/groups', { display_name: 'Provisioned' })).body.id;
  const input = { email_address: 'made@uni.example', first_name: 'Ma', last_name: 'De', is_admin: false };
  const { id } = (await admin.post('/api2/users', input)).body;
  await admin.post(`/api2/users/${id}`, { group_ids: [group] });
  const link = linkOf((await act('Links for users', 'made@uni.example', 'link')).html);
  expect((await fetch(link)).status).toBe(200);
  await act('Open invitations', 'made@uni.example', 'revoke');
  expect((await fetch(link)).status).toBe(404);
  const user = await userOf('made@uni.example');
  expect(user?.id).toBe(id);
  expect(user.groups.map(({ id: each }: { id: string }) => each)).toContain(group);
  expect(partOf((await people()).html, 'Open invitations')).not.toContain('made@uni.example');
});

test('a reset link for a user ends nothing until it is used', async () => {
  const viewer = await clientFor(service, 'viewer');
  const page = await act('Links for users', 'viewer@library.example', 'link');
  expect(page.html).toContain('<h1>Reset link</h1>');
  expect((await viewer.get('/api2/media')).status).toBe(200);
  await setPassword(linkOf(page.html));
  expect((await viewer.get('/api2/media')).status).toBe(401);
});

test('the search finds accounts by a part of the name or the address, and takes signs as they are', async () => {
  const found = async (text: string) =>
    partOf((await people(`?q=${encodeURIComponent(text)}`)).html, 'Links for users');
  expect(await found('PRODUC')).toContain('producer@library.example');
  expect(await found('petra prod')).toContain('producer@library.example');
  expect(await found('%')).toContain('Nobody was found.');
  expect(await found("' OR 1=1 --")).toContain('Nobody was found.');
});

test('accounts that are no administrators see nothing of the page and change nothing', async () => {
  const own = new FormBrowser();
  const page = await open(own, { email_address: 'editor@library.example', password: service.admin.password });
  expect([page.response.status, page.html.includes('Open invitations')]).toEqual([403, false]);
  const theirs = await people();
  for (const [action, fields] of [
    ['invite', { email_address: 'x@uni.example', first_name: 'X', last_name: 'Y', is_admin: '1' }],
    ['link', { id: '1' }],
    ['revoke', { id: '1' }],
  ] as const) {
    const csrf = /name="csrf" value="([^"]*)"/.exec(theirs.html)?.[1] ?? '';
    const form = new URLSearchParams({ csrf, ...fields });
    const answer = await own.open(at(`/account/people/${action}`), form);
    expect([action, answer.response.status, linkOf(answer.html)]).toEqual([action, 403, '']);
  }
  expect(await userOf('x@uni.example')).toBe(undefined);
});

test('a form of another session, or without its value, invites nobody', async () => {
  const other = new FormBrowser();
  const page = await open(other, service.admin);
  const input = { email_address: 'csrf@uni.example', first_name: 'C', last_name: 'S' };
  expect((await browser.submit(page, 'first_name', input)).response.status).toBe(403);
  expect((await browser.open(at('/account/people/invite'), new URLSearchParams(input))).response.status).toBe(403);
  expect(await userOf('csrf@uni.example')).toBe(undefined);
});

test('without a mail server there is no “Forgot password?” and no way to ask for a mail', async () => {
  const form = await new FormBrowser().open(at('/account'));
  expect(form.html).not.toContain('Forgot password');
  expect((await fetch(at('/account/forgot'))).status).toBe(404);
  expect((await people()).html).not.toContain('Send the link by mail');
});

test('in read-only mode nobody is invited', async () => {
  await service.control('PATCH', '/settings', { read_only: true });
  const page = await invite('quiet@uni.example');
  await service.control('PATCH', '/settings', { read_only: false });
  expect([page.response.status, await userOf('quiet@uni.example')]).toEqual([503, undefined]);
});

// The last one: the sessions of the others end with their time.
test('an expired invitation stays listed, and can get a new link', async () => {
  await invite('late@uni.example');
  await service.control('PATCH', '/settings', { clock_offset_ms: 73 * 3_600_000 });
  browser = new FormBrowser();
  await open(browser, service.admin);
  const row = partOf((await people()).html, 'Open invitations')
    .split('<li>')
    .find((each) => each.includes('late@'));
  const link = linkOf((await act('Open invitations', 'late@uni.example', 'link')).html);
  expect([row?.includes('Expired'), (await fetch(link)).status]).toEqual([true, 200]);
});
