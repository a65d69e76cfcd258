// Actions that an account may not use are marked before it tries them, in every place of the command. By mouse and by keyboard,
// in the real app.
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings, axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { requestsOf } from '../../helpers/service/journal.ts';

const NO_EDIT = 'Your account isn’t allowed to edit items in this collection.';
const NO_DELETE = 'Your account isn’t allowed to delete items in this collection.';

let opened: SignedInApp;
let page: Page;

beforeAll(async () => {
  opened = await openSignedInApp({
    account: 'viewer@library.example',
    prepare: async ({ direct }) => {
      for (const name of ['First', 'Second', 'Third']) {
        const path = await direct.createItem(name);
        await direct.post(`${path}/publish`, {});
      }
    },
  });
  page = opened.page;
  await rows().nth(1).waitFor();
}, 600_000);
afterAll(() => opened?.close());

const rows = (): Locator => page.getByRole('grid', { name: 'Items' }).getByRole('row');
const bar = (): Locator => page.getByRole('toolbar', { name: 'Selected items' });
const messages = (): Locator => page.getByRole('region', { name: 'Messages' });

describe('a viewer', () => {
  it('reads in the bar, in its menus and beside the list why several items can’t be changed', async () => {
    await rows().nth(1).click();
    await rows()
      .nth(2)
      .click({ modifiers: ['Shift'] });
    const tags = bar().getByRole('button', { name: 'Tags…' });
    await expect.poll(() => tags.getAttribute('aria-disabled')).toBe('true');
    await page.locator('[data-inspector]').getByText(NO_EDIT).waitFor();
    expect(await page.locator('[data-inspector]').getByRole('checkbox').count()).toBe(0);
    expect(await axeFindingsInThemes(page)).toEqual([]);
    // Uses keys, because Playwright waits with a click until a button is enabled.
    await tags.press('Enter');
    await messages().getByText(NO_EDIT).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    // The menu still offers the commands that need no permission.
    await bar().getByRole('button', { name: 'More: Selected items' }).click();
    expect(await page.getByRole('menuitem', { name: 'Delete…' }).textContent()).toContain(NO_DELETE);
    expect(await page.getByRole('menuitem', { name: 'Copy links' }).textContent()).toBe('Copy links');
    expect(await axeFindings(page, 'colors')).toEqual([]);
    await page.keyboard.press('Escape');
  });

  it('reads in the menu of one item why it can’t be deleted', async () => {
    await page.keyboard.press('Escape');
    await rows().nth(3).click({ button: 'right' });
    const remove = page.getByRole('menuitem', { name: 'Delete…' });
    await expect.poll(() => remove.textContent()).toContain(NO_DELETE);
    await remove.click();
    await messages().getByText(NO_DELETE).waitFor();
    expect(await page.getByRole('alertdialog').count()).toBe(0);
  });

  it('reads why a title can’t be edited in its row, after F2 and in the menu', async () => {
    const dismiss = messages().getByRole('button', { name: 'Dismiss' });
    for (let open = await dismiss.count(); open > 0; open -= 1) await dismiss.first().click();
    await messages().getByText(NO_EDIT).waitFor({ state: 'detached' });
    await rows().nth(3).click();
    await page.keyboard.press('F2');
    await messages().getByText(NO_EDIT).waitFor();
    await page.getByRole('textbox', { name: /^New title/ }).waitFor({ state: 'detached' });
    const grid = page.getByRole('grid', { name: 'Items' });
    await expect.poll(() => grid.evaluate((element) => element === document.activeElement)).toBe(true);
    await rows().nth(3).click({ button: 'right' });
    const rename = page.getByRole('menuitem', { name: 'Rename' });
    await expect.poll(() => rename.textContent()).toContain(NO_EDIT);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  });

  it('reads in the palette, and after the Delete key, why items can’t be changed or deleted', async () => {
    await rows().nth(1).click();
    await rows()
      .nth(2)
      .click({ modifiers: ['Shift'] });
    await expect.poll(() => bar().getByRole('button', { name: 'Tags…' }).getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('selected items: tags');
    const option = page.getByRole('option', { name: /Selected items: Tags/ });
    expect(await option.getAttribute('aria-disabled')).toBe('true');
    expect(await option.textContent()).toContain(NO_EDIT);
    expect(await axeFindings(page, 'colors')).toEqual([]);
    await page.keyboard.press('Enter');
    await messages().getByText(NO_EDIT).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('grid', { name: 'Items' }).focus();
    await page.keyboard.press('Delete');
    await messages().getByText(NO_DELETE).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    // The requests that created and published the items have other paths.
    const writes = [
      ...(await requestsOf(opened.service, 'POST', /^\/api2\/media\/[^/]+$/)),
      ...(await requestsOf(opened.service, 'DELETE', /^\/api2\/media/)),
    ];
    expect(writes).toEqual([]);
  });
});
