// Items edited as a table: the real app, the real service, the real clipboard; once by keyboard, once by mouse.
import type { CDPSession, Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import type { DesktopApp } from '../../helpers/desktop/desktop-app.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { announced, keepPicture, runInPalette, setWindow } from '../../helpers/desktop/window-actions.ts';
import type { ServiceClient } from '../../helpers/service/service-client.ts';
import { type Eavesdropper, eavesdrop } from '../../helpers/wire/eavesdropper.ts';

const TALKS = Array.from({ length: 40 }, (_, index) => `Talk ${String(index + 1).padStart(2, '0')}`);

let opened: SignedInApp;
let relay: Eavesdropper;
let desktop: DesktopApp;
let direct: ServiceClient;
let page: Page;
let devtools: CDPSession;
const ids = new Map<string, string>();

beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async (library) => {
      for (const title of TALKS) {
        const location = await library.direct.createItem(title, { tags: ['optics'], byline: 'Ada' });
        ids.set(title, location.split('/').at(-1) ?? '');
      }
    },
    site: async ({ service }) => {
      relay = await eavesdrop(service.baseUrl);
      return relay.baseUrl;
    },
  });
  ({ direct, desktop, page } = opened);
  devtools = await page.context().newCDPSession(page);
  await list()
    .getByRole('button', { name: /^Title/ })
    .click();
  await row('Talk 01').waitFor();
});
afterAll(async () => {
  await opened?.close();
  await relay?.stop();
});

const list = (): Locator => page.getByRole('grid', { name: 'Items', exact: true }).first();
const row = (title: string): Locator => list().getByRole('row').filter({ hasText: title });
const dialog = (name: string | RegExp): Locator => page.getByRole('dialog', { name });
const table = (): Locator => dialog(/as a table$/);
const grid = (): Locator => table().getByRole('grid', { name: 'Items' });
const focused = (): Locator => table().locator('[data-cell-input]');
const value = () => focused().inputValue();
const key = (...keys: string[]) =>
  keys.reduce((last, each) => last.then(() => page.keyboard.press(each)), Promise.resolve());
const item = async (title: string) => (await direct.get(`/api2/media/${ids.get(title)}`)).body;
const cell = (number: number, column: number): Locator =>
  grid().locator(`[role="row"][aria-rowindex="${number + 1}"] [aria-colindex="${column + 1}"]`);
/** Returns the text that a cell shows, without the field of the focused cell. */
const textOf = (number: number, column: number) =>
  cell(number, column).evaluate((element) =>
    [...element.childNodes]
      .map((node) => (node instanceof HTMLTextAreaElement ? '' : (node.textContent ?? '')))
      .join('')
      .trim(),
  );
const said = (text: string | RegExp) => announced(page, text, 20_000);
const setClipboard = (text: string) =>
  desktop.app.evaluate(({ clipboard }, chosen) => clipboard.writeText(chosen), text);
const clipboardText = () => desktop.app.evaluate(({ clipboard }) => clipboard.readText());

/** Reports the findings of axe in the window, in light and dark, without ending the test. */
async function scan(name: string): Promise<void> {
  expect.soft(await axeFindingsInThemes(page), name).toEqual([]);
  await keepPicture(desktop, name);
}

/** Selects the first rows of the list and opens them as a table, by keyboard. */
async function openTable(count: number): Promise<void> {
  await list().focus();
  await key('Home');
  for (let step = 1; step < count; step += 1) await key('Shift+ArrowDown');
  await runInPalette(page, 'Selected items: Edit as a table');
  await grid().waitFor();
  await focused().waitFor({ state: 'attached' });
}

/** Closes a table that a test left open, and discards its changes. */
afterEach(async () => {
  for (let step = 0; step < 4 && (await table().count()) > 0; step += 1) {
    await key('Escape');
    const discard = page.getByRole('button', { name: 'Discard' });
    if ((await discard.count()) > 0) await discard.click();
  }
});

describe('the grid editor with the keyboard only', () => {
  it('types, moves, fills, undoes and applies: the request contains one field for each changed cell', async () => {
    await openTable(5);
    expect(await page.evaluate(() => document.activeElement?.matches('[data-cell-input]'))).toBe(true);
    await page.keyboard.type('Optics 1');
    await key('Enter');
    expect([await textOf(1, 1), await value()]).toEqual(['Optics 1', 'Talk 02']);
    await key('ArrowRight');
    await page.keyboard.type('Grace');
    await key('Tab');
    expect(await textOf(2, 2)).toBe('Grace');
    await key('ArrowLeft', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Control+d');
    expect([await textOf(3, 2), await textOf(4, 2), await textOf(5, 2)]).toEqual(['Grace', 'Grace', 'Ada']);
    await key('Control+z');
    expect([await textOf(3, 2), await textOf(4, 2)]).toEqual(['Ada', 'Ada']);
    await key('Control+y', 'Control+z');
    await key('ArrowDown', 'F2');
    await page.keyboard.type(' Lovelace');
    await key('Escape');
    expect(await value()).toBe('Ada');
    await table().getByText('2 cells changed').waitFor();
    const before = relay.writes().length;
    await key('Tab');
    for (let step = 0; step < 12; step += 1) {
      const label = await page.evaluate(() => document.activeElement?.textContent);
      if (label === 'Review 2 changes') break;
      await key('Tab');
    }
    await key('Enter');
    const review = dialog('Review 2 changes');
    await review.getByText('Optics 1').waitFor();
    await keepPicture(desktop, 'grid-review');
    await key('Enter');
    await table().waitFor({ state: 'detached' });
    await expect.poll(async () => (await item('Talk 01')).title, { timeout: 60_000 }).toBe('Optics 1');
    await expect.poll(async () => (await item('Talk 02')).byline, { timeout: 60_000 }).toBe('Grace');
    await said(/2 items/);
    const writes = relay
      .writes()
      .slice(before)
      .filter(({ path }) => path.startsWith('/api2/media/'));
    // Two items are changed at the same time.
    expect(writes.map(({ body }) => Object.keys(JSON.parse(body) as object)).sort()).toEqual([['byline'], ['title']]);
  });

  it('undoes applied changes as one edit', async () => {
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await item('Talk 01')).title, { timeout: 60_000 }).toBe('Talk 01');
    await expect.poll(async () => (await item('Talk 02')).byline, { timeout: 60_000 }).toBe('Ada');
  });

  it('pastes from the system’s clipboard, copies to it, and reports cells that don’t fit into the table', async () => {
    await openTable(5);
    await setClipboard('One\tBea\t"<p>a</p>\n<p>b</p>"\r\nTwo\tBob\tplain\r\n');
    await key('Control+v');
    await said('Pasted 6 cells.');
    expect([await textOf(1, 1), await textOf(2, 2), await textOf(1, 3)]).toEqual(['One', 'Bob', '<p>a</p>\n<p>b</p>']);
    await key('Shift+ArrowLeft', 'Control+c');
    await expect.poll(clipboardText).toBe('One\tBea\r\nTwo\tBob\r\n');
    await key('Control+x');
    expect([await textOf(1, 2), await textOf(2, 2)]).toEqual(['', '']);
    await table().getByText('Enter a title. Items can’t have an empty one.').first().waitFor();
    await key('Control+z', 'Control+z');
    await table().getByText('No changes').waitFor();
    await setClipboard('Same');
    await key('Control+Home', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Control+v');
    expect([await textOf(1, 1), await textOf(3, 1), await textOf(4, 1)]).toEqual(['Same', 'Same', 'Talk 04']);
    await setClipboard(Array.from({ length: 8 }, (_, index) => `Row ${index}`).join('\n'));
    await key('Control+Home', 'Control+v');
    const question = page.getByRole('alertdialog', { name: 'Paste a larger table?' });
    await question.getByText('3 rows').waitFor();
    await key('Enter');
    await said('3 cells didn’t fit into the table.');
    expect(await textOf(5, 1)).toBe('Row 4');
  });

  it('offers tags of the library for each tag in a cell', async () => {
    await openTable(3);
    await key('ArrowRight', 'ArrowRight', 'ArrowRight');
    expect(await value()).toBe('optics');
    await page.keyboard.type('new tag|opt');
    const choices = page.getByRole('listbox', { name: 'Choices for Tags' });
    await choices.getByRole('option', { name: 'optics' }).waitFor();
    await key('ArrowDown', 'Enter');
    expect(await value()).toBe('new tag|optics');
    await choices.waitFor({ state: 'detached' });
    await page.keyboard.type('|op');
    // The cell already contains the tag.
    expect(await choices.count()).toBe(0);
    await key('Backspace', 'Backspace', 'Backspace', 'Enter');
    expect(await textOf(1, 4)).toBe('new tag|optics');
    await page.keyboard.type('opt');
    const option = choices.getByRole('option', { name: 'optics' });
    await option.waitFor();
    const [field, list] = [await focused().boundingBox(), await choices.boundingBox()];
    expect(list?.y ?? 0, 'the list covers the cell').toBeGreaterThanOrEqual((field?.y ?? 0) + (field?.height ?? 0));
    await option.click();
    await key('Enter');
    expect(await textOf(2, 4)).toBe('optics');
    await table().getByText('1 cell changed', { exact: true }).waitFor();
  });

  it('has the commands of cells in a menu with Shift+F10, and by a right click', async () => {
    await openTable(4);
    await page.keyboard.type('Changed');
    await key('Enter', 'ArrowUp', 'Shift+F10');
    const menu = page.getByRole('menu', { name: 'Commands for the selected cells' });
    await menu.waitFor();
    await scan('grid-menu');
    await page.keyboard.type('Restore');
    await key('Enter');
    await said('Restored 1 cell.');
    await expect.poll(() => value()).toBe('Talk 01');
    await cell(3, 2).click({ button: 'right' });
    await menu.getByRole('menuitem', { name: 'Select whole rows' }).click();
    await said('1 row × 7 columns selected');
    await cell(3, 3).click({ button: 'right' });
    await menu.getByRole('menuitem', { name: 'Copy' }).click();
    await expect.poll(clipboardText).toMatch(/^Talk 03\tAda\t/);
    await cell(2, 1).click({ button: 'right' });
    await menu.getByRole('menuitem', { name: 'Edit cell' }).click();
    await page.keyboard.type('!');
    await key('Enter');
    expect(await textOf(2, 1)).toBe('Talk 02!');
  });

  it('sorts its rows by the column of the focus, and keeps changes with their rows', async () => {
    await openTable(4);
    await page.keyboard.type('Zebra');
    await key('Enter', 'ArrowUp');
    await table().getByRole('button', { name: 'Sort rows by this column' }).click();
    expect(await textOf(4, 1)).toBe('Zebra');
    expect(await textOf(1, 1)).toBe('Talk 02');
    await expect.poll(value).toBe('Zebra');
    await key('Shift+F10');
    await page.getByRole('menu', { name: 'Commands for the selected cells' }).waitFor();
    await page.keyboard.type('Sort rows in');
    await key('Enter');
    await expect.poll(() => textOf(1, 1)).toBe('Zebra');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.matches('[data-cell-input]'));
    await key('Control+z');
    await expect.poll(() => textOf(1, 1)).toBe('Talk 01');
  });

  it('keeps the column widths after it is closed', async () => {
    await openTable(2);
    const width = () => cell(1, 1).evaluate((element) => (element as HTMLElement).offsetWidth);
    const before = await width();
    await key('Alt+Shift+ArrowRight', 'Alt+Shift+ArrowRight');
    await expect.poll(width).toBe(before + 48);
    await key('Escape');
    await table().waitFor({ state: 'detached' });
    await openTable(2);
    expect(await width()).toBe(before + 48);
    await key('Alt+Shift+ArrowLeft', 'Alt+Shift+ArrowLeft');
  });

  it('never interrupts the composition of an input method', async () => {
    await openTable(3);
    const compose = (text: string) =>
      devtools.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    await compose('こ');
    await compose('こう');
    // The keys of the input method reach the page with the code 229.
    await devtools.send('Input.dispatchKeyEvent', {
      type: 'rawKeyDown',
      key: 'Enter',
      code: 'Enter',
      windowsVirtualKeyCode: 229,
    });
    await devtools.send('Input.dispatchKeyEvent', {
      type: 'rawKeyDown',
      key: 'ArrowDown',
      code: 'ArrowDown',
      windowsVirtualKeyCode: 229,
    });
    expect(await value()).toBe('こう');
    expect(await textOf(2, 1)).toBe('Talk 02');
    await devtools.send('Input.insertText', { text: '講義' });
    expect(await value()).toBe('講義');
    await key('Enter');
    expect([await textOf(1, 1), await value()]).toEqual(['講義', 'Talk 02']);
  });

  it('marks cells that can’t be applied, and moves to such a cell with F8', async () => {
    await openTable(3);
    await key('ArrowDown', 'Delete');
    await table().getByText('Enter a title. Items can’t have an empty one.').first().waitFor();
    await key('Control+End');
    await page.keyboard.type('1/2/2035');
    await key('Enter');
    await table().getByText('2 cells to correct', { exact: true }).waitFor();
    await scan('grid-problems');
    await key('F8');
    expect(await focused().getAttribute('aria-invalid')).toBe('true');
    await key('Control+z', 'Control+z');
    await table().getByText('No changes').waitFor();
  });

  it('keeps the changes of items that were left out of the review', async () => {
    await row('Talk 12').click();
    await row('Talk 13').click({ modifiers: ['Control'] });
    await runInPalette(page, 'Selected items: Edit as a table');
    await focused().waitFor({ state: 'attached' });
    await page.keyboard.type('Applied');
    await key('Enter');
    await page.keyboard.type('Left out');
    await key('Enter');
    await table().getByRole('button', { name: 'Review 2 changes' }).click();
    const review = dialog('Review 2 changes');
    await review.getByRole('button', { name: 'Include Talk 13' }).click();
    await review.getByRole('button', { name: 'Change 1 item' }).click();
    await said('1 item was left out.');
    await table().getByText('1 cell changed', { exact: true }).waitFor();
    expect([await textOf(1, 1), await textOf(2, 1)]).toEqual(['Applied', 'Left out']);
    await expect.poll(async () => (await item('Talk 12')).title, { timeout: 60_000 }).toBe('Applied');
    expect((await item('Talk 13')).title).toBe('Talk 13');
    await key('Escape');
    await page.getByRole('alertdialog', { name: 'Discard 1 change?' }).getByRole('button', { name: 'Discard' }).click();
    await table().waitFor({ state: 'detached' });
    // Restores the state that the other tests expect.
    await direct.post(`/api2/media/${ids.get('Talk 12')}`, { title: 'Talk 12' });
  });

  it('asks before it discards changes', async () => {
    await openTable(2);
    await page.keyboard.type('x');
    await key('Enter', 'Escape');
    const question = page.getByRole('alertdialog', { name: 'Discard 1 change?' });
    await question.waitFor();
    await key('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await textOf(1, 1)).toBe('x');
    await key('Control+z', 'Escape');
    await table().waitFor({ state: 'detached' });
  });
});

describe('the grid editor with the mouse', () => {
  it('selects cells, edits, chooses, resizes, finds and replaces with a preview', async () => {
    await row('Talk 01').click();
    await row('Talk 08').click({ modifiers: ['Shift'] });
    await row('Talk 03').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Edit as a table…' }).click();
    await grid().waitFor();
    await cell(2, 1).dblclick();
    await page.keyboard.type(' extra');
    await cell(4, 1).click();
    expect(await textOf(2, 1)).toBe('Talk 02 extra');
    await cell(1, 2).hover();
    await page.mouse.down();
    await cell(3, 2).hover();
    await page.mouse.up();
    await table().getByText('3 rows × 1 column selected').waitFor();
    await page.keyboard.type('Many');
    await key('Control+Enter');
    expect([await textOf(1, 2), await textOf(3, 2), await textOf(4, 2)]).toEqual(['Many', 'Many', 'Ada']);
    await cell(1, 6).dblclick();
    await page.getByRole('option', { name: 'published' }).click();
    expect(await textOf(1, 6)).toBe('published');
    const head = grid().getByRole('columnheader', { name: 'Title' });
    const width = (await head.boundingBox())?.width ?? 0;
    const box = await head.boundingBox();
    await page.mouse.move((box?.x ?? 0) + width - 3, (box?.y ?? 0) + 10);
    await page.mouse.down();
    await page.mouse.move((box?.x ?? 0) + width + 57, (box?.y ?? 0) + 10, { steps: 4 });
    await page.mouse.up();
    expect(Math.round((await head.boundingBox())?.width ?? 0)).toBe(Math.round(width + 60));
    // A double click on the edge resets the width of the column, and so the table for the other tests.
    await page.mouse.dblclick((box?.x ?? 0) + width + 57, (box?.y ?? 0) + 10);
    await expect.poll(async () => Math.round((await head.boundingBox())?.width ?? 0)).toBe(Math.round(width));
    await table().getByRole('button', { name: 'Find and replace' }).click();
    await table().getByRole('textbox', { name: 'Find', exact: true }).fill('talk');
    await table().getByRole('textbox', { name: 'Replace with' }).fill('Lecture');
    await table().getByText('8 occurrences in 8 cells').waitFor();
    await scan('grid-find');
    await table().getByRole('button', { name: 'Replace in 8 cells' }).click();
    expect(await textOf(8, 1)).toBe('Lecture 08');
    await table().getByRole('button', { name: 'Undo' }).click();
    expect(await textOf(8, 1)).toBe('Talk 08');
    await table().getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await table().getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    await table().waitFor({ state: 'detached' });
  });
});

describe('Enter after cells that were filled with Tab keys', () => {
  const fillTwoCells = async () => {
    await openTable(5);
    for (const text of ['New title', 'New byline']) {
      await page.keyboard.type(text);
      await key('Tab');
    }
    expect(await place()).toEqual([1, 3]);
  };
  /** Returns the row and the column of the focused cell, counted as in `cell`. */
  const place = () =>
    focused().evaluate((input) => {
      const indexOf = (name: string) => Number(input.closest(`[${name}]`)?.getAttribute(name)) - 1;
      return [indexOf('aria-rowindex'), indexOf('aria-colindex')];
    });

  it('moves to the cell below the first filled cell', async () => {
    await fillTwoCells();
    await page.keyboard.type('Next');
    await key('Enter');
    expect(await place()).toEqual([2, 1]);
  });

  it.each([
    ['in another row', 3, 2],
    ['in the same row', 1, 2],
    ['that has the focus already', 1, 3],
  ])('moves to the cell below a clicked cell %s', async (_, clickedRow, clickedColumn) => {
    await fillTwoCells();
    await cell(clickedRow, clickedColumn).click();
    await page.keyboard.type('Next');
    await key('Enter');
    expect(await place()).toEqual([clickedRow + 1, clickedColumn]);
  });

  it('moves to the cell below the clicked cell when the click ends an edit', async () => {
    await fillTwoCells();
    await page.keyboard.type('Edited');
    await cell(3, 3).click();
    expect(await textOf(1, 3)).toContain('Edited');
    await page.keyboard.type('Next');
    await key('Enter');
    expect(await place()).toEqual([4, 3]);
  });

  it('moves to the cell below the cell that an arrow key moved to', async () => {
    await fillTwoCells();
    await key('ArrowDown');
    await page.keyboard.type('Next');
    await key('Enter');
    expect(await place()).toEqual([3, 3]);
  });
});

describe('the grid editor', () => {
  it('shows the last cell in small windows and at 200 % zoom, and has fewer than 700 elements', async () => {
    await openTable(40);
    for (const [width, height, zoom] of [
      [1920, 1080, 1],
      [1280, 800, 1],
      [960, 600, 1],
      [960, 600, 2],
      [720, 500, 1],
    ] as const) {
      await setWindow(desktop, width, height, zoom);
      await key('Control+End');
      await keepPicture(desktop, `grid-${width}-${zoom}-end`);
      const last = await focused().boundingBox();
      expect.soft(last !== null && last.x >= 0 && last.x + last.width <= width / zoom, `${width} ${zoom}`).toBe(true);
      expect.soft(await value()).toBe('');
      await key('Control+Home');
      await keepPicture(desktop, `grid-${width}-${zoom}`);
      expect.soft(await grid().evaluate((element) => element.querySelectorAll('*').length)).toBeLessThan(700);
    }
    await setWindow(desktop, 1280, 800);
    await scan('grid');
  });

  it('opens, and stores its changes, without a connection', async () => {
    await relay.stop();
    await openTable(2);
    await page.keyboard.type('Offline');
    await key('Enter');
    await table().getByRole('button', { name: 'Review 1 change' }).click();
    await dialog('Review 1 change').getByRole('button', { name: 'Change 1 item' }).click();
    await table().waitFor({ state: 'detached' });
    await row('Offline').waitFor();
  });
});
