// A list of uploads that is longer than the window, in the real app: its elements show one row after another.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, openView } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';

const FILES = 400;

let opened: SignedInApp;
let folder: string;
let page: Page;

beforeAll(async () => {
  opened = await openSignedInApp({ service: { seed: 'demo' } });
  ({ folder, page } = opened);
  const [site] = await ask<CallOutput<'sites.list'>>(page, 'sites.list', null);
  const siteId = site?.id ?? '';
  const query = { siteId, text: 'Optics', limit: 1 };
  const [found] = await ask<CallOutput<'library.findCollections'>>(page, 'library.findCollections', query);
  const files = join(folder, 'long');
  await mkdir(files);
  await Promise.all(Array.from({ length: FILES }, (_, at) => writeFile(join(files, `${1000 + at}.txt`), `${at}`)));
  await ask(page, 'uploads.pause', { kind: 'all' });
  await ask(page, 'uploads.add', { siteId, collectionId: found?.collection.id ?? '', paths: [files], defaults: {} });
  await openView(page, 'Uploads');
  await page.locator('[data-upload-id]').first().waitFor();
});
afterAll(() => opened?.close());

/** Scrolls the list, and returns when it has drawn the rows there. */
const scrollTo = (top: number) =>
  page.locator('[role="treegrid"] [role="rowgroup"]').evaluate(async (element, to) => {
    element.scrollTop = to;
    // The event of the scroll comes with the next frame, the rows with the one after it at the latest.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  }, top);
const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name });

interface ShownRow {
  /** The number of the row in the list. */
  number: number;
  /** The place of the upload in its batch. */
  position: number;
  /** The number in the name of the file; undefined while the upload is not loaded. */
  file: string | undefined;
  menu: string;
}

/** The rows of uploads in the order of the document. */
const shownRows = (): Promise<ShownRow[]> =>
  page.locator('[role="treegrid"] [role="row"][aria-level="2"]').evaluateAll((rows) =>
    rows.map((row) => ({
      number: Number(row.getAttribute('aria-rowindex')),
      position: Number(row.getAttribute('aria-posinset')),
      file: row.textContent?.match(/(\d{4})\.txt/)?.[1],
      menu: row.querySelector('[aria-haspopup]')?.getAttribute('aria-label') ?? '',
    })),
  );

/** All rows are loaded and in list order. */
const areAtRest = (rows: readonly ShownRow[]) =>
  rows.length > 10 &&
  rows.every(({ file, number }, at) => file !== undefined && (at === 0 || number === (rows[at - 1]?.number ?? 0) + 1));

it('each row of the queue shows its own upload after a scroll, and rows are in list order when the list is at rest', async () => {
  for (const top of [900, 130, 9_000, 22_000, 21_700, 0]) {
    await scrollTo(top);
    // A row with another upload is an error at any moment; a row that is not loaded yet is none.
    const wrong: ShownRow[] = [];
    await expect
      .poll(async () => {
        const rows = await shownRows();
        const isWrong = ({ position, file, menu }: ShownRow) =>
          file !== undefined && (file !== String(999 + position) || !menu.includes(`${file}.txt`));
        wrong.push(...rows.filter(isWrong));
        return areAtRest(rows);
      })
      .toBe(true);
    expect(wrong).toEqual([]);
  }
});

it('the list of uploads reuses its elements while it scrolls', async () => {
  await scrollTo(5_000);
  await rowOf('1090.txt').first().waitFor();
  await page.locator('[role="treegrid"] [role="row"][aria-level="2"]').evaluateAll((rows) => {
    for (const row of rows) row.setAttribute('data-mark', '');
  });
  await scrollTo(9_000);
  await rowOf('1160.txt').first().waitFor();
  const marks = await page
    .locator('[role="treegrid"] [role="row"][aria-level="2"]')
    .evaluateAll((rows) => rows.map((row) => row.hasAttribute('data-mark')));
  expect(marks.filter((isMarked) => !isMarked).length).toBeLessThanOrEqual(1);
});

it('the list of uploads gets the focus when the row of the focused button scrolls away', async () => {
  await scrollTo(0);
  await rowOf('1001.txt').first().click();
  await page.keyboard.press('ArrowRight');
  const label = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  expect(await label()).toContain('1001.txt');
  await scrollTo(9_000);
  await expect.poll(label).toBe('Uploads');
  await rowOf('1160.txt').first().waitFor();
  expect(await label()).toBe('Uploads');
});

it('the menu of a row closes when the element of the row shows another upload', async () => {
  await scrollTo(0);
  await rowOf('1002.txt').first().getByRole('button', { name: /^More/ }).click();
  await page.getByRole('menu').waitFor();
  await scrollTo(9_000);
  await page.getByRole('menu').waitFor({ state: 'detached' });
});
