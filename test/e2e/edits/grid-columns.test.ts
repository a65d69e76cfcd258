// The table of items with all of its twelve columns, in the real app.
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { keepPicture, runInPalette, setWindow } from '../../helpers/desktop/window-actions.ts';

let opened: SignedInApp;
let page: Page;
let firstId: string | undefined;
beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async ({ direct }) => {
      for (let number = 40; number >= 1; number -= 1) {
        const title = `Talk ${String(number).padStart(2, '0')}`;
        firstId = (await direct.createItem(title, { tags: ['optics'], byline: 'Ada' })).split('/').at(-1);
      }
    },
  });
  page = opened.page;
  await list()
    .getByRole('button', { name: /^Title/ })
    .click();
  await list().getByRole('row').filter({ hasText: 'Talk 01' }).waitFor();
});
afterAll(() => opened?.close());

const list = (): Locator => page.getByRole('grid', { name: 'Items', exact: true }).first();
const table = (): Locator => page.getByRole('dialog', { name: /as a table$/ });
const grid = (): Locator => table().getByRole('grid', { name: 'Items' });
const focused = (): Locator => table().locator('[data-cell-input]');
const value = () => focused().inputValue();
const key = (name: string) => page.keyboard.press(name);
const cell = (number: number, column: number): Locator =>
  grid().locator(`[role="row"][aria-rowindex="${number + 1}"] [aria-colindex="${column + 1}"]`);

describe('all twelve columns', () => {
  const menu = () => page.getByRole('menu', { name: 'Columns' });
  const FACTS = ['Type', 'Length', 'Added', 'Changed', 'ID'];
  const headers = () => grid().getByRole('columnheader').allTextContents();

  it('are chosen and reached by keyboard at 1280 x 800, with the title always in view', async () => {
    const { desktop } = opened;
    await setWindow(desktop, 1280, 800);
    await list().focus();
    await key('Control+a');
    await runInPalette(page, 'Selected items: Edit as a table');
    await focused().waitFor({ state: 'attached' });
    await table().getByRole('button', { name: 'Columns' }).focus();
    await key('Enter');
    await menu().waitFor();
    expect.soft(await axeFindingsInThemes(page)).toEqual([]);
    for (const name of FACTS) {
      const entry = menu().getByRole('menuitemcheckbox', { name, exact: true });
      await entry.focus();
      await key('Space');
      await expect.poll(() => entry.getAttribute('aria-checked')).toBe('true');
    }
    await key('Escape');
    expect((await headers()).slice(1)).toEqual([
      'Title',
      'Byline',
      'Description',
      'Tags',
      'Collection',
      'Status',
      'Publish time',
      ...FACTS,
    ]);
    await focused().focus();
    await key('Control+Home');
    // Each cell that the keyboard reaches is visible beside the title, which stays at the left.
    for (let column = 2; column <= 12; column += 1) {
      await key('ArrowRight');
      const [at, title] = [await focused().boundingBox(), await cell(1, 1).boundingBox()];
      expect(at !== null && title !== null && at.x >= title.x + title.width - 1, `column ${column}`).toBe(true);
      expect(at !== null && at.x + Math.min(at.width, 200) <= 1280, `column ${column}`).toBe(true);
      expect(title !== null && title.x >= 0 && title.x < 100).toBe(true);
    }
    expect(await value()).toBe(firstId);
    await page.keyboard.type('x');
    await key('Enter');
    expect(
      await table()
        .getByText(/cells? changed/)
        .count(),
      'an id can’t be changed',
    ).toBe(0);
    await key('Control+Home');
    expect.soft(await axeFindingsInThemes(page)).toEqual([]);
    await keepPicture(desktop, 'grid-12-columns');
    // Cells far outside the visible part are not rendered; each cell has the name of its column.
    const columnsOf = () =>
      grid()
        .locator('[role="row"][aria-rowindex="2"] [role="gridcell"]')
        .evaluateAll((cells) => cells.map((each) => Number(each.getAttribute('aria-colindex')) - 1));
    expect((await columnsOf()).length).toBeLessThan(9);
    await key('End');
    await expect.poll(async () => (await columnsOf()).includes(12)).toBe(true);
    expect((await columnsOf())[0]).toBe(1);
    // The field that has the keyboard focus stays when the user scrolls away from it.
    await grid().evaluate((element) => element.firstElementChild?.scrollTo({ left: 0 }));
    await expect.poll(async () => (await columnsOf()).includes(2)).toBe(true);
    expect(await columnsOf()).toContain(12);
    expect(await value()).toBe(firstId);
    await key('Control+End');
    await keepPicture(desktop, 'grid-12-columns-end');
    expect.soft(await grid().evaluate((element) => element.querySelectorAll('*').length)).toBeLessThan(1000);
    await table().getByRole('button', { name: 'Columns' }).click();
    for (const name of FACTS) await menu().getByRole('menuitemcheckbox', { name, exact: true }).click();
    await key('Escape');
    await expect.poll(async () => (await headers()).length).toBe(8);
    await menu().waitFor({ state: 'detached' });
    await table().getByRole('button', { name: 'Close' }).last().click();
    await table().waitFor({ state: 'detached' });
  });
});
