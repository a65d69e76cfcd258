// The first hour of a new user by mouse, in windows of several sizes; only names and passwords are typed.
import type { Locator, Page } from 'playwright';
import { decide } from '../../../build/demo/window-steps.ts';
import { type HourWay, testFirstHour } from '../../helpers/desktop/first-hour-walk.ts';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Clicks the button whose name `name` matches, if it is shown. Returns whether it is. */
async function pressIfShown(within: Page | Locator, name: string | RegExp): Promise<boolean> {
  const button = within.getByRole('button', { name });
  const isShown = await button.isVisible();
  if (isShown) await button.click();
  return isShown;
}

/** Returns the place of the sidebar, which a narrow window shows in a dialog on request. */
async function sidebarOf(page: Page): Promise<Locator> {
  const isDialog = await pressIfShown(page, 'Show the sidebar');
  return isDialog ? page.getByRole('dialog', { name: 'Sidebar' }) : page.locator('body');
}

const openView = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name }).first().click();

const MOUSE: HourWay = {
  kind: 'mouse',
  press,
  confirm: (dialog, name) => dialog.getByRole('button', { name }).click(),
  save: (page) => press(page, 'Save'),

  async replace(page, label, text) {
    await page.getByLabel(label, { exact: true }).click({ clickCount: 3 });
    await page.keyboard.type(text);
  },

  async answerSignIn(login, account) {
    await login.locator('[name="email_address"]').click();
    await login.keyboard.type(account.email_address);
    await login.locator('[name="password"]').click();
    await login.keyboard.type(account.password);
    await login.getByRole('button', { name: 'Sign in' }).click();
    await login.locator('[name="decision"][value="approve"]').waitFor();
    await decide(login, 'approve');
  },

  async openCollection({ page }, name) {
    await openView(page, 'All items');
    const sidebar = await sidebarOf(page);
    await sidebar.getByRole('searchbox', { name: 'Find a collection' }).click({ clickCount: 3 });
    await page.keyboard.type(name);
    const found = sidebar.getByRole('treeitem', { name: new RegExp(`^${name}`) });
    await found.first().click();
  },

  async pickFiles(page) {
    await page.getByRole('button', { name: 'Add uploads' }).click();
    await page.getByRole('menuitem', { name: 'Files…' }).click();
  },

  async actOnNewest({ page, step }, row, action, name) {
    await step(name);
    if (await pressIfShown(row, new RegExp(`^${action}`))) return;
    await row.getByRole('button', { name: /^More/ }).click();
    await page.getByRole('menuitem', { name: action }).click();
  },

  async inspect({ page }, title) {
    await page.getByRole('grid', { name: 'Items' }).getByText(title).first().click();
    await pressIfShown(page, 'Show the inspector');
  },

  async closeInspector(page) {
    // In a small window the inspector covers the list: a click beside it closes it.
    const drawer = page.getByRole('dialog', { name: 'Inspector' });
    if (!(await drawer.isVisible())) return;
    await page.mouse.click(4, 200);
    await drawer.waitFor({ state: 'detached' });
  },

  async beginCollection({ page }) {
    const sidebar = await sidebarOf(page);
    await sidebar.getByRole('button', { name: 'New collection…' }).click();
    await page.getByRole('dialog', { name: 'New collection' }).getByLabel('Name').click();
  },

  /** The sheet begins with the collection that is open in the library. */
  async beginFolder({ page, step, answerPicker }, path) {
    await openView(page, 'Watched folders');
    await step('watched-empty');
    await answerPicker(path);
    await page.getByRole('button', { name: 'Add folder…' }).first().click();
  },

  openReceipts: ({ page }) => openView(page, 'Receipts'),

  async openNewestReceipt({ page }) {
    const batch = page.locator('[data-batch-id]').first();
    if (await batch.isVisible()) await batch.click();
  },

  async chooseDark({ page }) {
    await openView(page, 'Settings');
    await page.getByRole('main').getByText('Appearance', { exact: true }).first().click();
    await page.getByText('Dark', { exact: true }).click();
  },
};

testFirstHour(MOUSE);
