// Items that are scheduled one after another, by mouse and by keyboard: the real app, the real service.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, chooseCollection, dropFiles, openView } from '../../../build/demo/window-steps.ts';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { enterTime } from '../../helpers/desktop/enter-time.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { announced, keepPicture, setWindow, whenOverlayFocused } from '../../helpers/desktop/window-actions.ts';

let opened: SignedInApp;
let page: Page;
let season: string;

const EPISODES = ['Episode 1', 'Episode 2', 'Episode 3', 'Episode 4'];

beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async ({ direct, service }) => {
      await service.control('PATCH', '/settings', { processing: { outcome: 'complete' } });
      const made = await direct.post('/api2/collections', { display_name: 'Season', parent_id: '1' });
      season = made.location.split('/').at(-1) ?? '';
      for (const title of EPISODES) await direct.createItem(title, { collection_id: season });
    },
  });
  ({ page } = opened);
  await openView(page, 'All items');
  await chooseCollection(page, 'Season');
  await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click();
  await row('Episode 1').waitFor();
});
afterAll(() => opened?.close());

const list = (): Locator => page.getByRole('grid', { name: 'Items' });
const row = (title: string): Locator => list().getByRole('row').filter({ hasText: title });
const bar = (): Locator => page.getByRole('region', { name: 'Selected items' });
const dialog = (): Locator => page.getByRole('dialog', { name: /^Schedule \d+ items$/ });
const times = (): Locator => dialog().getByRole('region', { name: 'Publish times of the items' });
const said = (text: string | RegExp) => announced(page, text, 45_000);

async function inTheLibrary(): Promise<[string, string | null][]> {
  const { body } = await opened.direct.get(`/api2/media?collection_id=${season}`);
  const items = body.items as { title: string; publish_on: string | null; status: string }[];
  return items
    .map(({ title, status, publish_on }): [string, string | null] => [
      title,
      status === 'scheduled' ? publish_on : null,
    ])
    .sort();
}

/** Plans another change, as another view would. */
async function planOther(position: number): Promise<void> {
  const [site] = await ask<{ id: string }[]>(page, 'sites.list', null);
  const selection = { siteId: site?.id, ids: [] };
  await ask(page, 'edits.plan', {
    selection,
    change: { publication: { kind: 'at', at: `203${position}-01-01T00:00:00Z` } },
    limit: 1,
  });
}

/** Reports the findings of axe in both themes, and keeps pictures if asked to. */
async function scan(name: string): Promise<void> {
  expect.soft(await axeFindingsInThemes(page), name).toEqual([]);
}

describe('items that are scheduled one after another', () => {
  it('by mouse get their times in the order of the list, without the days of the user’s list, with one undo', async () => {
    // Selected in another order than they are listed.
    await row('Episode 3').click();
    for (const title of ['Episode 1', 'Episode 2']) await row(title).click({ modifiers: ['Control'] });
    await bar().getByText('3 items selected').waitFor();
    await bar().getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('menuitem', { name: 'Schedule…' }).click();
    await dialog().getByText('One after another').click();
    await enterTime(dialog().getByRole('group', { name: 'First time' }), '2035-10-24T18:00');
    await dialog().getByRole('combobox', { name: 'Time zone' }).fill('vienna');
    await page.getByRole('option', { name: 'Europe/Vienna' }).click();
    await dialog().getByLabel('Days without publication').fill('2035-10-31\n31.12.2035');
    await dialog().getByText('Line 2: “31.12.2035” isn’t a date such as 2027-12-25.').waitFor();
    expect(
      await dialog()
        .getByRole('button', { name: /^Schedule/ })
        .last()
        .isEnabled(),
    ).toBe(false);
    await dialog().getByLabel('Days without publication').fill('');
    // Enter in the field adds the day, and doesn't schedule the items without it.
    await dialog()
      .getByRole('spinbutton', { name: /^day, Day to add/ })
      .focus();
    await page.keyboard.type('31102035');
    await page.keyboard.press('Enter');
    await expect.poll(() => dialog().getByLabel('Days without publication').inputValue()).toBe('2035-10-31');
    await times().getByText('31 Oct 2035 is a day without publication and was skipped.').waitFor();
    const rows = times().getByRole('row');
    expect(await rows.nth(1).textContent()).toBe('Episode 1Wed 24 Oct 2035, 18:00 (UTC+2)');
    expect(await rows.nth(2).textContent()).toContain('Wed 7 Nov 2035, 18:00 (UTC+1)');
    await scan('series');
    for (const [width, height] of [
      [960, 600],
      [1280, 800],
    ] as const) {
      await setWindow(opened.desktop, width, height);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
        await keepPicture(opened.desktop, `series-${width}-${colorScheme}`);
      }
    }
    await page.emulateMedia({ colorScheme: null });
    // Mediadesk keeps a few plans only.
    for (const position of [1, 2, 3, 4]) await planOther(position);
    await dialog().getByRole('button', { name: 'Schedule 3 items' }).click();
    await dialog()
      .getByRole('alert')
      .getByText('This review is no longer available because the items may have changed.')
      .waitFor();
    expect((await inTheLibrary()).map(([, at]) => at)).toEqual([null, null, null, null]);
    await dialog().getByRole('button', { name: 'Try again' }).click();
    await times().getByText('Wed 7 Nov 2035, 18:00 (UTC+1)').waitFor();
    await dialog().getByRole('button', { name: 'Schedule 3 items' }).click();
    await said('Scheduled 3 items.');
    expect(await inTheLibrary()).toEqual([
      ['Episode 1', '2035-10-24T16:00:00Z'],
      ['Episode 2', '2035-11-07T17:00:00Z'],
      ['Episode 3', '2035-11-14T17:00:00Z'],
      ['Episode 4', null],
    ]);
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
    await said('Restored 3 items.');
    expect((await inTheLibrary()).map(([, at]) => at)).toEqual([null, null, null, null]);
  });

  it('are also scheduled from the fields of several items in the inspector', async () => {
    await row('Episode 1').click();
    await row('Episode 2').click({ modifiers: ['Control'] });
    const form = page.locator('[data-inspector]');
    await form.getByText('Publication', { exact: true }).click();
    await form.getByRole('radiogroup', { name: 'Publication' }).getByText('Schedule', { exact: true }).click();
    await form.getByRole('button', { name: 'One after another…' }).press('Enter');
    await dialog().getByRole('radio', { name: 'One after another' }).and(page.locator(':checked')).waitFor();
    await times().getByRole('row').nth(2).waitFor();
    expect(await times().getByRole('row').nth(1).textContent()).toContain('Episode 1');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('by keyboard get times on days of the week; the days of the list are kept, and past times are marked', async () => {
    await row('Episode 1').click();
    await list().focus();
    await page.keyboard.press('Control+a');
    await bar().getByText('All 4 items selected').waitFor();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Schedule…' }).waitFor();
    await whenOverlayFocused(page);
    await page.keyboard.type('Schedule');
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    await dialog().getByRole('radio', { name: 'All at one time' }).focus();
    await page.keyboard.press('ArrowRight');
    await times().waitFor();
    await expect
      .poll(() =>
        dialog()
          .getByRole('radio', { name: 'One after another' })
          .evaluate((it) => it === document.activeElement),
      )
      .toBe(true);
    await expect.poll(() => dialog().getByLabel('Days without publication').inputValue()).toBe('2035-10-31');
    await enterTime(dialog().getByRole('group', { name: 'First time' }), '2020-10-29T02:30');
    await times().getByText('This time has passed: the library would publish the item at once.').first().waitFor();
    await enterTime(dialog().getByRole('group', { name: 'First time' }), '2035-10-29T02:30');
    await dialog()
      .getByRole('button', { name: /Repeat/ })
      .focus();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'By days of the week' }).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await dialog().getByText('Choose at least one day of the week.').waitFor();
    for (const day of ['Tuesday', 'Wednesday']) {
      await dialog().getByRole('button', { name: day }).focus();
      await page.keyboard.press('Space');
    }
    await times().getByText('29 Oct 2035 isn’t one of the chosen days of the week').waitFor();
    await times().getByText('Tue 13 Nov 2035, 02:30').waitFor();
    await dialog().getByRole('button', { name: 'Schedule 4 items' }).focus();
    await page.keyboard.press('Enter');
    await said('Scheduled 4 items.');
    const local = (day: string) => new Date(`${day}T02:30`).toISOString().replace('.000', '');
    expect((await inTheLibrary()).map(([, at]) => at)).toEqual(
      ['2035-10-30', '2035-11-06', '2035-11-07', '2035-11-13'].map(local),
    );
  });

  it('of files in the add sheet have their times in the table, without files that are left out', async () => {
    const folder = join(opened.folder, 'files');
    await mkdir(folder, { recursive: true });
    for (const name of ['a', 'b', 'c']) await writeFile(join(folder, `${name}.wav`), `recording ${name}`);
    await setWindow(opened.desktop, 1280, 800);
    await dropFiles(page, [folder]);
    const sheet = page.getByRole('dialog', { name: /^Add / });
    const cells = (name: string) =>
      sheet.getByRole('grid', { name: 'Files to add' }).getByRole('row', { name }).getByRole('gridcell');
    await cells('a.wav').first().waitFor();
    await sheet.getByText('Later', { exact: true }).click();
    await sheet.getByText('One after another').click();
    await enterTime(sheet.getByRole('group', { name: 'First time' }), '2035-10-24T18:00');
    await sheet.getByLabel('Days without publication').fill('2035-10-31');
    const shown = async () => {
      const texts: (string | null)[] = [];
      for (const name of ['a.wav', 'b.wav', 'c.wav']) texts.push(await cells(name).nth(7).textContent());
      return texts;
    };
    await expect.poll(shown).toEqual(['2035-10-24 18:00', '2035-11-07 18:00', '2035-11-14 18:00']);
    await cells('b.wav').nth(9).getByText('31 Oct 2035 is a day without publication').waitFor({ state: 'attached' });
    await scan('sheet');
    for (const [width, height] of [
      [960, 600],
      [1280, 800],
    ] as const) {
      await setWindow(opened.desktop, width, height);
      await keepPicture(opened.desktop, `sheet-${width}`);
    }
    await cells('a.wav').nth(1).click();
    await page.keyboard.press('Space');
    await expect.poll(async () => (await shown()).slice(1)).toEqual(['2035-10-24 18:00', '2035-11-07 18:00']);
    await sheet.getByRole('button', { name: 'Add to the queue' }).click();
    await sheet.waitFor({ state: 'hidden' });
    const local = (day: string) => new Date(`${day}T18:00`).toISOString().replace('.000', '');
    await expect
      .poll(async () => (await inTheLibrary()).filter(([title]) => /^[abc]$/.test(title)), { timeout: 60_000 })
      .toEqual([
        ['b', local('2035-10-24')],
        ['c', local('2035-11-07')],
      ]);
  });

  it('in the table of items fill the publish times of the selected rows, which are reviewed and applied', async () => {
    await openView(page, 'All items');
    await chooseCollection(page, 'Season');
    // The items of the files that were added move the rows until they have their times.
    for (const title of ['b', 'c'])
      await list()
        .getByRole('row', { name: new RegExp(` ${title} Scheduled`) })
        .waitFor();
    await row('Episode 1').click();
    await list().focus();
    await page.keyboard.press('Shift+ArrowDown');
    await bar().getByText('2 items selected').waitFor();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: /as a table/ }).click();
    const table = page.getByRole('dialog', { name: 'Edit 2 items as a table' });
    await table.getByRole('grid', { name: 'Items' }).waitFor();
    await table.locator('[data-cell-input]').focus();
    await page.keyboard.press('Control+a');
    await table.getByRole('button', { name: 'Series…' }).click();
    const fill = page.getByRole('dialog', { name: 'Publish times one after another' });
    await fill.getByLabel('Days without publication').fill('');
    await enterTime(fill.getByRole('group', { name: 'First time' }), '2036-01-07T08:00');
    await fill
      .getByText(/Mon 14 Jan 2036, 08:00/)
      .first()
      .waitFor();
    await scan('series in a table');
    await keepPicture(opened.desktop, 'fill');
    await fill.getByRole('button', { name: 'Fill 2 cells' }).click();
    await fill.waitFor({ state: 'hidden' });
    await table.getByRole('button', { name: 'Review 2 changes' }).click();
    await page.getByRole('button', { name: 'Change 2 items' }).click();
    await said('Changed 2 items.');
    const local = (day: string) => new Date(`${day}T08:00`).toISOString().replace('.000', '');
    const times = (await inTheLibrary()).filter(([title]) => /^Episode [12]$/.test(title));
    expect(times.map(([, at]) => at)).toEqual(['2036-01-07', '2036-01-14'].map(local));
  });
});
