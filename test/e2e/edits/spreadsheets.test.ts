// Spreadsheets in the window: the real app, the real service, real files; by mouse and by keyboard.
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readXlsx } from '../../../electron/engine/manifest/table/read-xlsx.ts';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import type { DesktopApp } from '../../helpers/desktop/desktop-app.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { announced, answerNativeDialogs, keepPicture, runInPalette } from '../../helpers/desktop/window-actions.ts';
import type { ServiceClient } from '../../helpers/service/service-client.ts';

const TALKS = ['Talk 01', 'Talk 02', 'Talk 03', 'Talk 04', 'Talk 05', 'Talk 06'];

let opened: SignedInApp;
let folder: string;
let desktop: DesktopApp;
let direct: ServiceClient;
let page: Page;
const ids: string[] = [];

beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async (library) => {
      for (const title of TALKS) {
        ids.push((await library.direct.createItem(title, { tags: ['optics'] })).split('/').at(-1) ?? '');
      }
    },
  });
  ({ folder, direct, desktop, page } = opened);
});
afterAll(() => opened?.close());

const list = (): Locator => page.getByRole('grid', { name: 'Items' });
const row = (title: string): Locator => list().getByRole('row').filter({ hasText: title });
const dialog = (name: string | RegExp): Locator => page.getByRole('dialog', { name });
const importing = () => dialog('Import a spreadsheet');
const item = async (index: number) => (await direct.get(`/api2/media/${ids[index]}`)).body;
const said = (text: string | RegExp) => announced(page, text, 45_000);

/** Reports the findings of axe in the window, in light and dark, without ending the test. */
async function scan(name: string): Promise<void> {
  expect.soft(await axeFindingsInThemes(page), name).toEqual([]);
}

describe('a user with a spreadsheet', () => {
  it('sees which sheet is read when the workbook has several', async () => {
    await answerNativeDialogs(desktop, resolve('test/fixtures/spreadsheets/hidden-first.xlsx'));
    await runInPalette(page, 'Import a spreadsheet');
    await importing().getByText('Sheet “S” of 2').waitFor();
    await page.keyboard.press('Escape');
    await importing().waitFor({ state: 'detached' });
  });

  it('exports selected items as XLSX and as CSV by mouse', async () => {
    await row('Talk 01').click();
    await row('Talk 03').click({ modifiers: ['Shift'] });
    const bar = page.getByRole('region', { name: 'Selected items' });
    await bar.getByText('3 items selected').waitFor();
    const exported = async (format: string, name: string) => {
      await row('Talk 02').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Export…' }).click();
      await dialog('Export 3 items').getByText(format, { exact: true }).click();
      await scan(`export, ${format}`);
      const path = join(folder, name);
      await answerNativeDialogs(desktop, path);
      await dialog('Export 3 items').getByRole('button', { name: 'Export…' }).click();
      await dialog('Export 3 items').waitFor({ state: 'detached' });
      await said('Exported 3 items.');
      return readFile(path);
    };
    const columns = async (...labels: string[]) => {
      await row('Talk 02').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Export…' }).click();
      for (const label of labels) await dialog('Export 3 items').getByText(label, { exact: true }).click();
    };
    await columns('As in the list', 'Length', 'Views');
    await dialog('Export 3 items').getByText('In this order: ID, Title').waitFor();
    await keepPicture(desktop, 'export-dialog');
    await page.keyboard.press('Escape');
    await dialog('Export 3 items').waitFor({ state: 'detached' });
    const chosen = (await exported('CSV', 'columns.csv'))
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .split('\r\n');
    expect(chosen[0]).toBe('id,title,status,created_on,tags,views');
    expect(chosen.filter((line) => /^m:\d+,Talk 0\d,/.test(line))).toHaveLength(3);
    await columns('Usual columns');
    await page.keyboard.press('Escape');
    await dialog('Export 3 items').waitFor({ state: 'detached' });
    const { rows } = readXlsx(await exported('Excel workbook (XLSX)', 'three.xlsx'), null);
    expect(rows.filter(({ cells }) => cells.some((cell) => cell.startsWith('Talk')))).toHaveLength(3);
    const csv = (await exported('CSV', 'three.csv')).toString('utf8');
    expect(csv.split('\r\n').filter((line) => line.includes('Talk'))).toHaveLength(3);
  });

  it('exports the whole list and imports it again by keyboard: nothing changes', async () => {
    const path = join(folder, 'all.xlsx');
    await answerNativeDialogs(desktop, path);
    await runInPalette(page, 'Export this list');
    await dialog('Export 6 items').getByRole('radio', { name: /XLSX/ }).press('Space');
    await dialog('Export 6 items').getByRole('button', { name: 'Export…' }).press('Enter');
    await said('Exported 6 items.');
    await runInPalette(page, 'Import a spreadsheet');
    await importing().getByText('This file changes nothing').waitFor();
    expect(
      await importing()
        .getByRole('button', { name: /^Review/ })
        .isDisabled(),
    ).toBe(true);
    await page.keyboard.press('Escape');
    await importing().waitFor({ state: 'detached' });
  });

  it('maps a column, sees the changes before the import, and imports the file as one edit that can be undone', async () => {
    const path = join(folder, 'speakers.csv');
    const lines = ids.map((id, index) => `m:${id};${TALKS[index]};${index % 2 === 0 ? 'Ada' : ''};no`);
    await writeFile(path, `id;title;Vortragende;Notes\r\n${lines.join('\r\n')}\r\n`);
    await answerNativeDialogs(desktop, path);
    await page.getByText('Add uploads').click();
    await page.getByRole('menuitem', { name: 'Import a spreadsheet…' }).click();
    await importing().getByText('This file changes nothing').waitFor();
    await importing().getByRole('button', { name: 'Separator' }).getByText('Semicolon').waitFor();
    await importing()
      .getByRole('button', { name: /Import “Vortragende” as/ })
      .click();
    await page.getByRole('option', { name: 'Byline' }).click();
    await importing().getByText('3 rows change an item').waitFor();
    await scan('import');
    await importing().getByRole('button', { name: 'Review 3 changes…' }).click();
    const review = dialog('Review 3 changes');
    await review.getByText('Talk 01').waitFor();
    await review.getByText('Ada').first().waitFor();
    await scan('review');
    await review.getByRole('button', { name: 'Change 3 items' }).click();
    await said('Changed 3 items.');
    await expect.poll(async () => (await item(0)).byline, { timeout: 60_000 }).toBe('Ada');
    expect((await item(1)).byline ?? '').toBe('');
    await page.keyboard.press('Control+5');
    await page.getByText('Import speakers.csv').first().waitFor();
    await page.keyboard.press('Control+1');
    await page.keyboard.press('Control+z');
    await said('Restored 3 items.');
    for (const index of [0, 2, 4]) {
      await expect.poll(async () => (await item(index)).byline ?? '', { timeout: 60_000 }).toBe('');
    }
  });

  it('sees every error with its place, saves a copy with an error column, and imports the other rows', async () => {
    const path = join(folder, 'errors.csv');
    await writeFile(
      path,
      `id,title,status,publish_on\nm:${ids[0]},New 01,,\nm:${ids[1]},,public,\nm:${ids[2]},,,1/2/2035\nm:99999,x,,\n`,
    );
    await answerNativeDialogs(desktop, path);
    await runInPalette(page, 'Import a spreadsheet');
    await importing().getByText('3 rows have errors').waitFor();
    const errors = importing().getByRole('grid', { name: 'Errors by row' });
    await errors.getByText('The status must be draft, scheduled or published.').waitFor();
    await errors.getByText('This isn’t a date that means the same everywhere.').waitFor();
    expect(
      await importing()
        .getByRole('button', { name: /^Review/ })
        .isDisabled(),
    ).toBe(true);
    await scan('errors');
    const copy = join(folder, 'copy.csv');
    await answerNativeDialogs(desktop, copy);
    await importing().getByRole('button', { name: 'Save a copy with an error column…' }).click();
    await said('Saved a copy with an error column.');
    expect(await readFile(copy, 'utf8')).toContain('status: The status must be');
    await importing().getByText('Leave out 3 rows with errors').click();
    await importing().getByRole('button', { name: 'Review 1 change…' }).press('Enter');
    await dialog('Review 1 change').getByRole('button', { name: 'Change 1 item' }).press('Enter');
    await expect.poll(async () => (await item(0)).title, { timeout: 60_000 }).toBe('New 01');
  });

  it('chooses an encoding when characters can’t be read', async () => {
    const path = join(folder, 'latin.csv');
    await writeFile(path, Buffer.from(`id,title\nm:${ids[3]},Größe\n`, 'latin1'));
    await answerNativeDialogs(desktop, path);
    await runInPalette(page, 'Import a spreadsheet');
    await importing()
      .getByText(/some characters can’t be read. Row 2, column 2./)
      .waitFor();
    await scan('encoding');
    await importing().getByRole('button', { name: 'Encoding' }).click();
    await page.getByRole('option', { name: 'Windows-1252' }).click();
    await importing().getByText('1 row changes an item').waitFor();
    await page.keyboard.press('Escape');
  });
});
