// The window inside of an institution: a proxy with a sign-in, and a library with a certificate of a private authority.
import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeFindings } from '../../helpers/desktop/axe.ts';
import { type DesktopApp, launchApp } from '../../helpers/desktop/desktop-app.ts';
import { call, fillSignIn, openSignIn, signIn } from '../../helpers/desktop/desktop-sign-in.ts';
import { type Institution, LIBRARY_NAME, openInstitution } from '../../helpers/engine/institution.ts';
import { createAuthority } from '../../helpers/wire/authority.ts';
import { hasOpenssl } from '../../helpers/wire/certificate.ts';
import { startPacServer } from '../../helpers/wire/pac-server.ts';

if (!hasOpenssl) console.warn('The openssl command is not here: the window inside of an institution is not tested.');

const USER = { name: 'ann', password: 'right' };

describe.skipIf(!hasOpenssl)('the window inside of an institution', () => {
  let site: Institution;
  let desktop: DesktopApp;
  let page: Page;

  beforeAll(async () => {
    site = await openInstitution();
    desktop = await launchApp({
      size: { width: 1280, height: 800 },
      env: {
        MEDIADESK_SITE: site.front.baseUrl,
        MEDIADESK_CLIENT_ID: site.service.clientId,
        SSL_CERT_FILE: '',
        NODE_EXTRA_CA_CERTS: '',
      },
    });
    page = desktop.window;
  });
  afterAll(async () => {
    await desktop?.close();
    await site?.close();
  });
  beforeEach(() => {
    site.proxy.seen.length = 0;
  });

  const library = () => ({ ...site.service, baseUrl: site.front.baseUrl });
  const dialog = () => page.getByRole('dialog', { name: 'Network settings' });

  /** Chooses a file in the next native dialog, as a user does. */
  const chooseNext = (path: string) =>
    desktop.app.evaluate(({ dialog: native }, chosen) => {
      native.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
    }, path);

  it('gets proxy and certificate before the first sign-in, by keyboard and mouse, and says what is missing', async () => {
    site.proxy.change({ user: USER });
    await page.getByRole('button', { name: 'Network settings…' }).press('Enter');
    await dialog().getByRole('button', { name: 'Use a proxy' }).press('Enter');
    await page.getByRole('option', { name: 'The one below' }).press('Enter');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByText('This isn’t the address of a proxy.').waitFor();
    await dialog().getByLabel('Proxy address').fill(site.proxy.name);
    await dialog().getByLabel('Proxy address').press('Enter');
    await page.getByText('Network settings saved.').first().waitFor();

    await dialog().getByRole('button', { name: 'Test connection' }).click();
    await dialog().getByText(`The proxy ${site.proxy.name} asks for a user name and password.`).waitFor();
    await dialog().getByLabel('User name at the proxy').fill(USER.name);
    await dialog().getByLabel('Password at the proxy').fill('wrong');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByText('A password is stored in the keychain.').waitFor();
    await dialog().getByRole('button', { name: 'Test connection' }).click();
    await dialog().getByText(`The proxy ${site.proxy.name} refused the user name and password.`).waitFor();
    await dialog().getByLabel('Password at the proxy').fill(USER.password);
    await dialog().getByLabel('Password at the proxy').press('Enter');
    await dialog().getByText('refused the user name').waitFor({ state: 'detached' });

    await dialog().getByRole('button', { name: 'Test connection' }).click();
    await dialog().getByText('from an authority that Mediadesk doesn’t know (Example University CA)').waitFor();
    const file = site.put('no-certificate.pem', 'nothing');
    await chooseNext(file);
    await dialog().getByRole('button', { name: 'Import…' }).click();
    await dialog().getByText('The file isn’t a certificate.').waitFor();
    await chooseNext(site.authority.file);
    await dialog().getByRole('button', { name: 'Import…' }).press('Enter');
    await dialog().getByText('Example University CA', { exact: true }).waitFor();
    expect(await axeFindings(page, 'all')).toEqual([]);
    await dialog().getByRole('button', { name: 'Test connection' }).click();
    await dialog().getByText(`The library answers, through the proxy ${site.proxy.name}.`).waitFor();
    await dialog().getByRole('button', { name: 'Close' }).click();
  });

  it('shows the page of the library in the sign-in window, and signs in', async () => {
    const { signIn: window, reply } = await openSignIn(desktop, library());
    await fillSignIn(window, site.service.admin);
    expect(await reply).toMatchObject({ ok: true, value: { state: 'signed-in', baseUrl: site.front.baseUrl } });
    const { port } = new URL(site.front.baseUrl);
    expect(new Set(site.proxy.seen)).toEqual(new Set([`CONNECT ${LIBRARY_NAME}:${port}`]));
  });

  it('does not trust another host of the same authority in the sign-in window, nor another authority for the library', async () => {
    const { signIn: window, reply } = await openSignIn(desktop, library());
    await window.locator('[name=password]').waitFor();
    const other = await openInstitution('elsewhere.test');
    const foreign = createAuthority('Example University CA');
    try {
      site.front.present(foreign.issue(LIBRARY_NAME));
      await window.evaluate(() => location.reload());
      await window.getByText('ERR_CERT_AUTHORITY_INVALID').waitFor();
      other.front.present(site.authority.issue('elsewhere.test'));
      await window.evaluate((url) => {
        location.href = url;
      }, other.front.baseUrl);
      await window.getByText(`The certificate of ${other.front.baseUrl} isn’t trusted`).waitFor();
      await window.getByText('ERR_CERT_AUTHORITY_INVALID').waitFor();
    } finally {
      site.front.present(site.authority.issue(LIBRARY_NAME));
      foreign.remove();
      await other.close();
      await desktop.app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()
          .find((each) => each.getParentWindow() !== null)
          ?.close(),
      );
      await reply;
    }
  });

  it('has a section for it in the settings, and removes a certificate there', async () => {
    await signIn(desktop, library());
    await page.keyboard.press('Control+,');
    await page.getByRole('tab', { name: 'Network' }).click();
    const main = page.getByRole('main', { name: 'Settings' });
    await main.getByText('Example University CA', { exact: true }).waitFor();
    expect(await axeFindings(page, 'all')).toEqual([]);
    await main.getByRole('button', { name: 'Remove Example University CA' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await main.getByText('You’ve imported no certificates').waitFor();
    await main.getByRole('button', { name: 'Test connection' }).click();
    await main.getByText('from an authority that Mediadesk doesn’t know').waitFor();
    await chooseNext(site.authority.file);
    await main.getByRole('button', { name: 'Import…' }).click();
    await main.getByText('Example University CA', { exact: true }).waitFor();
  });

  it('asks the PAC script for each address, and connects directly when it fails or can’t be loaded', async () => {
    site.proxy.change({});
    const pac = await startPacServer(`function FindProxyForURL(url, host) { return 'PROXY ${site.proxy.name}'; }`);
    try {
      const set = (pacAddress: string) =>
        call(page, 'network.set', {
          patch: { proxyMode: 'pac', pacAddress, proxy: '', proxyUser: '' },
          password: null,
        });
      const test = async () => {
        const reply = await call(page, 'network.test', { baseUrl: site.front.baseUrl });
        if (!reply.ok) throw new Error(JSON.stringify(reply.error));
        return { proxy: reply.value.proxy, code: reply.value.problem?.code ?? null };
      };
      await set(pac.url);
      expect(await test()).toEqual({ proxy: site.proxy.name, code: null });
      for (const script of [
        'function FindProxyForURL() { throw new Error("x") }',
        'garbage(',
        'function FindProxyForURL() { return 7 }',
      ]) {
        pac.serve(script);
        await set(`${pac.url}?${script.length}`);
        expect(await test()).toEqual({ proxy: null, code: 'site.unreachable' });
      }
      await set('http://127.0.0.1:1/none.pac');
      expect(await test()).toEqual({ proxy: null, code: 'site.unreachable' });
    } finally {
      await pac.close();
    }
  });
});
