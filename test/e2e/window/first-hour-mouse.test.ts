// The first hour of a new user by mouse, in windows of several sizes; only names and passwords are typed.
import { basename } from 'node:path';
import type { Locator } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decide } from '../../../build/demo/window-steps.ts';
import { beginHour, type Hour, hourSizes } from '../../helpers/desktop/first-hour.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';

let service: ServiceProcess;
beforeAll(async () => {
  service = await startService({ seed: 'demo' });
  await service.control('PATCH', '/settings', { processing: { tools: 'none' } });
});
afterAll(() => service?.stop());

it.each(hourSizes('mouse'))('a new user can do the tasks of the first hour by mouse at $name', async (size) => {
  const hour = await beginHour(service, size, 'mouse');
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

async function signIn({ desktop, page, step }: Hour): Promise<void> {
  await step('sign-in');
  const opened = desktop.app.waitForEvent('window');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const login = await opened;
  await login.locator('[name="email_address"]').click();
  await login.keyboard.type(service.admin.email_address);
  await login.locator('[name="password"]').click();
  await login.keyboard.type(service.admin.password);
  await login.getByRole('button', { name: 'Sign in' }).click();
  await login.locator('[name="decision"][value="approve"]').waitFor();
  await decide(login, 'approve');
  await page.getByRole('grid', { name: 'Items' }).getByRole('row').nth(1).waitFor();
  await step('library');
}

/** Returns the place of the sidebar, which a narrow window shows in a dialog on request. */
async function sidebarOf({ page }: Hour): Promise<Locator> {
  const show = page.getByRole('button', { name: 'Show the sidebar' });
  if (!(await show.isVisible())) return page.locator('body');
  await show.click();
  return page.getByRole('dialog', { name: 'Sidebar' });
}

const openView = (hour: Hour, name: string) =>
  hour.page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name }).first().click();

async function openCollection(hour: Hour, name: string): Promise<void> {
  const { page } = hour;
  await openView(hour, 'All items');
  const sidebar = await sidebarOf(hour);
  const search = sidebar.getByRole('searchbox', { name: 'Find a collection' });
  await search.click({ clickCount: 3 });
  await page.keyboard.type(name);
  await sidebar
    .getByRole('treeitem', { name: new RegExp(`^${name}`) })
    .first()
    .click();
  await page.getByRole('heading', { name, exact: true }).first().waitFor();
}

const rowOf = ({ page }: Hour, name: string, state: string) =>
  page.locator(`[data-upload-id][data-state="${state}"]`).filter({ hasText: name }).first();

/** Adds a file to the open collection, and waits until the list of uploads shows it. */
async function add(hour: Hour, path: string, pictureOf: string | null = null): Promise<void> {
  const { page } = hour;
  await hour.answerPicker(path);
  await page.getByRole('button', { name: 'Add uploads' }).click();
  await page.getByRole('menuitem', { name: 'Files…' }).click();
  await page.getByRole('heading', { name: 'Add 1 file' }).waitFor();
  if (pictureOf !== null) await hour.step(pictureOf);
  await page.getByRole('button', { name: 'Add to the queue' }).click();
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

async function decideDuplicate(hour: Hour, path: string): Promise<void> {
  await openCollection(hour, 'Optics');
  await add(hour, path);
  const asking = rowOf(hour, hour.own('Opening talk'), 'failed');
  await asking.getByText('Needs decision').waitFor();
  await hour.step('duplicate');
  await asking.getByRole('button', { name: /^Skip/ }).click();
  await hour.page.getByRole('row', { name: '1 file was skipped' }).waitFor();
  await hour.step('duplicate-skipped');
}

async function retryFailure(hour: Hour): Promise<void> {
  await service.control('PATCH', '/settings', { processing: { outcome: 'error' } });
  await openCollection(hour, 'Optics');
  await add(hour, await hour.file(`${hour.own('Panel')}.txt`));
  const failed = rowOf(hour, hour.own('Panel'), 'failed');
  await failed.waitFor();
  await hour.step('failure');
  await service.control('PATCH', '/settings', { processing: { outcome: 'auto' } });
  const retry = failed.getByRole('button', { name: /^Retry/ });
  if (await retry.isVisible()) await retry.click();
  else {
    await failed.getByRole('button', { name: /^More/ }).click();
    await hour.page.getByRole('menuitem', { name: 'Retry' }).click();
  }
  await rowOf(hour, hour.own('Panel'), 'complete').waitFor();
  await hour.step('retried');
}

async function editAndPublish(hour: Hour): Promise<void> {
  const { page, step } = hour;
  await openCollection(hour, 'Optics');
  await page.getByRole('grid', { name: 'Items' }).getByText(hour.own('Opening talk')).first().click();
  const show = page.getByRole('button', { name: 'Show the inspector' });
  if (await show.isVisible()) await show.click();
  const title = page.getByLabel('Title', { exact: true });
  await title.click({ clickCount: 3 });
  await page.keyboard.type(`${hour.own('Opening talk')} of the autumn school`);
  await step('edit');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const publication = page.getByRole('region', { name: 'Publication' });
  await publication.getByRole('button', { name: 'Publish now' }).click();
  await publication.getByRole('button', { name: 'Unpublish' }).waitFor();
  await step('published');
  // In a small window the inspector covers the list: a click beside it closes it.
  const drawer = page.getByRole('dialog', { name: 'Inspector' });
  if (!(await drawer.isVisible())) return;
  await page.mouse.click(4, 200);
  await drawer.waitFor({ state: 'detached' });
}

async function createCollection(hour: Hour): Promise<void> {
  const { page, step } = hour;
  const sidebar = await sidebarOf(hour);
  await sidebar.getByRole('button', { name: 'New collection…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New collection' });
  await dialog.getByLabel('Name').click();
  await page.keyboard.type(hour.own('Autumn school'));
  await step('new-collection');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.waitFor({ state: 'detached' });
  await openCollection(hour, hour.own('Autumn school'));
  await step('empty-collection');
}

async function watchFolder(hour: Hour): Promise<void> {
  const { page, step } = hour;
  await openView(hour, 'Watched folders');
  await step('watched-empty');
  await hour.answerPicker(await hour.folder('Recorder'));
  await page.getByRole('button', { name: 'Add folder…' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'Add a watched folder' });
  // The sheet begins with the collection that is open in the library.
  const collection = sheet.getByRole('combobox', { name: 'Collection' });
  await expect.poll(() => collection.inputValue()).toBe(hour.own('Autumn school'));
  await step('watched-add');
  await sheet.getByRole('button', { name: 'Add folder' }).click();
  await sheet.waitFor({ state: 'detached' });
  await step('watched');
}

async function readReceipt(hour: Hour): Promise<void> {
  const { page, step } = hour;
  await openView(hour, 'Receipts');
  await step('receipts');
  const batch = page.locator('[data-batch-id]').first();
  if (await batch.isVisible()) await batch.click();
  await page.getByTestId('receipt-totals').waitFor();
  await step('receipt');
}

async function changeSettings(hour: Hour): Promise<void> {
  const { page, step } = hour;
  await openView(hour, 'Settings');
  await page.getByRole('main').getByText('Appearance', { exact: true }).first().click();
  await page.getByText('Dark', { exact: true }).click();
  await page.waitForFunction(() => matchMedia('(prefers-color-scheme: dark)').matches);
  await step('settings');
}
