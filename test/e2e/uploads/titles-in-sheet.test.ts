// What the sheet before adding says about titles that the library has already: similar items, and a series that continues.
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openView } from '../../../build/demo/window-steps.ts';
import { addSheetSteps } from '../../helpers/desktop/add-sheet-steps.ts';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { keepPicture } from '../../helpers/desktop/window-actions.ts';

let opened: SignedInApp;
let page: Page;
beforeAll(async () => {
  opened = await openSignedInApp({ service: { seed: 'demo' } });
  page = opened.page;
  await openView(page, 'All items');
});
afterAll(() => opened?.close());

const { sheet, cell, grid, addButton, openWith, itemsTitled } = addSheetSteps(() => opened);

async function keepBoth(name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
    await keepPicture(opened.desktop, `${name}-${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: null });
}

describe('a file whose title the collection has in another spelling', () => {
  const notice = () => sheet().getByTestId('similar-notice');
  const dialog = () => page.getByRole('dialog', { name: 'Files that may be in the library' });

  it('is named before it is sent, with the item, and is left out by keyboard', async () => {
    await openWith('again', { 'lecture 15 - INTERFERENCE.mp4': 'one', 'Something else.mp4': 'two' });
    await notice().getByText('may be the same as 1 of these files').waitFor();
    await notice().getByRole('button', { name: 'Compare…' }).focus();
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    const row = dialog().getByRole('listitem');
    expect(await row.count()).toBe(1);
    expect(await row.textContent()).toMatch(/Lecture 15 – Interference.*Same title · Optics/);
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await keepBoth('similar-dialog');
    await row.getByRole('checkbox').focus();
    await page.keyboard.press('Space');
    await dialog().getByText('1 of 1 file left out').waitFor();
    await dialog().getByRole('button', { name: 'Done' }).click();
    await dialog().waitFor({ state: 'hidden' });
    await notice().waitFor({ state: 'detached' });
    await sheet().getByText('1 left out').waitFor();
    await addButton().click();
    await itemsTitled(['Something else']);
    const { body } = await opened.direct.get('/api2/media?search=interference');
    expect(body.items.filter(({ title }: { title: string }) => title.includes('INTERFERENCE'))).toEqual([]);
  });
});

describe('files for a collection with numbered titles', () => {
  const notice = () => sheet().getByTestId('series-notice');

  it('get the next numbers in the order of the table, as one undo step, and are uploaded with them', async () => {
    await openView(page, 'All items');
    await openWith('more', { 'Polarisers.mp4': 'three', 'Quartz.mp4': 'four' });
    await notice().waitFor();
    const offered = (await notice().getByRole('button').textContent()) ?? '';
    const [, first = ''] = /“(.+)”/.exec(offered) ?? [];
    expect(first).toMatch(/^Lecture \d+ – Polarisers$/);
    const number = Number(/\d+/.exec(first)?.[0]);
    const second = `Lecture ${number + 1} – Quartz`;
    await keepBoth('series-notice');
    await notice().getByRole('button').click();
    await expect.poll(() => cell('Polarisers', 'Title').textContent()).toContain(first);
    await expect.poll(() => cell('Quartz', 'Title').textContent()).toContain(second);
    await notice().waitFor({ state: 'detached' });
    await grid().focus();
    await page.keyboard.press('Control+z');
    await notice().waitFor();
    await notice().getByRole('button').click();
    await expect.poll(() => cell('Quartz', 'Title').textContent()).toContain(second);
    await addButton().click();
    await itemsTitled([first, second]);
  });
});
