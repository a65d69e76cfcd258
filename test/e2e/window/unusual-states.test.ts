// The texts and reactions of the screens in unusual states: the real app, the real service.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ask,
  chooseCollection,
  decide,
  dropFiles,
  openSignIn,
  openView,
  typeCredentials,
  whenReady,
  whenSignedIn,
} from '../../../build/demo/window-steps.ts';
import { type DesktopApp, launchApp } from '../../helpers/desktop/desktop-app.ts';
import { signIn } from '../../helpers/desktop/desktop-sign-in.ts';
import { keepPicture } from '../../helpers/desktop/window-actions.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';

const QUARTER_MS = 91 * 86_400_000;
const TIMEOUT_MS = 40_000;

let folder: string;
let service: ServiceProcess;
let profileDir: string;
let desktop: DesktopApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mediadesk-views-'));
  profileDir = join(folder, 'profile');
  service = await startService({ seed: 'demo' });
  desktop = await open();
});
afterAll(async () => {
  await desktop?.close();
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

function open(env: Record<string, string> = {}): Promise<DesktopApp> {
  return launchApp({
    profileDir,
    env: { MEDIADESK_SITE: service.baseUrl, MEDIADESK_CLIENT_ID: service.clientId, ...env },
    size: { width: 1280, height: 800 },
  });
}

async function recording(name: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `notes of ${name}\n`);
  return path;
}

async function add(page: Page, path: string): Promise<void> {
  await dropFiles(page, [path]);
  await page.getByRole('heading', { name: 'Add 1 file' }).waitFor();
  await page.getByRole('button', { name: 'Add to the queue' }).click();
  await page.locator('[data-upload-id]').first().waitFor();
}

const whenBlockedBy = (page: Page, code: string) =>
  page.locator(`[data-blocked-by="${code}"]`).waitFor({ timeout: TIMEOUT_MS });

const whenComplete = (page: Page, name: string) =>
  page.locator('[data-upload-id][data-state="complete"]').filter({ hasText: name }).waitFor({ timeout: TIMEOUT_MS });

describe('a wrong address', () => {
  it('is reported beside its field with a message for its kind of problem, and opens no sign-in window', async () => {
    const other = createServer((_request, response) => response.end('<h1>Hello</h1>'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { window } = desktop;
    const messages = new Set<string>();
    for (const address of [
      'not an address',
      'http://media.example.org',
      'http://127.0.0.1:9',
      `http://127.0.0.1:${port}`,
    ]) {
      const field = window.getByLabel('Library address');
      await field.fill(address);
      await window.getByRole('button', { name: 'Sign in', exact: true }).click();
      await window.locator('input[name="baseUrl"][aria-invalid="true"]').waitFor({ timeout: TIMEOUT_MS });
      messages.add((await field.evaluate((input) => input.closest('form')?.textContent)) ?? '');
    }
    other.close();
    expect(messages.size).toBe(4);
    expect(desktop.app.windows()).toHaveLength(1);
  });
});

describe('a signed-in user', () => {
  beforeAll(async () => {
    await signIn(desktop, service);
    await whenSignedIn(desktop.window);
  });

  it('finds a nested collection by search and sees it selected in the tree', async () => {
    await chooseCollection(desktop.window, 'Optics');
    const line = desktop.window.getByRole('tree', { name: 'Collections' }).getByRole('treeitem', { name: /^Optics/ });
    await line.waitFor();
    expect(await line.getAttribute('aria-selected')).toBe('true');
    expect(await line.getAttribute('aria-level')).toBe('3');
  });

  it('chooses a theme in the menu of the app or of the account, and each menu shows the choice of the other', async () => {
    const { app, window } = desktop;
    await app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('theme-dark')?.click());
    await window.waitForFunction(() => matchMedia('(prefers-color-scheme: dark)').matches);
    await window.getByRole('button', { name: /^Account/ }).click();
    await window.getByRole('menuitem', { name: /^Theme: dark.*selected/ }).waitFor();
    await window.getByRole('menuitem', { name: 'Theme: light' }).click();
    await window.waitForFunction(() => matchMedia('(prefers-color-scheme: light)').matches);
    const checked = await app.evaluate(
      ({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('theme-light')?.checked,
    );
    expect(checked).toBe(true);
  });

  it('finds unsaved edits and the theme again after Mediadesk was closed', async () => {
    const pick = async (page: Page) => {
      await openView(page, 'All items');
      await chooseCollection(page, 'Optics');
      await page.getByRole('grid', { name: 'Items' }).getByText('Lecture 20').first().click();
      await page.getByRole('textbox', { name: 'Byline' }).waitFor();
    };
    await pick(desktop.window);
    await desktop.window.getByRole('textbox', { name: 'Byline' }).fill('Not saved yet, and not lost');
    await desktop.close();
    desktop = await open();
    await whenReady(desktop.window);
    await whenSignedIn(desktop.window);
    expect(await ask<{ theme: string }>(desktop.window, 'app.info', null)).toMatchObject({ theme: 'light' });
    await pick(desktop.window);
    expect(await desktop.window.getByRole('textbox', { name: 'Byline' }).inputValue()).toBe(
      'Not saved yet, and not lost',
    );
    await desktop.window.getByRole('button', { name: 'Revert' }).click();
    await desktop.window.getByText('Not saved yet', { exact: true }).waitFor({ state: 'detached' });
  });

  it('has uploads that wait while the library is read-only, and that resume afterwards', async () => {
    await service.control('PATCH', '/settings', { read_only: true });
    await add(desktop.window, await recording('read-only.txt'));
    await whenBlockedBy(desktop.window, 'api.read-only');
    await service.control('PATCH', '/settings', { read_only: false });
    await whenComplete(desktop.window, 'read-only.txt');
  });

  it('sees the words of the library in the row of an upload whose size the library refuses', async () => {
    await service.control('PATCH', '/settings', { max_upload_bytes: 4 });
    await add(desktop.window, await recording('too-large.txt'));
    const row = desktop.window.locator('[data-upload-id][data-state="failed"]').filter({ hasText: 'too-large' });
    await row.waitFor({ timeout: TIMEOUT_MS });
    await row.getByText('The library didn’t accept some of the values.').waitFor();
    await row.getByText('upload_size: must be at most 4').waitFor();
    expect(await row.textContent()).not.toMatch(/[{}]|undefined|null|details/);
    await service.control('PATCH', '/settings', { max_upload_bytes: 1024 ** 3 });
  });

  it('signs in again when the library requires it, and waiting uploads resume', async () => {
    const { app, window } = desktop;
    await service.control('PATCH', '/settings', { read_only: true });
    await add(window, await recording('signed-out.txt'));
    await whenBlockedBy(window, 'api.read-only');
    await service.control('PATCH', '/settings', { read_only: false, clock_offset_ms: QUARTER_MS });
    await whenBlockedBy(window, 'sign-in.required');
    await service.control('PATCH', '/settings', { clock_offset_ms: 0 });
    await window.getByRole('button', { name: 'Sign in again' }).first().click();
    await window.getByRole('dialog').waitFor();
    const page = await openSignIn(app, window, service);
    await typeCredentials(page, service.admin);
    await decide(page, 'approve');
    await whenComplete(window, 'signed-out.txt');
  });

  it('edits an item while a server in front of the library answers in its place', async () => {
    const { window } = desktop;
    await openView(window, 'All items');
    const fault = { path: '^/api2/', times: null, action: { kind: 'status', status: 502 } };
    await service.control('POST', '/faults', fault);
    await window.getByRole('grid', { name: 'Items' }).getByRole('row').nth(3).click();
    const inspector = window.locator('[data-inspector]');
    await inspector.getByLabel('Title', { exact: true }).fill('Written during an outage');
    await inspector.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => inspector.getByRole('status').textContent()).toMatch(/^Saved on this computer/);
    await window
      .getByText(/^Unreachable/)
      .first()
      .waitFor({ timeout: TIMEOUT_MS });
    await keepPicture(desktop, 'outage');
    await service.control('DELETE', '/faults');
    await window.getByRole('button', { name: /^Account/ }).click();
    await window.getByRole('menuitem', { name: 'Refresh' }).click();
    await expect.poll(() => inspector.getByRole('status').textContent(), { timeout: TIMEOUT_MS }).toBe('Saved');
  });

  it('sees that the library can’t be reached, and that it is online again after a refresh', async () => {
    const { window } = desktop;
    await openView(window, 'All items');
    await service.kill9();
    await ask(window, 'library.refresh', { siteId: (await ask<{ id: string }[]>(window, 'sites.list', null))[0]?.id });
    await window
      .getByText(/Unreachable/)
      .first()
      .waitFor({ timeout: TIMEOUT_MS });
    await service.restart();
    await window.getByRole('button', { name: /^Account/ }).click();
    await window.getByRole('menuitem', { name: 'Refresh' }).click();
    await window
      .getByText(/^Online/)
      .first()
      .waitFor({ timeout: TIMEOUT_MS });
    await window.getByRole('grid', { name: 'Items' }).getByRole('row').nth(2).waitFor();
  });
});

describe('a computer without a keychain', () => {
  it('gets a note about the keychain, and keeps the sign-in in memory only', async () => {
    await desktop.close();
    profileDir = join(folder, 'no-keychain');
    desktop = await open({ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' });
    await signIn(desktop, service);
    await whenSignedIn(desktop.window);
    await desktop.window
      .getByRole('note')
      .filter({ hasText: /keychain/i })
      .waitFor();
    expect(await ask(desktop.window, 'sites.list', null)).toMatchObject([{ keptIn: 'memory' }]);
  });
});
