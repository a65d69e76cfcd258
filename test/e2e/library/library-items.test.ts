// The items of the library as a list and as a grid: the real app, the real service, by mouse and by keyboard.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openView } from '../../../build/demo/window-steps.ts';
import { call } from '../../helpers/desktop/desktop-sign-in.ts';
import { fakeMediaList } from '../../helpers/desktop/fake-media-list.ts';
import { openSignedInApp, type SignedInApp, type TestLibrary } from '../../helpers/desktop/signed-in-app.ts';
import { setWindow, whenOverlayFocused } from '../../helpers/desktop/window-actions.ts';
import { png } from '../../helpers/service/service-samples.ts';

const gridOf = (page: Page): Locator => page.getByRole('grid', { name: 'Items' });
const tileOf = (page: Page, name: RegExp | string): Locator => gridOf(page).getByRole('gridcell', { name });

/** Shows the list or the grid, by a click on the switch. */
async function show(page: Page, layout: 'List' | 'Grid'): Promise<void> {
  await page.getByRole('radiogroup', { name: 'Layout' }).getByText(layout).click({ force: true });
  await page.locator(`[data-media-layout="${layout.toLowerCase()}"]`).waitFor();
}

/** Returns the accessible name of the tile or row that has the keyboard focus. */
function current(page: Page): Promise<string> {
  return gridOf(page).evaluate((grid) => {
    const id = grid.getAttribute('aria-activedescendant');
    const element = id === null ? null : document.getElementById(id);
    return element?.textContent ?? '';
  });
}

/** Creates an item with a thumbnail, and one without. */
async function addZebraAndYak({ direct }: TestLibrary): Promise<void> {
  const bytes = png(320, 180);
  const item = await direct.createItem('Zebra with a picture');
  await direct.createItem('Yak without');
  const { body } = await direct.post(`${item}/thumbs`, { upload_name: 'a.png', upload_size: bytes.length });
  const { upload_url: url, upload_file_param: name, upload_post_params: fields } = body.upload.protocols.form_data;
  const form = new FormData();
  for (const [key, value] of Object.entries(fields as Record<string, string>)) form.append(key, value);
  form.append(name, new Blob([new Uint8Array(bytes)]), 'a.png');
  await fetch(url, { method: 'POST', body: form, redirect: 'manual' });
}

describe('the grid of items', () => {
  let opened: SignedInApp;
  let page: Page;

  beforeAll(async () => {
    opened = await openSignedInApp({ service: { seed: 'demo' }, prepare: addZebraAndYak });
    ({ page } = opened);
    await gridOf(page).getByRole('row').nth(2).waitFor();
  });
  afterAll(() => opened?.close());

  it('shows title, type, length, status and collection of each item', async () => {
    await show(page, 'Grid');
    await tileOf(page, /^Lecture 22 – Perturbation Theory Video Published Quantum Mechanics 1:28:56$/).waitFor();
    const grid = gridOf(page);
    const columns = Number(await grid.getAttribute('aria-colcount'));
    expect(columns).toBeGreaterThan(1);
    expect(Number(await grid.getAttribute('aria-rowcount'))).toBe(Math.ceil(306 / columns));
  });

  it('has its whole toolbar in a small window at 200 %, with room for a search', async () => {
    await setWindow(opened.desktop, 960, 600, 2);
    const layout = page.getByRole('radiogroup', { name: 'Layout' });
    const right = () => layout.evaluate((group) => innerWidth - group.getBoundingClientRect().right);
    await expect.poll(right).toBeGreaterThanOrEqual(0);
    const search = await page.getByRole('combobox', { name: 'Search items' }).boundingBox();
    expect(search?.width ?? 0).toBeGreaterThan(200);
    await setWindow(opened.desktop, 1280, 800);
  });

  it('selects by click, Ctrl-click and Shift-click as the list does, and shows the item in the inspector', async () => {
    const tiles = gridOf(page).getByRole('gridcell');
    const selected = () => gridOf(page).locator('[aria-selected="true"]').count();
    await tiles.nth(1).click({ position: { x: 40, y: 60 } });
    expect(await selected()).toBe(1);
    const title = (await tiles.nth(1).locator('[title]').first().textContent()) ?? '';
    await page.locator('[data-inspector]').getByRole('heading', { name: title }).waitFor();
    await tiles.nth(4).click({ position: { x: 40, y: 60 }, modifiers: ['Control'] });
    expect(await selected()).toBe(2);
    await tiles.nth(1).click({ position: { x: 40, y: 60 } });
    await tiles.nth(4).click({ position: { x: 40, y: 60 }, modifiers: ['Shift'] });
    expect(await selected()).toBe(4);
  });

  it('moves in two dimensions by keyboard, to both ends and by pages, and opens item and menu', async () => {
    const grid = gridOf(page);
    const labels = async (index: number) => (await grid.getByRole('gridcell').nth(index).textContent()) ?? '';
    const columns = Number(await grid.getAttribute('aria-colcount'));
    await grid.focus();
    await page.keyboard.press('Home');
    expect(await current(page)).toBe(await labels(0));
    await page.keyboard.press('ArrowRight');
    expect(await current(page)).toBe(await labels(1));
    await page.keyboard.press('ArrowDown');
    expect(await current(page)).toBe(await labels(columns + 1));
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowUp');
    expect(await current(page)).toBe(await labels(0));
    await page.keyboard.press('Shift+ArrowRight');
    expect(await grid.locator('[aria-selected="true"]').count()).toBe(2);
    await page.keyboard.press('End');
    const last = grid.locator(`[role="row"][aria-rowindex="${Math.ceil(306 / columns)}"] [role="gridcell"]`).last();
    await last.waitFor();
    await expect.poll(() => current(page)).toBe(await last.textContent());
    await page.keyboard.press('PageUp');
    expect(await current(page)).not.toBe(await last.textContent());
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Show details' }).waitFor();
    await whenOverlayFocused(page);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.keyboard.press('Alt+Enter');
    await page.locator('[data-inspector] input:focus').waitFor();
    await page.keyboard.press('Escape');
    expect(await grid.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('sorts from the toolbar, and keeps the item at the top when the size of the tiles changes', async () => {
    const grid = gridOf(page);
    await page
      .getByRole('toolbar', { name: 'Filters' })
      .getByRole('button', { name: /Newest first/ })
      .click();
    await page.getByRole('option', { name: 'Title, A to Z' }).click();
    await tileOf(page, /^A Room with Echo/)
      .first()
      .waitFor();
    const columns = async () => Number(await grid.getAttribute('aria-colcount'));
    const before = await columns();
    const size = page.getByRole('slider', { name: 'Thumbnail size' });
    await size.focus();
    await page.keyboard.press('Home');
    await expect.poll(columns).toBeGreaterThan(before);
    await page.keyboard.press('End');
    await expect.poll(columns).toBeLessThan(before);
    await grid.getByRole('rowgroup').evaluate((element) => {
      element.scrollTop = 3000;
    });
    const firstVisible = () =>
      grid.getByRole('rowgroup').evaluate((element) => {
        const edge = element.getBoundingClientRect().top;
        const tiles = [...element.querySelectorAll('[data-tile]')];
        const seen = tiles.find((tile) => tile.getBoundingClientRect().bottom > edge + 60);
        return seen?.querySelector('[title]')?.textContent ?? '';
      });
    await expect.poll(firstVisible).toMatch(/./);
    await expect.poll(firstVisible).not.toBe('');
    const top = await firstVisible();
    await size.focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await tileOf(page, top).first().waitFor();
    const box = await tileOf(page, top).first().boundingBox();
    const view = await grid.getByRole('rowgroup').boundingBox();
    expect(Math.abs((box?.y ?? 0) - (view?.y ?? 0))).toBeLessThan((box?.height ?? 0) * 1.1);
  });

  it('is shown again after a restart, with the same number of columns', async () => {
    const columns = await gridOf(page).getAttribute('aria-colcount');
    ({ page } = await opened.reopen());
    await openView(page, 'All items');
    await page.locator('[data-media-layout="grid"]').waitFor();
    await expect.poll(() => gridOf(page).getAttribute('aria-colcount')).toBe(columns);
  });

  it('shows thumbnails of the library, the icon of the type where there is none, and keeps none after the sign-out', async () => {
    await show(page, 'Grid');
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    await page.getByRole('combobox', { name: 'Search items' }).fill('Zebra');
    const tile = tileOf(page, 'Zebra').first();
    const picture = tile.locator('img[data-shown="true"]');
    await picture.waitFor();
    expect(await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(320);
    const asked = page.waitForRequest((request) => request.url().includes('/thumbnails/'));
    await page.getByRole('combobox', { name: 'Search items' }).fill('Yak');
    const plain = tileOf(page, 'Yak').first();
    await plain.waitFor();
    // The request for a thumbnail that does not exist ends without an image.
    await asked;
    await plain.locator('img').waitFor({ state: 'detached' });
    expect(await plain.locator('svg').first().isVisible()).toBe(true);
    expect(problems).toEqual([]);

    // No address below the thumbnails reads a file.
    const statuses = await page.evaluate(async () => {
      const load = (src: string) =>
        new Promise<string>((resolve) => {
          const image = new Image();
          image.onload = () => resolve('loaded');
          image.onerror = () => resolve('none');
          image.src = src;
        });
      const paths = ['/thumbnails/../icon.png', '/thumbnails/_x/_%2e%2e%2f%2e%2e%2fqueue.db/_', '/thumbnails/_/_/_'];
      return Promise.all(paths.map(load));
    });
    expect(statuses).toEqual(['none', 'none', 'none']);

    const cache = join(opened.folder, 'profile', 'thumbnails');
    expect(readdirSync(cache)).toHaveLength(1);
    const [site] = ((await call(page, 'sites.list', null)) as unknown as { value: { id: string }[] }).value;
    await call(page, 'sites.signOut', { siteId: site?.id });
    await expect.poll(() => readdirSync(cache)).toEqual([]);
  });
});

describe('the columns of the list', () => {
  let opened: SignedInApp;
  let page: Page;

  beforeAll(async () => {
    opened = await openSignedInApp({
      service: { seed: 'demo' },
      prepare: async ({ direct }) => {
        await direct.createItem('Yak without a file');
        const item = await direct.createItem('Zebra with a picture');
        await direct.processed(await direct.upload(item, 'zebra.png', png(320, 180), { upload_type: 'image' }));
      },
    });
    ({ page } = opened);
    await gridOf(page).getByText('Zebra').waitFor();
  });
  afterAll(() => opened?.close());

  const header = (name: string) => gridOf(page).getByRole('columnheader', { name });
  const headers = async () => (await gridOf(page).getByRole('columnheader').allTextContents()).slice(1, -1);
  const widthOf = async (name: string) => Math.round((await header(name).boundingBox())?.width ?? 0);

  it('are chosen in a menu that stays open, by mouse and by keyboard', async () => {
    expect(await headers()).toEqual(['Title', 'Status', 'Length', 'Added']);
    await page.getByRole('button', { name: 'Columns' }).click();
    const entry = (name: string) => page.getByRole('menuitemcheckbox', { name });
    expect(await entry('Size').getAttribute('aria-checked')).toBe('false');
    await entry('Size').click();
    await entry('Captions').click();
    expect(await entry('Size').getAttribute('aria-checked')).toBe('true');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    expect(await headers()).toContain('Size');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    expect(await headers()).toContain('Captions');
    expect((await headers()).length).toBeGreaterThan(5);
  });

  it('show whether an item has captions, and the size of its files, or a dash when it has no files', async () => {
    const cell = (item: string, name: string | RegExp) =>
      gridOf(page).getByRole('row').filter({ hasText: item }).getByRole('gridcell', { name, exact: true });
    await cell('Zebra', /^[\d.]+ (B|kB|KB|bytes)$/).waitFor();
    await cell('Zebra', 'No').waitFor();
    // Both columns show a dash until the files have been read, which “No” shows.
    await cell('Yak', 'No').waitFor();
    await cell('Yak', '–').waitFor();
  });

  it('are sorted by a click on a header, also by sizes, which only the files of the items show', async () => {
    const first = () => gridOf(page).getByRole('row').nth(1).textContent();
    await header('Title').getByRole('button').click();
    await expect.poll(() => header('Title').getAttribute('aria-sort')).toBe('ascending');
    await expect.poll(first).toContain('A Room with Echo');
    await header('Title').getByRole('button').click();
    await expect.poll(() => header('Title').getAttribute('aria-sort')).toBe('descending');
    await expect.poll(first).toContain('Zebra');
    const size = header('Size').getByRole('button');
    await expect.poll(() => size.getAttribute('aria-disabled')).toBeNull();
    await size.click();
    await expect.poll(() => header('Size').getAttribute('aria-sort')).toBe('descending');
    await expect.poll(first).toMatch(/\d (B|kB|MB)/);
    await size.click();
    await expect.poll(() => header('Size').getAttribute('aria-sort')).toBe('ascending');
    await expect.poll(first).toContain('–');
    await header('Title').getByRole('button').click();
    await header('Title').getByRole('button').click();
    await expect.poll(() => header('Title').getAttribute('aria-sort')).toBe('descending');
  });

  it.each(['top left', 'bottom right'])('are sorted by a click at the %s of a header cell', async (corner) => {
    const cell = await header('Title').boundingBox();
    if (cell === null) throw new Error('The column has no header.');
    const before = await header('Title').getAttribute('aria-sort');
    const [x, y] = corner === 'top left' ? [1, 2] : [cell.width - 2, cell.height - 2];
    await page.mouse.click(cell.x + x, cell.y + y);
    await expect.poll(() => header('Title').getAttribute('aria-sort')).not.toBe(before);
    // The following tests expect the titles from Z to A.
    if ((await header('Title').getAttribute('aria-sort')) !== 'descending')
      await header('Title').getByRole('button').click();
  });

  it('are resized by mouse and by keyboard; one Tab stop leads to all headers', async () => {
    const before = await widthOf('Size');
    const edge = await page.locator('[data-resize="size"]').boundingBox();
    if (edge === null) throw new Error('The column has no edge.');
    await page.mouse.move(edge.x + 6, edge.y + 8);
    await page.mouse.down();
    await page.mouse.move(edge.x - 34, edge.y + 8, { steps: 4 });
    await page.mouse.up();
    expect(await widthOf('Size')).toBe(before + 40);
    await gridOf(page).focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.column)).toBe('title');
    while ((await page.evaluate(() => (document.activeElement as HTMLElement).dataset.column)) !== 'size') {
      await page.keyboard.press('ArrowRight');
    }
    await page.keyboard.press('Shift+ArrowRight');
    expect(await widthOf('Size')).toBe(before + 56);
    await page.keyboard.press('Shift+ArrowLeft');
    expect(await widthOf('Size')).toBe(before + 40);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.column)).toBeUndefined();
  });

  it('have rows of one line or of two, by a click or by keyboard, with a field for the title in both', async () => {
    const row = gridOf(page).getByRole('row').nth(1);
    const height = () => row.evaluate((element) => (element as HTMLElement).offsetHeight);
    expect(await height()).toBe(38);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Compact rows' }).click();
    await expect.poll(height).toBe(28);
    await page.keyboard.press('Escape');
    await row.click();
    await page.keyboard.press('F2');
    const field = gridOf(page).getByRole('textbox');
    const box = async () => [await field.boundingBox(), await row.boundingBox()] as const;
    const [inner, outer] = await box();
    expect(inner?.height ?? 0).toBeLessThanOrEqual(outer?.height ?? 0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Columns' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('[role="menuitemcheckbox"]:focus', { hasText: 'Compact rows' }).waitFor();
    await page.keyboard.press('Space');
    await expect.poll(height).toBe(38);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  });

  it('are the same after a restart, until they are reset', async () => {
    const [before, width] = [await headers(), await widthOf('Size')];
    ({ page } = await opened.reopen());
    await openView(page, 'All items');
    await header('Size').waitFor();
    expect(await headers()).toEqual(before);
    expect(await widthOf('Size')).toBe(width);
    expect(await header('Title').getAttribute('aria-sort')).toBe('descending');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitem', { name: 'Reset columns' }).click();
    await header('Size').waitFor({ state: 'detached' });
    expect(await headers()).toEqual(['Title', 'Status', 'Length', 'Added']);
  });
});

describe('a library of 1,000,000 items on a screen with a device pixel ratio of 3', () => {
  let opened: SignedInApp;
  let page: Page;
  beforeAll(async () => {
    opened = await openSignedInApp({
      launch: { args: ['--force-device-scale-factor=3'] },
      beforeSignIn: ({ desktop }) => fakeMediaList(desktop, 1_000_000),
    });
    ({ page } = opened);
  });
  afterAll(() => opened?.close());

  /** Returns the numbers of the rows or tiles that are completely visible, and the number of elements of the whole page. */
  const seen = () =>
    gridOf(page)
      .getByRole('rowgroup')
      .evaluate((box) => {
        const { top, bottom } = box.getBoundingClientRect();
        const items = [...box.querySelectorAll('[data-tile], [role="row"]:not(:has([data-tile]))')].filter((item) => {
          const place = item.getBoundingClientRect();
          return place.top >= top - 1 && place.bottom <= bottom + 1;
        });
        // While the list scrolls, the order of its elements is not that of the rows.
        const numbers = items
          .map((item) => Number(/Item (\d+)/.exec(item.textContent ?? '')?.[1] ?? Number.NaN))
          .sort((a, b) => a - b);
        return { first: numbers[0], last: numbers.at(-1), elements: document.querySelectorAll('*').length };
      });
  const scrollTo = (share: number) =>
    gridOf(page)
      .getByRole('rowgroup')
      .evaluate((box, part) => {
        box.scrollTop = box.scrollHeight * part;
      }, share);

  it.each(['List', 'Grid'] as const)('can be scrolled by scrollbar, wheel and keyboard: %s', async (layout) => {
    await show(page, layout);
    expect(await page.evaluate(() => devicePixelRatio)).toBe(3);
    await scrollTo(0);
    await expect.poll(async () => (await seen()).first).toBe(0);
    await scrollTo(1);
    await expect.poll(async () => (await seen()).last).toBe(999_999);
    expect((await seen()).elements).toBeLessThanOrEqual(1000);

    await scrollTo(0.5);
    // Polls, because the list shows its end until it has rendered the new part.
    await expect.poll(async () => Math.abs(((await seen()).first ?? 0) - 500_000)).toBeLessThan(10_000);
    const half = (await seen()).first ?? 0;
    await gridOf(page).hover();
    let lastSeen = half;
    for (let turn = 0; turn < 10; turn += 1) {
      await page.mouse.wheel(0, 100);
      await expect.poll(async () => (await seen()).first ?? 0).toBeGreaterThanOrEqual(lastSeen);
      const now = await seen();
      // The wheel moves as far as in a short list: no item is skipped.
      expect((now.first ?? 0) - lastSeen).toBeLessThan(20);
      expect(now.elements).toBeLessThanOrEqual(1000);
      lastSeen = now.first ?? 0;
    }
    await expect.poll(async () => (await seen()).first).toBeGreaterThan(half);

    await gridOf(page).focus();
    await page.keyboard.press('End');
    await expect.poll(() => current(page)).toContain('Item 999999');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('PageUp');
    await page.keyboard.press('PageUp');
    await expect.poll(async () => (await seen()).last ?? 0).toBeLessThan(999_999);
    await page.keyboard.press('Home');
    await expect.poll(() => current(page)).toContain('Item 0');
    expect((await seen()).first).toBe(0);
  });
});
