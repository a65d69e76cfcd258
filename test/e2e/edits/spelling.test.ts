// The spell checker contacts no other computer until the user turns it on: the real app, with every host name on loopback.
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, openView } from '../../../build/demo/window-steps.ts';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import type { DesktopApp } from '../../helpers/desktop/desktop-app.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';

let opened: SignedInApp;
let desktop: DesktopApp;
let page: Page;
/** The server to which every host name resolves. It counts connections. */
let elsewhere: Server;
let connections = 0;

beforeAll(async () => {
  elsewhere = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    socket.end();
  });
  await new Promise<void>((listening) => elsewhere.listen(0, '127.0.0.1', listening));
  const { port } = elsewhere.address() as AddressInfo;
  opened = await openSignedInApp({
    prepare: ({ direct }) => direct.createItem('Talk'),
    launch: { args: [`--host-resolver-rules=MAP * 127.0.0.1:${port}, EXCLUDE 127.0.0.1, EXCLUDE localhost`] },
  });
  ({ desktop, page } = opened);
}, 600_000);
afterAll(async () => {
  await opened?.close();
  elsewhere.close();
});

async function typeNonsense(): Promise<void> {
  await openView(page, 'All items');
  await page.getByRole('row').filter({ hasText: 'Talk' }).click();
  const byline = page.locator('[data-inspector]').getByLabel('Byline', { exact: true });
  await byline.fill('');
  await byline.pressSequentially('wrnog wrods ');
}

const spelling = () => ask<{ isOn: boolean; language: string | null }>(page, 'shell.spelling', null);
const isEnabled = () => desktop.app.evaluate(({ session }) => session.defaultSession.isSpellCheckerEnabled());

describe('the spell checker', () => {
  it('is off, and typing connects to no other computer', async () => {
    await typeNonsense();
    expect(await isEnabled()).toBe(false);
    expect(await spelling()).toMatchObject({ isOn: false, language: null });
    expect(connections).toBe(0);
  });

  it('says where the dictionary comes from, and loads it when the user turns it on', async () => {
    await openView(page, 'Settings');
    await page.getByRole('tab', { name: 'Appearance' }).click();
    await page.getByText(/downloads the dictionary of the language from Google’s servers/).waitFor();
    expect(await axeFindingsInThemes(page)).toEqual([]);
    expect(connections).toBe(0);
    await page.getByRole('switch', { name: 'Check spelling' }).press('Space');
    await expect.poll(spelling).toMatchObject({ isOn: true, language: expect.any(String) });
    expect(await isEnabled()).toBe(true);
    await page.getByRole('button', { name: /Language/ }).waitFor();
    await typeNonsense();
    await expect.poll(() => connections, { timeout: 60_000 }).toBeGreaterThan(0);
  });

  it('stays off after a restart when the user turned it off again', async () => {
    await openView(page, 'Settings');
    await page.getByRole('tab', { name: 'Appearance' }).click();
    await page.getByRole('switch', { name: 'Check spelling' }).press('Space');
    await expect.poll(spelling).toMatchObject({ isOn: false });
    await desktop.close();
    connections = 0;
    ({ desktop, page } = await opened.reopen());
    await typeNonsense();
    expect(await isEnabled()).toBe(false);
    expect(connections).toBe(0);
  });
});
