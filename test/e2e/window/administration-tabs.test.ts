// Roles, groups, tags and the log in the administration, in the real window.
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { make } from '../../helpers/service/service-people.ts';

let opened: SignedInApp;
let page: Page;
let mediaId: string;

beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async ({ direct }) => {
      const { location } = await direct.post('/api2/collections', { display_name: 'Lectures', parent_id: '1' });
      const collectionId = location?.split('/').at(-1);
      const roleId = (await direct.get('/api2/roles?display_name=Viewer')).body.items[0].id;
      for (const name of ['Café', 'Cafés']) await make(direct, 'tags', { display_name: name });
      const media = { title: 'Lenses', collection_id: collectionId, tags: ['Physics'] };
      mediaId = (await direct.post('/api2/media', media)).location?.split('/').at(-1) ?? '';
      const group = await make(direct, 'groups', { display_name: 'Light' });
      const producer = (await direct.get('/api2/roles?display_name=Producer')).body.items[0].id;
      const studio = await direct.post('/api2/collections', { display_name: 'Studio', parent_id: '1' });
      const studioId = studio.location?.split('/').at(-1);
      await make(direct, 'memberships', { collection_id: studioId, group_id: group.id, role_id: producer });
      for (const name of ['Ada', 'Ben']) {
        const fields = { first_name: name, last_name: 'Crew', email_address: `${name.toLowerCase()}@crew.example` };
        const { id } = await make(direct, 'users', fields);
        await make(direct, 'memberships', { collection_id: collectionId, user_id: id, role_id: roleId });
        if (name === 'Ada') await direct.post(`/api2/groups/${group.id}/add-users`, { user_ids: [id] });
      }
    },
  });
  page = opened.page;
}, 600_000);
afterAll(() => opened?.close());

const main = (): Locator => page.getByRole('main', { name: 'Administration' });
const dialog = (): Locator => page.getByRole('dialog').or(page.getByRole('alertdialog'));
const tab = (name: string): Locator => main().getByRole('radio', { name: new RegExp(`^${name}`) });
const permissionsOf = async (name: string): Promise<string[]> =>
  (await opened.direct.get(`/api2/roles?display_name=${encodeURIComponent(name)}`)).body.items[0]?.permissions;

async function showTab(name: string): Promise<void> {
  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('menuitem', { name: 'Administration' }).click();
  await tab(name).click();
}

async function findings(): Promise<string[]> {
  await page.mouse.move(1, 1);
  return axeFindingsInThemes(page);
}

describe('the roles', () => {
  const table = (): Locator => main().getByRole('table', { name: 'Permissions of the roles' });
  const box = (permission: string, role: string): Locator =>
    table().getByRole('checkbox', { name: `${permission}: ${role}`, exact: true });
  const panel = (role: string): Locator => main().getByRole('region', { name: role, exact: true });

  it('are compared in a table of all permissions, in which only the selected role can be changed', async () => {
    await showTab('Roles');
    await table().getByRole('button', { name: 'Select the role Viewer' }).click();
    expect(await table().getByRole('checkbox').count()).toBe(19);
    expect(await box('Play items', 'Viewer').isChecked()).toBe(true);
    expect(await box('Edit items', 'Viewer').isChecked()).toBe(false);
    expect(await findings()).toEqual([]);
  });

  it('show what is switched with a permission and what it means for people, and change only when saved', async () => {
    const before = await permissionsOf('Viewer');
    await box('Edit items', 'Viewer').click({ force: true });
    await panel('Viewer').getByText('“Edit items” also adds Use the admin panel.').waitFor();
    expect(await box('Use the admin panel', 'Viewer').isChecked()).toBe(true);
    await panel('Viewer')
      .getByText(/^3 people \(.*Ada Crew.*\) gain: Use the admin panel, Edit items$/)
      .waitFor();
    await box('See items', 'Viewer').press('Space');
    await panel('Viewer')
      .getByText(/^“See items” removed: also removes .*Play items.*Edit items/)
      .waitFor();
    await panel('Viewer')
      .getByText(/^3 people \(.*Ada Crew.*\) lose: .*Play items/)
      .waitFor();
    expect(await findings()).toEqual([]);
    expect(await permissionsOf('Viewer')).toEqual(before);
    await panel('Viewer').getByRole('button', { name: 'Discard' }).click();
    expect(await box('Play items', 'Viewer').isChecked()).toBe(true);
    await box('Download items', 'Viewer').click({ force: true });
    await panel('Viewer').getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('region', { name: 'Messages' }).getByText('Role “Viewer” saved.').waitFor();
    const after = await permissionsOf('Viewer');
    const changed = [...before, ...after].filter((name) => before.includes(name) !== after.includes(name));
    expect(changed).toEqual(['media-download']);
    // Then the window has read the role again.
    await expect.poll(() => box('Download items', 'Viewer').isChecked()).toBe(after.includes('media-download'));
  });

  it('are not overwritten when another administrator changed one in the meantime, and both changes can be kept', async () => {
    const { id } = (await opened.direct.get('/api2/roles?display_name=Viewer')).body.items[0];
    await box('Like items', 'Viewer').click({ force: true });
    await opened.direct.post(`/api2/roles/${id}/add-permissions`, { permissions: ['collection-create'] });
    const between = await permissionsOf('Viewer');
    await panel('Viewer').getByRole('button', { name: 'Save', exact: true }).click();
    await panel('Viewer').getByText('Another administrator changed this role').waitFor();
    expect(await permissionsOf('Viewer')).toEqual(between);
    await panel('Viewer').getByRole('heading', { name: 'Changed by somebody else' }).waitFor();
    await panel('Viewer').getByText('Adds Create collections').waitFor();
    await panel('Viewer').getByText('Both can be kept').waitFor();
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await panel('Viewer').getByRole('button', { name: 'Continue with both' }).click();
    await expect.poll(() => box('Create collections', 'Viewer').isChecked()).toBe(true);
    await panel('Viewer').getByRole('button', { name: 'Save', exact: true }).click();
    await panel('Viewer').getByText('Switch permissions in the table').waitFor();
    expect(await permissionsOf('Viewer')).toEqual(between.filter((name) => name !== 'media-like'));
    await expect.poll(() => box('Like items', 'Viewer').isChecked()).toBe(false);
  });

  it('are created as a copy, changed and deleted by keyboard', async () => {
    await panel('Viewer').getByRole('button', { name: 'Copy…' }).press('Enter');
    await dialog().getByLabel('Name').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Camera');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await panel('Camera').waitFor();
    expect(await permissionsOf('Camera')).toEqual(await permissionsOf('Viewer'));
    await box('Use the admin panel', 'Camera').press('Space');
    await panel('Camera').getByText('This change affects nobody’s permissions.').waitFor();
    await table().getByRole('button', { name: 'Select the role Viewer' }).press('Enter');
    await dialog().getByText('has changes that aren’t saved').waitFor();
    await dialog().getByRole('button', { name: 'Keep editing' }).press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await panel('Camera').getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await page.getByRole('region', { name: 'Messages' }).getByText('Role “Camera” saved.').waitFor();
    expect(await permissionsOf('Camera')).toContain('admin-panel-access');
    await panel('Camera').getByRole('button', { name: 'Delete…' }).press('Enter');
    await dialog().getByText('Nobody has this role in any collection.').waitFor();
    await dialog().getByText('This change affects nobody’s permissions.').waitFor();
    await dialog().getByRole('button', { name: 'Delete role' }).press('Enter');
    await expect.poll(() => permissionsOf('Camera')).toBeUndefined();
    await table().getByRole('button', { name: 'Select the role Camera' }).waitFor({ state: 'detached' });
  });

  it('are deleted only after the question named who loses what', async () => {
    await table().getByRole('button', { name: 'Select the role Viewer' }).click();
    await panel('Viewer').getByRole('button', { name: 'Delete…' }).press('Enter');
    await dialog()
      .getByText(/^\d people \(.*Ada Crew.*\) lose: .*Play items/)
      .waitFor();
    expect(await findings()).toEqual([]);
    await dialog().getByRole('button', { name: 'Keep' }).press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect(await permissionsOf('Viewer')).toContain('media-play');
  });

  it('that the library keeps can’t be deleted, and the reason is shown', async () => {
    await table().getByRole('button', { name: 'Select the role Administrator' }).click();
    await panel('Administrator').getByText('The library doesn’t delete this role.').waitFor();
    await panel('Administrator').getByRole('button', { name: 'Delete…' }).press('Enter');
    await page.getByRole('region', { name: 'Messages' }).getByText('The library doesn’t delete this role.').waitFor();
    expect(await dialog().count()).toBe(0);
  });

  it('are left out of the table when they are not chosen for the comparison', async () => {
    await main().getByRole('button', { name: 'Compare roles…' }).click();
    await dialog().getByRole('checkbox', { name: 'Producer' }).click({ force: true });
    expect(await findings()).toEqual([]);
    await dialog().getByRole('button', { name: 'Done' }).click();
    await table().getByRole('button', { name: 'Select the role Producer' }).waitFor({ state: 'detached' });
    expect(await table().getByRole('button', { name: 'Select the role Editor' }).count()).toBe(1);
  });
});

describe('the groups', () => {
  const list = (): Locator => main().getByRole('grid', { name: 'Groups' });
  const row = (name: string): Locator => list().getByRole('row').filter({ hasText: name });
  const panel = (group: string): Locator => main().getByRole('region', { name: group, exact: true });
  const groupNames = async (): Promise<string[]> =>
    (await opened.direct.get('/api2/groups')).body.items.map((each: { display_name: string }) => each.display_name);

  it('are listed with their people and roles, and the built-in ones say that everybody belongs to them', async () => {
    await showTab('Groups');
    await row('Registered users').click();
    await panel('Registered users').getByText('Every user of the library belongs to this group.').waitFor();
    expect(await panel('Registered users').getByRole('button').count()).toBe(0);
    await row('Light').click();
    await panel('Light')
      .getByText(/^Producer in .*Studio$/)
      .waitFor();
    expect(await row('Light').getByRole('gridcell').allInnerTexts()).toEqual(['Light', '1', '1']);
    expect(await findings()).toEqual([]);
  });

  it('show their people', async () => {
    await panel('Light').getByRole('button', { name: 'Show people' }).click();
    const people = main().getByRole('grid', { name: 'People' });
    await people.getByRole('row').filter({ hasText: 'Ada Crew' }).waitFor();
    await expect.poll(() => people.getAttribute('aria-rowcount')).toBe('2');
    await tab('Groups').click();
  });

  it('are created, found, renamed and deleted by keyboard, with the exact numbers of what a deletion removes', async () => {
    await main().getByRole('button', { name: 'New group…' }).press('Enter');
    await dialog().getByLabel('Name').waitFor();
    await page.keyboard.type('Sound');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await row('Sound').waitFor();
    await main().getByRole('searchbox').fill('líght');
    await row('Sound').waitFor({ state: 'detached' });
    await list().focus();
    await page.keyboard.press('Home');
    await panel('Light').getByRole('button', { name: 'Rename…' }).press('Enter');
    await dialog().getByLabel('Name').fill('Lighting');
    await page.keyboard.press('Enter');
    await panel('Lighting').getByRole('button', { name: 'Delete…' }).press('Enter');
    await dialog().getByText('1 person loses the membership in it.').waitFor();
    await dialog().getByText('Its role in 1 collection will be removed.').waitFor();
    expect(await groupNames()).toContain('Lighting');
    expect(await findings()).toEqual([]);
    await dialog().getByRole('button', { name: 'Delete group' }).press('Enter');
    await main().getByText('No group found').waitFor();
    expect(await groupNames()).not.toContain('Lighting');
    expect(await groupNames()).toContain('Sound');
  });
});

describe('the tags', () => {
  const list = (): Locator => main().getByRole('grid', { name: 'Tags' });
  const row = (name: string): Locator => list().getByRole('row').filter({ hasText: name });
  const panel = (tag: string): Locator => main().getByRole('region', { name: tag, exact: true });
  const tagNames = async (): Promise<string[]> =>
    (await opened.direct.get('/api2/tags')).body.items.map((each: { display_name: string }) => each.display_name);

  it('show how many items have them, and are found without accents', async () => {
    await showTab('Tags');
    await row('Physics').click();
    await panel('Physics').getByText('1 item', { exact: true }).waitFor();
    await main().getByRole('searchbox').fill('CAFE');
    await row('Physics').waitFor({ state: 'detached' });
    await row('Cafés').waitFor();
    await list().getByText('Café', { exact: true }).click();
    await panel('Café').getByText('0 items').waitFor();
    await main().getByRole('searchbox').fill('');
    await row('Physics').waitFor();
    expect(await findings()).toEqual([]);
  });

  it('with similar names are listed beside each other', async () => {
    await main().getByRole('button', { name: 'Show' }).click();
    await page.getByRole('option', { name: 'Similar names' }).click();
    await row('Physics').waitFor({ state: 'detached' });
    await expect.poll(() => list().getAttribute('aria-rowcount')).toBe('3');
    await row('Cafés').waitFor();
    await main().getByRole('button', { name: 'Show' }).click();
    await page.getByRole('option', { name: 'All tags' }).click();
    await row('Physics').waitFor();
  });

  it('are not renamed to the name of another tag, and renamed on their items otherwise', async () => {
    await row('Physics').click();
    await panel('Physics').getByRole('button', { name: 'Rename…' }).press('Enter');
    await dialog().getByLabel('Name').fill('cafÉ');
    await page.keyboard.press('Enter');
    await page.getByText('The library already has the tag “Café”.').first().waitFor();
    await dialog().getByLabel('Name').fill('Optics');
    await page.keyboard.press('Enter');
    await row('Optics').waitFor();
    expect((await opened.direct.get(`/api2/media/${mediaId}`)).body.tags).toEqual(['Optics']);
  });

  it('are created and several deleted by keyboard, after the numbers of their items were shown', async () => {
    await main().getByRole('button', { name: 'New tag…' }).press('Enter');
    await dialog().getByLabel('Name').waitFor();
    await page.keyboard.type('Zoo');
    await page.keyboard.press('Enter');
    await row('Zoo').waitFor();
    await list().focus();
    await page.keyboard.press('Control+a');
    const bar = main().getByRole('region', { name: 'Selected tags' });
    await bar.getByText('4 tags selected').waitFor();
    await bar.getByRole('button', { name: 'Delete…' }).press('Enter');
    await dialog().getByText('Optics: 1 item', { exact: true }).waitFor();
    await dialog().getByText('Zoo: 0 items', { exact: true }).waitFor();
    expect(await findings()).toEqual([]);
    expect(await tagNames()).toHaveLength(4);
    await dialog().getByRole('button', { name: 'Delete 4 tags' }).press('Enter');
    await main().getByText('No tags', { exact: true }).waitFor();
    expect(await tagNames()).toEqual([]);
  });
});

it('the button that reads everything again keeps the focus while it reads and afterwards', async () => {
  const again = main().getByRole('button', { name: 'Read everything again' });
  const isFocused = () => again.evaluate((element) => element === document.activeElement);
  await again.press('Enter');
  expect(await isFocused()).toBe(true);
  await expect.poll(() => again.getAttribute('aria-disabled')).toBeNull();
  expect(await isFocused()).toBe(true);
});

describe('the log', () => {
  it('lists the changes of this computer with their values, and is copied as CSV', async () => {
    await showTab('Log');
    const list = main().getByRole('grid', { name: 'Log' });
    await list.getByRole('row').filter({ hasText: 'Group deleted' }).click();
    await main().getByRole('region', { name: 'Group deleted' }).getByText('ada@crew.example').waitFor();
    await list
      .getByRole('row')
      .filter({ hasText: 'Permissions removed from a role' })
      .filter({ hasText: 'Viewer' })
      .last()
      .click();
    const details = main().getByRole('region', { name: 'Permissions removed from a role' });
    await details.getByText('Download items', { exact: true }).waitFor();
    expect(await findings()).toEqual([]);
    await main().getByRole('button', { name: 'Copy as CSV' }).press('Enter');
    await page.getByRole('region', { name: 'Messages' }).getByText('copied to the clipboard').waitFor();
    const copied = await opened.desktop.app.evaluate(({ clipboard }) => clipboard.readText());
    const lines = copied.trimEnd().split(/\r?\n/);
    expect(lines[0]).toBe('at,action,targetId,targetName,before,after,outcome');
    expect(lines).toHaveLength(Number(await list.getAttribute('aria-rowcount')));
    expect(lines.filter((line) => line.includes('deleteGroup'))).toHaveLength(1);
  });
});
