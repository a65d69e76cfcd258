// The key that goes to the search, from controls that handle keys themselves.
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';

let opened: SignedInApp;
let page: Page;
beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async ({ direct }) => void (await direct.createItem('Talk', { collection_id: '1' })),
  });
  ({ page } = opened);
  await page.getByRole('grid', { name: 'Items' }).getByText('Talk').click();
});
afterAll(() => opened?.close());

it.each<[string, () => Locator]>([
  ['a collection', () => page.getByRole('treeitem').first()],
  ['the list of items', () => page.getByRole('grid', { name: 'Items' })],
  ['a button', () => page.getByRole('button', { name: 'Publish now' })],
  ['a tab', () => page.getByRole('tab', { name: /^Files/ })],
  ['a radio button', () => page.getByRole('radio').first()],
])('“/” goes to the search from %s', async (_name, control) => {
  await control().focus();
  await page.keyboard.press('/');
  const search = page.getByRole('combobox', { name: 'Search items' });
  await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await search.inputValue()).toBe('');
});

it('“/” is text in a text field', async () => {
  const title = page.getByRole('region', { name: 'Inspector' }).getByLabel('Title');
  await title.focus();
  await page.keyboard.press('End');
  await page.keyboard.type('/2');
  expect(await title.inputValue()).toBe('Talk/2');
});
