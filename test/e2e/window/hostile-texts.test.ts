// Items and collections with 511 hostile texts in the real window: nothing runs, and the policy has nothing to report.
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HOSTILE_TEXTS } from '../../helpers/data/hostile-texts.ts';
import type { DesktopApp } from '../../helpers/desktop/desktop-app.ts';
import { NO_REPORTS, policyReports, watchPolicy } from '../../helpers/desktop/policy-reports.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';

let opened: SignedInApp;
let desktop: DesktopApp;
let page: Page;
const titles: string[] = [];

beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async ({ direct }) => {
      for (const { text } of HOSTILE_TEXTS) {
        const fields = { title: text, byline: text, description: text, collection_id: '1' };
        const tags = text.includes(',') || text.length > 100 ? [] : [text];
        const { status } = await direct.post('/api2/media', { ...fields, tags });
        if (status === 201) titles.push(text);
        if (titles.length % 10 === 0) await direct.post('/api2/collections', { display_name: text, parent_id: '1' });
      }
    },
    beforeSignIn: (window) => watchPolicy(window.page),
  });
  ({ desktop, page } = opened);
});
afterAll(() => opened?.close());

it('the window shows each title unchanged in the inspector, and runs no script in the list, the grid and the tree', async () => {
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
