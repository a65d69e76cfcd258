// Commands that users must be able to trust: cancel and undo, publish now, counts, and the reasons that prevent an upload.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ask, chooseCollection, dropFiles, openView } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import type { DesktopApp } from '../../helpers/desktop/desktop-app.ts';
import { enterTime } from '../../helpers/desktop/enter-time.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { whenOverlayFocused } from '../../helpers/desktop/window-actions.ts';
import type { ServiceProcess } from '../../helpers/service/service-process.ts';

let opened: SignedInApp;
let folder: string;
let service: ServiceProcess;
let desktop: DesktopApp;

beforeAll(async () => {
  opened = await openSignedInApp({ service: { seed: 'demo' } });
  ({ folder, service, desktop } = opened);
});
afterAll(() => opened?.close());
async function filesNamed(names: readonly string[], contents = ''): Promise<string[]> {
  const paths = names.map((name) => join(folder, name));
  for (const path of paths) await writeFile(path, (contents === '' ? path : contents).padEnd(400, '.'));
  return paths;
}

/** Adds files to the collection Optics; resolves when all of them are in the list. */
async function add(page: Page, names: readonly string[], contents = ''): Promise<void> {
  const paths = await filesNamed(names, contents);
  await openView(page, 'All items');
  await chooseCollection(page, 'Optics');
  await dropFiles(page, paths);
  await page.getByRole('button', { name: 'Add to the queue' }).click();
  for (const name of names) await rowOf(page, name).waitFor();
}

const rowOf = (page: Page, name: string) => page.locator('[data-upload-id]').filter({ hasText: name });
const inState = (page: Page, name: string, state: string) =>
  page.locator(`[data-upload-id][data-state="${state}"]`).filter({ hasText: name });
const select = (page: Page, name: string, modifiers: 'ControlOrMeta'[] = []) =>
  rowOf(page, name).click({ position: { x: 200, y: 20 }, modifiers });
const spoken = (page: Page) => page.getByTestId('announcements').textContent();
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    return at === null || at === document.body ? 'nothing' : (at.getAttribute('aria-label') ?? at.textContent);
  });

async function statesInOrder(page: Page, names: readonly string[]): Promise<string[]> {
  const { rows } = await ask<CallOutput<'uploads.list'>>(page, 'uploads.list', { limit: 500 });
  return rows
    .filter(({ fileName }) => names.includes(fileName))
    .map(({ fileName, state, priority }) => `${fileName} ${state} ${priority}`);
}

describe('a file that is in the library already', () => {
  it('has no Cancel button in its row, and is cancelled only after a question whose default answer keeps the upload', async () => {
    const { window } = desktop;
    await service.control('PATCH', '/settings', { processing: { delay_ms: 600_000 } });
    onTestFinished(async () => void (await service.control('PATCH', '/settings', { processing: { delay_ms: 0 } })));
    await add(window, ['arrived.txt']);
    await inState(window, 'arrived.txt', 'processing').waitFor();
    const row = rowOf(window, 'arrived.txt');
    const labels = await row.getByRole('button').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    expect(labels).toEqual(['More for arrived.txt']);
    const { rows } = await ask<CallOutput<'uploads.list'>>(window, 'uploads.list', { limit: 500 });
    const upload = rows.find(({ fileName }) => fileName === 'arrived.txt');

    const dialog = window.getByRole('alertdialog', { name: 'Cancel “arrived”?' });
    const askToCancel = async () => {
      await row.getByRole('button', { name: 'More for arrived.txt' }).click();
      await window.getByRole('menuitem', { name: 'Cancel upload…' }).click();
      await dialog.waitFor();
    };
    await askToCancel();
    expect(await dialog.textContent()).toContain('If you cancel, Mediadesk deletes it there.');
    await expect.poll(() => focused(window)).toBe('Keep upload');
    await window.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => focused(window)).toBe('Uploads');
    await inState(window, 'arrived.txt', 'processing').waitFor();

    // The keyboard and the toolbar open the same question.
    await select(window, 'arrived.txt');
    await window.keyboard.press('Delete');
    await dialog.waitFor();
    await whenOverlayFocused(window);
    await window.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => focused(window)).toBe('Uploads');
    await window.getByRole('button', { name: 'Cancel upload…' }).click();
    await dialog.getByRole('button', { name: 'Cancel upload' }).click();
    await inState(window, 'arrived.txt', 'cancelled').waitFor();
    await expect.poll(() => focused(window)).not.toBe('nothing');
    const inLibrary = () =>
      ask(window, 'library.media', { siteId: upload?.siteId, mediaId: upload?.mediaId }).then(
        () => 'there',
        (error: Error) => error.message,
      );
    await expect.poll(inLibrary, { timeout: 60_000 }).toContain('api.not-found');
  });
});

describe('uploads that wait', () => {
  const names = ['wait-a.txt', 'wait-b.txt', 'wait-c.txt'];
  beforeAll(async () => {
    await ask(desktop.window, 'uploads.pause', { kind: 'all' });
  });
  afterAll(async () => {
    await ask(desktop.window, 'uploads.resume', { kind: 'all' });
  });

  it('are cancelled by Delete without a question, and restored by Ctrl+Z', async () => {
    const { window } = desktop;
    await add(window, names);
    await select(window, 'wait-b.txt');
    await window.getByRole('button', { name: 'Priority' }).click();
    await window.getByRole('menuitem', { name: 'High' }).click();
    await expect.poll(() => statesInOrder(window, names)).toContain('wait-b.txt queued high');
    const before = await statesInOrder(window, names);
    await select(window, 'wait-b.txt');
    await window.keyboard.press('Delete');
    await inState(window, 'wait-b.txt', 'cancelled').waitFor();
    expect(await window.getByRole('alertdialog').count()).toBe(0);
    await expect.poll(() => spoken(window), { timeout: 5_000 }).toContain('“wait-b” cancelled. Press Ctrl+Z to undo.');
    await window.keyboard.press('Control+z');
    await inState(window, 'wait-b.txt', 'queued').waitFor();
    expect(await statesInOrder(window, names)).toEqual(before);
  });

  it('stay queued when “Deselect” clears the selection; “Cancel uploads…” can be undone', async () => {
    const { window } = desktop;
    const before = await statesInOrder(window, names);
    await select(window, 'wait-a.txt');
    await select(window, 'wait-c.txt', ['ControlOrMeta']);
    await window.getByRole('button', { name: 'Deselect' }).click();
    await window.getByRole('button', { name: 'Deselect' }).waitFor({ state: 'detached' });
    expect(await statesInOrder(window, names)).toEqual(before);
    await expect.poll(() => focused(window)).toBe('Uploads');

    await select(window, 'wait-a.txt');
    await select(window, 'wait-c.txt', ['ControlOrMeta']);
    await window.getByRole('button', { name: 'Cancel uploads…' }).click();
    await inState(window, 'wait-a.txt', 'cancelled').waitFor();
    await inState(window, 'wait-c.txt', 'cancelled').waitFor();
    await window.getByText('2 uploads cancelled.').first().waitFor();
    await window.getByRole('button', { name: 'Undo' }).click();
    await inState(window, 'wait-a.txt', 'queued').waitFor();
    await expect.poll(() => statesInOrder(window, names)).toEqual(before);
    await expect.poll(() => focused(window)).toBe('Uploads');
  });

  it('stay cancelled when the app is killed before the time to undo is over', async () => {
    await openView(desktop.window, 'Uploads');
    await select(desktop.window, 'wait-c.txt');
    await desktop.window.keyboard.press('Delete');
    await inState(desktop.window, 'wait-c.txt', 'cancelled').waitFor();
    await desktop.kill();
    ({ desktop } = await opened.reopen());
    const states = await statesInOrder(desktop.window, names);
    expect(states.filter((line) => line.includes('cancelled'))).toEqual(['wait-c.txt cancelled normal']);
  });
});

it('a duplicate is counted as a decision, not as a failure', async () => {
  const { window } = desktop;
  await add(window, ['original.txt'], 'the same contents');
  await inState(window, 'original.txt', 'complete').waitFor({ timeout: 60_000 });
  await add(window, ['copy.txt'], 'the same contents');
  await rowOf(window, 'copy.txt').filter({ hasText: 'Needs decision' }).waitFor({ timeout: 60_000 });
  await window.getByRole('radio', { name: /Needs decision\s*1/ }).click();
  await rowOf(window, 'copy.txt').waitFor();
  expect(await window.locator('[data-upload-id]').count()).toBe(1);
  await window.getByRole('radio', { name: /Failed\s*0/ }).click();
  await window.getByText('Nothing failed').waitFor();
  await openView(window, 'Receipts');
  await window.getByTestId('receipt-totals').getByText('needs decision').waitFor();
  await window.locator('[role="row"]').filter({ hasText: 'copy.txt' }).getByText('Needs decision').waitFor();
  await openView(window, 'Uploads');
  await window.getByRole('radio', { name: /^All/ }).click();
});

describe('the view of the library', () => {
  it('publishes a scheduled item immediately, with the present time as its publish date, and reports it', async () => {
    const { window } = desktop;
    const [site] = await ask<CallOutput<'sites.list'>>(window, 'sites.list', null);
    const siteId = site?.id ?? '';
    await openView(window, 'All items');
    await chooseCollection(window, 'Optics');
    const grid = window.getByRole('grid', { name: 'Items' });
    await window.getByRole('button', { name: /^Added/ }).waitFor();
    const query = { siteId, collectionId: null, search: 'original' };
    const found = await ask<CallOutput<'library.mediaWindow'>>(window, 'library.mediaWindow', {
      query,
      offset: 0,
      limit: 10,
    });
    const item = found.rows.find(({ title }) => title === 'original');
    const mediaId = item?.id ?? '';
    await ask(window, 'library.publishMedia', { siteId, mediaId, publishOn: '2040-01-01T00:00:00Z' });
    const row = grid.getByRole('row').filter({ hasText: 'original' });
    await row.filter({ hasText: 'Scheduled' }).click();
    const inspector = window.getByRole('region', { name: 'Inspector' });
    await inspector.getByText(/Will be published/).waitFor();
    await inspector.getByRole('button', { name: 'Publish now' }).click();
    await inspector.getByText(/^Published .*\d/).waitFor();
    await row.filter({ hasText: 'Published' }).waitFor();
    await expect.poll(() => spoken(window), { timeout: 5_000 }).toContain('“original” is published.');
    const now = await ask<CallOutput<'library.media'>>(window, 'library.media', { siteId, mediaId });
    expect(now.item.status).toBe('published');
    expect(Math.abs(Date.parse(now.item.publish_on ?? '') - Date.now())).toBeLessThan(60_000);
    await expect.poll(() => focused(window)).not.toBe('nothing');
  });

  it('schedules in a chosen time zone, and asks which one is meant when a time occurs twice', async () => {
    const { window } = desktop;
    const inspector = window.getByRole('region', { name: 'Inspector' });
    await inspector.getByRole('button', { name: 'Unpublish' }).click();
    await inspector.getByRole('button', { name: 'Schedule…' }).click();
    const zone = inspector.getByRole('combobox', { name: 'Time zone' });
    await zone.fill('vienna');
    await window.getByRole('option', { name: 'Europe/Vienna' }).click();
    await enterTime(inspector.getByRole('group', { name: 'Publish at' }), '2031-10-26T02:30');
    await inspector.getByText('Choose one of the two times.').waitFor();
    expect(await inspector.getByRole('button', { name: 'Schedule', exact: true }).isEnabled()).toBe(false);
    await inspector.getByText(/\(UTC\+1\)/).click();
    await inspector.getByRole('button', { name: 'Schedule', exact: true }).click();
    await inspector.getByText(/Will be published/).waitFor();
    const [site] = await ask<CallOutput<'sites.list'>>(window, 'sites.list', null);
    const siteId = site?.id ?? '';
    const { rows } = await ask<CallOutput<'library.mediaWindow'>>(window, 'library.mediaWindow', {
      query: { siteId, collectionId: null, search: 'original' },
      offset: 0,
      limit: 10,
    });
    const mediaId = rows.find(({ title }) => title === 'original')?.id ?? '';
    const { item } = await ask<CallOutput<'library.media'>>(window, 'library.media', { siteId, mediaId });
    expect([item.status, item.publish_on]).toEqual(['scheduled', '2031-10-26T01:30:00Z']);
  });

  it('does not call a collection empty whose subcollections have items, and leads to them', async () => {
    const { window } = desktop;
    await chooseCollection(window, 'Physics');
    await window.getByRole('heading', { name: 'No items directly in Physics' }).waitFor();
    await window.getByText(/^Its subcollections have \d+ items\./).waitFor();
    const below = window.getByRole('region', { name: 'Subcollections' });
    await below.getByRole('button', { name: /^Optics/ }).click();
    await window.getByRole('heading', { name: 'Optics', exact: true, level: 1 }).waitFor();
  });
});

it('the add sheet scrolls to the field for the collection, with an error, when files are added without a collection', async () => {
  const { app, window } = desktop;
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1280, 600));
  await openView(window, 'All items');
  await window.getByRole('heading', { name: 'All items' }).waitFor();
  await dropFiles(window, await filesNamed(['nowhere.txt']));
  const sheet = window.getByRole('dialog', { name: 'Add 1 file' });
  await sheet.waitFor();
  // The list of collections opens when the field gets the focus, and closes when the field loses it.
  await window.keyboard.press('Tab');
  await sheet.getByRole('button', { name: /^More options/ }).click();
  const folderButton = sheet.getByText('Move to trash');
  await folderButton.scrollIntoViewIfNeeded();
  const field = sheet.getByRole('combobox', { name: 'Collection' });
  const message = 'Choose a collection.';
  // This wait starts before the click, because another announcement can replace this one two seconds later.
  const announced = window.waitForFunction(
    (sentence) => document.querySelector('[data-testid="announcements"]')?.textContent?.includes(sentence),
    message,
  );
  await sheet.getByRole('button', { name: 'Add to the queue' }).click();
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
  await expect
    .poll(() =>
      field.evaluate((input) => {
        const { top, bottom } = input.getBoundingClientRect();
        return input.checkVisibility() && top >= 0 && bottom <= innerHeight;
      }),
    )
    .toBe(true);
  await announced;
  const button = sheet.getByRole('button', { name: 'Add to the queue', includeHidden: true });
  const describedBy = (await button.getAttribute('aria-describedby')) ?? '';
  expect(await window.locator(`[id="${describedBy}"]`).textContent()).toBe(message);
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  await field.fill('Optics');
  await window
    .getByRole('option', { name: /Optics/ })
    .first()
    .click();
  await expect.poll(() => button.getAttribute('aria-describedby')).toBeNull();
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1280, 800));
});
