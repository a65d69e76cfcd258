// The library: lists, the inspector, menus.
import type { Page } from 'playwright';
import { chooseCollection, openView } from '../demo/window-steps.ts';
import type { Studio } from './studio.ts';

export async function pictureLibrary(studio: Studio, page: Page): Promise<void> {
  await page.getByRole('row').nth(2).waitFor();
  await page.mouse.move(640, 780);
  await studio.take('library-all');
  await chooseCollection(page, 'Optics');
  const list = page.getByRole('grid', { name: 'Items' });
  await list.getByText('Lasers').first().click();
  await page.getByRole('tab', { name: 'Details' }).waitFor();
  await page.getByLabel('Title', { exact: true }).waitFor();
  await studio.take('library');
  await studio.takeWide('library');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search commands, settings, collections and items' }).fill('re');
  await page.getByRole('option').nth(3).waitFor();
  await studio.take('palette');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await pictureSavedSearch(studio, page);
  await pictureCalendar(studio, page);
}

/** A search that gets a name. */
async function pictureSavedSearch(studio: Studio, page: Page): Promise<void> {
  const search = page.getByRole('combobox', { name: 'Search items' });
  await search.fill('lecture tag:optics status:published');
  await page.getByText('Save this search…').click();
  await page.getByRole('dialog', { name: 'Save search' }).getByLabel('Name').waitFor();
  await studio.take('library-save-search');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await search.fill('');
}

/** The permissions of the roles, with one of them selected; the library shows the same item again afterwards. */
async function pictureRoles(studio: Studio, page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('menuitem', { name: 'Administration' }).click();
  const main = page.getByRole('main', { name: 'Administration' });
  await main.getByRole('radio', { name: /^Roles/ }).click();
  await main.getByRole('button', { name: 'Producer' }).click();
  await main.getByRole('heading', { name: 'Producer' }).waitFor();
  await page.mouse.move(640, 780);
  await studio.take('admin-roles');
  await openView(page, 'All items');
}

/** The calendar of the whole library; the library shows the same item again afterwards. */
async function pictureCalendar(studio: Studio, page: Page): Promise<void> {
  await pictureRoles(studio, page);
  await openView(page, 'All items');
  await openView(page, 'Calendar');
  const item = page.getByRole('main', { name: 'Calendar' }).locator('[data-item]').first();
  await item.click();
  await page.getByLabel('Title', { exact: true }).waitFor();
  await page.mouse.move(640, 780);
  await studio.take('calendar');
  await chooseCollection(page, 'Optics');
  await page.getByRole('grid', { name: 'Items' }).getByText('Lasers').first().click();
  await page.getByLabel('Title', { exact: true }).waitFor();
}

/** A collection that was created a moment ago. */
export async function pictureEmptyCollection(studio: Studio, page: Page): Promise<void> {
  await chooseCollection(page, 'Events');
  await page.getByRole('button', { name: 'New collection…' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Winter School');
  await studio.take('new-collection');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Winter School', exact: true, level: 1 }).waitFor();
  await page.mouse.move(640, 780);
  await page.getByRole('grid', { name: 'Items' }).focus();
  await page.getByRole('tooltip').waitFor({ state: 'detached' });
  await studio.take('library-empty');
}
