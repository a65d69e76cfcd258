// Spreadsheets in the window: the real app, the real service, real files; by mouse and by keyboard.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, whenSignedIn } from '../../build/demo/window-steps.ts';
import { axeFindings } from '../helpers/desktop/axe.ts';
import { type DesktopApp, launchApp } from '../helpers/desktop/desktop-app.ts';
import { signIn } from '../helpers/desktop/desktop-sign-in.ts';
import { clientFor, type ServiceClient } from '../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../helpers/service/service-process.ts';

const TALKS = ['Talk 01', 'Talk 02', 'Talk 03', 'Talk 04', 'Talk 05', 'Talk 06'];

let folder: string;
let service: ServiceProcess;
let desktop: DesktopApp;
let direct: ServiceClient;
let page: Page;
const ids: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mediadesk-sheets-'));
  service = await startService();
  direct = await clientFor(service);
  for (const title of TALKS) {
    ids.push((await direct.createItem(title, { tags: ['optics'] })).split('/').at(-1) ?? '');
  }
  desktop = await launchApp({
    profileDir: join(folder, 'profile'),
    env: { MEDIADESK_SITE: service.baseUrl, MEDIADESK_CLIENT_ID: service.clientId },
    size: { width: 1280, height: 800 },
  });
  page = desktop.window;
  page.setDefaultTimeout(15_000);
  await signIn(desktop, service);
  await whenSignedIn(page);
});
afterAll(async () => {
  await desktop?.close();
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

const list = (): Locator => page.getByRole('grid', { name: 'Items' });
const row = (title: string): Locator => list().getByRole('row').filter({ hasText: title });
const dialog = (name: string | RegExp): Locator => page.getByRole('dialog', { name });
const importing = () => dialog('Import a spreadsheet');
const item = async (index: number) => (await direct.get(`/api2/media/${ids[index]}`)).body;
const said = (text: string | RegExp) =>
  page.getByTestId('announcements').filter({ hasText: text }).waitFor({ state: 'attached', timeout: 45_000 });

/** The next native dialog answers with this path; the dialog itself is not the app's. */
async function answerDialogs(path: string): Promise<void> {
  await desktop.app.evaluate(({ dialog: native }, chosen) => {
    Object.assign(native, {
      showSaveDialog: async () => ({ canceled: false, filePath: chosen }),
      showOpenDialog: async () => ({ canceled: false, filePaths: [chosen] }),
    });
  }, path);
}

/** Scans what the window shows: all rules in light, the colours in dark. */
async function scan(name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await ask(page, 'shell.setTheme', { theme });
    await page.waitForFunction((wanted) => matchMedia(`(prefers-color-scheme: ${wanted})`).matches, theme);
    await page.evaluate(() => {
      const ending = document.getAnimations().filter((each) => each.effect?.getComputedTiming().iterations === 1);
      return Promise.allSettled(ending.map((each) => each.finished)).then(() => undefined);
    });
    expect.soft(await axeFindings(page, theme === 'light' ? 'all' : 'colours'), `${name}, ${theme}`).toEqual([]);
    if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `${name}-${theme}.png`) });
  }
}

/** Runs a command of the palette by keyboard. */
async function palette(text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type(text);
  await page.getByRole('option', { name: text }).first().waitFor();
  await page.keyboard.press('Enter');
}

describe('a user with a spreadsheet', () => {
  it('exports selected items by mouse, as XLSX or CSV', async () => {
    await row('Talk 01').click();
    await row('Talk 03').click({ modifiers: ['Shift'] });
    const bar = page.getByRole('region', { name: 'Selected items' });
    await bar.getByText('3 items selected').waitFor();
    await row('Talk 02').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Export…' }).click();
    await dialog('Export 3 items').getByText('CSV', { exact: true }).click();
    await scan('export');
    const path = join(folder, 'three.csv');
    await answerDialogs(path);
    await dialog('Export 3 items').getByRole('button', { name: 'Export…' }).click();
    await said('Exported 3 items.');
    expect((await readFile(path, 'utf8')).split('\r\n').filter((line) => line.includes('Talk'))).toHaveLength(3);
  });

  it('exports the whole list and imports it again by keyboard: nothing changes', async () => {
    const path = join(folder, 'all.xlsx');
    await answerDialogs(path);
    await palette('Export this list');
    await dialog('Export 6 items').getByRole('radio', { name: /XLSX/ }).press('Space');
    await dialog('Export 6 items').getByRole('button', { name: 'Export…' }).press('Enter');
    await said('Exported 6 items.');
    await palette('Import a spreadsheet');
    await importing().getByText('This file changes nothing').waitFor();
    expect(
      await importing()
        .getByRole('button', { name: /^Review/ })
        .isDisabled(),
    ).toBe(true);
    await page.keyboard.press('Escape');
    await importing().waitFor({ state: 'detached' });
  });

  it('maps a column, sees what changes, and imports it as one edit with an undo', async () => {
    const path = join(folder, 'speakers.csv');
    const lines = ids.map((id, index) => `m:${id};${TALKS[index]};${index % 2 === 0 ? 'Ada' : ''};no`);
    await writeFile(path, `id;title;Vortragende;Notes\r\n${lines.join('\r\n')}\r\n`);
    await answerDialogs(path);
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
    await said(/3 items changed|Changed 3 items|3 items/);
    await expect.poll(async () => (await item(0)).byline, { timeout: 20_000 }).toBe('Ada');
    expect((await item(1)).byline ?? '').toBe('');
    await page.keyboard.press('Control+5');
    await page.getByText('Import speakers.csv').first().waitFor();
    await page.keyboard.press('Control+1');
  });

  it('sees every error with its place, saves a copy with an error column, and imports the other rows', async () => {
    const path = join(folder, 'errors.csv');
    await writeFile(
      path,
      `id,title,status,publish_on\nm:${ids[0]},New 01,,\nm:${ids[1]},,public,\nm:${ids[2]},,,1/2/2035\nm:99999,x,,\n`,
    );
    await answerDialogs(path);
    await palette('Import a spreadsheet');
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
    if (process.env.PICTURES) {
      for (const [width, height] of [
        [1920, 1080],
        [960, 600],
        [720, 500],
      ] as const) {
        await desktop.app.evaluate(
          ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(...size),
          [width, height] as [number, number],
        );
        await page.waitForFunction((wanted) => innerWidth === wanted, width);
        await page.screenshot({ path: join(process.env.PICTURES, `errors-${width}.png`) });
      }
      await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1280, 800));
    }
    const copy = join(folder, 'copy.csv');
    await answerDialogs(copy);
    await importing().getByRole('button', { name: 'Save a copy with an error column…' }).click();
    await said('Saved a copy with an error column.');
    expect(await readFile(copy, 'utf8')).toContain('status: The status must be');
    await importing().getByText('Leave out 3 rows with errors').click();
    await importing().getByRole('button', { name: 'Review 1 change…' }).press('Enter');
    await dialog('Review 1 change').getByRole('button', { name: 'Change 1 item' }).press('Enter');
    await expect.poll(async () => (await item(0)).title, { timeout: 20_000 }).toBe('New 01');
  });

  it('chooses an encoding when characters can’t be read', async () => {
    const path = join(folder, 'latin.csv');
    await writeFile(path, Buffer.from(`id,title\nm:${ids[3]},Größe\n`, 'latin1'));
    await answerDialogs(path);
    await palette('Import a spreadsheet');
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
