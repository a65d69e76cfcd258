// Collections: their items as thumbnails, the player, the page of a collection, podcast details.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { addDropped, ask, chooseCollection, dropFiles, openView } from '../demo/window-steps.ts';
import { pdfFile } from '../samples/pdf.ts';
import { FILM, makeFootage } from './picture-footage.ts';
import type { Studio } from './studio.ts';

const PROCESSED_MS = 180_000;
const COLLECTION = 'Demonstrations';
const DOCUMENTS = ['Course catalog', 'Laboratory rules', 'Reading list'];

export async function pictureCollections(studio: Studio, page: Page): Promise<void> {
  await ask(page, 'settings.set', { patch: { diskMode: 'parallel' } });
  const footage = join(studio.folder, COLLECTION);
  await makeFootage(footage);
  await createBelow(page, 'Physics', COLLECTION);
  await upload(page, footage, COLLECTION);
  await pictureGrid(studio, page);
  await picturePlayer(studio, page);
  await picturePage(studio, page, footage);
  await picturePodcast(studio, page);
}

const layout = (page: Page, name: 'Grid' | 'List') =>
  page.getByRole('radiogroup', { name: 'Layout' }).getByText(name).click({ force: true });
const cells = (page: Page) => page.getByRole('grid', { name: 'Items' }).getByRole('gridcell');

async function pictureGrid(studio: Studio, page: Page): Promise<void> {
  await chooseCollection(page, COLLECTION);
  await layout(page, 'Grid');
  await cells(page).locator('img[data-shown="true"]').nth(9).waitFor();
  await cells(page).filter({ hasText: FILM }).click();
  await page.getByRole('tab', { name: 'Details' }).waitFor();
  await page.locator('[data-inspector] img[data-shown="true"]').waitFor();
  await page.getByLabel('Title', { exact: true }).waitFor();
  await page.mouse.move(640, 780);
  await studio.take('library-grid');
}

async function picturePlayer(studio: Studio, page: Page): Promise<void> {
  await page.getByRole('tab', { name: /^Files/ }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const player = page.getByRole('dialog', { name: FILM });
  await player.waitFor();
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1);
  await page.keyboard.press('k');
  await player.getByRole('button', { name: 'Play', exact: true }).waitFor();
  await studio.take('library-player');
  await page.keyboard.press('Escape');
  await player.waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Details' }).click();
  await layout(page, 'List');
}

/** A collection with subcollections, two of them with thumbnails, and with items of its own. */
async function picturePage(studio: Studio, page: Page, footage: string): Promise<void> {
  const documents = join(studio.folder, 'For students');
  await mkdir(documents);
  for (const name of DOCUMENTS)
    await writeFile(join(documents, `${name}.pdf`), pdfFile(name, [[name, 'Department of Physics']]));
  await upload(page, documents, 'Physics');
  await chooseCollection(page, 'Physics');
  const cards = page.getByRole('region', { name: 'Subcollections' });
  for (const [name, picture] of [
    ['Optics', 'Newton’s Rings'],
    [COLLECTION, 'Crossed Gratings'],
  ] as const) {
    const card = cards.getByRole('button', { name });
    await card.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Set thumbnail…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Set thumbnail of/ });
    const picker = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'Choose…' }).click();
    await (await picker).setFiles(join(footage, `${picture}.png`));
    await dialog.getByRole('button', { name: 'Set thumbnail' }).click();
    await dialog.waitFor({ state: 'detached' });
    await card.locator('img[data-shown="true"]').waitFor();
  }
  await page
    .getByRole('grid', { name: 'Items' })
    .getByText(DOCUMENTS[0] ?? '')
    .waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.move(640, 780);
  await studio.take('library-collection');
}

async function picturePodcast(studio: Studio, page: Page): Promise<void> {
  await chooseCollection(page, 'Campus Voices');
  await page.getByRole('button', { name: 'Commands for this collection' }).click();
  await page.getByRole('menuitem', { name: 'Podcast details…' }).click();
  await page.getByRole('heading', { name: /for directories$/ }).waitFor();
  await studio.take('library-podcast');
  await page.keyboard.press('Escape');
}

async function createBelow(page: Page, parent: string, displayName: string): Promise<void> {
  const [site] = await ask<{ id: string }[]>(page, 'sites.list', null);
  const siteId = site?.id ?? '';
  const find = { siteId, text: parent, limit: 1 };
  const [found] = await ask<{ collection: { id: string } }[]>(page, 'library.findCollections', find);
  await ask(page, 'library.createCollection', { siteId, parentId: found?.collection.id ?? '', displayName });
}

/** Uploads a folder into a collection, and shows the library again when all of it is complete. */
async function upload(page: Page, folder: string, collection: string): Promise<void> {
  await chooseCollection(page, collection);
  await dropFiles(page, [folder]);
  await page.getByRole('heading', { name: /^Add \d+ files/ }).waitFor();
  await addDropped(page);
  await page.getByText(/uploads are complete/).waitFor({ timeout: PROCESSED_MS });
  await page.getByRole('button', { name: 'Clear completed' }).click();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await openView(page, 'All items');
}
