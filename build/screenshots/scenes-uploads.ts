// Scenes of uploads: the sheet, the progress and the end.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { addDropped, ask, chooseCollection, dropFiles, openView } from '../demo/window-steps.ts';
import { wavChunks } from '../samples/wav.ts';
import type { PictureRecordings } from './picture-recordings.ts';
import type { Studio } from './studio.ts';

const row = (page: Page, state: string) => page.locator(`[data-upload-id][data-state="${state}"]`);
const TIMEOUT_MS = 120_000;

export async function pictureUploads(studio: Studio, page: Page, recordings: PictureRecordings): Promise<void> {
  await openView(page, 'Uploads');
  await page.getByText('Drop recordings here').waitFor();
  await studio.take('uploads-empty');

  // A batch that is complete, so that the list has more than one.
  await openView(page, 'All items');
  await chooseCollection(page, 'Optics');
  await dropFiles(page, [recordings.samples], () => studio.take('drop'));
  await page.getByRole('heading', { name: /Add \d+ files/ }).waitFor();
  await page.getByLabel('Titles', { exact: true }).fill('Optics {nn} – {name}');
  await studio.take('add');
  await addDropped(page);
  await page.getByText('uploads are complete').waitFor({ timeout: TIMEOUT_MS });
  await studio.take('uploads-complete');

  await pictureManifest(studio, page);

  await openView(page, 'All items');
  await chooseCollection(page, 'Optics');
  const list = page.getByRole('grid', { name: 'Items' });
  await list.getByText('Optics 03').first().click();
  await page.getByRole('tab', { name: /Files/ }).click();
  await page
    .getByRole('tabpanel')
    .getByText(/Complete/)
    .first()
    .waitFor();
  await studio.take('inspector-files');

  // A second batch on a slow line, with two files that can't be sent.
  await studio.control('PATCH', '/settings', { processing: { tools: 'none' } });
  studio.relay.setSpeed(9_000_000);
  // Does not depend on the disk on which the pictures are taken.
  await ask(page, 'settings.set', { patch: { diskMode: 'parallel' } });
  await dropFiles(page, [recordings.course]);
  await page.getByRole('button', { name: 'Add to the queue' }).click();
  await page.getByRole('heading', { name: '8 files added' }).waitFor();
  await studio.take('add-result');
  await page.getByRole('button', { name: 'Close' }).click();
  await row(page, 'sending').nth(2).waitFor();
  await page.mouse.move(640, 780);
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[data-testid="strip-sentence"]')].some((line) =>
      /left/.test(line.textContent ?? ''),
    ),
  );
  await studio.take('uploads-running');
  await studio.takeWide('uploads-running');
}

/** A spreadsheet that describes the files of its folder: the offer, its format, and the table that it fills. */
async function pictureManifest(studio: Studio, page: Page): Promise<void> {
  const folder = join(studio.folder, 'Field trip');
  await mkdir(folder);
  const rows = [
    ['trip-01.wav', 'Departure and safety briefing', 'Dr. Jonas Weber', 'field trip|safety', ''],
    ['trip-02.wav', 'Measuring the river', 'Prof. Miriam Okafor', 'field trip|hydrology', ''],
    ['trip-03.wav', 'Interview with the warden', 'Campus Radio', 'field trip|interview', 'Campus Voices'],
    ['trip-04.wav', 'Evening discussion', '', 'field trip', 'Field trips 2026'],
  ];
  for (const name of [...rows.map(([file]) => file ?? ''), 'trip-05.wav'])
    await writeFile(join(folder, name), Buffer.concat([...wavChunks(1)]));
  const lines = rows.map((cells) => cells.join(';'));
  await writeFile(join(folder, 'manifest.csv'), `file;title;byline;tags;collection\r\n${lines.join('\r\n')}\r\n`);
  await openView(page, 'All items');
  await chooseCollection(page, 'Optics');
  await dropFiles(page, [folder]);
  const sheet = page.getByRole('dialog', { name: /^Add \d+ files/ });
  const notice = sheet.getByTestId('manifest-notice');
  await notice.getByRole('button', { name: 'Check…' }).click();
  const check = page.getByRole('dialog', { name: /^Descriptions in/ });
  await check.getByText('manifest.collection-unknown').waitFor();
  await check.getByText('2 files without a usable row').click();
  await studio.take('add-manifest-check');
  await check.getByRole('button', { name: 'Use', exact: true }).click();
  await check.waitFor({ state: 'detached' });
  await notice.getByText('Using the descriptions').waitFor();
  await studio.take('add-manifest');
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog');
  await question
    .or(page.getByRole('grid', { name: 'Items' }))
    .first()
    .waitFor();
  if (await question.isVisible()) await question.getByRole('button').last().click();
  await sheet.waitFor({ state: 'detached' });
}

/** A file that the library can't read, and one that is too large for it. */
export async function pictureFailures(studio: Studio, page: Page, recordings: PictureRecordings): Promise<void> {
  await chooseCollection(page, 'Lab Instructions');
  await dropFiles(page, [recordings.damaged]);
  await page.getByRole('heading', { name: 'Add 2 files' }).waitFor();
  await addDropped(page);
  await row(page, 'failed').first().waitFor({ timeout: TIMEOUT_MS });
  await row(page, 'complete').first().waitFor({ timeout: TIMEOUT_MS });
  await studio.take('uploads-failed');
}
