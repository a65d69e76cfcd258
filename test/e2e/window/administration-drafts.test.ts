// What is typed into the forms of the administration, after the form or the app was closed; and rights that are taken away meanwhile.
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { runInPalette } from '../../helpers/desktop/window-actions.ts';
import { make } from '../../helpers/service/service-people.ts';

const EMAIL = 'second@library.example';

let opened: SignedInApp;
let page: Page;
let ownId: string;

beforeAll(async () => {
  opened = await openSignedInApp({
    account: EMAIL,
    prepare: async ({ direct, service }) => {
      const names = { first_name: 'Second', last_name: 'Admin', email_address: EMAIL };
      ownId = (await make(direct, 'users', { ...names, password: service.admin.password, is_admin: true })).id;
    },
  });
  page = opened.page;
}, 600_000);
afterAll(() => opened?.close());

const main = (): Locator => page.getByRole('main', { name: 'Administration' });
const dialog = (): Locator => page.getByRole('dialog').or(page.getByRole('alertdialog'));
const showTab = async (name: string) => {
  await runInPalette(page, 'Administration');
  await main()
    .getByRole('radio', { name: new RegExp(`^${name}`) })
    .click();
};
const value = (label: string) => dialog().getByLabel(label, { exact: true }).inputValue();

it('a new person, group and role that were typed, and changes of a role, are there after the app was closed', async () => {
  await showTab('People');
  await main().getByRole('button', { name: 'New person…' }).click();
  await dialog().getByLabel('First name').fill('Greta');
  await dialog().getByLabel('E-mail address').fill('greta@x.example');
  await dialog().getByLabel('Password').fill('secret word');
  await page.keyboard.press('Escape');
  await showTab('Groups');
  await main().getByRole('button', { name: 'New group…' }).click();
  await dialog().getByLabel('Name').fill('Night crew');
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await showTab('Roles');
  await main().getByRole('button', { name: 'New role…' }).click();
  await dialog().getByLabel('Name').fill('Assistant');
  await page.keyboard.press('Escape');
  await main().getByRole('button', { name: 'Select the role Viewer' }).click();
  await main().getByRole('checkbox', { name: 'Create collections: Viewer' }).click({ force: true });
  await main().getByRole('button', { name: 'Save', exact: true }).waitFor();
  ({ page } = await opened.reopen());
  await showTab('People');
  await main().getByRole('button', { name: 'New person…' }).click();
  await dialog().getByText('You typed this earlier').waitFor();
  expect([await value('First name'), await value('E-mail address'), await value('Password')]).toEqual([
    'Greta',
    'greta@x.example',
    '',
  ]);
  expect(await axeFindingsInThemes(page)).toEqual([]);
  await dialog().getByRole('button', { name: 'Discard' }).click();
  expect(await value('First name')).toBe('');
  await page.keyboard.press('Escape');
  await main().getByRole('button', { name: 'New person…' }).click();
  expect(await dialog().getByText('You typed this earlier').count()).toBe(0);
  await page.keyboard.press('Escape');
  await showTab('Groups');
  await main().getByRole('button', { name: 'New group…' }).click();
  expect(await value('Name')).toBe('Night crew');
  await page.keyboard.press('Enter');
  await main().getByRole('row').filter({ hasText: 'Night crew' }).waitFor();
  await main().getByRole('button', { name: 'New group…' }).click();
  expect(await value('Name')).toBe('');
  await page.keyboard.press('Escape');
  await showTab('Roles');
  await main().getByRole('checkbox', { name: 'Create collections: Viewer' }).waitFor();
  await expect.poll(() => main().getByRole('checkbox', { name: 'Create collections: Viewer' }).isChecked()).toBe(true);
  await main().getByRole('button', { name: 'New role…' }).click();
  expect(await value('Name')).toBe('Assistant');
  await page.keyboard.press('Escape');
});

it('rights that are taken away meanwhile are explained: who still has them, and what was done until then', async () => {
  await showTab('People');
  await main().getByRole('row').filter({ hasText: 'Second Admin' }).waitFor();
  await opened.direct.post(`/api2/users/${ownId}`, { is_admin: false });
  await showTab('Groups');
  await main().getByRole('button', { name: 'New group…' }).click();
  await dialog().getByLabel('Name').fill('Too late');
  await page.keyboard.press('Enter');
  await main().getByText('You are no administrator any more').waitFor();
  await main().getByText('admin@library.example').waitFor();
  await main().getByText('Group created: Night crew').waitFor();
  await dialog().waitFor({ state: 'detached' });
  expect(await axeFindingsInThemes(page)).toEqual([]);
  await main().getByRole('button', { name: 'Try again' }).click();
  await main().getByText('Only administrators of the library can see').waitFor();
  await opened.direct.post(`/api2/users/${ownId}`, { is_admin: true });
  await main().getByRole('button', { name: 'Try again' }).click();
  await main().getByRole('row').filter({ hasText: 'Night crew' }).waitFor();
  // What was typed is still there.
  await main().getByRole('button', { name: 'New group…' }).click();
  expect(await value('Name')).toBe('Too late');
});
