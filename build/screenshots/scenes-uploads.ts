// Uploads: how they are added, progress and end.
import type { Page } from 'playwright';
import { addDropped, ask, chooseCollection, dropFiles, openView } from '../demo/window-steps.ts';
import type { PictureRecordings } from './picture-recordings.ts';
import type { Studio } from './studio.ts';

const row = (page: Page, state: string) => page.locator(`[data-upload-id][data-state="${state}"]`);
const TIMEOUT_MS = 120_000;

export async function pictureUploads(studio: Studio, page: Page, recordings: PictureRecordings): Promise<void> {
  await openView(page, 'Uploads');
  await page.getByText('Drop recordings here').waitFor();
  await studio.take('uploads-empty');

  // A batch that is complete, so that the list has more than one.
  await openView(page, 'Library');
  await chooseCollection(page, 'Optics');
  await dropFiles(page, [recordings.samples], () => studio.take('drop'));
  await page.getByRole('heading', { name: /Add \d+ files/ }).waitFor();
  await page.getByLabel('Titles', { exact: true }).fill('Optics {nn} – {name}');
  await studio.take('add');
  await addDropped(page);
  await page.getByText('uploads are complete').waitFor({ timeout: TIMEOUT_MS });
  await studio.take('uploads-complete');

  await openView(page, 'Library');
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

  // A second one on a slow line, with two files that can't be sent.
  await studio.control('PATCH', '/settings', { processing: { tools: 'none' } });
  studio.relay.setSpeed(9_000_000);
  // Whatever disk the pictures are taken on.
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
