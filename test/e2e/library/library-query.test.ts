// Filters, chips and saved searches of the library: the real app, the real service, by mouse and by keyboard.
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../../build/demo/window-steps.ts';
import { axeFindings, axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import type { DesktopApp } from '../../helpers/desktop/desktop-app.ts';
import { enterTime } from '../../helpers/desktop/enter-time.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { whenOverlayFocused } from '../../helpers/desktop/window-actions.ts';
import { clientFor } from '../../helpers/service/service-client.ts';

let opened: SignedInApp;
let desktop: DesktopApp;
let page: Page;

const searchBox = (): Locator => page.getByRole('combobox', { name: 'Search items' });
const chips = (): Locator => page.getByRole('toolbar', { name: 'Active filters' });
const chip = (name: string): Locator => chips().getByRole('button', { name, exact: true });
const countText = (): Locator => page.locator('main [role="status"]').first();
const text = () => searchBox().inputValue();

/** Opens the filter menu and chooses an entry. */
async function choose(entry: string): Promise<void> {
  await page.getByRole('toolbar', { name: 'Filters' }).getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('menu').getByText(entry, { exact: true }).click();
}

async function clear(): Promise<void> {
  await page.keyboard.press('Escape');
  await searchBox().fill('');
  await chips().waitFor({ state: 'detached' });
}

beforeAll(async () => {
  opened = await openSignedInApp({
    service: { seed: 'demo' },
    prepare: async ({ direct }) => {
      const item = await direct.createItem('Zebra on a field trip');
      await direct.post(item, { tags: ['physics', 'field trip'] });
    },
  });
  ({ desktop, page } = opened);
  await page.getByRole('grid', { name: 'Items' }).getByRole('row').nth(2).waitFor();
  const [site] = await ask<{ id: string }[]>(page, 'sites.list', null);
  await ask(page, 'library.syncNow', { siteId: site?.id ?? '' });
});
afterAll(() => opened?.close());

describe('filter chips', () => {
  it('appear while a condition is typed, and change the text by mouse', async () => {
    await searchBox().fill('zebra tag:physics');
    await chip('Tag: physics').waitFor();
    await expect.poll(() => countText().textContent()).toBe('1 item');
    await choose('Draft');
    await chip('Status: Draft').waitFor();
    expect(await text()).toBe('zebra tag:physics status:draft');
    await page.keyboard.press('Escape');
    await chips().getByRole('button', { name: 'Remove Tag: physics', exact: true }).click();
    await chip('Tag: physics').waitFor({ state: 'detached' });
    expect(await text()).toBe('zebra status:draft');
    await clear();
  });

  it('combine two types with OR, and get their dates and lengths in dialogs', async () => {
    await choose('Video');
    await page.getByRole('menu').getByText('Audio', { exact: true }).click();
    await page.keyboard.press('Escape');
    await chip('Type: Video or Audio').waitFor();
    expect(await text()).toBe('type:video OR type:audio');
    await choose('Without captions');
    await page.keyboard.press('Escape');
    await chip('Without captions').waitFor();
    await choose('Added between…');
    const dialog = page.getByRole('dialog', { name: 'Filter by the date items were added' });
    await enterTime(dialog.getByRole('group', { name: 'From' }), '2026-01-01');
    await enterTime(dialog.getByRole('group', { name: 'To' }), '2025-01-01');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.getByText('the earlier one first').waitFor();
    await enterTime(dialog.getByRole('group', { name: 'To' }), '2026-12-31');
    await page.keyboard.press('Enter');
    await chip('Added: 1 Jan 2026 to 31 Dec 2026').waitFor();
    await choose('Length…');
    await page.getByRole('dialog').getByLabel('At most').fill('1h30m');
    await page.keyboard.press('Enter');
    await expect
      .poll(text)
      .toBe('type:video OR type:audio no:captions created:2026-01-01..2026-12-31 duration:..1h30m');
    // Four chips leave no room for a fifth beside the inspector.
    await page.getByRole('button', { name: 'More: Active filters' }).click();
    await page.getByRole('menu').getByText('Length: 1h30m or shorter').waitFor();
    await page.getByRole('menuitem', { name: 'Clear all' }).click();
    await chips().waitFor({ state: 'detached' });
    expect(await text()).toBe('');
  });

  it('open a dialog for a range that is open; it discards an incomplete date that loses the focus', async () => {
    await searchBox().fill('created:..2026-03-31');
    await chips()
      .getByRole('button', { name: /^Added/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Change…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Filter by the date items were added' });
    const from = dialog.getByRole('group', { name: 'From' }).getByRole('spinbutton');
    // In the order of every other date of the window, whatever the language of the system is.
    const parts = await from.evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-type')));
    expect(parts).toEqual(['day', 'month', 'year']);
    await from.first().focus();
    await page.keyboard.type('03');
    await expect.poll(() => from.first().textContent()).toBe('03');
    // The form is not sent with a part of a date.
    await page.keyboard.press('Enter');
    await dialog.getByRole('group', { name: 'To' }).getByRole('spinbutton').first().focus();
    await expect.poll(() => from.first().textContent()).not.toBe('03');
    expect(await dialog.count()).toBe(1);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await clear();
  });

  it('are added, changed and removed by keyboard alone', async () => {
    await searchBox().focus();
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Filter', exact: true }).press('Enter');
    await page.getByRole('menu').waitFor();
    await whenOverlayFocused(page);
    await page.keyboard.press('End');
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Filter by tag' });
    await dialog.getByRole('combobox', { name: 'Tag' }).waitFor();
    await whenOverlayFocused(page);
    await page.keyboard.type('fiel');
    await page.getByRole('option', { name: /field trip/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await chip('Tag: field trip').waitFor();
    expect(await text()).toBe('tag:"field trip"');
    await expect.poll(() => countText().textContent()).toBe('1 item');
    await searchBox().fill('tag:"field trip" type:video status:draft');
    await chip('Status: Draft').focus();
    // Between two chips is a button that removes the first one, so the focus moves two steps.
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await chip('Type: Video').evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Delete');
    await chip('Type: Video').waitFor({ state: 'detached' });
    await expect.poll(() => chip('Status: Draft').evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Backspace');
    // The focus moves when the chip has disappeared: a key before that would be lost.
    await expect.poll(() => chip('Tag: field trip').evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Backspace');
    await chips().waitFor({ state: 'detached' });
    expect(await text()).toBe('');
    expect(await searchBox().evaluate((input) => input === document.activeElement)).toBe(true);
  });

  it('come with a sentence at the search field when a filter is unknown or its value can’t be read', async () => {
    await searchBox().fill('colour:red');
    await page.getByText('“colour:” isn’t a filter, so Mediadesk searches for these words.').waitFor();
    expect(await searchBox().getAttribute('aria-describedby')).toContain('search-hint');
    await searchBox().fill('created:yesterdayish');
    await page.getByText('“created:yesterdayish” isn’t a date. Use a date such as').waitFor();
    await clear();
  });

  it('come with a sentence when the search names a collection or a type that the library does not have', async () => {
    const hint = page.locator('#search-hint');
    await searchBox().fill('in:Nowhere');
    await expect.poll(() => hint.textContent()).toBe('No collection is called “Nowhere”.');
    await searchBox().fill('in:physics');
    await chip('Collection: physics').waitFor();
    await expect.poll(() => hint.textContent()).toBe('');
    await searchBox().fill('type:film');
    await expect.poll(() => hint.textContent()).toContain('use video, audio, doc, image');
    await searchBox().fill('created:2026-03..2026-01');
    await expect.poll(() => hint.textContent()).toContain('ends before it begins');
    await clear();
  });

  it('move into a menu when they have no room, and have no accessibility findings', async () => {
    await searchBox().fill('tag:physics type:video OR type:audio status:draft no:captions created:2026 duration:>5m');
    await chip('Tag: physics').waitFor();
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await choose('Tag…');
    await page.getByRole('dialog', { name: 'Filter by tag' }).waitFor();
    expect(await axeFindings(page, 'all')).toEqual([]);
    await page.keyboard.press('Escape');
    await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(720, 500));
    await page.getByRole('button', { name: 'More: Active filters' }).click();
    await page.getByRole('menu').getByText('Length: longer than 5m').waitFor();
    await page.getByRole('menuitem', { name: 'Remove' }).last().click();
    await expect.poll(text).not.toContain('duration');
    await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1280, 800));
    await clear();
  });
});

describe('saved searches', () => {
  const list = (): Locator => page.getByRole('grid', { name: 'Saved searches' });
  const saved = (name: string | RegExp): Locator => list().getByRole('row', { name });
  const names = async () =>
    (await list().locator('[title]:not([title*="items"])').allTextContents()).map((name) => name.trim());

  it('list drafts and videos without captions with one click, with exact counts', async () => {
    await saved('Drafts').click();
    await chip('Status: Draft').waitFor();
    await expect.poll(() => saved('Drafts').innerText()).toMatch(/\n[1-9]\d*$/);
    const count = (await saved('Drafts').innerText()).split('\n').at(-1);
    await expect.poll(() => countText().textContent()).toBe(`${count} items`);
    await saved('Captions missing').click();
    await chip('Without captions').waitFor();
    expect(await text()).toBe('type:video no:captions');
    // The files of all videos are read in the background; the read continues soon after the requested update.
    await page.getByText('more items may belong here').waitFor({ state: 'detached', timeout: 60_000 });
    await expect.poll(() => saved('Captions missing').innerText()).not.toContain('+');
    await expect.poll(() => countText().textContent()).not.toBe('0 items');
    await clear();
  });

  it('are saved, opened, moved, renamed and deleted by mouse', async () => {
    await searchBox().fill('lecture tag:physics');
    await chips().getByRole('button', { name: 'Save this search…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save search' });
    expect(await dialog.getByLabel('Name').inputValue()).toBe('lecture, Tag: physics');
    await dialog.getByLabel('Name').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Enter a name.').waitFor();
    await dialog.getByLabel('Name').fill('Physics lectures');
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await saved('Physics lectures').waitFor();
    await clear();
    await saved('Physics lectures').click();
    expect(await text()).toBe('lecture tag:physics');
    await saved('Physics lectures').hover();
    await page.getByRole('button', { name: 'More for Physics lectures' }).click();
    await page.getByRole('menuitem', { name: 'Move up' }).click();
    await expect.poll(names).toEqual(['Drafts', 'Physics lectures, shown', 'Captions missing']);
    await saved('Physics lectures').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    const renaming = page.getByRole('dialog', { name: 'Rename search' });
    await renaming.getByLabel('Name').fill('Lectures on physics');
    await renaming.getByRole('button', { name: 'Rename' }).click();
    await expect.poll(names).toEqual(['Drafts', 'Lectures on physics, shown', 'Captions missing']);
    await saved('Lectures on physics').click({ button: 'right' });
    await page.getByRole('menuitem', { name: /Delete…/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete search' }).click();
    await saved('Lectures on physics').waitFor({ state: 'detached' });
    await clear();
  });

  it('are saved from the palette, moved, renamed, opened and deleted by keyboard, and survive a restart', async () => {
    await searchBox().fill('zebra');
    await expect.poll(() => countText().textContent()).toBe('1 item');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('save this');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Save search' }).getByText('In all collections: zebra').waitFor();
    await whenOverlayFocused(page);
    await page.keyboard.type('Zebras');
    await page.keyboard.press('Enter');
    await saved('Zebras').waitFor();
    await clear();
    await saved('Drafts').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(names).toEqual(['Drafts', 'Zebras', 'Captions missing']);
    await page.keyboard.press('F2');
    await page.getByRole('dialog', { name: 'Rename search' }).waitFor();
    await whenOverlayFocused(page);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Striped');
    await page.keyboard.press('Enter');
    await saved('Striped').waitFor();
    ({ desktop, page } = await opened.reopen());
    await expect.poll(names).toEqual(['Drafts', 'Striped', 'Captions missing']);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('search: striped');
    await page.keyboard.press('Enter');
    await expect.poll(text).toBe('zebra');
    await saved('Striped').focus();
    await page.keyboard.press('Delete');
    await page.getByRole('alertdialog').waitFor();
    await whenOverlayFocused(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await saved('Striped').waitFor({ state: 'detached' });
  });
});

describe('the best matches', () => {
  const rows = (): Locator => page.getByRole('grid', { name: 'Items' }).getByRole('row');

  it('come first while the user searches for words; then the previous order returns', async () => {
    await page.getByRole('button', { name: 'All items', exact: true }).first().click();
    await searchBox().fill('lecture');
    // In a window with the inspector, the order is only in the menu of the toolbar.
    const order = page.getByRole('button', { name: 'More: Filters' });
    await order.click();
    await page.getByRole('menuitem', { name: 'Best match first' }).waitFor();
    await whenOverlayFocused(page);
    await page.keyboard.press('Escape');
    await searchBox().fill('tag:physics');
    await order.waitFor({ state: 'detached' });
    await page.getByRole('columnheader', { name: /Added/ }).and(page.locator('[aria-sort="descending"]')).waitFor();
    await clear();
  });

  it('after “More like this”, in the menu of an item or in the palette, are similar items; a chip names the item', async () => {
    await searchBox().fill('"Lecture 22 – Perturbation Theory"');
    await expect.poll(() => countText().textContent()).toBe('1 item');
    await rows().nth(1).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'More like this' }).click();
    const related = chips()
      .getByRole('button', { name: /^Related to: Lecture 22/ })
      .first();
    await related.waitFor();
    expect(await text()).toMatch(/^related:#\d+$/);
    await expect.poll(() => rows().nth(1).textContent()).toMatch(/Perturbation|Lecture/);
    expect(await rows().nth(1).textContent()).not.toContain('Lecture 22 – Perturbation Theory');
    expect(await axeFindings(page, 'all')).toEqual([]);
    await clear();
    await searchBox().fill('zebra');
    await expect.poll(() => countText().textContent()).toBe('1 item');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('more like');
    await page.keyboard.press('Enter');
    await chips().getByRole('button', { name: 'Related to: Zebra on a field trip', exact: true }).waitFor();
    await clear();
  });
});

describe('a saved search', () => {
  it('says how many of its items are new or changed since the user looked', async () => {
    const drafts = page.getByRole('row', { name: 'Drafts' });
    const mark = page.getByText('2 items are new or changed since you looked');
    // Until the copy of the library is complete, nobody can tell what is new.
    await drafts.filter({ hasText: /\d/ }).waitFor();
    await drafts.click();
    await expect.poll(text).toBe('status:draft');
    await clear();
    // The results count as seen until the window has left them.
    await page.locator('[data-key][data-current]').filter({ hasText: 'Drafts' }).waitFor({ state: 'detached' });
    const direct = await clientFor(opened.service);
    for (const title of ['A new draft', 'Another draft']) await direct.createItem(title);
    const [site] = await ask<{ id: string }[]>(page, 'sites.list', null);
    await ask(page, 'library.syncNow', { siteId: site?.id ?? '' });
    await mark.waitFor();
    await drafts.click();
    await mark.waitFor({ state: 'detached' });
    await clear();
    await expect.poll(() => mark.count()).toBe(0);
  });
});

describe('a search with a typing error', () => {
  it('finds nothing, and offers the corrected search by mouse and by keyboard', async () => {
    const none = page.getByText('No results for “zebar”');
    const offer = page.getByRole('button', { name: 'Search for “zebra”' });
    await searchBox().fill('zebar');
    await none.waitFor();
    await offer.click();
    await expect.poll(() => countText().textContent()).toBe('1 item');
    expect(await text()).toBe('zebra');
    await searchBox().fill('zebar');
    await none.waitFor();
    await offer.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => countText().textContent()).toBe('1 item');
    await clear();
  });
});

describe('the palette', () => {
  const palette = (): Locator => page.getByRole('dialog', { name: 'Commands' });
  const field = (): Locator => palette().getByRole('combobox');

  it('finds items by words of their titles, and shows the chosen one in its collection', async () => {
    await page.keyboard.press('Control+k');
    await whenOverlayFocused(page);
    await page.keyboard.type('zebr fiel');
    await palette()
      .getByRole('group', { name: 'Items' })
      .getByRole('option', { name: 'Zebra on a field trip' })
      .waitFor();
    expect((await axeFindingsInThemes(page)).flat()).toEqual([]);
    await page.getByRole('option', { name: 'Zebra on a field trip', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await palette().waitFor({ state: 'detached' });
    const title = page.locator('[data-inspector]').getByLabel('Title', { exact: true });
    await expect.poll(() => title.inputValue()).toBe('Zebra on a field trip');
  });

  it('opens what the typed text finds, also when Enter comes before it is found', async () => {
    await page.keyboard.press('Control+k');
    await field().fill('zebra');
    await palette().getByRole('group', { name: 'Items' }).getByRole('option').first().waitFor();
    // Neither the results of the text before nor the empty list are taken.
    await field().fill('perturbation 22');
    await page.keyboard.press('Enter');
    await palette().waitFor({ state: 'detached' });
    const title = page.locator('[data-inspector]').getByLabel('Title', { exact: true });
    await expect.poll(() => title.inputValue()).toBe('Lecture 22 – Perturbation Theory');
    await page.keyboard.press('Control+k');
    await field().fill('🦓');
    await palette().getByText('Nothing matches.').waitFor();
    await page.keyboard.press('Escape');
  });

  it('understands filters, and drops what no longer matches', async () => {
    await page.keyboard.press('Control+k');
    await field().fill('tag:physics zebra');
    const items = palette().getByRole('group', { name: 'Items' });
    await items.getByRole('option').waitFor();
    expect(await items.getByRole('option').count()).toBe(1);
    await field().fill('zebra without such words');
    await palette().getByText('Nothing matches.').waitFor();
    await page.keyboard.press('Escape');
  });

  it('opens a setting in its section by a click', async () => {
    await page.keyboard.press('Control+k');
    await field().fill('certificate auth');
    await palette()
      .getByRole('group', { name: 'Settings' })
      .getByRole('option', { name: 'Certificate authorities' })
      .click();
    await page.getByRole('tab', { name: 'Network', selected: true }).waitFor();
  });
});
