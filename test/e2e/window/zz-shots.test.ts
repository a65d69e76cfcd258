import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright';
import { afterAll, beforeAll, it } from 'vitest';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { make } from '../../helpers/service/service-people.ts';

let opened: SignedInApp;
let page: Page;
const OUT = '/tmp/h2-shots';
mkdirSync(OUT, { recursive: true });

beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async ({ direct }) => {
      const groups: string[] = [];
      for (let i = 0; i < 60; i++)
        groups.push(
          (
            await make(direct, 'groups', {
              display_name: `Department of ${['Physics', 'History', 'Medicine'][i % 3]} ${i}`,
            })
          ).id,
        );
      for (let i = 0; i < 120; i++) {
        const { id } = await make(direct, 'users', {
          first_name: `Person ${i}`,
          last_name: 'Anderson-Featherstonehaugh',
        });
        if (i % 2 === 0) await direct.post(`/api2/groups/${groups[i % 60]}/add-users`, { user_ids: [id] });
      }
      for (let i = 0; i < 12; i++)
        await make(direct, 'roles', { display_name: `Role ${i}`, permissions: ['collection-read', 'media-read'] });
      for (let i = 0; i < 80; i++) await make(direct, 'tags', { display_name: `tag number ${i}` });
      for (const tags of [['optics'], ['optics', 'waves'], ['Optic'], ['Optics-', 'waves']])
        for (let i = 0; i < 4; i++) await direct.createItem(`Lens ${tags} ${i}`, { tags });
    },
  });
  page = opened.page;
}, 600_000);
afterAll(() => opened?.close());

async function shot(name: string): Promise<void> {
  await page.mouse.move(1, 1);
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.waitForTimeout(350);
    await page.screenshot({ path: `${OUT}/${name}-${scheme}.png` });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

it('shots', { timeout: 500_000 }, async () => {
  await opened.desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1280, 800));
  const main = page.getByRole('main', { name: 'Administration' });
  const tab = (name: string) => main.getByRole('radio', { name: new RegExp(`^${name}`) });
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('menuitem', { name: 'Administration' }).click();
  await main.getByRole('row').nth(3).waitFor();
  await shot('people-none-selected');
  await main.getByRole('row').nth(3).click();
  await page.waitForTimeout(600);
  await shot('people-selected');
  await main
    .getByRole('row')
    .nth(5)
    .click({ modifiers: ['Shift'] });
  await main.getByRole('button', { name: 'Groups…' }).first().click();
  await page.waitForTimeout(500);
  await shot('people-groups-dialog');
  await page.keyboard.press('Escape');
  await main.getByRole('region', { name: 'Selected people' }).getByRole('button', { name: 'Delete…' }).click();
  await page.waitForTimeout(900);
  await shot('people-delete-dialog');
  await page.keyboard.press('Escape');
  await main.getByRole('searchbox').fill('zzzz');
  await main.getByText('Nobody found').waitFor();
  await shot('people-zero');
  await main.getByRole('searchbox').fill('');
  await tab('Groups').click();
  await main.getByRole('row').nth(4).click();
  await page.waitForTimeout(500);
  await shot('groups');
  await main.getByRole('searchbox').fill('zzzz');
  await main.getByText('No group found').waitFor();
  await shot('groups-zero');
  await tab('Roles').click();
  await main.getByRole('button', { name: 'Select the role Producer' }).click();
  await page.waitForTimeout(500);
  await shot('roles');
  await tab('Log').click();
  await main.getByText('No changes yet').waitFor();
  await shot('log-zero');
  await tab('Tags').click();
  await main.getByRole('row').nth(3).click();
  await page.waitForTimeout(500);
  await shot('tags');
  await main.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('option', { name: 'Similar names' }).click();
  await main.getByText('optics', { exact: true }).waitFor();
  await main.getByRole('row').nth(1).click();
  await main
    .getByRole('row')
    .last()
    .click({ modifiers: ['Shift'] });
  await shot('tags-similar');
  await main.getByRole('button', { name: 'Merge…' }).click();
  await page.waitForTimeout(800);
  await shot('merge-question');
  await opened.service.control('POST', '/faults', {
    method: 'POST',
    path: 'add-tags$',
    times: 2,
    action: { kind: 'status', status: 403 },
  });
  await opened.service.control('POST', '/faults', {
    method: 'POST',
    path: 'add-tags$',
    nth: 3,
    times: 20,
    action: { kind: 'delay', ms: 1500 },
  });
  await dialog.getByRole('button', { name: /^Merge \d/ }).click();
  await dialog.getByText(/of \d+ item/).waitFor();
  await page.waitForTimeout(300);
  await page.screenshot({ path: `${OUT}/merge-running-light.png` });
  await dialog.getByText('couldn’t be changed').waitFor();
  await shot('merge-outcome');
  await opened.service.control('DELETE', '/faults');
  await dialog.getByRole('button', { name: 'Merge again' }).click();
  await dialog.waitFor({ state: 'detached' });
  await shot('merge-done');
  await tab('Log').click();
  await main.getByRole('row').nth(1).click();
  await page.waitForTimeout(400);
  await shot('log');
});
