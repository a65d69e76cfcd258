// The people of a library in the administration, in the real window.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { make } from '../../helpers/service/service-people.ts';
import { png } from '../../helpers/service/service-samples.ts';

let opened: SignedInApp;
let page: Page;
let crew: string;

const NAMES = ['Ada', 'Ben', 'Cleo', 'Dora'];

beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async ({ direct }) => {
      for (const name of NAMES) {
        const fields = { first_name: name, last_name: 'Crew', email_address: `${name.toLowerCase()}@crew.example` };
        await make(direct, 'users', fields);
      }
      crew = (await make(direct, 'groups', { display_name: 'Camera' })).id;
    },
  });
  page = opened.page;
}, 600_000);
afterAll(() => opened?.close());

const main = (): Locator => page.getByRole('main', { name: 'Administration' });
const list = (): Locator => main().getByRole('grid', { name: 'People' });
const row = (name: string): Locator => list().getByRole('row').filter({ hasText: name });
const dialog = (): Locator => page.getByRole('dialog').or(page.getByRole('alertdialog'));
const search = (): Locator => main().getByRole('searchbox');
const membersOf = async (groupId: string): Promise<string[]> =>
  (await opened.direct.get(`/api2/users?group_id=${groupId}`)).body.items
    .map(({ display_name }: { display_name: string }) => display_name)
    .sort();

it('opens from the account menu, and lists everybody with groups and the last sign-in', async () => {
  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('menuitem', { name: 'Administration' }).click();
  await row('Ada Crew').waitFor();
  const { items } = (await opened.direct.get('/api2/users')).body;
  expect(await list().getAttribute('aria-rowcount')).toBe(String(items.length + 1));
  await row('Ada Crew').click();
  const details = main().getByRole('region', { name: 'Ada Crew' });
  await details.getByText('ada@crew.example', { exact: true }).waitFor();
  await details.getByText('The library can’t change a name').waitFor();
  expect(await axeFindingsInThemes(page)).toEqual([]);
});

it('sets the picture of a person, and shows it afterwards', async () => {
  const details = main().getByRole('region', { name: 'Ada Crew' });
  expect(await details.locator('img[data-shown="true"]').count()).toBe(0);
  const path = join(opened.folder, 'ada.png');
  writeFileSync(path, png(90, 60));
  const chooser = page.waitForEvent('filechooser');
  await details.getByRole('button', { name: 'Picture…' }).click();
  await (await chooser).setFiles(path);
  await dialog().getByRole('img', { name: 'Preview of the picture' }).waitFor();
  expect(await axeFindingsInThemes(page)).toEqual([]);
  await dialog().getByRole('button', { name: 'Set picture' }).click();
  await dialog().waitFor({ state: 'detached' });
  await details.locator('img[data-shown="true"]').waitFor();
  expect(await axeFindingsInThemes(page)).toEqual([]);
});

it('finds people while typing, and narrows the list by facet', async () => {
  await search().fill('cleo@');
  await row('Cleo Crew').waitFor();
  await row('Ada Crew').waitFor({ state: 'detached' });
  await search().fill('');
  await main().getByRole('button', { name: 'Show' }).click();
  await page.getByRole('option', { name: 'Administrators' }).click();
  await row('Ada Crew').waitFor({ state: 'detached' });
  await main().getByRole('button', { name: 'Show' }).click();
  await page.getByRole('option', { name: 'Everybody' }).click();
  await row('Ada Crew').waitFor();
});

it('creates a person, and keeps what was typed when the library refuses it', async () => {
  await main().getByRole('button', { name: 'New person…' }).click();
  await dialog().getByLabel('First name').fill('Eve');
  await dialog().getByLabel('Last name').fill('Crew');
  await dialog().getByLabel('E-mail address').fill('ada@crew.example');
  await dialog().getByRole('button', { name: 'Create' }).click();
  await dialog().getByRole('alert').waitFor();
  expect(await dialog().getByLabel('First name').inputValue()).toBe('Eve');
  await dialog().getByLabel('E-mail address').fill('eve@crew.example');
  await page.keyboard.press('Enter');
  await dialog().waitFor({ state: 'detached' });
  await row('Eve Crew').waitFor();
});

describe('several people', () => {
  it('join a group together by keyboard, and the number of members is exact', async () => {
    await search().fill('crew.example');
    await row('Eve Crew').waitFor();
    await row('Ada Crew').click();
    await page.keyboard.press('Control+a');
    const bar = main().getByRole('region', { name: 'Selected people' });
    await bar.getByText('5 people selected').waitFor();
    await bar.getByRole('button', { name: 'Groups…' }).press('Enter');
    await dialog().getByText('0 of 5 are members').waitFor();
    await dialog().getByRole('button', { name: 'Add 5 to Camera' }).press('Enter');
    await dialog().getByText('5 of 5 are members').waitFor();
    await page.getByRole('region', { name: 'Messages' }).getByText('5 people added to “Camera”.').waitFor();
    expect(await membersOf(crew)).toEqual(['Ada Crew', 'Ben Crew', 'Cleo Crew', 'Dora Crew', 'Eve Crew']);
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Done' }).click();
  });

  it('are deleted after a question that names them, and nobody else is', async () => {
    await row('Ben Crew').click();
    await row('Dora Crew').click({ modifiers: ['Control'] });
    const bar = main().getByRole('region', { name: 'Selected people' });
    await bar.getByRole('button', { name: 'Delete…' }).click();
    await dialog().getByText('ben@crew.example').waitFor();
    await dialog().getByText('dora@crew.example').waitFor();
    await dialog().getByRole('button', { name: 'Delete 2 people' }).click();
    await dialog().waitFor({ state: 'detached' });
    await row('Ben Crew').waitFor({ state: 'detached' });
    expect(await membersOf(crew)).toEqual(['Ada Crew', 'Cleo Crew', 'Eve Crew']);
  });
});

it('an administrator can’t delete the own account or lose the own rights', async () => {
  await search().fill('admin@');
  const me = list().getByRole('row').filter({ hasText: 'Administrator' });
  await me.click();
  const box = main().getByRole('checkbox', { name: 'Administrator' });
  await box.click({ force: true });
  await dialog().getByRole('button', { name: 'Remove rights' }).click();
  await page.getByRole('region', { name: 'Messages' }).getByText('You can’t delete your own account').waitFor();
  expect(await box.isChecked()).toBe(true);
  await main().getByRole('button', { name: 'Delete…' }).click();
  await dialog().getByText('None of the selected people can be deleted.').waitFor();
  await dialog().getByRole('button', { name: 'Keep' }).click();
});
