// The page of the own account: password, browsers and apps.
import { expect, test } from 'vitest';
import { accountOf, PASSWORD, resetLinkFor, setPassword } from '../../../helpers/service/service-accounts.ts';
import { clientFor, clientWith } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { authorize, FormBrowser, signIn, type Tokens } from '../../../helpers/service/service-sign-in.ts';

const NEW = 'a completely new password';
const service = await serviceOfFile({ options: ['--operations', '0'] });

/** Creates a user with a password. */
async function person(name: string, fields: object = {}): Promise<string> {
  const email = `${name}@uni.example`;
  const admin = await clientFor(service);
  const user = { email_address: email, first_name: name, last_name: 'Test', is_admin: false, ...fields };
  await admin.post('/api2/users', { ...user, password: PASSWORD });
  return email;
}

const at = (path: string) => `${service.baseUrl}${path}`;

/** Signs in on the page of the account; returns it. */
async function open(browser: FormBrowser, email: string, password = PASSWORD) {
  const page = await browser.open(at('/account'));
  return browser.submit(page, 'email_address', { email_address: email, password });
}

const change = (browser: FormBrowser, page: { url: string; html: string }, fields: Record<string, string> = {}) =>
  browser.submit(page, 'present', { present: PASSWORD, password: NEW, again: NEW, ...fields });

const isSignedIn = async (browser: FormBrowser) => (await browser.open(at('/account'))).url === at('/account');
const rows = (html: string, part: string) =>
  (html.split(`<h2>${part}</h2>`)[1]?.split('<h2>')[0]?.match(/<li>/g) ?? []).length;

test('a visitor signs in on the way to the account and sees name, address, browsers and apps', async () => {
  const email = await person('seen', { first_name: 'Ann', last_name: '<b>O’Neil</b>' });
  await signIn(accountOf(service, email));
  const page = await open(new FormBrowser(), email);
  expect(page.url).toBe(at('/account'));
  expect(page.html).toContain('<h1>Ann &#60;b&#62;O’Neil&#60;/b&#62;</h1>');
  expect(page.html).toContain(email);
  // The sign-in of the app has a browser session of its own.
  expect([rows(page.html, 'Browsers'), rows(page.html, 'Apps')]).toEqual([2, 1]);
  expect(page.html).toMatch(
    /<b>Mediadesk<\/b><p>Signed in <time datetime="[\d-]+T[\d:]+Z">[\d-]+ [\d:]+ UTC<\/time>, last used/,
  );
  expect(page.response.headers.get('cache-control')).toBe('no-store');
});

test('a sign-in replaces the cookie that the browser had, so that nobody else knows the session', async () => {
  const email = await person('fixed');
  const answer = await fetch(at('/account/sign-in'));
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  const session = (cookies[0] ?? '').split('=')[0]?.replace('_form_', '_session_');
  const csrf = /name="csrf" value="([^"]*)"/.exec(await answer.text())?.[1] ?? '';
  const signedIn = await fetch(at('/account/sign-in'), {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: [...cookies, `${session}=planted`].join('; ') },
    body: new URLSearchParams({ csrf, email_address: email, password: PASSWORD }),
  });
  const given = signedIn.headers.getSetCookie().find((cookie) => cookie.startsWith(`${session}=`)) ?? '';
  expect(given).toMatch(/=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  expect((await fetch(at('/account'), { redirect: 'manual', headers: { cookie: `${session}=planted` } })).status).toBe(
    303,
  );
});

test.each(['https://evil.example/', '//evil.example', '/account/../x', 'javascript:alert(1)'])(
  'a sign-in never leads to %s',
  async (next) => {
    const browser = new FormBrowser();
    const page = await browser.open(at(`/account/sign-in?next=${encodeURIComponent(next)}`));
    const email = 'viewer@library.example';
    const { password } = service.admin;
    expect((await browser.submit(page, 'email_address', { email_address: email, password, next })).url).toBe(
      at('/account'),
    );
  },
);

test('a wrong password is refused as on the page of an app, and both forms share one limit', async () => {
  const email = await person('guessed');
  const browser = new FormBrowser();
  let page = await browser.open(at('/account'));
  for (let guess = 0; guess < 5; guess += 1) {
    page = await browser.submit(page, 'email_address', { email_address: email, password: `guess ${guess}` });
    expect(page.response.status).toBe(401);
  }
  page = await browser.submit(page, 'email_address', { email_address: email, password: PASSWORD });
  expect(page.response.status).toBe(429);
  await expect(authorize(accountOf(service, email))).rejects.toThrow('no form');
});

test('a changed password counts at once: other browsers are signed out, this one and the apps stay', async () => {
  const email = await person('changes');
  const client = clientWith(service, await signIn(accountOf(service, email)));
  const [own, other] = [new FormBrowser(), new FormBrowser()];
  await open(other, email);
  const page = await change(own, await open(own, email));
  expect(page.html).toContain('Your password is changed.');
  expect([await isSignedIn(own), await isSignedIn(other)]).toEqual([true, false]);
  expect((await client.get('/api2/media')).status).toBe(200);
  await expect(authorize(accountOf(service, email))).rejects.toThrow();
  expect((await signIn(accountOf(service, email, NEW))).token_type).toBe('Bearer');
});

test('a changed password ends all apps if that is chosen, and every link to set a password', async () => {
  const email = await person('apps');
  const tokens = await signIn(accountOf(service, email));
  const link = await resetLinkFor(service.dataDir, email);
  const browser = new FormBrowser();
  await change(browser, await open(browser, email), { apps: 'end' });
  expect((await clientWith(service, tokens).get('/api2/media')).status).toBe(401);
  expect((await fetch(link)).status).toBe(404);
});

test.each([
  [{ present: 'not the password' }, 'The current password is not right.'],
  [{ password: 'short', again: 'short' }, 'at least 12 characters'],
  [{ again: 'something else than before' }, 'are different'],
])('the password stays with %j', async (fields, reason) => {
  const email = await person('stays');
  const browser = new FormBrowser();
  const page = await change(browser, await open(browser, email), fields);
  expect([page.response.status, page.html.includes(reason)]).toEqual([422, true]);
  expect((await signIn(accountOf(service, email))).token_type).toBe('Bearer');
  await (await clientFor(service)).delete('/api2/users/bulk-delete?email_address=stays@uni.example');
});

test('of two simultaneous changes of a password one wins, and ends the browser of the other', async () => {
  const email = await person('twice');
  const browsers = [new FormBrowser(), new FormBrowser()];
  const pages = await Promise.all(browsers.map((browser) => open(browser, email)));
  const passwords = ['the first new password', 'the second new password'];
  await Promise.all(
    browsers.map((browser, index) => {
      const password = passwords[index] ?? '';
      return change(browser, pages[index] ?? { url: '', html: '' }, { password, again: password });
    }),
  );
  const works = await Promise.all(
    passwords.map((password) => signIn(accountOf(service, email, password)).then(Boolean, () => false)),
  );
  const signedIn = await Promise.all(browsers.map(isSignedIn));
  expect(works.filter(Boolean)).toHaveLength(1);
  expect(signedIn).toEqual(works);
});

test('a sign-in with the old password that was under way when a link set another one ends without a session', async () => {
  const email = await person('overtaken');
  const link = await resetLinkFor(service.dataDir, email);
  const browser = new FormBrowser();
  const form = await browser.open(at('/account'));
  const attempts = Array.from({ length: 10 }, () =>
    browser.submit(form, 'email_address', { email_address: email, password: PASSWORD }),
  );
  await setPassword(link, NEW);
  await Promise.all(attempts);
  expect(await isSignedIn(browser)).toBe(false);
});

test('single browsers and apps are signed out, or all others at once', async () => {
  const email = await person('ends');
  const apps: Tokens[] = [];
  for (let count = 0; count < 3; count += 1) apps.push(await signIn(accountOf(service, email)));
  const [own, other] = [new FormBrowser(), new FormBrowser()];
  await open(other, email);
  let page = await open(own, email);
  const counts = () => [rows(page.html, 'Browsers'), rows(page.html, 'Apps')];
  const end = async (what: string) => {
    const form = page.html.split('<form').find((part) => part.includes(`name="what" value="${what}"`)) ?? '';
    page = await own.submit({ url: page.url, html: `<form${form}` }, 'what', {});
  };
  expect(counts()).toEqual([5, 3]);
  await end('session');
  expect(counts()).toEqual([4, 3]);
  await end('app');
  expect(counts()).toEqual([4, 2]);
  const answers = async () =>
    Promise.all(apps.map(async (tokens) => (await clientWith(service, tokens).get('/api2/media')).status));
  expect((await answers()).toSorted()).toEqual([200, 200, 401]);
  await end('others');
  expect([rows(page.html, 'Browsers'), page.html.includes('No app is signed in')]).toEqual([1, true]);
  expect([await answers(), await isSignedIn(other)]).toEqual([[401, 401, 401], false]);
});

test('nobody ends the session or the app of another user, or with a form of another session', async () => {
  const [victim, attacker] = [await person('victim'), await person('attacker')];
  const client = clientWith(service, await signIn(accountOf(service, victim)));
  const [theirs, own] = [new FormBrowser(), new FormBrowser()];
  const target = await open(theirs, victim);
  const ids = [...target.html.matchAll(/name="id" value="([^"]+)"/g)].map((match) => match[1] ?? '');
  expect(ids.length).toBeGreaterThan(0);
  const page = await open(own, attacker);
  for (const id of ids) for (const what of ['session', 'app']) await own.submit(page, 'what', { what, id });
  expect([await isSignedIn(theirs), (await client.get('/api2/media')).status]).toEqual([true, 200]);
  const forged = await theirs.submit(page, 'what', { what: 'others', id: '' });
  expect(forged.response.status).toBe(403);
  const bare = await fetch(at('/account/end'), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ what: 'others' }),
  });
  expect(bare.status).toBe(403);
});

test('an app keeps the time of its sign-in when it gets new tokens', async () => {
  const email = await person('keeps');
  const tokens = await signIn(accountOf(service, email));
  await service.control('PATCH', '/settings', { clock_offset_ms: 2 * 3_600_000 });
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
    client_id: service.clientId,
  });
  await fetch(at('/api2/oauth/access_token'), { method: 'POST', body });
  const { html } = await open(new FormBrowser(), email);
  await service.control('PATCH', '/settings', { clock_offset_ms: 0 });
  const [started = '', used = ''] = [...(html.split('<h2>Apps</h2>')[1] ?? '').matchAll(/datetime="([^"]+)"/g)].map(
    (match) => match[1],
  );
  expect(Date.parse(used) - Date.parse(started)).toBeGreaterThanOrEqual(2 * 3_600_000 - 1000);
});

test('a sign-out ends the session, not only its cookie', async () => {
  const email = await person('leaves');
  const browser = new FormBrowser();
  const page = await open(browser, email);
  const cookies = browser.cookieHeader();
  const left = await browser.submit({ url: page.url, html: `<form${page.html.split('<form').at(-1)}` }, 'csrf', {});
  expect(left.url).toBe(at('/account/sign-in'));
  expect((await fetch(at('/account'), { redirect: 'manual', headers: { cookie: cookies } })).status).toBe(303);
});

test('in read-only mode users sign in and out, and passwords stay', async () => {
  const email = await person('quiet');
  await service.control('PATCH', '/settings', { read_only: true });
  const browser = new FormBrowser();
  const page = await change(browser, await open(browser, email));
  expect(page.response.status).toBe(503);
  await service.control('PATCH', '/settings', { read_only: false });
  expect((await signIn(accountOf(service, email))).token_type).toBe('Bearer');
});
