// The pages of items and collections in a real browser engine, as wide as a small phone: accessible, without sideways scrolling, and
// with a choice of the speed that works.
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeFindings } from '../../helpers/desktop/axe.ts';
import { type DesktopApp, launchApp } from '../../helpers/desktop/desktop-app.ts';
import { clientFor, type ServiceClient } from '../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';
import { wav } from '../../helpers/service/service-samples.ts';

const LONG = 'Recording-without-any-blank-'.repeat(6);
let desktop: DesktopApp;
let service: ServiceProcess;
let admin: ServiceClient;
let page: Page;

beforeAll(async () => {
  service = await startService();
  admin = await clientFor(service);
  const [viewer] = (await admin.get('/api2/roles?display_name=Viewer')).body.items;
  const group = (await admin.get('/api2/groups/public')).body;
  const made = await admin.post('/api2/memberships', { group_id: group.id, collection_id: '1', role_id: viewer.id });
  expect(made.status).toBe(201);
  desktop = await launchApp();
  const opened = desktop.app.waitForEvent('window');
  await desktop.app.evaluate(async ({ BrowserWindow }) => {
    const webPreferences = { partition: 'visitor', sandbox: true };
    await new BrowserWindow({ width: 320, height: 900, useContentSize: true, webPreferences }).loadURL('about:blank');
  });
  page = await opened;
});
afterAll(async () => {
  await desktop?.close();
  await service?.stop();
});

async function expectFine(): Promise<void> {
  const [shown, needed] = await page.evaluate(() => [
    document.documentElement.clientWidth,
    document.documentElement.scrollWidth,
  ]);
  expect(needed).toBeLessThanOrEqual(shown ?? 0);
  // Playwright puts the script of axe into the page, whatever its policy is.
  expect(await axeFindings(page, 'all')).toEqual([]);
}

it('a recording plays at the chosen speed, also on a phone', async () => {
  const item = await admin.createItem(LONG);
  await admin.processed(await admin.upload(item, 'recording.wav', wav(20)));
  await admin.post(`${item}/publish`);
  await page.goto(`${service.baseUrl}/watch/${item.split('/').at(-1)}`);
  await page.getByLabel('Speed').selectOption('1.5');
  expect(await page.locator('audio').evaluate((player) => (player as HTMLAudioElement).playbackRate)).toBe(1.5);
  await expectFine();
  await page.goto(`${service.baseUrl}/embed/${item.split('/').at(-1)}`);
  await page.locator('audio').waitFor();
  expect(await page.getByLabel('Speed').count()).toBe(0);
});

it('a collection lists its recordings on a phone', async () => {
  const root = (await admin.get('/api2/collections/1')).body;
  await page.goto(`${service.baseUrl}/browse/${root.slug}`);
  await page.getByRole('link', { name: LONG }).waitFor();
  await expectFine();
});
