// The list of items in groups: the real app and the real service, by mouse and by keyboard, online and offline.
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DesktopApp } from '../../helpers/desktop/desktop-app.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { keepPicture } from '../../helpers/desktop/window-actions.ts';

const gridOf = (page: Page) => page.getByRole('grid', { name: 'Items' });
/** The heading above the list first, then those between its visible rows. */
const headings = (page: Page) =>
  gridOf(page)
    .locator('[data-heading]')
    .evaluateAll((found) => found.map((each) => each.getAttribute('data-heading')));

async function choose(page: Page, value: string): Promise<void> {
  await page.getByRole('button', { name: /Group by/ }).click();
  await page.getByRole('option', { name: value, exact: true }).click();
}

async function keepBoth(desktop: DesktopApp, page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
    await keepPicture(desktop, `${name}-${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: null });
}

describe('a list of items in groups', () => {
  let opened: SignedInApp;
  let desktop: DesktopApp;
  let page: Page;

  beforeAll(async () => {
    opened = await openSignedInApp({ service: { seed: 'demo' } });
    ({ page, desktop } = opened);
    await gridOf(page).getByRole('row').nth(2).waitFor();
    await page.getByRole('button', { name: /Group by/ }).waitFor();
  });
  afterAll(() => opened?.close());

  it('has headings with the number of their items, and one above the list for the rows at its top', async () => {
    await choose(page, 'By title');
    await expect.poll(async () => (await headings(page)).length).toBeGreaterThan(1);
    expect((await headings(page))[0]).toBe('A');
    expect(await gridOf(page).locator('[data-heading]').first().textContent()).toMatch(/^A \d+$/);
    await keepBoth(desktop, page, 'groups-title');
    await gridOf(page).focus();
    await page.keyboard.press('End');
    await expect.poll(async () => (await headings(page))[0]).not.toBe('A');
    const rows = gridOf(page).getByRole('row');
    const count = Number(await gridOf(page).getAttribute('aria-rowcount'));
    await expect.poll(() => rows.last().getAttribute('aria-rowindex')).toBe(String(count));
    await page.keyboard.press('Home');
    await expect.poll(async () => (await headings(page))[0]).toBe('A');
  });

  it('moves by arrow keys from row to row over a heading, which can’t be selected', async () => {
    const second = gridOf(page).locator('[data-heading]').nth(1);
    const firstBelow = Number(await second.getAttribute('aria-rowindex')) + 1;
    const steps = firstBelow - 3 - 1;
    await gridOf(page).focus();
    await page.keyboard.press('Home');
    for (let step = 0; step < steps; step += 1) await page.keyboard.press('ArrowDown');
    const focused = () => gridOf(page).locator('[data-focus]').getAttribute('aria-rowindex');
    await expect.poll(focused).toBe(String(firstBelow));
    await page.keyboard.press('ArrowUp');
    await expect.poll(focused).toBe(String(firstBelow - 2));
    await second.click();
    expect(await gridOf(page).locator('[aria-selected="true"]').count()).toBe(1);
    await expect.poll(focused).toBe(String(firstBelow - 2));
  });

  it('follows the order of a header, and shows sizes from the files of the items', async () => {
    await page.getByRole('columnheader', { name: 'Status' }).getByRole('button').click();
    await expect.poll(() => headings(page)).toContain('Published');
    await choose(page, 'By size');
    await expect.poll(async () => (await headings(page))[0], { timeout: 60_000 }).not.toBe('Size not known yet');
    await keepBoth(desktop, page, 'groups-size');
  });

  it('begins each group with a new line of tiles in the grid, over which arrow keys go by columns', async () => {
    await choose(page, 'By title');
    await page.getByRole('radio', { name: 'Grid' }).click({ force: true });
    const tiles = gridOf(page).locator('[data-tile]');
    await tiles.first().waitFor();
    await expect.poll(async () => (await headings(page)).length).toBeGreaterThan(1);
    await keepBoth(desktop, page, 'groups-grid');
    const heading = gridOf(page).locator('[data-heading]').nth(1);
    const row = Number(await heading.getAttribute('aria-rowindex'));
    const lineOf = (index: number) => gridOf(page).locator(`[role="row"][aria-rowindex="${index}"] [data-tile]`);
    const above = await lineOf(row - 1).count();
    const [first, last] = [lineOf(row + 1).first(), lineOf(row - 1).last()];
    // Groups do not share a line, although the last line of a group has room.
    expect(Number(await first.getAttribute('data-index'))).toBe(Number(await last.getAttribute('data-index')) + 1);
    expect(await first.getAttribute('aria-colindex')).toBe('1');
    const [box, below] = [await heading.boundingBox(), await first.boundingBox()];
    expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBeLessThanOrEqual(Math.round(below?.y ?? 0) + 1);
    await last.click();
    const focused = () => gridOf(page).locator('[data-focus]').getAttribute('data-index');
    await page.keyboard.press('ArrowDown');
    const firstBelow = Number(await first.getAttribute('data-index'));
    const inLine = await lineOf(row + 1).count();
    await expect.poll(focused).toBe(String(firstBelow + Math.min(inLine, above) - 1));
    await page.keyboard.press('ArrowUp');
    const firstHeading = (await headings(page))[0];
    await page.keyboard.press('End');
    await expect.poll(async () => (await headings(page))[0]).not.toBe(firstHeading);
    const total = Number(await gridOf(page).getAttribute('aria-rowcount'));
    await expect.poll(() => gridOf(page).getByRole('row').last().getAttribute('aria-rowindex')).toBe(String(total));
    await page.keyboard.press('Home');
    await page.getByRole('radio', { name: 'List' }).click({ force: true });
  });

  it('stays grouped after a restart without the library', async () => {
    await choose(page, 'By added');
    await expect.poll(async () => (await headings(page))[0]).toMatch(/^[A-Z][a-z]+ \d{4}$/);
    const online = await headings(page);
    await opened.service.stop();
    ({ page, desktop } = await opened.reopen(async (again) => {
      await gridOf(again).getByRole('row').nth(2).waitFor();
    }));
    await expect.poll(() => headings(page)).toEqual(online);
    await choose(page, 'No groups');
    await expect.poll(() => headings(page)).toEqual([]);
  });

  it('says that the library can’t tell who created an item', async () => {
    await page.getByRole('button', { name: 'Columns' }).click();
    const creator = page.getByRole('menuitem', { name: /^Creator/ });
    await creator.waitFor();
    await keepBoth(desktop, page, 'columns-menu');
    expect(await creator.textContent()).toContain('The library doesn’t report who created an item');
    await page.keyboard.press('Escape');
  });
});
