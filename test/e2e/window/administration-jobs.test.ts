// A deletion of people that is interrupted because the app is killed, in the real window.
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { runInPalette } from '../../helpers/desktop/window-actions.ts';
import { clearJournal, requestsOf } from '../../helpers/service/journal.ts';
import { make } from '../../helpers/service/service-people.ts';

const PEOPLE = 120;

let opened: SignedInApp;
let page: Page;

beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async ({ direct }) => {
      for (let index = 0; index < PEOPLE; index++) {
        await make(direct, 'users', { first_name: `Crowd ${index}`, email_address: `p${index}@crowd.example` });
      }
    },
  });
  page = opened.page;
}, 600_000);
afterAll(() => opened?.close());

const main = (): Locator => page.getByRole('main', { name: 'Administration' });
const dialog = (): Locator => page.getByRole('dialog').or(page.getByRole('alertdialog'));
const left = async (): Promise<number> =>
  (await opened.direct.get('/api2/users?per_page=500')).body.items.filter(
    ({ email_address }: { email_address: string }) => email_address.endsWith('@crowd.example'),
  ).length;

/** Confirms the deletion of everybody of the crowd, and kills the app after some requests. */
async function deleteAndKill(count: number): Promise<void> {
  await runInPalette(page, 'Administration');
  await main().getByRole('searchbox').fill('crowd.example');
  await main()
    .getByRole('grid', { name: 'People' })
    .getByRole('row')
    .filter({ hasText: 'crowd.example' })
    .first()
    .click();
  await page.keyboard.press('Control+a');
  await main().getByText(`${count} people selected`).waitFor();
  await main().getByRole('button', { name: 'Delete…' }).first().click();
  await dialog().getByLabel(`Type ${count} to confirm`).fill(String(count));
  await clearJournal(opened.service);
  await dialog()
    .getByRole('button', { name: `Delete ${count} people` })
    .click();
  await expect
    .poll(async () => (await requestsOf(opened.service, 'DELETE', /users/)).length, { timeout: 60_000, interval: 5 })
    .toBeGreaterThanOrEqual(3);
  await opened.desktop.kill();
}

it('is offered at the next start with what was done; stopped there, nobody else is deleted', async () => {
  await deleteAndKill(PEOPLE);
  const before = await left();
  expect(before).toBeLessThan(PEOPLE);
  expect(before).toBeGreaterThan(0);
  ({ page } = await opened.reopen());
  const message = page.getByRole('region', { name: 'Messages' });
  await message.getByText('A deletion of people was interrupted.').waitFor();
  await message.getByRole('button', { name: 'Show' }).click();
  const jobs = main().getByRole('region', { name: 'Interrupted commands' });
  await jobs.getByText(new RegExp(`^\\d+ of ${PEOPLE} done`)).waitFor();
  expect(await axeFindingsInThemes(page)).toEqual([]);
  await jobs.getByRole('button', { name: 'Stop here' }).press('Enter');
  await jobs.waitFor({ state: 'detached' });
  expect(await left()).toBe(before);
});

it('is continued with the checks of the first time: somebody who became an administrator meanwhile stays', async () => {
  const count = await left();
  await deleteAndKill(count);
  const { items } = (await opened.direct.get('/api2/users?per_page=500')).body;
  const others = items.filter(({ email_address }: { email_address: string }) =>
    email_address.endsWith('@crowd.example'),
  );
  await opened.direct.post(`/api2/users/${others.at(-1).id}`, { is_admin: true });
  ({ page } = await opened.reopen());
  await runInPalette(page, 'Administration');
  const jobs = main().getByRole('region', { name: 'Interrupted commands' });
  await jobs.getByRole('button', { name: 'Continue' }).click();
  await jobs.getByText('became an administrator after the deletion was shown').waitFor();
  expect(await axeFindingsInThemes(page)).toEqual([]);
  expect(await left()).toBe(1);
  await jobs.getByRole('button', { name: 'Close' }).click();
  await jobs.waitFor({ state: 'detached' });
});
