// Decisions about duplicates, follow-ups, receipts and the check of uploads: the real app, the real service.
import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, chooseCollection, dropFiles, expandBatches, openView } from '../../../build/demo/window-steps.ts';
import { silentMp3 } from '../../../build/samples/mp3.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import type { DesktopApp } from '../../helpers/desktop/desktop-app.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { answerNativeDialogs, setWindow } from '../../helpers/desktop/window-actions.ts';

const COMPLETES_WITHIN_MS = 60_000;

let opened: SignedInApp;
let folder: string;
let desktop: DesktopApp;
let page: Page;

beforeAll(async () => {
  opened = await openSignedInApp({ service: { seed: 'demo' } });
  ({ folder, desktop, page } = opened);
});
afterAll(() => opened?.close());

const NAMES = ['one.txt', 'two.txt', 'three.txt'];

const rowOf = (name: string, state: string) =>
  page.locator(`[data-upload-id][data-state="${state}"]`).filter({ hasText: name });

async function drop(paths: readonly string[]): Promise<void> {
  await openView(page, 'All items');
  await chooseCollection(page, 'Optics');
  await dropFiles(page, paths);
  await page.getByRole('button', { name: 'Add to the queue' }).waitFor();
}

const addNow = () => page.getByRole('button', { name: 'Add to the queue' }).click();

/** Returns how many items of the collection have this title. */
async function itemsCalled(title: string): Promise<number> {
  const [site] = await ask<CallOutput<'sites.list'>>(page, 'sites.list', null);
  const [found] = await ask<CallOutput<'library.findCollections'>>(page, 'library.findCollections', {
    siteId: site?.id,
    text: 'Optics',
    limit: 1,
  });
  await ask(page, 'library.refresh', { siteId: site?.id });
  const query = {
    siteId: site?.id,
    collectionId: found?.collection.id,
    search: '',
    type: null,
    status: null,
    sort: 'created_on',
    order: 'desc',
  };
  const window = { query, offset: 0, limit: 200 };
  const { rows } = await ask<CallOutput<'library.mediaWindow'>>(page, 'library.mediaWindow', window);
  return rows.filter((row) => row.title === title).length;
}

describe('files that the collection has already', () => {
  it('need a decision, which applies to one of them or to all', async () => {
    const first = NAMES.map((name) => join(folder, name));
    for (const path of first) await writeFile(path, `contents of ${path}`);
    await drop(first);
    await addNow();
    for (const name of NAMES) await rowOf(name, 'complete').waitFor({ timeout: COMPLETES_WITHIN_MS });

    await mkdir(join(folder, 'again'));
    const again = NAMES.map((name) => join(folder, 'again', name));
    for (const [index, path] of again.entries()) await copyFile(first[index] as string, path);
    await drop(again);
    await addNow();
    await page.getByRole('radio', { name: /Needs decision\s*3/ }).click({ timeout: COMPLETES_WITHIN_MS });
    const bar = page.getByTestId('duplicates-bar');
    await bar.filter({ hasText: '3 files are already in the library.' }).waitFor({ timeout: COMPLETES_WITHIN_MS });
    const asking = rowOf('one.txt', 'failed');
    await asking.getByText('Already in Optics: one').waitFor();

    await asking.getByRole('button', { name: /^Skip/ }).click();
    await bar.filter({ hasText: '2 files are already in the library.' }).waitFor();
    await bar.getByRole('button', { name: 'Upload all anyway' }).click();
    await bar.waitFor({ state: 'detached' });
    await page.getByRole('radio', { name: /^All/ }).click();
    await expandBatches(page);
    for (const name of ['two.txt', 'three.txt']) {
      await rowOf(name, 'complete').nth(1).waitFor({ timeout: COMPLETES_WITHIN_MS });
    }
    await page.getByRole('row', { name: '1 file was skipped' }).click();
    await rowOf('one.txt', 'skipped').waitFor({ timeout: COMPLETES_WITHIN_MS });
    const counts = () => Promise.all(['one', 'two', 'three'].map(itemsCalled));
    await expect.poll(counts, { timeout: COMPLETES_WITHIN_MS }).toEqual([1, 2, 2]);
  });

  it('are skipped without a question when the add sheet is set to skip duplicates', async () => {
    await drop([join(folder, 'again', 'one.txt')]);
    await page.getByRole('button', { name: /^More options/ }).click();
    await page.getByText('1 file looks like a duplicate.').waitFor();
    await page.getByText('Skip', { exact: true }).click();
    await addNow();
    await page
      .getByRole('row', { name: '1 file was skipped', expanded: false })
      .click({ timeout: COMPLETES_WITHIN_MS });
    await rowOf('one.txt', 'skipped').first().waitFor({ timeout: COMPLETES_WITHIN_MS });
    expect(await itemsCalled('one')).toBe(1);
  });
});

describe('the follow-up of an upload', () => {
  it('is shown in its row: captions were sent, and the file was moved to the chosen folder', async () => {
    const path = join(folder, 'talk', 'talk.mp3');
    const moved = join(folder, 'sent');
    const recording = silentMp3('Talk', 2);
    await mkdir(join(folder, 'talk'));
    await mkdir(moved);
    await writeFile(path, recording);
    await writeFile(join(folder, 'talk', 'talk.en.vtt'), 'WEBVTT\n\n00:00.000 --> 00:01.000\nGood morning.\n');
    await answerNativeDialogs(desktop, moved);
    await drop([join(folder, 'talk')]);
    await page.getByRole('button', { name: /^More options/ }).click();
    await page.getByText('beside recordings (1 found)').waitFor();
    await page.getByText('Move to a folder').click();
    await page.getByRole('button', { name: 'Choose a folder…' }).click();
    await addNow();
    const row = rowOf('talk.mp3', 'complete');
    await row.locator('[data-follow-up="captions"][data-state="done"]').waitFor({ timeout: COMPLETES_WITHIN_MS });
    await row.getByText('File moved to sent').waitFor({ timeout: COMPLETES_WITHIN_MS });
    expect((await stat(join(moved, 'talk.mp3'))).size).toBe(recording.length);
    await expect(stat(path)).rejects.toThrow();
  });
});

describe('receipts', () => {
  it('are saved as a page without scripts that opens in a browser, with the counts and a row for each file', async () => {
    await openView(page, 'Receipts');
    // The second batch: duplicates of the first one, two of which were uploaded anyway.
    await page.locator('[data-batch-id]').nth(2).click();
    const shown = await page.getByTestId('receipt-totals').getAttribute('aria-label');
    expect(shown).toBe('3 files added: 2 complete, 0 failed, 0 cancelled, 1 skipped, 0 in progress.');
    const file = join(folder, 'receipt.html');
    await answerNativeDialogs(desktop, file);
    await page.getByRole('button', { name: 'Save receipt' }).click();
    await page.getByRole('menuitem', { name: /HTML/ }).click();
    await page
      .getByText(/^Receipt saved as/)
      .first()
      .waitFor();

    const opened = desktop.app.waitForEvent('window');
    await desktop.app.evaluate(({ BrowserWindow }, path) => {
      void new BrowserWindow({ show: false, webPreferences: { partition: 'receipt' } }).loadFile(path);
    }, file);
    const receipt = await opened;
    await receipt.locator('table').first().waitFor({ state: 'attached' });
    expect(await receipt.locator('.headline').textContent()).toMatch(/^All 2 files complete \(\d+ bytes\)$/);
    expect(await receipt.locator('.totals li').allTextContents()).toEqual(['3 Added', '2 Complete', '1 Skipped']);
    const rows = (table: number) => receipt.locator('table').nth(table).locator('tbody tr').allTextContents();
    const sent = ['two.txt', 'three.txt'].map((name) => expect.stringMatching(new RegExp(`${name}.*Complete`, 's')));
    expect((await rows(0)).sort().reverse()).toEqual(sent);
    expect(await rows(1)).toEqual([expect.stringContaining('one.txt')]);
    const html = await readFile(file, 'utf8');
    expect(html).not.toMatch(/<script|https?:\/\/(?!127\.0\.0\.1)/);
    await receipt.close();
  });

  it('show the commands of each file in a small window', async () => {
    await openView(page, 'Receipts');
    await page.locator('[data-batch-id]').nth(2).click();
    const row = page.getByRole('grid', { name: 'Files of the receipt' }).getByRole('row').nth(1);
    const more = row.getByRole('button', { name: /^More for/ });
    await more.waitFor();
    try {
      for (const width of [900, 960, 1000, 1060, 1080, 1090, 1120, 1280]) {
        await setWindow(desktop, width, 600);
        const space = async () => {
          const [button, line] = [await more.boundingBox(), await row.boundingBox()];
          if (button === null || line === null) return null;
          return line.x + line.width - (button.x + button.width);
        };
        await expect.poll(space, { message: `at ${width} pixels` }).toBeGreaterThanOrEqual(0);
      }
    } finally {
      await setWindow(desktop, 1280, 800);
    }
  });

  it('are searched by file name, and a result opens its receipt', async () => {
    await openView(page, 'Receipts');
    const search = page.getByRole('searchbox', { name: 'Find a file in all receipts' });
    await search.fill('three');
    const hits = page.getByRole('grid', { name: 'Files found' }).getByRole('row');
    await expect.poll(() => hits.count()).toBe(2);
    await page.getByRole('button', { name: 'Open the receipt of three.txt' }).nth(1).click();
    await page.getByTestId('receipt-totals').and(page.locator('[aria-label^="3 files added: 3 complete"]')).waitFor();
  });
});

describe('the check of uploads', () => {
  it('lists its findings with the next step for each', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').fill('check my uploads');
    await page.keyboard.press('Enter');
    // Two files were sent a second time above: the check has to find exactly these.
    const finding = page.locator('[data-code="history.duplicates"]');
    await finding.waitFor({ timeout: COMPLETES_WITHIN_MS });
    expect(await finding.textContent()).toMatch(/Warning.*2 recordings were uploaded more than once.*Check the items/);
    expect(await finding.textContent()).not.toMatch(/[{}]|undefined|null/);
    await page.getByRole('button', { name: 'Copy' }).click();
    await expect
      .poll(() => desktop.app.evaluate(({ clipboard }) => clipboard.readText()))
      .toContain('history.duplicates');
  });
});
