// Signing in on another device: the window shows the address, and takes the code that the last page shows.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DesktopApp, launchApp } from '../../helpers/desktop/desktop-app.ts';
import { call } from '../../helpers/desktop/desktop-sign-in.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';
import { FormBrowser } from '../../helpers/service/service-sign-in.ts';

let desktop: DesktopApp;
let service: ServiceProcess;

beforeAll(async () => {
  service = await startService();
  desktop = await launchApp();
});
afterAll(async () => {
  await desktop?.close();
  await service?.stop();
});

describe('a sign-in on another device', () => {
  it('is completed with the code of the last page, and stored in the keychain', async () => {
    const { window } = desktop;
    await window.getByLabel('Library address').fill(service.baseUrl);
    await window.getByLabel('Client ID').fill(service.clientId);
    await window.getByRole('button', { name: 'Sign in on another device' }).click();
    const address = await window.getByLabel('Sign-in address').inputValue();
    const browser = new FormBrowser();
    let page = await browser.open(address);
    page = await browser.submit(page, 'email_address', { ...service.admin });
    page = await browser.submit(page, 'decision', { decision: 'approve' });
    const code = /code=([^&<]+)/.exec(page.html)?.[1] ?? '';
    const field = window.getByLabel('Code', { exact: true });
    await field.fill('two words');
    await field.press('Enter');
    await window.getByText('This isn’t the code of a sign-in page').waitFor();
    await field.fill(decodeURIComponent(code));
    await window.getByRole('button', { name: 'Continue' }).click();
    await window.getByRole('button', { name: 'Sign in on another device' }).waitFor({ state: 'detached' });
    await expect
      .poll(async () => await call(window, 'sites.list', null))
      .toMatchObject({ ok: true, value: [{ state: 'signed-in', keptIn: 'system', problem: null }] });
  });
});
