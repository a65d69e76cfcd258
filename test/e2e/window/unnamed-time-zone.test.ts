// The window of a computer whose system names no time zone, as with TZ=:/etc/localtime.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chooseCollection, dropFiles, openView } from '../../../build/demo/window-steps.ts';
import { enterTime } from '../../helpers/desktop/enter-time.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { answerNativeDialogs } from '../../helpers/desktop/window-actions.ts';

let opened: SignedInApp;
beforeAll(async () => {
  opened = await openSignedInApp({
    launch: { env: { TZ: ':/etc/localtime' } },
    prepare: async ({ direct }) => {
      const made = await direct.post('/api2/collections', { display_name: 'Season', parent_id: '1' });
      await direct.createItem('Talk', { collection_id: made.location.split('/').at(-1) ?? '' });
    },
  });
  await openView(opened.page, 'All items');
  await chooseCollection(opened.page, 'Season');
});
afterAll(() => opened?.close());

it('adds dropped files with a publish time', async () => {
  const { page } = opened;
  const path = join(opened.folder, 'lecture.txt');
  await writeFile(path, 'A lecture.');
  await dropFiles(page, [path]);
  await page.getByRole('dialog', { name: /^Add / }).waitFor();
  await page.getByRole('radiogroup', { name: 'Publish' }).getByText('Later').click();
  await enterTime(page.getByRole('group', { name: 'Publish at' }), '2031-03-20T09:15');
  await page.getByRole('button', { name: 'Choose in a calendar' }).click();
  await page.getByRole('grid', { name: 'March 2031' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add to the queue' }).click();
  await openView(page, 'Uploads');
  await page.locator('[data-upload-id][data-state="complete"]').waitFor({ timeout: 300_000 });
});

it('schedules an item, in the zone that the field names', async () => {
  const { page } = opened;
  await openView(page, 'All items');
  await page.getByRole('grid', { name: 'Items' }).getByText('Talk').click();
  const inspector = page.getByRole('region', { name: 'Inspector' });
  await inspector.getByRole('button', { name: 'Schedule…' }).click();
  const zone = await inspector.getByRole('combobox', { name: 'Time zone' }).inputValue();
  expect(Intl.supportedValuesOf('timeZone').concat('UTC')).toContain(zone);
  await enterTime(inspector.getByRole('group', { name: 'Publish at' }), '2031-03-20T09:15');
  await inspector.getByRole('button', { name: 'Schedule', exact: true }).click();
  await inspector.getByText(`Will be published 20 Mar 2031, 09:15 (${zone}).`).waitFor();
});

it('saves a receipt as HTML that names the zone', async () => {
  const { page, folder, desktop } = opened;
  await openView(page, 'Receipts');
  const file = join(folder, 'receipt.html');
  await answerNativeDialogs(desktop, file);
  await page.getByRole('button', { name: 'Save receipt' }).click();
  await page.getByRole('menuitem', { name: /HTML/ }).click();
  await page
    .getByText(/^Receipt saved as/)
    .first()
    .waitFor();
  expect(await readFile(file, 'utf8')).toMatch(/All times are in the time zone [A-Z]/);
});
