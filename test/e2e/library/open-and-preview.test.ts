// Opening and previewing items from the list and the grid, by mouse and by keyboard, in the real app with the real service.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import type { DesktopApp } from '../../helpers/desktop/desktop-app.ts';
import { fakeMediaList, loadedWindows } from '../../helpers/desktop/fake-media-list.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import type { ServiceClient } from '../../helpers/service/service-client.ts';
import type { ServiceProcess } from '../../helpers/service/service-process.ts';
import { pdf, png, srt } from '../../helpers/service/service-samples.ts';

let opened: SignedInApp;
let folder: string;
let service: ServiceProcess;
let desktop: DesktopApp;
let direct: ServiceClient;
let page: Page;

/** Creates a video of 20 seconds with sound. */
function film(): Buffer {
  const path = join(folder, 'film.mp4');
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=10', '-f', 'lavfi', '-i', 'sine=frequency=300'];
  const coding = ['-t', '20', '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...source, ...coding, '-movflags', '+faststart', path]);
  return readFileSync(path);
}

beforeAll(async () => {
  opened = await openSignedInApp({
    // Without tools for media the service makes no encodings.
    service: { env: { PATH: '' } },
    prepare: async (library) => {
      ({ folder, direct } = library);
      const bytes = film();
      // In the order of the list: the newest item is first.
      const empty = await direct.createItem('6 Item without a file');
      expect(empty).not.toBe('');
      const tiff = await direct.createItem('5 Scan in another format');
      await direct.processed(await direct.upload(tiff, 'scan.psd', Buffer.from('8BPS')));
      const second = await direct.createItem('4 Second lecture');
      await direct.processed(await direct.upload(second, 'second.mp4', bytes));
      const paper = await direct.createItem('3 Paper');
      await direct.processed(await direct.upload(paper, 'paper.pdf', pdf()));
      const other = await direct.createItem('4b Other paper');
      await direct.processed(await direct.upload(other, 'other.pdf', pdf()));
      const picture = await direct.createItem('2 Picture');
      await direct.processed(await direct.upload(picture, 'lens.png', png(1200, 800)));
      const lecture = await direct.createItem('1 First lecture');
      const recording = await direct.upload(lecture, 'first.mp4', bytes);
      await direct.processed(recording);
      const encoded_from_id = recording.split('/').at(-1);
      for (const name of ['first.en.srt', 'first.de.srt']) {
        await direct.processed(await direct.upload(lecture, name, Buffer.from(srt), { encoded_from_id }));
      }
    },
  });
  ({ service, desktop, page } = opened);
  await page.getByRole('button', { name: 'Title', exact: true }).click();
  await grid().locator('[role="row"][aria-rowindex="2"]', { hasText: '1 First' }).waitFor();
});
afterAll(() => opened?.close());

// A test that fails with an open dialog must not fail the others.
afterEach(async () => {
  await service.control('DELETE', '/faults');
  // The first Escape can close a tooltip.
  for (let presses = 0; presses < 4 && (await page.getByRole('dialog').count()) > 0; presses += 1) {
    await page.keyboard.press('Escape');
  }
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

const grid = () => page.getByRole('grid', { name: 'Items' });
const row = (title: string) => grid().getByRole('row').filter({ hasText: title }).first();
const dialog = (title: string) => page.getByRole('dialog', { name: title });
const video = () => page.locator('video');
const timeOf = () => video().evaluate((element: HTMLVideoElement) => element.currentTime);
const soon = <T>(read: () => Promise<T> | T, timeout = 20_000) => expect.poll(read, { timeout });
/** The number of windows for documents, which Playwright reports by the pages of Chromium’s viewer. */
const documents = () =>
  desktop.app.evaluate(
    ({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().filter(({ webContents }) => webContents.getURL().startsWith('app://documents'))
        .length,
  );
const closeDocuments = () =>
  desktop.app.evaluate(({ BrowserWindow }) => {
    for (const each of BrowserWindow.getAllWindows()) {
      if (each.webContents.getURL().startsWith('app://documents')) each.destroy();
    }
  });
/** The title of the row with the keyboard focus of the list. */
const current = () =>
  page.evaluate(() => {
    const list = document.querySelector('main [role="grid"]');
    const id = list?.getAttribute('aria-activedescendant');
    return id === null || id === undefined ? null : document.getElementById(id)?.textContent;
  });
/** Messages of earlier steps lie over the player for some seconds; axe can't judge contrasts below them. */
const whenNoMessage = () => soon(() => page.locator('[data-message]').count(), 60_000).toBe(0);
const isListFocused = () => grid().evaluate((element) => element === document.activeElement);

async function focusRow(title: string): Promise<void> {
  await row(title).click();
  await soon(isListFocused).toBe(true);
}

describe('an item of the list', () => {
  it('plays when a recording is double-clicked, and when Enter is pressed', async () => {
    await row('1 First').dblclick();
    await dialog('1 First lecture').waitFor();
    await soon(timeOf).toBeGreaterThan(0.2);
    await page.keyboard.press('Escape');
    await dialog('1 First lecture').waitFor({ state: 'detached' });
    await soon(isListFocused).toBe(true);
    await page.keyboard.press('Enter');
    await dialog('1 First lecture').waitFor();
    await soon(timeOf).toBeGreaterThan(0.2);
    await page.keyboard.press('5');
    await soon(timeOf).toBeGreaterThanOrEqual(10);
    await page.keyboard.press('0');
    await soon(timeOf).toBeLessThan(9);
  });

  it('plays above the place of messages, which cover none of the controls', async () => {
    await row('1 First').dblclick();
    await dialog('1 First lecture').waitFor();
    const gap = () =>
      dialog('1 First lecture').evaluate((player) => innerHeight - player.getBoundingClientRect().bottom);
    await page.evaluate(() => document.documentElement.style.setProperty('--messages-edge', '150px'));
    await soon(gap).toBeGreaterThanOrEqual(150);
    await page.evaluate(() => document.documentElement.style.setProperty('--messages-edge', '0px'));
    await soon(gap).toBeLessThan(150);
  });

  it('opens as a picture in the player', async () => {
    await focusRow('2 Picture');
    await page.keyboard.press('Enter');
    const picture = dialog('2 Picture').getByRole('img', { name: 'Picture of 2 Picture' });
    await soon(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1200);
  });

  it('opens as a document in one window, which further documents use', async () => {
    await focusRow('3 Paper');
    await page.keyboard.press('Enter');
    await soon(documents).toBe(1);
    const titles = () =>
      desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((each) => each.getTitle()));
    await soon(titles).toContain('3 Paper');
    await row('4b Other paper').dblclick();
    await soon(titles).toContain('4b Other paper');
    expect(await documents()).toBe(1);
    expect(await titles()).not.toContain('3 Paper');
    await closeDocuments();
  });

  it.each([
    ['5 Scan', 'Mediadesk can’t show the format of its file.', 'Download the file'],
    ['6 Item', 'It has no file.', 'Add a file under Files'],
  ])('that can’t be opened says why: %s', async (title, reason, next) => {
    await focusRow(title);
    await page.keyboard.press('Enter');
    const message = page.getByText(reason, { exact: false }).first();
    await message.waitFor();
    await page.getByText(next, { exact: false }).first().waitFor();
  });

  it('shows its details with Alt+Enter, and keeps a selection of several items', async () => {
    await focusRow('1 First');
    await page.keyboard.press('Alt+Enter');
    await soon(() =>
      page.getByLabel('Title', { exact: true }).evaluate((field) => field === document.activeElement),
    ).toBe(true);
    await focusRow('1 First');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Alt+Enter');
    expect(await page.getByText('2 items selected').first().isVisible()).toBe(true);
  });

  it('is added to the selection and removed from it with Ctrl+Space', async () => {
    await focusRow('1 First');
    await page.keyboard.press('Control+ArrowDown');
    await page.keyboard.press('Control+ArrowDown');
    await page.keyboard.press('Control+Space');
    await page.getByText('2 items selected').first().waitFor();
    expect(await row('3 Paper').getAttribute('aria-selected')).toBe('true');
    expect(await row('2 Picture').getAttribute('aria-selected')).toBe('false');
    await page.keyboard.press('Control+Space');
    await soon(() => row('3 Paper').getAttribute('aria-selected')).toBe('false');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

describe('a collection', () => {
  it('opens when its card is double-clicked, and nothing inside it opens too', async () => {
    // The card of the inner collection is under the pointer after the first click.
    const idOf = async (name: string, parent_id: string) => {
      const { location } = await direct.post('/api2/collections', { display_name: name, parent_id });
      return location.split('/').at(-1) ?? '';
    };
    const outer = await idOf('Outer', '1');
    const inner = await idOf('Inner', outer);
    await idOf('Innermost', inner);
    await page.keyboard.press('F5');
    const top = page.locator('[data-collection-id="1"]');
    await top.click();
    const card = (name: string) => page.getByRole('region', { name: 'Subcollections' }).getByRole('button', { name });
    await card('Outer').dblclick({ delay: 120 });
    await card('Inner').waitFor();
    await page.getByRole('heading', { name: 'Outer', exact: true, level: 1 }).waitFor();
    expect(await card('Innermost').count()).toBe(0);
    await card('Inner').press('Enter');
    await card('Innermost').waitFor();
    await top.click();
    await row('1 First').waitFor();
  });
});

describe('the preview', () => {
  it('opens with Space, follows the arrow keys through the list, and gives the focus back to the row', async () => {
    await focusRow('1 First');
    await page.keyboard.press('Space');
    await dialog('1 First lecture').waitFor();
    await soon(timeOf).toBeGreaterThan(0.2);
    await dialog('1 First lecture').getByText('1 of 7').waitFor();
    await whenNoMessage();
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await dialog('2 Picture').getByRole('img', { name: 'Picture of 2 Picture' }).waitFor();
    await soon(current).toContain('2 Picture');
    expect(await row('2 Picture').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowDown');
    await dialog('3 Paper').getByText('Documents open in a window of their own.').waitFor();
    await whenNoMessage();
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await page.keyboard.press('ArrowUp');
    await dialog('2 Picture').waitFor();
    await page.keyboard.press('Space');
    await dialog('2 Picture').waitFor({ state: 'detached' });
    await soon(() => page.evaluate(() => (document.activeElement?.outerHTML ?? '').slice(0, 300))).toContain(
      'role="grid"',
    );
    expect(await current()).toContain('2 Picture');
    await page.keyboard.press('ArrowDown');
    await soon(current).toContain('3 Paper');
  });

  it('says at the end of the list that there is no next item, and why an item has no preview', async () => {
    await focusRow('5 Scan');
    await page.keyboard.press('Space');
    await dialog('5 Scan in another format').getByText('Mediadesk can’t show the format of its file.').waitFor();
    await whenNoMessage();
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    const last = dialog('6 Item without a file');
    await last.getByText('It has no file.').waitFor();
    expect(await last.getByRole('button', { name: 'Next item' }).isDisabled()).toBe(true);
    await page.keyboard.press('ArrowDown');
    await page.getByText('This is the last item of the list.').waitFor({ state: 'attached' });
    await last.waitFor();
    await page.keyboard.press('Escape');
    await soon(isListFocused).toBe(true);
  });

  it('opens from the menu of a row, steps by its buttons, and becomes the player at the same position', async () => {
    await row('4 Second').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Preview' }).click();
    await dialog('4 Second lecture').waitFor();
    await soon(timeOf).toBeGreaterThan(0.2);
    await dialog('4 Second lecture').getByRole('button', { name: 'Previous item' }).click();
    await dialog('3 Paper').waitFor();
    await dialog('3 Paper').getByRole('button', { name: 'Next item' }).click();
    await dialog('4 Second lecture').waitFor();
    await soon(timeOf).toBeGreaterThan(0.2);
    await video().evaluate((element: HTMLVideoElement) => {
      element.currentTime = 10;
    });
    await dialog('4 Second lecture').getByRole('button', { name: 'Open in the player' }).click();
    await dialog('4 Second lecture').getByRole('button', { name: 'Open in the player' }).waitFor({ state: 'detached' });
    expect(await timeOf()).toBeGreaterThanOrEqual(10);
  });

  it('opens a document with Enter', async () => {
    await focusRow('3 Paper');
    await page.keyboard.press('Space');
    await dialog('3 Paper').waitFor();
    await dialog('3 Paper').getByText('Documents open in a window of their own.').waitFor();
    await page.keyboard.press('Enter');
    await soon(documents).toBe(1);
    await closeDocuments();
    await dialog('3 Paper').waitFor({ state: 'detached' });
  });

  it('moves with the left and right arrow keys in the grid', async () => {
    await page.getByRole('radio', { name: 'Grid' }).click({ force: true });
    const tile = (title: string) => grid().locator('[data-tile]').filter({ hasText: title });
    await tile('1 First').click();
    await page.keyboard.press('Space');
    await dialog('1 First lecture').waitFor();
    await page.keyboard.press('ArrowRight');
    await dialog('2 Picture').waitFor();
    await soon(current).toContain('2 Picture');
    await page.keyboard.press('ArrowLeft');
    await dialog('1 First lecture').waitFor();
    await page.keyboard.press('Space');
    await dialog('1 First lecture').waitFor({ state: 'detached' });
    await tile('2 Picture').dblclick();
    await dialog('2 Picture').getByRole('img').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('radio', { name: 'List' }).click({ force: true });
  });
});

describe('the player', () => {
  it('goes to the next and the previous item with keys that don’t seek, and by its buttons', async () => {
    await focusRow('1 First');
    await page.keyboard.press('Enter');
    await soon(timeOf).toBeGreaterThan(0.2);
    await page.keyboard.press('ArrowRight');
    await soon(timeOf).toBeGreaterThan(5);
    await dialog('1 First lecture').waitFor();
    await page.keyboard.press('Alt+ArrowDown');
    await dialog('2 Picture').getByRole('img', { name: 'Picture of 2 Picture' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await dialog('3 Paper').getByText('Documents open in a window of their own.').waitFor();
    await page.keyboard.press('n');
    await dialog('4 Second lecture').waitFor();
    await soon(timeOf).toBeGreaterThan(0.2);
    await page.keyboard.press('Space');
    await soon(() => video().evaluate((element: HTMLVideoElement) => element.paused)).toBe(true);
    await page.keyboard.press('p');
    await dialog('3 Paper').waitFor();
    await dialog('3 Paper').getByRole('button', { name: 'Next item' }).click();
    await dialog('4 Second lecture').waitFor();
    await page.keyboard.press('Escape');
    await soon(isListFocused).toBe(true);
    expect(await current()).toContain('4 Second');
  });
});

describe('speed and captions', () => {
  const rate = () => video().evaluate((element: HTMLVideoElement) => element.playbackRate);
  /** The languages of the shown captions. */
  const shownCaptions = () =>
    video().evaluate((element: HTMLVideoElement) =>
      [...element.textTracks].filter(({ mode }) => mode === 'showing').map(({ language }) => language),
    );
  const choose = async (name: string) => {
    await page.getByRole('dialog').getByRole('button', { name: 'Captions' }).click();
    await page.getByRole('menu').getByText(name, { exact: true }).click({ timeout: 15_000 });
    await page.getByRole('menu').waitFor({ state: 'detached' });
  };

  it('are the same for the next item and after a restart', async () => {
    await focusRow('1 First');
    await page.keyboard.press('Enter');
    await soon(timeOf).toBeGreaterThan(0.1);
    await page.keyboard.press('>');
    await page.keyboard.press('>');
    await soon(rate).toBe(1.5);
    await choose('first (German)');
    await soon(shownCaptions).toEqual(['de']);
    await page.keyboard.press('Alt+ArrowDown');
    await dialog('2 Picture').waitFor();
    await page.keyboard.press('Escape');
    await soon(isListFocused).toBe(true);
    await focusRow('4 Second');
    await page.keyboard.press('Space');
    await soon(timeOf).toBeGreaterThan(0.1);
    expect(await rate()).toBe(1.5);
    await page.keyboard.press('Space');
    ({ desktop, page } = await opened.reopen());
    await focusRow('1 First');
    await page.keyboard.press('Enter');
    await soon(timeOf).toBeGreaterThan(0.1);
    await soon(shownCaptions).toEqual(['de']);
    expect(await rate()).toBe(1.5);
    await choose('first (English)');
    await soon(shownCaptions).toEqual(['en']);
    await page.keyboard.press('c');
    await soon(shownCaptions).toEqual([]);
    await page.keyboard.press('Escape');
    await soon(isListFocused).toBe(true);
    await page.keyboard.press('Space');
    await soon(timeOf).toBeGreaterThan(0.1);
    expect(await shownCaptions()).toEqual([]);
    await page.keyboard.press('c');
    await soon(shownCaptions).toEqual(['en']);
  });
});

describe('a list of 100,000 items', () => {
  it('is walked through in the preview without being loaded', async () => {
    await fakeMediaList(desktop, 100_000);
    await page.keyboard.press('F5');
    await row('Item 5').waitFor();
    await grid().focus();
    await page.keyboard.press('End');
    await soon(current).toContain('Item 99999');
    await page.keyboard.press('Space');
    await dialog('Item 99999').getByText('100,000 of 100,000').waitFor();
    for (let steps = 0; steps < 150; steps += 1) await page.keyboard.press('ArrowUp');
    await dialog('Item 99849').getByText('99,850 of 100,000').waitFor();
    await soon(current).toContain('Item 99849');
    expect(await row('Item 99849').isVisible()).toBe(true);
    await page.keyboard.press('Space');
    await soon(isListFocused).toBe(true);
    expect(await loadedWindows(desktop)).toBeLessThan(12);
  });
});
