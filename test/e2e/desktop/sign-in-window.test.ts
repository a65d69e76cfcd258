// The window in which users type their password: its abilities, its limits, and the data that it leaves.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DesktopApp, launchApp } from '../../helpers/desktop/desktop-app.ts';
import { call, fillSignIn, openSignIn, signIn } from '../../helpers/desktop/desktop-sign-in.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';

let desktop: DesktopApp;
let service: ServiceProcess;
let elsewhere: Server;
let elsewhereUrl: string;

beforeAll(async () => {
  elsewhere = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Elsewhere, posing as the library</title><p>elsewhere</p>');
  });
  await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done));
  elsewhereUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
  service = await startService();
  desktop = await launchApp();
});
afterAll(async () => {
  await desktop?.close();
  await service?.stop();
  await new Promise((done) => elsewhere.close(done));
});

/** Returns the facts that the main process has about the sign-in window. */
function inspectWindow() {
  return desktop.app.evaluate(({ BrowserWindow, session }) => {
    const window = BrowserWindow.getAllWindows().find((each) => each.getParentWindow() !== null);
    if (!window) throw new Error('There is no sign-in window.');
    const contents = window.webContents as typeof window.webContents & {
      getLastWebPreferences(): Record<string, unknown>;
    };
    const { preload, sandbox, contextIsolation, nodeIntegration, webSecurity } = contents.getLastWebPreferences();
    return {
      title: window.getTitle(),
      isPersistent: contents.session.isPersistent(),
      isOwnSession: contents.session !== session.defaultSession,
      preferences: { preload, sandbox, contextIsolation, nodeIntegration, webSecurity },
    };
  });
}

/** Closes the sign-in window as a user does. */
function closeWindow() {
  return desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find((window) => window.getParentWindow() !== null)
      ?.close(),
  );
}

describe('the sign-in window', () => {
  it('has an in-memory session of its own, no bridge, and the website’s address in its title', async () => {
    const { signIn: page, reply } = await openSignIn(desktop, service);
    await page.locator('[name=password]').waitFor();
    expect(await inspectWindow()).toEqual({
      title: `${service.baseUrl} – sign in`,
      isPersistent: false,
      isOwnSession: true,
      preferences: {
        preload: undefined,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webSecurity: true,
      },
    });
    const seen = await page.evaluate(() => ['mediadesk', 'require', 'process'].filter((name) => name in globalThis));
    expect(seen).toEqual([]);
    await closeWindow();
    expect(await reply).toMatchObject({ ok: false, error: { code: 'sign-in.window-closed' } });
  });

  it('opens only web pages and no second window, and shows the current address in its title', async () => {
    const { signIn: page, reply } = await openSignIn(desktop, service);
    await page.locator('[name=password]').waitFor();
    const start = page.url();
    for (const address of ['file:///etc/passwd', 'app://mediadesk/index.html', 'data:text/html,x']) {
      await page.evaluate((url) => {
        location.href = url;
      }, address);
      await desktop.app.evaluate(() => undefined);
      expect(page.url()).toBe(start);
    }
    await page.evaluate((url) => {
      window.open(url);
    }, elsewhereUrl);
    await page.waitForURL(elsewhereUrl);
    expect(await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(2);
    expect((await inspectWindow()).title).toBe(`${new URL(elsewhereUrl).origin} – sign in`);
    await closeWindow();
    await reply;
  });

  it('shows an error, not an empty page, when the library stops answering', async () => {
    const { signIn: page, reply } = await openSignIn(desktop, service);
    await page.locator('[name=password]').waitFor();
    await page.evaluate(() => {
      location.href = 'http://127.0.0.1:1/';
    });
    await page.getByRole('heading', { name: 'This page can’t be reached' }).waitFor();
    expect(await page.textContent('body')).toContain('http://127.0.0.1:1');
    await closeWindow();
    await reply;
  });

  it('is closed when the sign-in is cancelled from the main window', async () => {
    const { signIn: page, reply } = await openSignIn(desktop, service);
    const closed = page.waitForEvent('close');
    expect(await call(desktop.window, 'sites.cancelSignIn', null)).toEqual({ ok: true, value: null });
    await closed;
    expect(await reply).toMatchObject({ ok: false, error: { code: 'sign-in.cancelled' } });
  });

  it('reports sign-in.denied when the user denies the access on the consent page', async () => {
    const { signIn: page, reply } = await openSignIn(desktop, service);
    await fillSignIn(page, service.admin, 'deny');
    expect(await reply).toMatchObject({ ok: false, error: { code: 'sign-in.denied' } });
  });

  it('signs in, closes, and keeps no data for the next sign-in', async () => {
    const site = await signIn(desktop, service);
    expect(site).toMatchObject({ baseUrl: service.baseUrl, state: 'signed-in' });
    expect(await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
    await call(desktop.window, 'sites.signOut', { siteId: site.id });
    const { signIn: page, reply } = await openSignIn(desktop, service);
    await page.locator('[name=password]').waitFor();
    await closeWindow();
    await reply;
  });
});
