// The window by keyboard only, at any size and zoom: the position of the focus, the restored state, and hidden elements.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ask,
  chooseCollection,
  dropFiles,
  listUploads,
  openView,
  whenReady,
} from '../../../build/demo/window-steps.ts';
import type { DesktopApp } from '../../helpers/desktop/desktop-app.ts';
import { createFocusProbe, cutOffIn } from '../../helpers/desktop/focus-probe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { pressSystemKey, whenOverlayFocused } from '../../helpers/desktop/window-actions.ts';
import type { ServiceProcess } from '../../helpers/service/service-process.ts';

const SLOW_MS = 20_000;

let opened: SignedInApp;
let folder: string;
let service: ServiceProcess;
let desktop: DesktopApp;
let page: Page;

beforeAll(async () => {
  opened = await openSignedInApp({
    service: { seed: 'demo' },
    launch: { env: { LC_ALL: 'en_US.UTF-8' } },
  });
  ({ folder, service, desktop, page } = opened);
});
afterAll(() => opened?.close());

async function resize(width: number, height: number): Promise<void> {
  await desktop.app.evaluate(
    ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height),
    { width, height },
  );
  await expect
    .poll(() => desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getContentSize()))
    .toEqual([width, height]);
}

const pressZoomKey = (keyCode: string, title?: string) => pressSystemKey(desktop, keyCode, title);
const { whenFocused, expectFocus, longestWithoutFocus } = createFocusProbe(() => page);
const grid = (name: string) => page.getByRole('grid', { name });
const media = () => grid('Items');

/** Opens an item of the library by keyboard, at its first field. */
async function inspect(title: string): Promise<void> {
  await openView(page, 'All items');
  await page.keyboard.press('Control+f');
  await page.keyboard.type(title);
  await expect.poll(() => media().getByRole('row').nth(1).textContent()).toContain(title);
  await page.keyboard.press('Enter');
  await whenFocused(media());
  await page.keyboard.press('Home');
  await page.keyboard.press('Alt+Enter');
}

describe('the focus', () => {
  it('is on the list after the start', async () => {
    ({ desktop, page } = await opened.reopen());
    await whenFocused(media());
  });

  it('returns from the command palette, and goes to the view that a command opens', async () => {
    await media().focus();
    await page.keyboard.press('Control+k');
    await whenFocused(page.getByRole('combobox', { name: 'Search commands, settings, collections and items' }));
    await page.keyboard.press('Escape');
    await whenFocused(media());
    for (const command of ['Show receipts', 'Settings', 'Show uploads', 'Show library']) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search commands, settings, collections and items' }).waitFor();
      await page.keyboard.type(command);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expectFocus();
    }
  });

  it('goes to the section of the settings that a command opens, also while the section is busy', async () => {
    await media().focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search commands, settings, collections and items' }).waitFor();
    await page.keyboard.type('Check my uploads');
    await page.keyboard.press('Enter');
    await whenFocused(page.getByRole('tab', { name: 'Check my uploads', selected: true }));
    await openView(page, 'All items');
  });

  it('stays in the window when the view changes by a shortcut', async () => {
    for (const key of ['2', '3', ',', '1']) {
      await media()
        .focus({ timeout: 500 })
        .catch(() => undefined);
      await page.keyboard.press(`Control+${key}`);
      await expectFocus();
    }
    await media().waitFor();
  });

  it('reaches the list of shortcuts, so that keys scroll it when it is longer than the window', async () => {
    await media().focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').waitFor();
    await page.keyboard.type('Keyboard shortcuts');
    await page.keyboard.press('Enter');
    const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByRole('group');
    await shortcuts.waitFor();
    const [shown, all] = await shortcuts.evaluate((body) => [body.clientHeight, body.scrollHeight]);
    expect(all).toBeGreaterThan(shown ?? 0);
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await expect
      .poll(() => shortcuts.evaluate((body) => body.scrollHeight - body.scrollTop - body.clientHeight))
      .toBeLessThan(2);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('returns after a dialog is closed with Escape', async () => {
    for (const command of ['Keyboard shortcuts', 'About Mediadesk', 'New collection', 'Pause all uploads until…']) {
      await media().focus();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').waitFor();
      await page.keyboard.type(command);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Commands' }).waitFor({ state: 'detached' });
      await page.getByRole('dialog').waitFor();
      await expectFocus();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expectFocus();
    }
  });

  it('stays in the Publication section while an item is scheduled, the form is cancelled, and the item is published', async () => {
    await inspect('Lecture 20');
    await whenFocused(page.getByLabel('Title', { exact: true }));
    const section = page.getByRole('region', { name: 'Publication' });
    if (await section.getByRole('button', { name: 'Unpublish' }).isVisible()) {
      await section.getByRole('button', { name: 'Unpublish' }).press('Enter');
    }
    const schedule = section.getByRole('button', { name: /Schedule…|Change time…/ });
    const time = section.getByRole('group', { name: 'Publish at' }).getByRole('spinbutton');
    const lost = await longestWithoutFocus(async () => {
      await schedule.press('Enter');
      await whenFocused(time.first());
      // This system's locale has 12 hours.
      expect(await time.last().textContent()).toMatch(/^[ap]m$/i);
      await section.getByRole('button', { name: 'Cancel' }).press('Enter');
      await whenFocused(section.getByRole('button').first());
      await schedule.press('Enter');
      await section.getByRole('button', { name: 'Schedule', exact: true }).press('Enter');
      await section.getByRole('button', { name: 'Change time…' }).waitFor();
      await expectFocus();
      await section.getByRole('button', { name: 'Publish now' }).press('Enter');
      await whenFocused(section.getByRole('button', { name: 'Unpublish' }));
    });
    expect(lost).toBeLessThan(100);
  });

  it('is on the list after an item was deleted, where the arrow keys continue', async () => {
    await inspect('Lecture 1');
    await page.getByRole('button', { name: 'Delete…' }).press('Enter');
    await page.getByRole('alertdialog').waitFor();
    await whenOverlayFocused(page);
    await page.keyboard.press('Escape');
    await whenFocused(page.getByRole('button', { name: 'Delete…' }));
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete item' }).press('Enter');
    await whenFocused(media());
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Home');
    await media().locator('[role="row"][aria-selected="true"]').waitFor();
    await page.keyboard.press('Control+f');
    await page.keyboard.press('Escape');
  });

  it('enters the inspector with Alt+Enter whatever tab is open, and leaves it with Escape', async () => {
    await inspect('Lecture 18');
    await whenFocused(page.getByLabel('Title', { exact: true }));
    const files = page.getByRole('tab', { name: /Files/ });
    await files.click();
    await media().focus();
    await page.keyboard.press('Alt+Enter');
    await whenFocused(files);
    await page.keyboard.press('Escape');
    await whenFocused(media());
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.keyboard.press('Control+i');
    await page.getByRole('region', { name: 'Inspector' }).waitFor({ state: 'detached' });
    await media().focus();
    await page.keyboard.press('Alt+Enter');
    await whenFocused(page.getByLabel('Title', { exact: true }));
  });
});

describe('a list', () => {
  it.each(['Shift+F10', 'ContextMenu'])(
    'of the library opens the menu of its row with %s, and has the focus again',
    async (key) => {
      await media().focus();
      await page.keyboard.press('Home');
      await page.keyboard.press(key);
      await page.getByRole('menuitem', { name: 'Show details' }).waitFor();
      await page.locator('[role="menu"]:focus-within').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
      await whenFocused(media());
    },
  );

  it('opens the menu of a row at the mouse after a right click', async () => {
    const row = media().getByRole('row').nth(2);
    const box = await row.boundingBox();
    if (box === null) throw new Error('The row is not shown.');
    await page.mouse.click(box.x + 90, box.y + 12, { button: 'right' });
    const menu = page.getByRole('menu');
    await menu.waitFor();
    const place = await menu.boundingBox();
    expect(Math.abs((place?.x ?? 0) - (box.x + 90))).toBeLessThan(24);
    expect(Math.abs((place?.y ?? 0) - (box.y + 12))).toBeLessThan(24);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await expectFocus();
  });

  it('shows all entries of the menu of a row after a right click near the end of the window', async () => {
    await resize(1280, 800);
    await page.getByRole('combobox', { name: 'Search items' }).fill('');
    await media().getByRole('row').nth(12).click({ button: 'right' });
    const menu = page.getByRole('menu');
    await menu.getByRole('menuitem').last().waitFor();
    const [shown, all] = await menu.evaluate((list) => {
      const popover = list.parentElement ?? list;
      return [popover.clientHeight, popover.scrollHeight];
    });
    expect(shown).toBe(all);
    const last = await menu.getByRole('menuitem').last().boundingBox();
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(800);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
  });

  it('is one stop of the Tab key; the right arrow key reaches the buttons of a row', async () => {
    await media().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('[role="rowgroup"]') === null)).toBe(true);
    await media().focus();
    await page.keyboard.press('ArrowRight');
    await whenFocused(media().locator('[role="row"][data-focus] [aria-haspopup="menu"]'));
    await page.keyboard.press('ArrowLeft');
    await whenFocused(media());
    const tabbable = await media().evaluate(
      (element) =>
        [...element.querySelectorAll('[role="rowgroup"] :is(button, a, [tabindex="0"])')].filter(
          (each) => (each as HTMLElement).tabIndex >= 0,
        ).length,
    );
    expect(tabbable).toBe(0);
  });

  it('of a receipt is one stop of the Tab key, too', async () => {
    const paths = ['one.txt', 'two.txt'].map((name) => join(folder, name));
    for (const path of paths) await writeFile(path, path);
    await openView(page, 'All items');
    await chooseCollection(page, 'Optics');
    await dropFiles(page, paths);
    await page.getByRole('button', { name: 'Add to the queue' }).click();
    const complete = async () => (await listUploads(page)).filter(({ state }) => state === 'complete').length;
    await expect.poll(complete, { timeout: SLOW_MS }).toBe(2);
    await page.keyboard.press('Control+3');
    await grid('Batches').focus();
    await page.keyboard.press('Enter');
    const files = grid('Files of the receipt');
    await whenFocused(files);
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+F10');
    await page.locator('[role="menu"]:focus-within').waitFor();
    await page.getByRole('menuitem', { name: 'Show in folder' }).waitFor();
    await whenOverlayFocused(page);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await whenFocused(files);
    expect(
      await files.evaluate(
        (element) => element.querySelectorAll('[role="rowgroup"] button:not([tabindex="-1"])').length,
      ),
    ).toBe(0);
  });
});

describe('the zoom', () => {
  const zoomOf = () =>
    desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getZoomFactor());
  const expectZoom = (factor: number) =>
    expect.poll(async () => Math.round(((await zoomOf()) ?? 0) * 100)).toBe(Math.round(factor * 100));

  it('changes with its keys in a view, in a field and in a dialog, and with the menu', async () => {
    await pressZoomKey('=');
    await expectZoom(1.1);
    await page.getByRole('searchbox', { name: 'Find a collection' }).focus();
    await pressZoomKey('+');
    await expectZoom(1.25);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').waitFor();
    await pressZoomKey('-');
    await expectZoom(1.1);
    await page.keyboard.press('Escape');
    await desktop.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('zoom-in')?.click());
    await expectZoom(1.25);
    await pressZoomKey('0');
    await expectZoom(1);
  });

  it('is restored after a restart, and hidden panes stay hidden', async () => {
    await ask(page, 'shell.zoom', { change: 'in' });
    await openView(page, 'All items');
    await page.keyboard.press('Control+b');
    await page.getByRole('tree').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+i');
    await page.getByRole('region', { name: 'Inspector' }).waitFor({ state: 'detached' });
    // Waits only until the window is ready, not for its tree, which is hidden.
    ({ desktop, page } = await opened.reopen(whenReady));
    await media().waitFor();
    await expectZoom(1.1);
    expect(await page.getByRole('tree').count()).toBe(0);
    expect(await page.getByRole('region', { name: 'Inspector' }).count()).toBe(0);
    await page.keyboard.press('Control+b');
    await page.getByRole('tree').waitFor();
    await page.keyboard.press('Control+i');
    await page.getByRole('region', { name: 'Inspector' }).waitFor();
    await pressZoomKey('0');
    await expectZoom(1);
  });

  it('applies to the sign-in window, which has no menu', async () => {
    await ask(page, 'shell.zoom', { change: 'in' });
    const opened = desktop.app.waitForEvent('window');
    const input = { baseUrl: service.baseUrl, clientId: service.clientId, browser: 'embedded' };
    const reply = ask(page, 'sites.signIn', input).catch(() => undefined);
    const login = await opened;
    await login.locator('[name="password"]').waitFor();
    const zooms = () =>
      desktop.app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map((window) => Math.round(window.webContents.getZoomFactor() * 100)),
      );
    expect(await zooms()).toEqual([110, 110]);
    await pressZoomKey('0', 'sign in');
    await expect.poll(zooms).toEqual([100, 100]);
    await login.close();
    await reply;
  });
});

describe('a small window', () => {
  it.each([
    [720, 500, 1],
    [960, 600, 1],
    [960, 640, 2],
    [720, 500, 2],
  ] as const)('of %i x %i at zoom %i cuts nothing off in any view', async (width, height, zoom) => {
    await resize(width, height);
    await pressZoomKey('0');
    for (let step = 1; step < zoom * 5 - 4; step += 1) await pressZoomKey('=');
    await page.waitForFunction((wanted) => Math.abs(innerWidth - wanted) < 3, width / zoom);
    for (const view of ['All items', 'Uploads', 'Receipts', 'Settings'] as const) {
      await openView(page, view);
      await page.getByRole('main').first().waitFor();
      expect(await cutOffIn(page), view).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, view).toBeLessThanOrEqual(0);
    }
  });

  it('scrolls only the form when a field of several items gets the focus', async () => {
    await pressZoomKey('0');
    await resize(960, 600);
    await page.waitForFunction(() => innerWidth === 960);
    await openView(page, 'All items');
    await page.getByRole('combobox', { name: 'Search items' }).fill('');
    // The recent searches cover the first rows while an empty field has the focus.
    await page.keyboard.press('Escape');
    await media().getByRole('row').nth(1).click();
    await media()
      .getByRole('row')
      .nth(4)
      .click({ modifiers: ['Shift'] });
    const form = page.getByRole('form', { name: 'Edit selected items' });
    for (const name of ['Byline', 'Description', 'Tags']) {
      await form.getByRole('checkbox', { name, exact: true }).focus();
      await page.keyboard.press('Space');
    }
    const last = form.getByRole('checkbox', { name: 'Fill from a pattern' });
    await last.focus();
    const scrolled = () => [document.documentElement, document.body].map((each) => each.scrollTop);
    expect(await page.evaluate(scrolled)).toEqual([0, 0]);
    const clear = form.getByRole('button', { name: 'Clear' });
    // The buttons stay at the end of the window and cover no focused element, even when the content above them grows afterwards.
    const isInView = async () => {
      const [box, foot] = [await last.boundingBox(), await clear.boundingBox()];
      return box !== null && foot !== null && box.y > 0 && box.y + box.height < foot.y;
    };
    await expect.poll(isInView).toBe(true);
    await last.evaluate((checkbox) => {
      const above = document.createElement('div');
      above.style.height = '200px';
      checkbox.closest('label')?.prepend(above);
    });
    await expect.poll(isInView).toBe(true);
    // The form grows between the scroll to the focused field and the event of that scroll.
    await last.evaluate(async (checkbox: HTMLElement) => {
      (document.activeElement as HTMLElement).blur();
      checkbox.closest('form')?.parentElement?.scrollTo({ top: 0 });
      await new Promise(requestAnimationFrame);
      // The focus moves after the frame, not in it, because a frame begins with the scroll events.
      await new Promise((next) => setTimeout(next));
      checkbox.focus();
      const above = document.createElement('div');
      above.style.height = '800px';
      checkbox.closest('label')?.prepend(above);
    });
    await expect.poll(isInView).toBe(true);
    await clear.click();
    await page.keyboard.press('Escape');
  });

  it('opens the sidebar and the inspector in drawers, which return the focus', async () => {
    await pressZoomKey('0');
    await resize(720, 500);
    await page.waitForFunction(() => innerWidth === 720);
    await openView(page, 'All items');
    await media().focus();
    await page.keyboard.press('Control+b');
    const sidebar = page.getByRole('dialog', { name: 'Sidebar' });
    await sidebar.getByRole('tree').waitFor();
    await whenOverlayFocused(page);
    await page.keyboard.press('Escape');
    await sidebar.waitFor({ state: 'detached' });
    await whenFocused(media());
    await page.keyboard.press('Home');
    await page.keyboard.press('Alt+Enter');
    await whenFocused(page.getByRole('dialog', { name: 'Inspector' }).getByLabel('Title', { exact: true }));
    await page.keyboard.press('Escape');
    await whenFocused(media());
    await page.keyboard.press('Control+b');
    await sidebar.getByRole('button', { name: 'Uploads' }).press('Enter');
    await sidebar.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Uploads' }).waitFor();
    await expectFocus();
    await resize(1280, 800);
  });

  it('lets the user choose a filter by keyboard at 200 % zoom', async () => {
    await openView(page, 'All items');
    await page.waitForFunction(() => innerWidth === 1280);
    const filters = page.getByRole('toolbar', { name: 'Filters' });
    await filters.getByRole('button', { name: 'Filter', exact: true }).waitFor();
    await resize(720, 500);
    for (let step = 0; step < 5; step += 1) await pressZoomKey('=');
    await filters.getByRole('button').first().press('Enter');
    await page.getByRole('menuitemcheckbox', { name: 'Draft' }).press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('toolbar', { name: 'Active filters' }).getByRole('button').first().waitFor();
    await expect.poll(() => media().getByRole('row').nth(1).textContent()).toContain('Draft');
    await pressZoomKey('0');
    await resize(1280, 800);
  });
});

describe('signing out', () => {
  it('leads to the sign-in form with the focus on it, and a refused address keeps the focus in it', async () => {
    const { id } = (await ask<{ id: string }[]>(page, 'sites.list', null))[0] ?? { id: '' };
    await ask(page, 'sites.signOut', { siteId: id });
    await page.getByRole('heading', { name: 'Sign in to your library' }).waitFor();
    await expectFocus();
    await page.getByLabel('Library address').fill('not an address');
    const lost = await longestWithoutFocus(async () => {
      await page.keyboard.press('Enter');
      await whenFocused(page.locator('input[name="baseUrl"][aria-invalid="true"]'));
    });
    expect(lost).toBeLessThan(300);
    await page.getByLabel('Library address').fill(service.baseUrl);
    const opened = desktop.app.waitForEvent('window');
    await page.keyboard.press('Enter');
    const login = await opened;
    await login.locator('[name="password"]').waitFor();
    await expectFocus();
    await login.close();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await expectFocus();
  });
});
