// Completion in the search field of the library, and the searches that were used before.
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openView } from '../../../build/demo/window-steps.ts';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';

let opened: SignedInApp;
let page: Page;
beforeAll(async () => {
  opened = await openSignedInApp({
    service: { seed: 'demo' },
    prepare: async ({ direct }) => {
      await direct.createItem('Basalt', { tags: ['geology', 'field trip'], byline: 'Ada Byron' });
      await direct.createItem('Marble', { tags: ['geometry'] });
      await direct.createItem('Quartz', { tags: ['say "hi"'] });
    },
  });
  page = opened.page;
  await openView(page, 'All items');
});
afterAll(() => opened.close());

const field = () => page.getByRole('combobox', { name: 'Search items' });
const options = () => page.getByRole('listbox', { name: 'Continue the search' }).getByRole('option');
/** The titles of the listed items. */
const titles = async () => {
  const rows = await page.getByRole('grid', { name: 'Items' }).getByRole('row').allInnerTexts();
  return rows.flatMap((row) => /Basalt|Marble|Quartz/.exec(row)?.[0] ?? (row.includes('Draft') ? ['other'] : []));
};
/** Searches as a user does, and goes on to the list. */
const use = async (search: string) => {
  await field().fill(search);
  await page.keyboard.press('Enter');
  await expect.poll(() => options().count()).toBe(0);
};
const optionNames = async () => (await options().allInnerTexts()).map((each) => each.split('\n')[0]);

describe('the search field', () => {
  it('offers filters and their values while the user types: chosen by keyboard', async () => {
    await field().click();
    await page.keyboard.type('le');
    await expect.poll(optionNames).toEqual(['duration:']);
    await page.keyboard.press('Escape');
    await expect.poll(() => options().count()).toBe(0);
    expect(await field().inputValue()).toBe('le');
    await field().fill('ta');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await field().inputValue()).toBe('tag:');
    await page.keyboard.type('geo');
    await expect.poll(optionNames).toEqual(['geology', 'geometry']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    expect(await field().inputValue()).toBe('tag:geology ');
    await page.getByRole('row', { name: /Basalt/ }).waitFor();
    await expect.poll(() => page.getByRole('row', { name: /Marble/ }).count()).toBe(0);
  });

  it('offers tags with blanks, people and collections: chosen by mouse', async () => {
    await field().fill('tag:fie');
    await options().filter({ hasText: 'field trip' }).click();
    expect(await field().inputValue()).toBe('tag:"field trip" ');
    await page.keyboard.type('by:ad');
    await options().filter({ hasText: 'Ada Byron' }).click();
    expect(await field().inputValue()).toBe('tag:"field trip" by:"Ada Byron" ');
    await page.getByRole('row', { name: /Basalt/ }).waitFor();
    await field().fill('in:opt');
    await options().filter({ hasText: 'Optics' }).first().click();
    expect(await field().inputValue()).toMatch(/^in:\S+ $/);
  });

  it('offers the searches that were used before, to the mouse and to the keyboard', async () => {
    await use('tag:geometry');
    await use('tag:geology');
    await use('');
    await field().click();
    await expect.poll(optionNames).toEqual(['tag:geology', 'tag:geometry', 'Clear recent searches']);
    await options().nth(1).click();
    expect(await field().inputValue()).toBe('tag:geometry');
    await expect.poll(titles).toEqual(['Marble']);
    await use('');
    await page.keyboard.press('Control+f');
    await expect.poll(() => options().count()).toBe(3);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    // The one that was chosen last is the first now.
    expect(await field().inputValue()).toBe('tag:geology');
    await expect.poll(titles).toEqual(['Basalt']);
    await expect.poll(() => options().count()).toBe(0);
  });

  it('forgets them when the user asks, also after a restart', async () => {
    await use('');
    await field().click();
    await options().filter({ hasText: 'Clear recent searches' }).click();
    await field().blur();
    await field().click();
    expect(await options().count()).toBe(0);
    expect(await page.evaluate(() => localStorage.getItem('mediadesk.recent-searches'))).toBe('{}');
  });

  it('finds values with double quotes, and closes its list when the focus leaves', async () => {
    await field().click();
    await page.keyboard.type('tag:say');
    await expect.poll(optionNames).toEqual(['say "hi"']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await field().inputValue()).toBe('tag:"say \\"hi\\"" ');
    await expect.poll(titles).toEqual(['Quartz']);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('ty');
    await expect.poll(optionNames).toEqual(['type:']);
    await page.keyboard.press('Shift+Tab');
    await expect.poll(() => options().count()).toBe(0);
  });

  it('finds alternatives of several conditions', async () => {
    await field().fill('(tag:geology by:nobody) OR (tag:geometry created:today)');
    await page.getByRole('row', { name: /Marble/ }).waitFor();
    await expect.poll(() => page.getByRole('row', { name: /Basalt/ }).count()).toBe(0);
  });
});

describe('the list of the search field', () => {
  it('has no findings of axe, in both themes', async () => {
    await field().fill('tag:geo');
    await expect.poll(optionNames).toEqual(['geology', 'geometry']);
    await page.keyboard.press('ArrowDown');
    // The open list covers a part of a button behind it.
    const findings = await axeFindingsInThemes(page);
    expect(findings.filter((each) => !each.includes('target-size'))).toEqual([]);
  });
});
