// A preset that is used for a watched folder decides about its uploads, in the real app.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, dropFiles, openView } from '../../../build/demo/window-steps.ts';
import { wavChunks } from '../../../build/samples/wav.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import type { WatchedFolder } from '../../../shared/contract/watch.ts';
import { addSheetSteps } from '../../helpers/desktop/add-sheet-steps.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { chooseCollectionInForm } from '../../helpers/desktop/window-actions.ts';

/** The quiet time of a file is at least ten seconds; then it is queued, sent and processed. */
const SETTLES_MS = 60_000;

let opened: SignedInApp;
let page: Page;
beforeAll(async () => {
  opened = await openSignedInApp({ service: { seed: 'demo' } });
  page = opened.page;
  await openView(page, 'All items');
});
afterAll(() => opened?.close());

const { sheet, openWith } = addSheetSteps(() => opened);
const button = (name: string) => page.getByRole('button', { name, exact: true });
const uploads = async () => (await ask<CallOutput<'uploads.list'>>(page, 'uploads.list', { limit: 500 })).rows;

it('a preset from the add sheet is used for a watched folder, and applied to files that arrive there', async () => {
  await openWith('seminar', { 'seminar.wav': 'seminar' });
  await sheet().getByLabel('Titles').fill('Seminar: {name}');
  await sheet().getByLabel('Tags').fill('seminar');
  await page.keyboard.press('Enter');
  await sheet().getByRole('radio', { name: 'When complete' }).check({ force: true });
  await sheet().getByRole('button', { name: 'Presets' }).click();
  await page.getByRole('menuitem', { name: 'Save these options…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save a preset' });
  await dialog.getByLabel('Name').fill('Seminars');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await sheet().getByRole('button', { name: 'Cancel' }).click();
  await sheet().waitFor({ state: 'hidden' });

  const root = join(opened.folder, 'Station');
  await mkdir(root);
  await openView(page, 'Watched folders');
  await dropFiles(page, [root]);
  await page.getByRole('dialog', { name: 'Add a watched folder' }).getByText('The folder is empty now.').waitFor();
  await chooseCollectionInForm(page, 'Optics');
  await button('Rules and preview…').click();
  await page.getByRole('heading', { name: 'Rules of the new watched folder Station' }).waitFor();
  await button('Presets').click();
  await page.getByRole('menuitem', { name: 'Seminars' }).click();
  await button('Preset: Seminars').waitFor();
  await button('Add folder').click();
  await page.locator('[data-folder-id][data-state="watching"]').filter({ hasText: 'Station' }).waitFor();
  const [folder] = await ask<WatchedFolder[]>(page, 'watch.list', null);
  expect(folder?.rules.defaults.settings).toMatchObject({
    titleTemplate: 'Seminar: {name}',
    tags: ['seminar'],
    publish: { kind: 'now' },
  });

  await writeFile(join(root, 'Waves.wav'), Buffer.concat([...wavChunks(4)]));
  const complete = async () => (await uploads()).filter(({ state }) => state === 'complete');
  await expect.poll(async () => (await complete()).length, { timeout: SETTLES_MS }).toBe(1);
  const [row] = await complete();
  const { siteId, mediaId } = row ?? {};
  const { item } = await ask<CallOutput<'library.media'>>(page, 'library.media', { siteId, mediaId });
  expect(item).toMatchObject({ title: 'Seminar: Waves', tags: ['seminar'], status: 'published' });
}, 600_000);
