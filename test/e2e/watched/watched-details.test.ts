// A details file beside each recording of a watched folder, in the real app: real files, the real service.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, dropFiles, openView } from '../../../build/demo/window-steps.ts';
import { wavChunks } from '../../../build/samples/wav.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { chooseCollectionInForm, keepPicture } from '../../helpers/desktop/window-actions.ts';

/** The quiet time of a file is at least ten seconds; then it is queued, sent and processed. */
const SETTLES_MS = 60_000;

let opened: SignedInApp;
let folder: string;
let page: Page;

beforeAll(async () => {
  opened = await openSignedInApp({ service: { seed: 'demo' } });
  ({ folder, page } = opened);
});
afterAll(() => opened?.close());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const fileRow = (name: string) => page.locator('[data-file-id]').filter({ hasText: name });
const tab = (name: string) => page.getByRole('radiogroup', { name: 'Files' }).getByRole('radio', { name });
const uploads = async () => (await ask<CallOutput<'uploads.list'>>(page, 'uploads.list', { limit: 500 })).rows;

/** Chooses the collection in the sheet and adds the folder. */
async function addToOptics(): Promise<void> {
  await chooseCollectionInForm(page, 'Optics');
  await button('Add folder').click();
  await page.getByRole('dialog', { name: 'Add a watched folder' }).waitFor({ state: 'detached' });
}

describe('a watched folder', () => {
  it('takes the title and other fields from the file beside a recording', async () => {
    const root = join(folder, 'Station');
    await mkdir(root);
    await openView(page, 'Watched folders');
    await dropFiles(page, [root]);
    const sheet = page.getByRole('dialog', { name: 'Add a watched folder' });
    await sheet.getByText('The folder is empty now.').waitFor();
    await chooseCollectionInForm(page, 'Optics');
    await button('More').click();
    const option = sheet.getByRole('checkbox', { name: /^Use the JSON, XML or text file/ });
    expect(await option.isChecked()).toBe(true);
    await button('Add folder').click();
    await sheet.waitFor({ state: 'detached' });

    await writeFile(join(root, 'Lenses.json'), JSON.stringify({ title: 'Thin lenses', author: 'Ada Lovelace' }));
    await writeFile(join(root, 'Lenses.wav'), Buffer.concat([...wavChunks(4)]));
    await writeFile(join(root, 'Mirrors.wav'), Buffer.concat([...wavChunks(5)]));
    await writeFile(join(root, 'Mirrors.json'), '{"title": "cut');
    await tab('Recent').click();
    for (const name of ['Lenses', 'Mirrors'])
      await fileRow(`${name}.wav`).and(page.locator('[data-state="done"]')).waitFor({ timeout: SETTLES_MS });
    const rows = await uploads();
    expect(rows.map(({ fileName, title }) => [fileName, title]).sort()).toEqual([
      ['Lenses.wav', 'Thin lenses'],
      ['Mirrors.wav', 'Mirrors'],
    ]);
    const lenses = rows.find(({ fileName }) => fileName === 'Lenses.wav');
    expect(lenses?.followUps).toMatchObject([{ kind: 'details', fileName: 'Lenses.json', state: 'done' }]);
    const item = async () => {
      const { siteId, mediaId } = lenses ?? {};
      return (await ask<CallOutput<'library.media'>>(page, 'library.media', { siteId, mediaId })).item;
    };
    expect(await item()).toMatchObject({ title: 'Thin lenses', byline: 'Ada Lovelace' });
  });

  it('offers a manifest that is in the folder already, and uses it only when the user says so', async () => {
    const root = join(folder, 'Described');
    await mkdir(root);
    await writeFile(join(root, 'Prisms.wav'), Buffer.concat([...wavChunks(6)]));
    const rows = ['Prisms.wav;Prisms and light', 'Later.wav;Comes later', ';Nameless'];
    await writeFile(join(root, 'manifest.csv'), `file;title\n${rows.join('\n')}\n`);
    await dropFiles(page, [root]);
    const sheet = page.getByRole('dialog', { name: 'Add a watched folder' });
    const offer = sheet.getByTestId('manifest-offer');
    await offer
      .getByText(
        'manifest.csv is in this folder: 1 of 3 rows can be used now. 1 file isn’t here yet. 1 row has errors and isn’t used.',
      )
      .waitFor();
    await keepPicture(opened.desktop, 'watched-manifest-offer');
    expect(await axeFindingsInThemes(page)).toEqual([]);
    const option = sheet.getByRole('checkbox', { name: /^Use manifest\.csv or manifest\.xlsx/ });
    expect(await option.isChecked()).toBe(false);
    await option.focus();
    await page.keyboard.press('Space');
    await sheet.getByRole('radio', { name: /^Upload them too/ }).check({ force: true });
    await addToOptics();
    const prisms = async () => (await uploads()).find(({ path }) => path === join(root, 'Prisms.wav'));
    await expect.poll(async () => (await prisms())?.title, { timeout: SETTLES_MS }).toBe('Prisms and light');
    expect((await uploads()).some(({ fileName }) => fileName === 'manifest.csv')).toBe(false);
  }, 600_000);

  it('offers the manifests of sub-folders, and those that arrive in a folder that is watched', async () => {
    const root = join(folder, 'Sub-folders');
    await mkdir(join(root, 'Week 1'), { recursive: true });
    await writeFile(join(root, 'Week 1', 'Lenses.wav'), Buffer.concat([...wavChunks(6)]));
    await writeFile(join(root, 'Week 1', 'manifest.csv'), 'file;title\nLenses.wav;Lenses\n');
    await dropFiles(page, [root]);
    const sheet = page.getByRole('dialog', { name: 'Add a watched folder' });
    await sheet
      .getByTestId('manifest-offer')
      .getByText('Week 1/manifest.csv is in this folder: 1 of 1 row can be used now.')
      .waitFor();
    await sheet.getByRole('radio', { name: /^Upload only files that arrive/ }).check({ force: true });
    await addToOptics();

    await mkdir(join(root, 'Week 2'));
    await writeFile(join(root, 'Week 2', 'manifest.csv'), 'file;title\nLater.wav;Later\n');
    await button('Edit rules…').click();
    const offer = page.getByTestId('manifest-offer');
    await offer.getByText('Week 1/manifest.csv, Week 2/manifest.csv are in this folder:').waitFor();
    await keepPicture(opened.desktop, 'watched-manifests-editor');
    expect(await axeFindingsInThemes(page)).toEqual([]);
  }, 600_000);
});
