// The queue in the window: order, pauses, limits, settings and timetable, in the real app against the real service.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, chooseCollection, dropFiles, openView } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import type { UploadRow } from '../../../shared/contract/uploads.ts';
import type { DesktopApp } from '../../helpers/desktop/desktop-app.ts';
import { enterTime } from '../../helpers/desktop/enter-time.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';

let opened: SignedInApp;
let folder: string;
let desktop: DesktopApp;

beforeAll(async () => {
  opened = await openSignedInApp({ service: { seed: 'demo' } });
  ({ folder, desktop } = opened);
});
afterAll(() => opened?.close());

/** Adds files of these names, each with different contents; resolves when all of them are in the list. */
async function add(page: Page, names: readonly string[], bytes = 200): Promise<void> {
  const paths = names.map((name) => join(folder, name));
  for (const path of paths) await writeFile(path, `${path}\n`.padEnd(bytes, '.'));
  await openView(page, 'All items');
  await chooseCollection(page, 'Optics');
  await dropFiles(page, paths);
  await page.getByRole('button', { name: 'Add to the queue' }).click();
  for (const name of names) await rowOf(page, name).waitFor();
}

const rowOf = (page: Page, name: string) => page.locator('[data-upload-id]').filter({ hasText: name });

const strip = (page: Page) => page.getByTestId('strip-sentence');

async function rowsNamed(page: Page, names: readonly string[]): Promise<UploadRow[]> {
  const { rows } = await ask<CallOutput<'uploads.list'>>(page, 'uploads.list', { limit: 500 });
  return rows.filter(({ fileName }) => names.includes(fileName));
}

/** The names of these files in the order in which they ended; waits until all of them have. */
async function endedInOrder(page: Page, names: readonly string[]): Promise<string[]> {
  await expect
    .poll(async () => (await rowsNamed(page, names)).map(({ state }) => state), { timeout: 300_000 })
    .toEqual(names.map(() => 'complete'));
  const rows = await rowsNamed(page, names);
  return rows.sort((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0)).map(({ fileName }) => fileName);
}

const menuItem = (page: Page, name: string | RegExp) => page.getByRole('menuitem', { name });

async function pauseQueue(page: Page): Promise<void> {
  await ask(page, 'uploads.pause', { kind: 'all' });
  await expect
    .poll(async () => (await ask<CallOutput<'uploads.totals'>>(page, 'uploads.totals', null)).paused)
    .toBe(true);
}

const resumeQueue = (page: Page) => page.getByRole('button', { name: 'Resume all uploads' }).click();

describe('the settings of uploads', () => {
  it('are stored immediately, and are the same after a restart', async () => {
    const { window } = desktop;
    await window.keyboard.press('Control+,');
    const fewer = window.getByRole('button', { name: 'Uploads at the same time: one less' });
    for (let transfers = 4; transfers > 1; transfers -= 1) await fewer.click();
    await window.getByRole('button', { name: 'Add a time' }).click();
    await enterTime(window.getByRole('group', { name: 'Time 1: from' }), '22:00');
    await enterTime(window.getByRole('group', { name: 'Time 1: to' }), '22:30');
    const wanted = {
      parallelTransfers: 1,
      timetable: [{ days: [1, 2, 3, 4, 5], from: '22:00', to: '22:30', limitBytesPerSecond: 1_000_000 }],
    };
    await expect.poll(() => ask(window, 'settings.get', null)).toMatchObject(wanted);

    ({ desktop } = await opened.reopen());
    expect(await ask(desktop.window, 'settings.get', null)).toMatchObject(wanted);
    await openView(desktop.window, 'Settings');
    expect(await desktop.window.getByRole('spinbutton', { name: 'Uploads at the same time' }).inputValue()).toBe('1');
    await desktop.window.getByRole('listitem', { name: /^Mon–Fri 22:00–22:30/ }).waitFor();
    await desktop.window.getByRole('button', { name: 'Remove time 1' }).click();
    await expect.poll(() => ask(desktop.window, 'settings.get', null)).toMatchObject({ timetable: [] });
  });

  it('show changes made elsewhere without a reload', async () => {
    const { window } = desktop;
    await openView(window, 'Settings');
    await ask(window, 'settings.set', { patch: { limitBytesPerSecond: 3_000_000 } });
    const field = window.getByRole('textbox', { name: 'Speed limit: value' });
    await expect.poll(() => field.inputValue()).toBe('3');
    await window.getByTestId('limit-now').filter({ hasText: '3 MB/s' }).waitFor();
    await ask(window, 'settings.set', { patch: { limitBytesPerSecond: null } });
    await field.waitFor({ state: 'detached' });
  });
});

describe('the order of the queue', () => {
  it('is changed by keyboard, and the upload that was moved to the front is sent first', async () => {
    const { window } = desktop;
    const names = ['keys-a.txt', 'keys-b.txt', 'keys-c.txt'];
    await pauseQueue(window);
    await add(window, names);
    await rowOf(window, 'keys-c.txt').click({ position: { x: 200, y: 20 } });
    const firstRow = window.locator('[data-upload-id]').first();
    for (const before of ['keys-b.txt', 'keys-a.txt']) {
      await window.keyboard.press('Alt+ArrowUp');
      await expect
        .poll(() => window.getByTestId('announcements').textContent(), { timeout: 5_000 })
        .toContain(`keys-c.txt moved in front of ${before}.`);
    }
    await firstRow.filter({ hasText: 'keys-c.txt' }).waitFor();
    await resumeQueue(window);
    expect(await endedInOrder(window, names)).toEqual(['keys-c.txt', 'keys-a.txt', 'keys-b.txt']);
  });

  it('is changed by dragging, and the upload that was dragged to the front is sent first', async () => {
    const { window } = desktop;
    const names = ['drag-a.txt', 'drag-b.txt', 'drag-c.txt'];
    await pauseQueue(window);
    await add(window, names);
    const from = await rowOf(window, 'drag-c.txt').boundingBox();
    const to = await rowOf(window, 'drag-a.txt').boundingBox();
    if (from === null || to === null) throw new Error('The rows are not on the screen.');
    await window.mouse.move(from.x + 200, from.y + 20);
    await window.mouse.down();
    await window.mouse.move(to.x + 200, to.y + 30, { steps: 5 });
    await window.mouse.move(to.x + 200, to.y + 4);
    await window.mouse.up();
    await expect
      .poll(() => window.getByTestId('announcements').textContent(), { timeout: 5_000 })
      .toContain('drag-c.txt moved in front of drag-a.txt.');
    await resumeQueue(window);
    expect(await endedInOrder(window, names)).toEqual(['drag-c.txt', 'drag-a.txt', 'drag-b.txt']);
  });

  it('follows “Send next” and priorities, which the rows show by a word', async () => {
    const { window } = desktop;
    const names = ['rank-a.txt', 'rank-b.txt', 'rank-c.txt'];
    await pauseQueue(window);
    await add(window, names);
    await rowOf(window, 'rank-a.txt').click({ position: { x: 200, y: 20 } });
    await window.getByRole('button', { name: 'Priority' }).click();
    await menuItem(window, 'Low').click();
    await rowOf(window, 'rank-a.txt').getByText('Low').waitFor();
    await rowOf(window, 'rank-c.txt').click({ position: { x: 200, y: 20 } });
    await window.getByRole('button', { name: 'Send next' }).click();
    await window.locator('[data-upload-id]').first().filter({ hasText: 'rank-c.txt' }).waitFor();
    await resumeQueue(window);
    expect(await endedInOrder(window, names)).toEqual(['rank-c.txt', 'rank-b.txt', 'rank-a.txt']);
  });
});

describe('a pause until a time', () => {
  it('is shown with its time, survives a restart, and ends when the user resumes', async () => {
    const names = ['pause-a.txt'];
    await openView(desktop.window, 'Uploads');
    await pauseQueue(desktop.window);
    await add(desktop.window, names);
    await resumeQueueAndPauseForAnHour(desktop.window);
    await strip(desktop.window)
      .filter({ hasText: /paused until \d\d:\d\d|paused until tomorrow/ })
      .waitFor();

    ({ desktop } = await opened.reopen());
    await strip(desktop.window)
      .filter({ hasText: /paused until/ })
      .waitFor();
    const [row] = await rowsNamed(desktop.window, names);
    expect(row?.state).not.toBe('complete');

    await desktop.window.getByRole('button', { name: 'Resume now' }).first().click();
    expect(await endedInOrder(desktop.window, names)).toEqual(names);
    await strip(desktop.window)
      .filter({ hasText: /complete/ })
      .waitFor();
  });
});

/** Changes a pause without an end to a pause with an end; nothing is sent in between. */
async function resumeQueueAndPauseForAnHour(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').fill('pause for 1 hour');
  await page.keyboard.press('Enter');
}

describe('a speed limit set in the window', () => {
  it('takes effect immediately: it is shown, and bytes arrive no faster', async () => {
    const { window } = desktop;
    await openView(window, 'Settings');
    await window.getByRole('button', { name: 'Speed limit' }).click();
    await window.getByRole('option', { name: 'At most' }).click();
    await window.getByRole('button', { name: 'Speed limit: unit' }).click();
    await window.getByRole('option', { name: 'kB/s' }).click();
    await window.getByRole('textbox', { name: 'Speed limit: value' }).fill('50');
    await window.keyboard.press('Enter');
    await expect.poll(() => ask(window, 'settings.get', null)).toMatchObject({ limitBytesPerSecond: 50_000 });

    await add(window, ['limited.bin'], 200_000);
    await window.getByTestId('strip-limit').filter({ hasText: '50 kB/s' }).waitFor();
    await endedInOrder(window, ['limited.bin']);
    const [row] = await rowsNamed(window, ['limited.bin']);
    // 200 kB at 50 kB/s take four seconds; the bytes of the first second may be sent in one burst.
    expect((row?.endedAt ?? 0) - (row?.addedAt ?? 0)).toBeGreaterThan(2_500);
    await ask(window, 'settings.set', { patch: { limitBytesPerSecond: null } });
  });
});

describe('the timetable', () => {
  it('says which entry lacks a time, and other entries can still be changed', async () => {
    const { window: page } = desktop;
    await openView(page, 'Settings');
    await page.getByRole('button', { name: 'Add a time' }).click();
    await page.getByRole('button', { name: 'Add a time' }).click();
    await enterTime(page.getByRole('group', { name: 'Time 2: from' }), '22:00');
    await enterTime(page.getByRole('group', { name: 'Time 2: to' }), '23:00');
    await enterTime(page.getByRole('group', { name: 'Time 1: from' }), '');
    await page.getByText('Enter both times. Until then, this still applies: Mon–Fri 08:00–18:00').waitFor();
    await enterTime(page.getByRole('group', { name: 'Time 2: to' }), '23:30');
    const times = { days: [1, 2, 3, 4, 5], limitBytesPerSecond: 1_000_000 };
    await expect
      .poll(() => ask(page, 'settings.get', null))
      .toMatchObject({
        timetable: [
          { ...times, from: '08:00', to: '18:00' },
          { ...times, from: '22:00', to: '23:30' },
        ],
      });
  });
});
