// Sharing a collection in the real window: roles are given, changed and removed after a preview of what that means for people.
import type { Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { runInPalette } from '../../helpers/desktop/window-actions.ts';
import { make } from '../../helpers/service/service-people.ts';

let opened: SignedInApp;
let page: Page;
let home: string;
let talks: string;

beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async ({ direct }) => {
      const create = async (parent_id: string, display_name: string) =>
        (await direct.post('/api2/collections', { parent_id, display_name, inherit_memberships: true })).body.id;
      home = await create('1', 'Home');
      talks = await create(home, 'Talks');
      const crew = await make(direct, 'groups', { display_name: 'Camera crew' });
      for (const name of ['Ada', 'Ben']) {
        const user = await make(direct, 'users', { first_name: name, last_name: 'Crew' });
        await direct.post(`/api2/groups/${crew.id}/add-users`, { user_ids: [user.id] });
      }
      const viewer = (await direct.get('/api2/roles?display_name=Viewer')).body.items[0].id;
      await make(direct, 'memberships', { role_id: viewer, collection_id: home, group_id: crew.id });
    },
  });
  page = opened.page;
  await line('Home').click();
  await page.keyboard.press('ArrowRight');
}, 600_000);
afterAll(() => opened?.close());
afterEach(async () => {
  while ((await page.getByRole('dialog').count()) > 0) await page.keyboard.press('Escape');
});

const line = (name: string): Locator =>
  page.getByRole('tree', { name: 'Collections' }).locator('[data-collection-id]').filter({ hasText: name });
const dialog = (name: string): Locator => page.getByRole('dialog', { name: `Users and groups of “${name}”` });
const planned = (): Locator => page.getByRole('region', { name: 'Planned change' });
const rolesIn = async (collectionId: string): Promise<string[]> =>
  (await opened.direct.get(`/api2/memberships?collection_id=${collectionId}`)).body.items
    .filter(({ collection }: { collection: { id: string } }) => collection.id === collectionId)
    .map(
      ({
        user,
        group,
        role,
      }: {
        user: { display_name: string } | null;
        group: { display_name: string } | null;
        role: { display_name: string };
      }) => `${(group ?? user)?.display_name}: ${role.display_name}`,
    )
    .sort();

async function openSharing(name: string): Promise<Locator> {
  await line(name).click();
  await runInPalette(page, `${name}: Users and groups`);
  await dialog(name).getByRole('heading', { name: 'Roles in this collection' }).waitFor();
  return dialog(name);
}

describe('a collection', () => {
  it('is shared with a person found by name, after a preview, by keyboard alone', async () => {
    const shown = await openSharing('Home');
    await shown.getByRole('button', { name: 'Role to give' }).press('Enter');
    await page.getByRole('option', { name: 'Producer' }).press('Enter');
    await shown.getByRole('combobox', { name: 'Person or group' }).fill('vera');
    await expect
      .poll(() => shown.getByRole('option').allTextContents())
      .toEqual([expect.stringMatching(/Vera Viewer/)]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await planned().getByText('Vera Viewer gets the role “Producer” in this collection.').waitFor();
    await planned()
      .getByText(/^1 person \(Vera Viewer\) gains: .*Add items/)
      .waitFor();
    expect(await rolesIn(home)).toEqual(['Camera crew: Viewer']);
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await planned().getByRole('button', { name: 'Apply' }).press('Enter');
    await shown.getByRole('button', { name: 'Remove the role of Vera Viewer' }).waitFor();
    expect(await rolesIn(home)).toEqual(['Camera crew: Viewer', 'Vera Viewer: Producer']);
  });

  it('has its roles changed and removed, each with the people whom it concerns', async () => {
    const shown = await openSharing('Home');
    await shown.getByRole('button', { name: /Role of Camera crew/ }).click();
    await page.getByRole('option', { name: 'Editor' }).click();
    await planned()
      .getByText(/^2 people \(Ada Crew, Ben Crew\) gain: .*Edit items/)
      .waitFor();
    await planned().getByRole('button', { name: 'Apply' }).click();
    await planned().waitFor({ state: 'detached' });
    expect(await rolesIn(home)).toEqual(['Camera crew: Editor', 'Vera Viewer: Producer']);
    await shown.getByRole('button', { name: 'Remove the role of Vera Viewer' }).click();
    await planned()
      .getByText(/^1 person \(Vera Viewer\) loses: .*Add items/)
      .waitFor();
    await planned().getByRole('button', { name: 'Cancel' }).click();
    expect(await rolesIn(home)).toEqual(['Camera crew: Editor', 'Vera Viewer: Producer']);
    await shown.getByRole('button', { name: 'Remove the role of Vera Viewer' }).click();
    await planned().getByRole('button', { name: 'Apply' }).click();
    await shown.getByRole('button', { name: 'Remove the role of Vera Viewer' }).waitFor({ state: 'detached' });
    expect(await rolesIn(home)).toEqual(['Camera crew: Editor']);
  });

  it('shows why somebody may do something, with the way and the calculation of the library', async () => {
    const shown = await openSharing('Talks');
    await shown.getByRole('heading', { name: 'Inherited from “Home”' }).waitFor();
    await shown.getByRole('button', { name: 'What Camera crew may do here, and why' }).click();
    const why = page.getByRole('dialog', { name: 'What Camera crew may do, and why' });
    await why.getByText('Editor, directly, inherited from “Home” (1 level above)').waitFor();
    await why.getByText('The library calculates the same.').waitFor();
    expect(await axeFindingsInThemes(page)).toEqual([]);
  });

  it('lists who may do something in it, with the ways', async () => {
    const shown = await openSharing('Talks');
    await shown.getByRole('button', { name: 'Who has a permission here?' }).click();
    const who = page.getByRole('dialog', { name: 'Who has a permission in “Talks”?' });
    await who.getByRole('listitem').filter({ hasText: 'Ada Crew' }).getByText('by the group “Camera crew”').waitFor();
    await who.getByRole('button', { name: 'Permission' }).press('Enter');
    await page.getByRole('option', { name: 'Share collections' }).press('Enter');
    await who.getByText('1 person has it.').waitFor();
    await who.getByText('Administrators may do everything in every collection.').waitFor();
    expect(await axeFindingsInThemes(page)).toEqual([]);
  });

  it('shows the library as somebody would see it after a planned change, which is not made', async () => {
    const before = await rolesIn(home);
    const shown = await openSharing('Home');
    await shown.getByRole('button', { name: 'Remove the role of Camera crew' }).click();
    await planned().getByRole('button', { name: 'See the library after it…' }).press('Enter');
    // At first, as the group concerned would see it; then as another person.
    const choice = page.getByRole('dialog', { name: 'The library as Camera crew sees it' });
    await choice.getByText('The planned change changes 2 collections.').waitFor();
    await choice.getByRole('combobox', { name: 'Person or group' }).fill('ben');
    await expect.poll(() => choice.getByRole('option').allTextContents()).toEqual([expect.stringMatching(/Ben Crew/)]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const view = page.getByRole('dialog', { name: 'The library as Ben Crew sees it' });
    await view.getByText('The planned change changes 2 collections.').waitFor();
    const row = (name: string) => view.getByRole('row').filter({ hasText: name });
    await row('Talks').getByText('becomes hidden').waitFor();
    expect(await row('Home').getByText('no longer, after the change').count()).toBe(8);
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await view.getByRole('checkbox', { name: 'Only what changes' }).press('Space');
    expect(await view.getByRole('row').count()).toBeGreaterThan(2);
    await page.keyboard.press('Escape');
    await planned().waitFor();
    expect(await rolesIn(home)).toEqual(before);
  });

  it('stops inheriting without a loss of permissions, unless the user wants one', async () => {
    const shown = await openSharing('Talks');
    const inherit = shown.getByRole('checkbox', { name: 'Inherit the roles of the collection above' });
    await inherit.press('Space');
    await planned().getByText('This change affects nobody’s permissions.').waitFor();
    const keep = shown.getByRole('checkbox', { name: 'First give these people and groups their inherited role here' });
    await keep.press('Space');
    await planned()
      .getByText(/^5 people \(Ada Crew, Ben Crew, Erik Editor, .*\) lose: /)
      .waitFor();
    await keep.press('Space');
    await planned().getByText('This change affects nobody’s permissions.').waitFor();
    await planned().getByRole('button', { name: 'Apply' }).click();
    await shown.getByRole('button', { name: 'Remove the role of Camera crew' }).waitFor();
    expect(await rolesIn(talks)).toContain('Camera crew: Editor');
    expect((await opened.direct.get(`/api2/collections/${talks}`)).body.inherit_memberships).toBe(false);
    expect(await inherit.isChecked()).toBe(false);
  });
});
