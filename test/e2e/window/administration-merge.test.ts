// Tags that are merged in the administration, in the real window.
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';

let opened: SignedInApp;
let page: Page;
const items: string[] = [];

const TAGS = [['optics'], ['optics', 'waves'], ['Optic'], ['optics', 'Optic', 'waves'], ['Optik']];

beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async ({ direct }) => {
      for (const [index, tags] of TAGS.entries()) items.push(await direct.createItem(`Lens ${index}`, { tags }));
    },
  });
  page = opened.page;
}, 600_000);
afterAll(() => opened?.close());

const main = (): Locator => page.getByRole('main', { name: 'Administration' });
const list = (): Locator => main().getByRole('grid', { name: 'Tags' });
const row = (name: string): Locator =>
  list()
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) });
const dialog = (): Locator => page.getByRole('dialog');
const tagsOf = async (): Promise<string[][]> =>
  Promise.all(items.map(async (path) => (await opened.direct.get(path)).body.tags.toSorted()));

it('the tag with the most items stays by default, and a tag of an item that can’t be changed is kept with the reason', async () => {
  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('menuitem', { name: 'Administration' }).click();
  await main().getByRole('radio', { name: /^Tags/ }).click();
  await row('Optic').click();
  await row('optics').click({ modifiers: ['Control'] });
  await row('Optik').click({ modifiers: ['Control'] });
  await main().getByRole('region', { name: 'Selected tags' }).getByRole('button', { name: 'Merge…' }).press('Enter');
  await expect.poll(() => dialog().getByRole('radio', { name: 'optics 3 items' }).isChecked()).toBe(true);
  await dialog().getByRole('radio', { name: 'Optic 2 items' }).waitFor();
  await dialog().getByText('Items with the other tags get “optics” in place of them').waitFor();
  expect(await axeFindingsInThemes(page)).toEqual([]);
  const action = { kind: 'status', status: 403 };
  await opened.service.control('POST', '/faults', { method: 'POST', path: `${items[4]}/`, times: 1, action });
  await dialog().getByRole('button', { name: 'Merge 3 tags' }).press('Enter');
  await dialog().getByText('2 items have “optics” now. 1 tag was deleted.').waitFor();
  await dialog().getByText('1 item couldn’t be changed:').waitFor();
  await dialog().getByText('Lens 4').waitFor();
  await dialog().getByText('Items still have this tag').waitFor();
  expect(await axeFindingsInThemes(page)).toEqual([]);
  expect(await tagsOf()).toEqual([['optics'], ['optics', 'waves'], ['optics'], ['optics', 'waves'], ['Optik']]);
});

it('the merge is completed from the same dialog, and the list and the log show it', async () => {
  await dialog().getByRole('button', { name: 'Merge again' }).press('Enter');
  await dialog().waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'Messages' }).getByText('merged into “optics”: 1 item changed.').waitFor();
  await row('Optik').waitFor({ state: 'detached' });
  await expect.poll(() => list().getAttribute('aria-rowcount')).toBe('3');
  expect((await tagsOf()).flat().filter((name) => name !== 'waves')).toEqual(Array(5).fill('optics'));
  // The local copy has the changed items: the list counts them.
  await expect.poll(() => row('optics').getByRole('gridcell').last().innerText()).toBe('5');
  await main().getByRole('radio', { name: /^Log/ }).click();
  const entry = main().getByRole('row').filter({ hasText: 'Tag merged into another one' });
  await expect.poll(() => entry.count()).toBe(3);
});
