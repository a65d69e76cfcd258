// A list of items that is longer than the window, in the real app: its elements show one item after another.
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';

let opened: SignedInApp;
let page: Page;

beforeAll(async () => {
  opened = await openSignedInApp({ service: { seed: 'bulk:400:3' } });
  ({ page } = opened);
  await page.getByRole('button', { name: /^Title/ }).click();
  await page.locator(`${LIST} [role="row"]:has([aria-haspopup])`).nth(10).waitFor();
});
afterAll(() => opened?.close());

const LIST = 'main [role="grid"] [role="rowgroup"]';
const scrollTo = (top: number) =>
  page.locator(LIST).evaluate((element, to) => {
    element.scrollTop = to;
  }, top);

/** Returns the loaded rows in the order of the document: position, title, and the label of the menu. */
const shown = () =>
  page.locator(`${LIST} [role="row"]:has([aria-haspopup])`).evaluateAll((rows) =>
    rows.map((row) => ({
      place: Number(row.getAttribute('aria-rowindex')),
      title: row.querySelector('[title]:not([data-type])')?.getAttribute('title') ?? '',
      menu: row.querySelector('[aria-haspopup]')?.getAttribute('aria-label') ?? '',
    })),
  );

it('each row of the library shows its own item after a scroll, and rows are in list order when the list is at rest', async () => {
  const titles = new Map<number, string>();
  for (const top of [0, 900, 130, 9_000, 12_000, 11_700, 9_000, 0]) {
    await scrollTo(top);
    await expect
      .poll(async () => {
        const rows = await shown();
        const first = rows[0]?.place ?? 0;
        const isThere = Math.abs((first - 2) * 38 - top) < 5 * 38;
        return isThere && rows.length > 10 && rows.every(({ place }, at) => place === first + at);
      })
      .toBe(true);
    const rows = await shown();
    for (const { place, title, menu } of rows) {
      expect(menu).toContain(title);
      expect(titles.get(place) ?? title).toBe(title);
      titles.set(place, title);
    }
    expect(rows.map(({ title }) => title)).toEqual(rows.map(({ title }) => title).sort());
  }
});

it('the list of items reuses its elements while it scrolls', async () => {
  await scrollTo(3_000);
  await expect.poll(async () => (await shown()).some(({ place }) => place === 90)).toBe(true);
  const rows = page.locator(`${LIST} [role="row"]`);
  await rows.evaluateAll((each) => {
    for (const row of each) row.setAttribute('data-mark', '');
  });
  await scrollTo(9_000);
  await expect.poll(async () => (await shown()).some(({ place }) => place === 245)).toBe(true);
  const marks = await rows.evaluateAll((each) => each.map((row) => row.hasAttribute('data-mark')));
  expect(marks.filter((isMarked) => !isMarked).length).toBeLessThanOrEqual(1);
});

it('the list of items gets the focus when the row of the focused button scrolls away', async () => {
  await scrollTo(0);
  await page.locator(`${LIST} [aria-rowindex="3"]`).click();
  await page.keyboard.press('ArrowRight');
  const label = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  expect(await label()).toMatch(/^More/);
  await scrollTo(9_000);
  await expect.poll(label).toBe('Items');
});

it('the menu of a row closes when the element of the row shows another item', async () => {
  await scrollTo(0);
  await page.locator(`${LIST} [aria-rowindex="4"]`).getByRole('button', { name: /^More/ }).click();
  await page.getByRole('menu').waitFor();
  await scrollTo(9_000);
  await page.getByRole('menu').waitFor({ state: 'detached' });
});
