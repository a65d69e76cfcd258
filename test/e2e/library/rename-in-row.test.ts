// Renaming items in their row of the list or tile of the grid, by mouse and by keyboard, in the real app with the real service.
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import type { ServiceClient } from '../../helpers/service/service-client.ts';

let opened: SignedInApp;
let direct: ServiceClient;
let page: Page;
const paths: Record<string, string> = {};

beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async (library) => {
      direct = library.direct;
      for (const title of ['Delta', 'Gamma', 'Beta', 'Alpha']) paths[title] = await direct.createItem(title);
    },
  });
  page = opened.page;
  await row('Alpha').waitFor();
});
afterAll(() => opened?.close());

const grid = () => page.getByRole('grid', { name: 'Items' });
const row = (title: string) => grid().getByRole('row').filter({ hasText: title }).first();
const field = (title: string) => grid().getByRole('textbox', { name: `New title for ${title}` });
const messages = () => page.getByRole('region', { name: 'Messages' });
const titleOf = async (item: string) => (await direct.get(paths[item] ?? '')).body.title;
const isFocused = (place: ReturnType<typeof grid>) => place.evaluate((element) => element === document.activeElement);
const soon = <T>(read: () => Promise<T> | T) => expect.poll(read, { timeout: 30_000 });

describe('the title in a row', () => {
  it('is changed with F2 and Enter, and changed back by Undo', async () => {
    await row('Alpha').click();
    await page.keyboard.press('F2');
    await field('Alpha').waitFor();
    expect(await isFocused(field('Alpha'))).toBe(true);
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await page.keyboard.type(' Alpha two ');
    await page.keyboard.press('Enter');
    await field('Alpha').waitFor({ state: 'detached' });
    expect(await isFocused(grid())).toBe(true);
    await row('Alpha two').waitFor();
    await soon(() => titleOf('Alpha')).toBe('Alpha two');
    await soon(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('Alpha two');
    await page.getByRole('button', { name: 'Undo', exact: true }).last().waitFor();
    await page.keyboard.press('Control+z');
    await soon(() => titleOf('Alpha')).toBe('Alpha');
  });

  it('stays as it is after Escape, and can’t be empty or too long', async () => {
    await row('Beta').click();
    await page.keyboard.press('F2');
    await field('Beta').fill('Other');
    await page.keyboard.press('Escape');
    await field('Beta').waitFor({ state: 'detached' });
    await row('Beta').waitFor();
    expect(await isFocused(grid())).toBe(true);
    await page.keyboard.press('F2');
    for (const [text, problem] of [
      [' ', /title/i],
      ['x'.repeat(1001), /title/i],
    ] as const) {
      await field('Beta').fill(text);
      await page.keyboard.press('Enter');
      await messages().getByText(problem).first().waitFor();
      await soon(() => field('Beta').getAttribute('aria-invalid')).toBe('true');
      expect(await isFocused(field('Beta'))).toBe(true);
    }
    await page.keyboard.press('Escape');
    expect(await titleOf('Beta')).toBe('Beta');
  });

  it('is stored by a click elsewhere, which keeps the focus, and from the menu of the row', async () => {
    await row('Beta').click({ button: 'right' });
    const entry = page.getByRole('menuitem', { name: 'Rename' });
    expect(await entry.textContent()).toContain('F2');
    await entry.click();
    await field('Beta').fill('Beta two');
    const search = page.locator('[data-search] input');
    await search.click();
    await field('Beta').waitFor({ state: 'detached' });
    await soon(() => titleOf('Beta')).toBe('Beta two');
    expect(await isFocused(search)).toBe(true);
  });

  it('is followed by that of the next row with Tab, and of the previous one with Shift+Tab', async () => {
    await row('Gamma').click();
    await page.keyboard.press('F2');
    await page.keyboard.type('Gamma two');
    await page.keyboard.press('Tab');
    await soon(() => isFocused(field('Delta'))).toBe(true);
    await page.keyboard.type('Delta two');
    await page.keyboard.press('Shift+Tab');
    await soon(() => isFocused(field('Gamma two'))).toBe(true);
    await page.keyboard.press('Escape');
    await soon(() => titleOf('Gamma')).toBe('Gamma two');
    await soon(() => titleOf('Delta')).toBe('Delta two');
  });

  it('continues a title that the inspector has not saved, and replaces it', async () => {
    await row('Gamma two').click();
    await page.getByLabel('Title', { exact: true }).fill('Gamma typed');
    await page.getByText('Not saved yet').waitFor();
    await grid().focus();
    await page.keyboard.press('F2');
    expect(await field('Gamma two').inputValue()).toBe('Gamma typed');
    await field('Gamma two').fill('Gamma three');
    await page.keyboard.press('Enter');
    await soon(() => titleOf('Gamma')).toBe('Gamma three');
    await soon(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('Gamma three');
    await page.getByText('Not saved yet').waitFor({ state: 'detached' });
    expect(await page.getByText('Keep mine').count()).toBe(0);
  });

  it('is edited in a tile of the grid', async () => {
    await page.getByRole('radio', { name: 'Grid' }).click({ force: true });
    await grid().locator('[data-tile]').filter({ hasText: 'Gamma three' }).click();
    await page.keyboard.press('F2');
    await field('Gamma three').waitFor();
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await page.keyboard.type('Gamma four');
    await page.keyboard.press('Enter');
    await soon(() => titleOf('Gamma')).toBe('Gamma four');
    await page.getByRole('radio', { name: 'List' }).click({ force: true });
  });

  it('is stored on this computer while the library can’t be reached, and sent later', async () => {
    await opened.service.control('POST', '/faults', {
      path: '^/api2',
      times: null,
      action: { kind: 'status', status: 503 },
    });
    await row('Gamma four').click();
    await page.keyboard.press('F2');
    await field('Gamma four').fill('Gamma offline');
    await page.keyboard.press('Enter');
    await field('Gamma four').waitFor({ state: 'detached' });
    await row('Gamma offline').getByText('Not sent yet').waitFor();
    await opened.service.control('DELETE', '/faults');
    await soon(() => titleOf('Gamma')).toBe('Gamma offline');
  });
});
