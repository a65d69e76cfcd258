// The account pages of the library service in a real browser engine: accessible, and without sideways scrolling on a phone.

import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../../helpers/desktop/axe.ts';
import { type DesktopApp, launchApp } from '../../helpers/desktop/desktop-app.ts';
import { resetLinkFor } from '../../helpers/service/service-accounts.ts';
import { clientFor } from '../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';
import { FormBrowser, PKCE, signIn } from '../../helpers/service/service-sign-in.ts';

const LONG = `${'A-name-without-any-blank'.repeat(4)}`;
const EMAIL = `${'long'.repeat(15)}@${'department.'.repeat(6)}uni.example`;

let desktop: DesktopApp;
let service: ServiceProcess;
let page: Page;
beforeAll(async () => {
  service = await startService({ options: ['--operations', '0'] });
  desktop = await launchApp();
  const admin = await clientFor(service);
  await admin.post('/api2/users', {
    email_address: EMAIL,
    first_name: LONG,
    last_name: LONG,
    is_admin: true,
    password: 'correct horse battery',
  });
  page = await openWindow();
});
afterAll(async () => {
  await desktop?.close();
  await service?.stop();
});

/** Opens a window as wide as a small phone, with a session of its own. */
async function openWindow(): Promise<Page> {
  const opened = desktop.app.waitForEvent('window');
  await desktop.app.evaluate(async ({ BrowserWindow }) => {
    const window = new BrowserWindow({
      width: 320,
      height: 900,
      useContentSize: true,
      webPreferences: { partition: 'phone', sandbox: true },
    });
    await window.loadURL('about:blank');
  });
  return opened;
}

const at = (path: string) => `${service.baseUrl}${path}`;

/** Shows what a browser got. A form that was sent is no navigation of this window, so its markup is set. */
async function show(html: string): Promise<void> {
  await page.setContent(html);
}

async function expectFine(name: string): Promise<void> {
  const [window, shown, needed] = await page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    return [innerWidth, clientWidth, scrollWidth];
  });
  expect([window, needed], name).toEqual([320, shown]);
  const outside = await page.evaluate(() => {
    const main = document.querySelector('main') ?? document.body;
    // Half a pixel for rounding.
    const edge = main.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(main).paddingRight) + 0.5;
    const parts = [...main.querySelectorAll('*')];
    return parts.filter((part) => part.getBoundingClientRect().right > edge).map((part) => part.outerHTML);
  });
  expect(outside, name).toEqual([]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFindings(page, colorScheme === 'light' ? 'all' : 'colors'), `${name}, ${colorScheme}`).toEqual([]);
  }
}

describe.each(['en', 'de'])(
  'on a window of 320 pixels, in light and dark, accessible and without sideways scrolling, in %s',
  (language) => {
    const browser = new FormBrowser(language);

    it('the page that sets a password, and the pages that follow', async () => {
      const link = await resetLinkFor(service.dataDir, EMAIL);
      const form = await browser.open(link);
      expect(form.html).toContain(`<html lang="${language}"`);
      await show(form.html);
      await expectFine('set-password');
      const refused = await browser.submit(form, 'password', { password: 'short', again: 'short' });
      await show(refused.html);
      await expectFine('refused-password');
      const set = await browser.submit(form, 'password', { password: 'a battery staple', again: 'a battery staple' });
      await show(set.html);
      await expectFine('password-set');
      await show((await browser.open(link)).html);
      await expectFine('dead-link');
    });

    it('the sign-in and the own account', async () => {
      await signIn(service, { email: EMAIL, password: 'a battery staple' });
      const form = await browser.open(at('/account'));
      await show(form.html);
      await expectFine('sign-in');
      const account = await browser.submit(form, 'email_address', {
        email_address: EMAIL,
        password: 'a battery staple',
      });
      await show(account.html);
      await expectFine('account');
      const refused = await browser.submit(account, 'present', { present: 'x', password: 'y', again: 'z' });
      await show(refused.html);
      await expectFine('account-refused');
      const redirect_uri = 'urn:ietf:wg:oauth:2.0:oob';
      const query = { response_type: 'code', client_id: service.clientId, redirect_uri, state: 's', ...PKCE };
      const consent = await browser.open(at(`/api2/oauth/authorize?${new URLSearchParams(query)}`));
      await show(consent.html);
      await expectFine('consent');
      await show((await browser.submit(consent, 'decision', { decision: 'approve' })).html);
      await expectFine('code');
    });

    it('the people, a link that is given, and a refused invitation', async () => {
      await (await clientFor(service)).post('/api2/groups', { display_name: LONG });
      const people = await browser.open(at('/account/people'));
      const input = { email_address: EMAIL.replace('long', language), first_name: LONG, last_name: LONG };
      const given = await browser.submit(people, 'first_name', input);
      await show(given.html);
      await expectFine('given-link');
      await show((await browser.open(at('/account/people'))).html);
      await expectFine('people');
      const refused = await browser.submit(people, 'first_name', { ...input, first_name: '' });
      await show(refused.html);
      await expectFine('people-refused');
      await service.control('PATCH', '/settings', { mail_server: 'smtp://127.0.0.1:9', mail_from: 'a@uni.example' });
      const failed = await browser.submit(people, 'first_name', {
        ...input,
        email_address: `${language}@uni.example`,
        mail: '1',
      });
      await show(failed.html);
      await expectFine('not-sent');
      const forgot = await browser.open(at('/account/forgot'));
      await show(forgot.html);
      await expectFine('forgot');
      await show((await browser.submit(forgot, 'email_address', { email_address: 'nobody@uni.example' })).html);
      await expectFine('asked');
      await show((await new FormBrowser(language).open(at('/account'))).html);
      await expectFine('sign-in-with-mail');
    });
  },
);
