// The first hour of a new user by keyboard alone, in windows of several sizes.
import { basename } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { beginHour, type Hour, hourSizes } from '../../helpers/desktop/first-hour.ts';
import { whenOverlayFocused } from '../../helpers/desktop/window-actions.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';

/** More stops of the Tab key than any form has. */
const MOST_TABS = 40;

let service: ServiceProcess;
beforeAll(async () => {
  service = await startService({ seed: 'demo' });
  await service.control('PATCH', '/settings', { processing: { tools: 'none' } });
});
afterAll(() => service?.stop());

it.each(hourSizes('keyboard'))('a new user can do the tasks of the first hour by keyboard at $name', async (size) => {
  const hour = await beginHour(service, size, 'keyboard');
  try {
    await signIn(hour);
    const item = await upload(hour);
    await decideDuplicate(hour, item);
    await retryFailure(hour);
    await editAndPublish(hour);
    await createCollection(hour);
    await watchFolder(hour);
    await readReceipt(hour);
    await changeSettings(hour);
  } finally {
    await hour.end();
  }
});

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

async function signIn({ desktop, page, step }: Hour): Promise<void> {
  await step('sign-in');
  const opened = desktop.app.waitForEvent('window');
  await tabTo(page, 'Sign in');
  await page.keyboard.press('Enter');
  const login = await opened;
  // The page focuses its first field with its first frame: an earlier letter would be lost.
  await login.locator('[name="email_address"]:focus').waitFor();
  await login.keyboard.type(service.admin.email_address);
  await login.keyboard.press('Tab');
  await login.keyboard.type(service.admin.password);
  await login.keyboard.press('Enter');
  await login.locator('[name="decision"][value="approve"]').waitFor();
  await tabTo(login, 'Allow');
  const closed = login.waitForEvent('close');
  // The window closes while the key is still being processed.
  await login.keyboard.press('Enter').catch(() => undefined);
  await closed;
  await page.getByRole('grid', { name: 'Items' }).getByRole('row').nth(1).waitFor();
  await step('library');
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

async function openCollection({ page }: Hour, name: string): Promise<void> {
  await run(page, name);
  await page.getByRole('heading', { name, exact: true }).first().waitFor();
}

const rowOf = ({ page }: Hour, name: string, state: string) =>
  page.locator(`[data-upload-id][data-state="${state}"]`).filter({ hasText: name }).first();

/** Adds a file to the open collection, and waits until the list of uploads shows it. */
async function add(hour: Hour, path: string, pictureOf: string | null = null): Promise<void> {
  const { page } = hour;
  await hour.answerPicker(path);
  await page.keyboard.press('Control+o');
  await page.getByRole('heading', { name: 'Add 1 file' }).waitFor();
  if (pictureOf !== null) await hour.step(pictureOf);
  await tabTo(page, 'Add to the queue');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Uploads', exact: true }).waitFor();
  await page
    .locator('[data-upload-id]')
    .filter({ hasText: basename(path) })
    .first()
    .waitFor();
}

async function upload(hour: Hour): Promise<string> {
  await openCollection(hour, 'Optics');
  await hour.step('collection');
  const path = await hour.file(`${hour.own('Opening talk')}.txt`);
  await add(hour, path, 'add-sheet');
  await hour.step('uploads');
  await rowOf(hour, hour.own('Opening talk'), 'complete').waitFor();
  await hour.step('upload-complete');
  return path;
}

/** Makes the first upload of the newest batch the current row of the list. */
async function goToNewest({ page }: Hour): Promise<void> {
  await tabTo(page, 'Uploads', 'treegrid');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
}

/** Chooses an entry of the open menu. */
async function choose(page: Page, label: string): Promise<void> {
  const entry = page.getByRole('menuitem', { name: label, exact: true });
  await entry.waitFor();
  await page.locator('[role="menu"]:focus-within').waitFor();
  for (let steps = 0; steps < MOST_TABS; steps += 1) {
    if (await entry.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

async function decideDuplicate(hour: Hour, path: string): Promise<void> {
  const { page } = hour;
  await openCollection(hour, 'Optics');
  await add(hour, path);
  await rowOf(hour, hour.own('Opening talk'), 'failed').getByText('Needs decision').waitFor();
  await goToNewest(hour);
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Skip' }).waitFor();
  await hour.step('duplicate');
  await choose(page, 'Skip');
  await page.getByRole('row', { name: '1 file was skipped' }).waitFor();
  await hour.step('duplicate-skipped');
}

async function retryFailure(hour: Hour): Promise<void> {
  const { page } = hour;
  await service.control('PATCH', '/settings', { processing: { outcome: 'error' } });
  await openCollection(hour, 'Optics');
  await add(hour, await hour.file(`${hour.own('Panel')}.txt`));
  await rowOf(hour, hour.own('Panel'), 'failed').waitFor();
  await service.control('PATCH', '/settings', { processing: { outcome: 'auto' } });
  await goToNewest(hour);
  await hour.step('failure');
  await page.keyboard.press('Shift+F10');
  await choose(page, 'Retry');
  await rowOf(hour, hour.own('Panel'), 'complete').waitFor();
  await hour.step('retried');
}

async function editAndPublish(hour: Hour): Promise<void> {
  const { page, step } = hour;
  await openCollection(hour, 'Optics');
  await page.keyboard.press('Control+f');
  await page.keyboard.type(hour.own('Opening talk'));
  await page.keyboard.press('Enter');
  const items = page.getByRole('grid', { name: 'Items' });
  await expect.poll(() => items.getByRole('row').count()).toBe(2);
  await expect.poll(() => items.getByRole('row').nth(1).textContent()).toContain(hour.own('Opening talk'));
  await page.keyboard.press('Home');
  await page.keyboard.press('Alt+Enter');
  await page.getByLabel('Title', { exact: true }).waitFor();
  await tabTo(page, 'Title');
  await page.keyboard.press('Control+a');
  await page.keyboard.type(`${hour.own('Opening talk')} of the autumn school`);
  await step('edit');
  await page.keyboard.press('Control+s');
  await page.getByText('Not saved yet').waitFor({ state: 'detached' });
  await tabTo(page, 'Publish now');
  // While the edit is sent, the button does nothing.
  await page.locator('button:focus:not([aria-disabled="true"])').waitFor();
  await page.keyboard.press('Enter');
  const publication = page.getByRole('region', { name: 'Publication' });
  await publication.getByRole('button', { name: 'Unpublish' }).waitFor();
  await step('published');
  await page.keyboard.press('Escape');
}

async function createCollection(hour: Hour): Promise<void> {
  const { page, step } = hour;
  await run(page, 'New collection');
  const dialog = page.getByRole('dialog', { name: 'New collection' });
  await dialog.getByLabel('Name').waitFor();
  await whenOverlayFocused(page);
  await page.keyboard.type(hour.own('Autumn school'));
  await step('new-collection');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await openCollection(hour, hour.own('Autumn school'));
  await step('empty-collection');
}

async function watchFolder(hour: Hour): Promise<void> {
  const { page, step } = hour;
  await hour.answerPicker(await hour.folder('Recorder'));
  await run(page, 'Watch a folder');
  const sheet = page.getByRole('dialog', { name: 'Add a watched folder' });
  await sheet.waitFor();
  await tabTo(page, 'Collection');
  await page.keyboard.press('Control+a');
  await page.keyboard.type(hour.own('Autumn school'));
  const collection = page.getByRole('combobox', { name: 'Collection' });
  expect(await collection.inputValue()).toBe(hour.own('Autumn school'));
  await expect.poll(() => page.getByRole('option').count()).toBe(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  expect(await collection.inputValue()).toBe(hour.own('Autumn school'));
  await step('watched-add');
  await tabTo(page, 'Add folder');
  await page.keyboard.press('Enter');
  await sheet.waitFor({ state: 'detached' });
  await step('watched');
}

async function readReceipt(hour: Hour): Promise<void> {
  const { page, step } = hour;
  await page.keyboard.press('Control+3');
  await page.getByRole('grid', { name: 'Batches' }).getByRole('row').first().waitFor();
  await step('receipts');
  await tabTo(page, 'Batches', 'grid');
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.getByTestId('receipt-totals').waitFor();
  await step('receipt');
}

async function changeSettings(hour: Hour): Promise<void> {
  const { page, step } = hour;
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
  await page.waitForFunction(() => matchMedia('(prefers-color-scheme: dark)').matches);
  await step('settings');
}
