// What accounts that are no administrators see of the administration: the reason, and the roles that they may change.
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { runInPalette } from '../../helpers/desktop/window-actions.ts';
import { make } from '../../helpers/service/service-people.ts';

const EMAIL = 'sharer@library.example';

let opened: SignedInApp;
let page: Page;
let talks: string;

beforeAll(async () => {
  opened = await openSignedInApp({
    account: EMAIL,
    prepare: async ({ direct, service }) => {
      const fields = { first_name: 'Sam', last_name: 'Sharer', email_address: EMAIL, password: service.admin.password };
      const sam = await make(direct, 'users', fields);
      const permissions = ['collection-read', 'collection-update', 'collection-share', 'media-read'];
      const sharer = await make(direct, 'roles', { display_name: 'Sharer', permissions });
      const reader = await make(direct, 'roles', {
        display_name: 'Reader',
        permissions: ['collection-read', 'media-read'],
      });
      const group = await make(direct, 'groups', { display_name: 'Staff' });
      talks = (await direct.post('/api2/collections', { parent_id: '1', display_name: 'Talks' })).body.id;
      await make(direct, 'memberships', { role_id: sharer.id, collection_id: talks, user_id: sam.id });
      await make(direct, 'memberships', { role_id: reader.id, collection_id: talks, group_id: group.id });
      const above = (await direct.post('/api2/collections', { parent_id: '1', display_name: 'Above' })).body.id;
      const input = { parent_id: above, display_name: 'Below', inherit_memberships: true };
      const below = (await direct.post('/api2/collections', input)).body.id;
      await make(direct, 'memberships', { role_id: reader.id, collection_id: above, user_id: sam.id });
      await make(direct, 'memberships', { role_id: reader.id, collection_id: above, group_id: group.id });
      await make(direct, 'memberships', { role_id: sharer.id, collection_id: below, user_id: sam.id });
    },
  });
  page = opened.page;
}, 600_000);
afterAll(() => opened?.close());

const staffRole = async (): Promise<string> =>
  (await opened.direct.get(`/api2/memberships?collection_id=${talks}`)).body.items.find(
    ({ group }: { group: { display_name: string } | null }) => group?.display_name === 'Staff',
  )?.role.display_name;

it('the view says that only administrators see users and groups', async () => {
  await runInPalette(page, 'Administration');
  const main = page.getByRole('main', { name: 'Administration' });
  await main.getByText('Only administrators of the library can see its users, groups, tags and roles.').waitFor();
  await main.getByText('Sign in as an administrator, or ask one to make the change.').waitFor();
  expect(await axeFindingsInThemes(page)).toEqual([]);
});

it('an account that may share a collection changes its roles, and a note names what only administrators see', async () => {
  const line: Locator = page.getByRole('tree', { name: 'Collections' }).locator('[data-collection-id]');
  await line.filter({ hasText: 'Talks' }).click();
  await runInPalette(page, 'Talks: Users and groups');
  const dialog = page.getByRole('dialog', { name: 'Users and groups of “Talks”' });
  await dialog.getByRole('button', { name: /Role of Staff/ }).click();
  await page.getByRole('option', { name: 'Sharer' }).click();
  const planned = page.getByRole('region', { name: 'Planned change' });
  await planned.getByText('Only administrators see what this means for people.').waitFor();
  expect(await staffRole()).toBe('Reader');
  expect(await axeFindingsInThemes(page)).toEqual([]);
  await planned.getByRole('button', { name: 'Apply' }).press('Enter');
  await planned.waitFor({ state: 'detached' });
  expect(await staffRole()).toBe('Sharer');
  expect(await dialog.getByRole('combobox', { name: 'Person or group' }).count()).toBe(0);
  await page.keyboard.press('Escape');
});

it('of inherited roles, such an account sees its own, a note says so, and nothing leads to roles that it can’t change', async () => {
  const line = page.getByRole('tree', { name: 'Collections' }).locator('[data-collection-id]');
  await line.filter({ hasText: 'Above' }).click();
  await page.keyboard.press('ArrowRight');
  await line.filter({ hasText: 'Below' }).click();
  await runInPalette(page, 'Below: Users and groups');
  const dialog = page.getByRole('dialog', { name: 'Users and groups of “Below”' });
  await dialog.getByRole('heading', { name: 'Inherited from “Above”' }).waitFor();
  await dialog.getByText('Of the roles inherited from “Above” you see only your own').waitFor();
  expect(await dialog.getByRole('button', { name: /Change there/ }).count()).toBe(0);
  expect(await axeFindingsInThemes(page)).toEqual([]);
});
