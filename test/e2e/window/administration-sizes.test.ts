// The administration and the sharing of a collection in windows of four sizes: reached by keyboard, nothing cut off, no finding of axe.
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { cutOffIn } from '../../helpers/desktop/focus-probe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { setWindow } from '../../helpers/desktop/window-actions.ts';
import { make } from '../../helpers/service/service-people.ts';

let opened: SignedInApp;
let page: Page;

beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async ({ direct }) => {
      const { id } = await make(direct, 'groups', {
        display_name: 'Camera crew of the faculty of physics and astronomy',
      });
      for (const name of ['Ada', 'Ben', 'Maximiliane-Theodora']) {
        const fields = { first_name: name, last_name: 'Crew', email_address: `${name.toLowerCase()}@crew.example` };
        const user = await make(direct, 'users', fields);
        await direct.post(`/api2/groups/${id}/add-users`, { user_ids: [user.id] });
      }
      for (const name of ['Café', 'Optics and lenses in the winter term'])
        await make(direct, 'tags', { display_name: name });
    },
  });
  page = opened.page;
}, 600_000);
afterAll(() => opened?.close());

const main = (): Locator => page.getByRole('main', { name: 'Administration' });

async function check(name: string): Promise<void> {
  await page.mouse.move(1, 1);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow, name).toBeLessThanOrEqual(0);
  // Tables of roles are as wide as their roles: one scrolls to them.
  const cutOff = async () => (await cutOffIn(page)).filter((each) => !each.startsWith('BUTTON Select the role'));
  await expect.poll(cutOff, { message: name }).toEqual([]);
  expect(await axeFindingsInThemes(page), name).toEqual([]);
}

describe.each([
  [960, 600, 1],
  [1280, 800, 1],
  [1920, 1080, 1],
  [1280, 800, 2],
])('in a window of %i × %i at zoom %i', (width, height, zoom) => {
  it('every tab is reached by keyboard, and shows its selected entry without cutting anything off', async () => {
    await setWindow(opened.desktop, width, height, zoom);
    await page.getByRole('button', { name: /^Account:/ }).press('Enter');
    await page.getByRole('menuitem', { name: 'Administration' }).press('Enter');
    for (const [name, entry] of [
      ['People', 'Maximiliane'],
      ['Groups', 'Camera crew'],
      ['Roles', ''],
      ['Tags', 'Optics'],
      ['Log', ''],
    ] as const) {
      const tab = main().getByRole('radio', { name: new RegExp(`^${name}`) });
      await tab.press('Space');
      await expect.poll(() => tab.isChecked()).toBe(true);
      await check(`${name} ${width}`);
      if (entry === '') continue;
      await main().getByRole('row').filter({ hasText: entry }).first().click();
      await main()
        .getByRole('region', { name: new RegExp(`^${entry}`) })
        .waitFor();
      await check(`${name} ${width}, ${entry}`);
    }
    await page.keyboard.press('Control+1');
  });

  it('the dialog of a collection’s users and groups shows everything', async () => {
    await setWindow(opened.desktop, 1280, 800);
    await page.keyboard.press('Control+1');
    const root = page.getByRole('tree', { name: 'Collections' }).getByRole('treeitem').first();
    await root.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Users and groups…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Person or group' }).waitFor();
    await setWindow(opened.desktop, width, height, zoom);
    await check(`Sharing ${width}`);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});
