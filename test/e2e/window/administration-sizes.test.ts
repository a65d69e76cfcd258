// The administration and the sharing of a collection in windows of four sizes: reached by keyboard, nothing cut off, no finding of axe.
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { cutOffIn, textsOutside } from '../../helpers/desktop/focus-probe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { setWindow } from '../../helpers/desktop/window-actions.ts';
import { make } from '../../helpers/service/service-people.ts';

/** Of 97 characters, without a place for a line break; it is the last one in lists. */
const LONG_NAME = `Very_long_${'name_without_blanks_'.repeat(4)}at_last`;

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
      for (const ending of ['one', 'two']) await direct.createItem(`${LONG_NAME}_${ending}`, { tags: [LONG_NAME] });
      const person = { first_name: LONG_NAME.slice(0, 50), last_name: 'Crew', email_address: 'long@crew.example' };
      await make(direct, 'users', person);
      await make(direct, 'tags', { display_name: `${LONG_NAME}_two` });
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

describe('a long name without blanks', () => {
  const dialog = (): Locator => page.getByRole('dialog').or(page.getByRole('alertdialog'));
  const items = (): Locator => page.getByRole('grid', { name: 'Items' });
  const closeDialog = async () => {
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  };
  /** Opens a tab of the administration and the panel of its entry with the long name. */
  const openEntry = async (tab: string) => {
    await main()
      .getByRole('radio', { name: new RegExp(`^${tab}`) })
      .press('Space');
    await main().getByRole('row').filter({ hasText: 'Very_long_' }).first().click();
    const panel = main().getByRole('region', { name: /^Very_long_/ });
    await panel.waitFor();
    return panel;
  };

  it('of an item stays inside the inspector, the bar of a selection, its dialogs and their headings', async () => {
    await setWindow(opened.desktop, 1280, 800);
    await page.keyboard.press('Control+1');
    await items().getByRole('row').filter({ hasText: 'Very_long_' }).first().click();
    const inspector = page.locator('[data-inspector]');
    await inspector.getByRole('heading', { name: /^Very_long_/ }).waitFor();
    expect(await textsOutside(inspector)).toEqual([]);
    await page.keyboard.press('Delete');
    await dialog()
      .getByRole('heading', { name: /Very_long_/ })
      .waitFor();
    expect(await textsOutside(dialog())).toEqual([]);
    await closeDialog();
    await items().focus();
    await page.keyboard.press('Control+a');
    const bar = page.getByRole('region', { name: 'Selected items' });
    await bar.waitFor();
    expect(await textsOutside(bar)).toEqual([]);
    expect(await textsOutside(inspector)).toEqual([]);
    const form = page.getByRole('form', { name: 'Edit selected items' });
    await form.getByRole('checkbox', { name: 'Byline' }).click({ force: true });
    await form.getByRole('textbox', { name: 'New text' }).fill(LONG_NAME);
    await form.getByRole('button', { name: 'Review changes…' }).click();
    await dialog().getByText(LONG_NAME).first().waitFor();
    expect(await textsOutside(dialog())).toEqual([]);
    await closeDialog();
  });

  it('of a group, a person and a tag stays inside messages, panels and dialogs', async () => {
    await page.getByRole('button', { name: /^Account:/ }).press('Enter');
    await page.getByRole('menuitem', { name: 'Administration' }).press('Enter');
    await main()
      .getByRole('radio', { name: /^Groups/ })
      .press('Space');
    await main().getByRole('button', { name: 'New group…' }).click();
    await dialog().getByLabel('Name').fill(LONG_NAME);
    await page.keyboard.press('Enter');
    const message = page.locator('[data-message]').filter({ hasText: LONG_NAME });
    await message.waitFor();
    expect(await textsOutside(message)).toEqual([]);
    const [card, panes] = [await message.boundingBox(), await main().boundingBox()];
    expect(card?.width).toBeLessThanOrEqual(panes?.width ?? 0);
    for (const tab of ['Groups', 'People', 'Tags']) {
      const panel = await openEntry(tab);
      expect(await textsOutside(panel), tab).toEqual([]);
      await panel.getByRole('button', { name: 'Delete…' }).click();
      await dialog().getByText('Very_long_').first().waitFor();
      expect(await textsOutside(dialog()), tab).toEqual([]);
      await closeDialog();
    }
    await main().getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    await main()
      .getByRole('button', { name: /^Merge/ })
      .click();
    await dialog().getByRole('radio', { name: LONG_NAME }).first().waitFor();
    expect(await textsOutside(dialog())).toEqual([]);
    await closeDialog();
  });
});
