// Small steps of a working day in the library: undo after its message, a series in another order, a period as a filter, a long
// selection, the end of downloads. The real app and the real service.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DesktopApp } from '../../helpers/desktop/desktop-app.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { announced, answerNativeDialogs, keepPicture } from '../../helpers/desktop/window-actions.ts';
import { png } from '../../helpers/service/service-samples.ts';

describe('everyday steps in the library', () => {
  let opened: SignedInApp;
  let desktop: DesktopApp;
  let page: Page;
  /** Of the item that is downloaded. */
  let path: string;
  const grid = () => page.getByRole('grid', { name: 'Items' });
  const row = (index: number) => grid().locator(`[role="row"][aria-rowindex="${index + 1}"]`);
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const openCollection = async (name: string) => {
    await page.getByRole('treeitem', { name: new RegExp(`^${name}`) }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
  };

  beforeAll(async () => {
    opened = await openSignedInApp({ service: { seed: 'demo' } });
    ({ page, desktop } = opened);
    await row(4).waitFor();
    await page.getByRole('button', { name: /Group by/ }).waitFor();
  });
  afterAll(() => opened?.close());

  it('has the order and the groups of the grid in the toolbar at 1280 pixels', async () => {
    await page.getByTitle('Grid').click();
    const filters = page.getByRole('toolbar', { name: 'Filters' });
    await filters.getByRole('button', { name: /Newest first/ }).click({ trial: true });
    await filters.getByRole('button', { name: /Group by/ }).click({ trial: true });
    await keepPicture(desktop, 'day-grid');
    await page.getByTitle('List').click();
  });

  it('shows how many items the subcollections of a collection have, until they are included', async () => {
    await openCollection('Physics');
    await page.getByText('0 items · 70 in subcollections').waitFor();
    await keepPicture(desktop, 'day-physics');
    await page.getByText('Include items of subcollections').click();
    await page.getByText('70 items', { exact: true }).waitFor();
    expect(await page.getByText('in subcollections', { exact: false }).count()).toBe(0);
    await button('All items').click();
    await row(4).waitFor();
  });

  it('ends the list above the bar of a selection, and has Delete last in its menu', async () => {
    await grid().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+a');
    const bar = page.getByRole('region', { name: 'Selected items' });
    await bar.waitFor();
    await grid().hover();
    await page.mouse.wheel(0, 100_000);
    const last = row(304);
    await last.waitFor();
    const ends = async () => {
      const [ofRow, ofBar] = [await last.boundingBox(), await bar.boundingBox()];
      return (ofBar?.y ?? 0) - ((ofRow?.y ?? 0) + (ofRow?.height ?? 0));
    };
    await expect.poll(ends).toBeGreaterThanOrEqual(0);
    await bar.getByRole('button', { name: /^More/ }).click();
    expect(await page.getByRole('menuitem').last().textContent()).toContain('Delete');
    await keepPicture(desktop, 'day-selection');
    await page.keyboard.press('Escape');
    await button(/Deselect|Clear/).click();
  });

  it('shows messages above the bar of a selection, and the list and the messages take its room when it has gone', async () => {
    await grid().focus();
    await page.keyboard.press('Home');
    await row(1).click();
    await page.keyboard.press('Shift+ArrowDown');
    const bar = page.getByRole('region', { name: 'Selected items' });
    await bar.getByRole('button', { name: /^More/ }).click();
    await page.getByRole('menuitem', { name: /^Copy links/ }).click();
    const message = page.getByRole('region', { name: 'Messages' }).getByText(/copied/);
    await message.waitFor();
    const bottomOf = async () => {
      const { y = 0, height = 0 } = (await message.boundingBox()) ?? {};
      return y + height;
    };
    const heightOfList = async () => (await grid().boundingBox())?.height ?? 0;
    await expect.poll(async () => ((await bar.boundingBox())?.y ?? 0) - (await bottomOf())).toBeGreaterThan(0);
    await keepPicture(desktop, 'day-message-above-bar');
    const [above, withBar] = [await bottomOf(), await heightOfList()];
    await button(/Deselect|Clear/).click();
    await bar.waitFor({ state: 'detached' });
    await expect.poll(bottomOf).toBeGreaterThan(above + 20);
    expect(await heightOfList()).toBeGreaterThan(withBar + 20);
  });

  it('filters by a month of a list, and names days and months as lists do', async () => {
    await button('Filter').click();
    await page.getByRole('menuitem', { name: 'Added between…' }).click();
    await page.getByRole('button', { name: /Period/ }).click();
    const months = page.getByRole('option', { name: /^(January|February|March|April|May|June|July|August|September)/ });
    const month = (await months.first().textContent()) ?? '';
    await months.first().click();
    await keepPicture(desktop, 'day-period');
    await page.getByRole('button', { name: /Period/ }).click();
    await page.getByRole('option', { name: 'From one day to another' }).click();
    await page
      .getByRole('spinbutton', { name: /^day, From/ })
      .getByText('01')
      .waitFor();
    await page.getByRole('button', { name: /Period/ }).click();
    await page.getByRole('option', { name: month, exact: true }).click();
    await button('Apply').click();
    await page.getByText(`Added: ${month}`).waitFor();
    await page.getByRole('combobox', { name: 'Search items' }).fill('created:2025-05-01..2025-06');
    await page.keyboard.press('Enter');
    await page.getByText('Added: 1 May 2025 to June 2025').waitFor();
    await page.getByRole('combobox', { name: 'Search items' }).fill('');
    await page.keyboard.press('Enter');
    await row(4).waitFor();
  });

  it('plans a series from the end of the list', async () => {
    await row(1).click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page
      .getByRole('region', { name: 'Selected items' })
      .getByRole('button', { name: /^Publish/ })
      .click();
    await page.getByRole('menuitem', { name: /^Schedule/ }).click();
    await page.getByText('One after another', { exact: true }).click();
    const titles = () =>
      page
        .getByRole('dialog')
        .getByRole('row')
        .evaluateAll((found) => found.slice(1).map((each) => each.firstElementChild?.textContent ?? ''));
    await page.getByRole('dialog').getByRole('row').nth(3).waitFor();
    const listed = await titles();
    await page.getByRole('button', { name: /Order/ }).click();
    await page.getByRole('option', { name: 'From the end of the list' }).click();
    await expect.poll(titles).toEqual(listed.toReversed());
    await keepPicture(desktop, 'day-series');
    await page.keyboard.press('Escape');
  });

  it('focuses the field of a box that is clicked, and leaves the focus on one that is ticked by a key', async () => {
    const form = page.getByRole('form', { name: 'Edit selected items' });
    await form.getByText('Tags', { exact: true }).first().click();
    const tags = form.getByLabel('Add tags');
    await expect.poll(() => tags.evaluate((field) => field === document.activeElement)).toBe(true);
    const title = form.getByRole('checkbox', { name: 'Title' });
    await title.focus();
    await page.keyboard.press('Space');
    await form.getByRole('textbox').first().waitFor();
    expect(await title.evaluate((box) => box === document.activeElement)).toBe(true);
  });

  it('reports the end of a download once, names its item, and shows the files in their folder', async () => {
    path = await opened.direct.createItem('Talk to download');
    await opened.direct.processed(await opened.direct.upload(path, 'recording.png', png()));
    await page.keyboard.press('F5');
    await grid().getByText('Talk to download').click();
    await answerNativeDialogs(desktop, opened.folder);
    const shown = await folderShown(desktop);
    await page.getByRole('tab', { name: /Files/ }).click();
    await row(1).click({ button: 'right' });
    await page.getByRole('menuitem', { name: /^Download/ }).click();
    await page.getByText('“recording.png” was downloaded.').first().waitFor();
    await page.getByRole('list', { name: 'Downloads' }).getByText('Talk to download').waitFor();
    await keepPicture(desktop, 'day-download');
    await page.getByRole('button', { name: 'Show in folder' }).click();
    await expect.poll(shown).toBe(join(opened.folder, 'recording.png'));
    await rm(join(opened.folder, 'recording.png'));
    await page.getByRole('button', { name: 'Show recording.png in its folder' }).click();
    await page.getByText('The file isn’t there any more.').first().waitFor();
  });

  it('shows which kind of file it is when its name has a mark of direction', async () => {
    await opened.direct.processed(await opened.direct.upload(path, '\u202egnp.exe', png()));
    await page.keyboard.press('F5');
    const files = page.getByRole('tabpanel', { name: /Files/ });
    await files.getByText('\ufffdgnp.exe', { exact: true }).waitFor();
    expect(await files.textContent()).not.toContain('\u202e');
  });

  it('names the latest edit, also of an earlier run of the app, before the shortcut undoes it', async () => {
    const titleOf = async () => (await opened.direct.get(path)).body.title;
    await grid().getByText('Talk to download').click();
    await page.keyboard.press('F2');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Talk with another title');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
    ({ page, desktop } = await opened.reopen());
    await grid().getByText('Talk with another title').waitFor();
    await grid().focus();
    await page.keyboard.press('Control+z');
    const offer = page.getByText(/^Last change \(.+\): .*“/).last();
    await offer.waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
    await keepPicture(desktop, 'day-undo');
    expect(await titleOf()).toBe('Talk with another title');
    await page.keyboard.press('Control+z');
    await grid().getByText('Talk to download').waitFor();
    await expect.poll(titleOf).toBe('Talk to download');
  });

  it('names a change that was saved after one that is still offered, and shows restored values in the inspector', async () => {
    await grid().getByText('Talk to download').click();
    await page.getByRole('tab', { name: /Details/ }).click();
    const title = page.getByLabel('Title', { exact: true }).last();
    const byline = page.getByLabel('Byline', { exact: true });
    await expect.poll(() => title.inputValue()).toBe('Talk to download');
    await grid().focus();
    await page.keyboard.press('F2');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Talk, renamed');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
    await byline.fill('Ada');
    await page.keyboard.press('Control+s');
    await announced(page, 'Saved.');
    await grid().focus();
    await page.keyboard.press('Control+z');
    await page.getByText(/^Last change \(.+\): .*Byline/).waitFor();
    expect((await opened.direct.get(path)).body).toMatchObject({ title: 'Talk, renamed', byline: 'Ada' });
    await page.keyboard.press('Control+z');
    await expect.poll(() => byline.inputValue()).toBe('');
    await page.keyboard.press('Control+z');
    await expect.poll(() => title.inputValue()).toBe('Talk to download');
    expect((await opened.direct.get(path)).body).toMatchObject({ title: 'Talk to download', byline: null });
  });
});

/** Replaces the system's file manager; returns a function that returns the path that it was asked to show. */
async function folderShown({ app }: DesktopApp): Promise<() => Promise<string | null>> {
  await app.evaluate(({ shell }) => {
    Object.assign(globalThis, { shownPath: null });
    Object.assign(shell, { showItemInFolder: (path: string) => Object.assign(globalThis, { shownPath: path }) });
  });
  return () => app.evaluate(() => (globalThis as { shownPath?: string | null }).shownPath ?? null);
}
