// The first hour of a new user by keyboard alone, in windows of several sizes.
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { type HourWay, testFirstHour } from '../../helpers/desktop/first-hour-walk.ts';
import { whenOverlayFocused } from '../../helpers/desktop/window-actions.ts';

/** More stops of the Tab key than any form has. */
const MOST_TABS = 40;

/** Presses Tab until the focus is on a control whose name or text begins with `name`, and which has the role if one is given. */
async function tabTo(page: Page, name: string, role: string | null = null): Promise<void> {
  const hasRole = () =>
    page.evaluate((wanted) => wanted === null || document.activeElement?.getAttribute('role') === wanted, role);
  const focused = () =>
    page.evaluate(() => {
      const active = document.activeElement;
      const labels =
        active instanceof HTMLInputElement ? [...(active.labels ?? [])].map((each) => each.textContent) : [];
      const of = active?.getAttribute('aria-labelledby')?.split(' ') ?? [];
      const named = of.map((id) => document.getElementById(id)?.textContent ?? '');
      return [active?.getAttribute('aria-label'), ...labels, ...named, active?.textContent].map(
        (text) => text?.trim() ?? '',
      );
    });
  const passed: string[] = [];
  for (let tabs = 0; tabs <= MOST_TABS; tabs += 1) {
    const names = await focused();
    if (names.some((each) => each.startsWith(name)) && (await hasRole())) return;
    passed.push(names.find((each) => each !== '') ?? '');
    await page.keyboard.press('Tab');
  }
  throw new Error(`The Tab key reaches no “${name}”, only ${passed.join(' · ')}`);
}

async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, name);
  // While an edit is sent, a button does nothing.
  await page.locator('button:focus:not([aria-disabled="true"])').waitFor();
  await page.keyboard.press('Enter');
}

async function replace(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, label);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

/** Runs a command, or opens a collection, by its name. */
async function run(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').waitFor();
  await whenOverlayFocused(page);
  await page.keyboard.type(name);
  await page.getByRole('option', { name: new RegExp(`^${name}`), selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Commands' }).waitFor({ state: 'detached' });
}

/** Chooses an entry of the open menu. */
async function choose(page: Page, label: string): Promise<void> {
  const entry = page.getByRole('menuitem', { name: label, exact: true });
  await page.locator('[role="menu"]:focus-within').waitFor();
  for (let steps = 0; steps < MOST_TABS; steps += 1) {
    if (await entry.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

const KEYBOARD: HourWay = {
  kind: 'keyboard',
  press,
  replace,
  confirm: (dialog) => dialog.page().keyboard.press('Enter'),
  save: (page) => page.keyboard.press('Control+s'),
  pickFiles: (page) => page.keyboard.press('Control+o'),
  openCollection: ({ page }, name) => run(page, name),

  async answerSignIn(login, account) {
    // The page focuses its first field with its first frame: an earlier letter would be lost.
    await login.locator('[name="email_address"]:focus').waitFor();
    await login.keyboard.type(account.email_address);
    await login.keyboard.press('Tab');
    await login.keyboard.type(account.password);
    await login.keyboard.press('Enter');
    await login.locator('[name="decision"][value="approve"]').waitFor();
    await tabTo(login, 'Allow');
    const closed = login.waitForEvent('close');
    // The window closes while the key is still being processed.
    await login.keyboard.press('Enter').catch(() => undefined);
    await closed;
  },

  async actOnNewest({ page, step }, _row, action, name) {
    await tabTo(page, 'Uploads', 'treegrid');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: action, exact: true }).waitFor();
    await step(name);
    await choose(page, action);
  },

  async inspect({ page }, title) {
    await page.keyboard.press('Control+f');
    await page.keyboard.type(title);
    await page.keyboard.press('Enter');
    const items = page.getByRole('grid', { name: 'Items' });
    await expect.poll(() => items.getByRole('row').count()).toBe(2);
    await expect.poll(() => items.getByRole('row').nth(1).textContent()).toContain(title);
    await page.keyboard.press('Home');
    await page.keyboard.press('Alt+Enter');
    // The inspector shows the item before it has the focus: a key before that would act on the list.
    await page.locator('[data-inspector]:focus-within').waitFor();
    await page.getByLabel('Title', { exact: true }).waitFor();
  },

  closeInspector: (page) => page.keyboard.press('Escape'),

  async beginCollection({ page }) {
    await run(page, 'New collection');
    await page.getByRole('dialog', { name: 'New collection' }).getByLabel('Name').waitFor();
    await whenOverlayFocused(page);
  },

  async beginFolder({ page, answerPicker }, path, collection) {
    await answerPicker(path);
    await run(page, 'Watch a folder');
    await page.getByRole('dialog', { name: 'Add a watched folder' }).waitFor();
    await replace(page, 'Collection', collection);
    await expect.poll(() => page.getByRole('option').count()).toBe(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
  },

  async openReceipts({ page }) {
    await page.keyboard.press('Control+3');
    await page.getByRole('grid', { name: 'Batches' }).getByRole('row').first().waitFor();
  },

  async openNewestReceipt({ page }) {
    await tabTo(page, 'Batches', 'grid');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
  },

  async chooseDark({ page }) {
    await run(page, 'Settings');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await tabTo(page, 'Uploads', 'tab');
    const sections = page.locator('[role="tablist"]:focus-within');
    const isColumn = (await sections.getAttribute('aria-orientation')) === 'vertical';
    while ((await sections.locator(':focus').textContent())?.trim() !== 'Appearance') {
      await page.keyboard.press(isColumn ? 'ArrowDown' : 'ArrowRight');
    }
    await tabTo(page, 'Same as system');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
  },
};

testFirstHour(KEYBOARD);
