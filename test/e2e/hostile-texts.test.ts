// Items and collections with 511 hostile texts in the real window: nothing runs, and the policy has nothing to report.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openView, whenSignedIn } from '../../build/demo/window-steps.ts';
import { HOSTILE_TEXTS } from '../helpers/data/hostile-texts.ts';
import { type DesktopApp, launchApp } from '../helpers/desktop/desktop-app.ts';
import { signIn } from '../helpers/desktop/desktop-sign-in.ts';
import { NO_REPORTS, policyReports, watchPolicy } from '../helpers/desktop/policy-reports.ts';
import { clientFor } from '../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../helpers/service/service-process.ts';

let folder: string;
let service: ServiceProcess;
let desktop: DesktopApp;
let page: Page;
const titles: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mediadesk-hostile-'));
  service = await startService();
  const direct = await clientFor(service);
  for (const { text } of HOSTILE_TEXTS) {
    const fields = { title: text, byline: text, description: text, collection_id: '1' };
    const tags = text.includes(',') || text.length > 100 ? [] : [text];
    const { status } = await direct.post('/api2/media', { ...fields, tags });
    if (status === 201) titles.push(text);
    if (titles.length % 10 === 0) await direct.post('/api2/collections', { display_name: text, parent_id: '1' });
  }
  desktop = await launchApp({ profileDir: join(folder, 'profile'), size: { width: 1280, height: 800 } });
  page = desktop.window;
  page.setDefaultTimeout(20_000);
  await watchPolicy(page);
  await signIn(desktop, service);
  await whenSignedIn(page);
  await openView(page, 'Library');
});
afterAll(async () => {
  await desktop?.close();
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

it('shows every item in the list, in the grid and in the inspector, and runs nothing', async () => {
  expect(titles.length).toBeGreaterThan(480);
  const grid = page.getByRole('grid', { name: 'Items' });
  const title = page.locator('[data-inspector]').getByLabel('Title', { exact: true });
  await grid.getByRole('row').nth(2).click();
  await title.waitFor();
  await page.keyboard.press('Home');
  const seen = new Set<string>();
  for (let count = 0; count < titles.length; count += 1) {
    const place = `${count + 1} of `;
    await page.locator('[data-inspector]').getByText(place, { exact: false }).first().waitFor();
    await title.waitFor();
    seen.add(await title.inputValue());
    await page.keyboard.press('Alt+ArrowDown');
  }
  expect(titles.filter((text) => !seen.has(text))).toEqual([]);
  await page.getByRole('radiogroup', { name: 'Layout' }).getByText('Grid').click({ force: true });
  await page.locator('[data-media-layout="grid"]').waitFor();
  await grid.focus();
  await page.keyboard.press('Home');
  for (let count = 0; count < 40; count += 1) await page.keyboard.press('PageDown');
  const tree = page.getByRole('tree', { name: 'Collections' });
  await tree.getByRole('treeitem').first().focus();
  await page.keyboard.press('ArrowRight');
  for (let count = 0; count < 60; count += 1) await page.keyboard.press('ArrowDown');
  expect(await policyReports(page)).toEqual(NO_REPORTS);
  expect(desktop.output()).not.toMatch(/Refused to|violates the following/);
});
