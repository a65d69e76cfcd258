// The list of uploads as batches: headers, clearing, the selection bar and decisions, in the real app.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, expandBatches, openView } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { whenOverlayFocused } from '../../helpers/desktop/window-actions.ts';

const WITHIN_MS = 60_000;

let opened: SignedInApp;
let folder: string;
let page: Page;
let target: { siteId: string; collectionId: string };

beforeAll(async () => {
  opened = await openSignedInApp({ service: { seed: 'demo' } });
  ({ folder, page } = opened);
  const [site] = await ask<CallOutput<'sites.list'>>(page, 'sites.list', null);
  const siteId = site?.id ?? '';
  const query = { siteId, text: 'Optics', limit: 1 };
  const [found] = await ask<CallOutput<'library.findCollections'>>(page, 'library.findCollections', query);
  target = { siteId, collectionId: found?.collection.id ?? '' };
  await openView(page, 'Uploads');
});
afterAll(() => opened?.close());

/** Adds a folder with these files. */
async function addFolder(name: string, files: Readonly<Record<string, string>>): Promise<void> {
  const dir = join(folder, name);
  await mkdir(dir);
  for (const [file, contents] of Object.entries(files)) await writeFile(join(dir, file), contents);
  await ask(page, 'uploads.add', { ...target, paths: [dir], defaults: {} });
}

const header = (name: string) => page.getByRole('row', { name: new RegExp(`^Batch Optics ${name} `) });
const rowOf = (name: string) => page.locator('[data-upload-id]').filter({ hasText: name });
const totals = () => ask<CallOutput<'uploads.totals'>>(page, 'uploads.totals', null);
const whenCounted = (state: 'complete' | 'queued', count: number) =>
  expect.poll(async () => (await totals()).counts[state], { timeout: WITHIN_MS }).toBe(count);
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? 'nothing');
const grid = () => page.getByRole('treegrid', { name: 'Uploads' });

describe('a batch', () => {
  it('has a header with its outcome; a row with the number of its skipped files shows and hides these files', async () => {
    await addFolder('first', { 'a.txt': 'a', 'b.txt': 'b', '.DS_Store': 'x', 'Thumbs.db': 'y' });
    await header('first').waitFor();
    await whenCounted('complete', 2);
    await header('first').getByText('All 2 complete').waitFor();
    expect(await header('first').getAttribute('aria-level')).toBe('1');
    expect(await rowOf('a.txt').locator('xpath=..').getAttribute('aria-level')).toBe('2');
    expect(await page.getByText('.DS_Store').count()).toBe(0);
    const skipped = page.getByRole('row', { name: '2 files were skipped' });
    await skipped.click();
    await rowOf('.DS_Store').waitFor();
    await skipped.click();
    await rowOf('.DS_Store').waitFor({ state: 'detached' });
  });

  it('keeps its position when it ends; on the next visit it is collapsed below the batches in progress', async () => {
    await ask(page, 'uploads.pause', { kind: 'all' });
    await addFolder('second', { 'c.txt': 'c' });
    await header('second').waitFor();
    // The batch ended while the view was open, so it is still expanded.
    await rowOf('a.txt').waitFor();
    await openView(page, 'Receipts');
    await openView(page, 'Uploads');
    expect(await header('first').getAttribute('aria-expanded')).toBe('false');
    expect(await header('second').getAttribute('aria-expanded')).toBe('true');
    const positions = [
      await header('second').getAttribute('aria-posinset'),
      await header('first').getAttribute('aria-posinset'),
    ];
    expect(positions).toEqual(['1', '2']);
    expect(await rowOf('a.txt').count()).toBe(0);
  });

  it('is expanded and collapsed by keyboard, and its choice is kept for the next visit', async () => {
    await grid().focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => header('first').getAttribute('aria-expanded')).toBe('true');
    await rowOf('b.txt').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    expect(await page.getByRole('region', { name: 'Selected uploads' }).textContent()).toContain('1 selected');
    await page.keyboard.press('ArrowLeft');
    await openView(page, 'Receipts');
    await openView(page, 'Uploads');
    await expect.poll(() => header('first').getAttribute('aria-expanded')).toBe('true');
    await header('first').click({ position: { x: 60, y: 20 } });
    await rowOf('b.txt').waitFor({ state: 'detached' });
  });

  it('offers its commands in a menu that Shift+F10 opens, and the focus returns to the list', async () => {
    await grid().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Cancel batch…' }).waitFor();
    await whenOverlayFocused(page);
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Uploads');
  });
});

describe('the selection bar', () => {
  it('does not move the tabs; its × deselects and moves the focus to the list', async () => {
    const tab = page.getByRole('radio', { name: /^Waiting/ });
    const before = await tab.boundingBox();
    const row = rowOf('c.txt');
    const place = await row.boundingBox();
    await row.click({ position: { x: 200, y: 20 } });
    const bar = page.getByRole('region', { name: 'Selected uploads' });
    await bar.getByText('1 selected').waitFor();
    expect(await tab.boundingBox()).toEqual(before);
    expect(await row.boundingBox()).toEqual(place);
    await bar.getByRole('button', { name: 'Deselect' }).click();
    await bar.waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Uploads');
  });

  it('closes with Escape, in the list and in the bar itself', async () => {
    const bar = page.getByRole('region', { name: 'Selected uploads' });
    for (const place of ['list', 'bar']) {
      await rowOf('c.txt').click({ position: { x: 200, y: 20 } });
      await bar.waitFor();
      if (place === 'bar') await bar.getByRole('button', { name: 'Send next' }).focus();
      await page.keyboard.press('Escape');
      await bar.waitFor({ state: 'detached' });
      await expect.poll(focused).toBe('Uploads');
    }
  });
});

describe('“Clear completed”', () => {
  it('removes complete uploads, can be undone, and leaves their receipt', async () => {
    await page.getByRole('button', { name: 'Clear completed' }).click();
    await header('first').waitFor({ state: 'detached' });
    await header('second').waitFor();
    await page.getByText('4 uploads removed from the list. Their receipts stay.').first().waitFor();
    await page.keyboard.press('Control+z');
    await header('first').waitFor();
    await page.getByRole('button', { name: 'Clear completed' }).click();
    await header('first').waitFor({ state: 'detached' });
    await openView(page, 'Receipts');
    await page.locator('[data-batch-id]').nth(1).click();
    await page.locator('[role="row"]').filter({ hasText: 'a.txt' }).waitFor();
    await openView(page, 'Uploads');
  });

  it('in the menu of a batch removes only the uploads of that batch', async () => {
    await ask(page, 'uploads.resume', { kind: 'all' });
    await whenCounted('complete', 1);
    await addFolder('third', { 'd.txt': 'd' });
    await whenCounted('complete', 2);
    await header('third')
      .getByRole('button', { name: /^More for the batch/ })
      .click();
    await page.getByRole('menuitem', { name: 'Remove from list' }).click();
    await header('third').waitFor({ state: 'detached' });
    await header('second').waitFor();
    expect((await totals()).counts.complete).toBe(1);
    await expect.poll(focused).toBe('Uploads');
  });
});

describe('decisions about duplicates', () => {
  it('have their own tab, name the existing item, and are made for one file or for all of a batch', async () => {
    await addFolder('same', { 'one.txt': 'a', 'two.txt': 'b', 'three.txt': 'c' });
    await expect.poll(async () => (await totals()).duplicates, { timeout: WITHIN_MS }).toBe(3);
    await page.getByRole('radio', { name: /Needs decision\s*3/ }).click();
    const asking = rowOf('one.txt');
    await asking.getByText(/^Already in Optics: a$/).waitFor();
    await asking.getByText(/^same contents, uploaded \d/).waitFor();
    expect((await asking.boundingBox())?.height).toBeGreaterThan(70);
    await asking.getByRole('button', { name: /^Skip/ }).click();
    await asking.waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Uploads');
    await header('same')
      .getByRole('button', { name: /^More for the batch/ })
      .click();
    await page.getByRole('menuitem', { name: 'Upload all duplicates anyway' }).click();
    await page.getByText('No decisions needed').waitFor({ timeout: WITHIN_MS });
    await page.getByRole('button', { name: 'Show all uploads' }).click();
    await expandBatches(page);
    await rowOf('two.txt').and(page.locator('[data-state="complete"]')).waitFor({ timeout: WITHIN_MS });
  });
});

it('added uploads are scrolled into view and expanded, whatever tab and scroll position the list had', async () => {
  await addFolder('many', Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`m${index}.txt`, `m${index}`])));
  await page.getByRole('radio', { name: /^Complete/ }).click();
  const dir = join(folder, 'added');
  await mkdir(dir);
  await writeFile(join(dir, 'last.txt'), 'last');
  const { dropFiles, chooseCollection } = await import('../../../build/demo/window-steps.ts');
  await openView(page, 'All items');
  await chooseCollection(page, 'Optics');
  await dropFiles(page, [dir]);
  await page.getByRole('button', { name: 'Add to the queue' }).click();
  await rowOf('last.txt').waitFor();
  await expect.poll(() => header('added').evaluate((row) => row.matches('[data-focus]'))).toBe(true);
});
