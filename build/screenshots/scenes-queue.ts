// Scenes of the queue, of receipts and other proofs of arrival, and of the settings.
import type { Page } from 'playwright';
import { addDropped, ask, chooseCollection, dropFiles, openView, sendDuplicates } from '../demo/window-steps.ts';
import type { PictureRecordings } from './picture-recordings.ts';
import type { Studio } from './studio.ts';

const TIMEOUT_MS = 120_000;

const TIMETABLE = [
  { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00', limitBytesPerSecond: 1_500_000 },
  { days: [0, 6], from: '22:00', to: '06:00', limitBytesPerSecond: 0 },
];

/** Duplicates, order, a pause, receipts, the check, settings: one after the other in one profile. */
export async function pictureQueue(studio: Studio, page: Page, recordings: PictureRecordings): Promise<void> {
  studio.relay.setSpeed(null);
  await studio.control('PATCH', '/settings', { processing: { tools: 'none' } });
  await chooseCollection(page, 'Optics');
  await dropFiles(page, [recordings.samples]);
  await page.getByRole('heading', { name: /Add \d+ files/ }).waitFor();
  await sendDuplicates(page);
  await addDropped(page);
  await page.getByText(/uploads are complete/).waitFor({ timeout: TIMEOUT_MS });

  // Adds the same folder again: the library already contains all of its files.
  await openView(page, 'All items');
  await chooseCollection(page, 'Optics');
  await dropFiles(page, [recordings.samples]);
  await page.getByRole('button', { name: /^More options/ }).click();
  await page.getByText(/looks? like/).scrollIntoViewIfNeeded();
  await page.getByText('Move to trash').scrollIntoViewIfNeeded();
  await studio.take('add-more');
  await addDropped(page);
  await page.getByRole('radio', { name: /^Needs decision ?[1-9]/ }).click({ timeout: TIMEOUT_MS });
  await page.getByTestId('duplicates-bar').waitFor();
  await page.locator('[data-upload-id]').filter({ hasText: 'Already in' }).nth(2).waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.move(640, 780);
  await studio.take('uploads-duplicates');
  await page.getByRole('button', { name: 'Skip all' }).click();
  await page.getByTestId('duplicates-bar').waitFor({ state: 'detached' });

  await pictureOrder(studio, page, recordings);
  await pictureProof(studio, page);
  await pictureSettings(studio, page);
}

async function pictureOrder(studio: Studio, page: Page, recordings: PictureRecordings): Promise<void> {
  await ask(page, 'settings.set', {
    patch: { limitBytesPerSecond: 2_000_000, parallelTransfers: 2, diskMode: 'parallel' },
  });
  await openView(page, 'All items');
  await chooseCollection(page, 'Optics');
  await dropFiles(page, [recordings.course]);
  await sendDuplicates(page);
  await page.getByRole('button', { name: 'Add to the queue' }).click();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('radio', { name: /^Waiting/ }).click();
  const rows = page.locator('[data-upload-id]');
  await rows.filter({ hasText: 'Lecture 18' }).click({ position: { x: 200, y: 20 } });
  await page.getByRole('button', { name: 'Send next' }).click();
  await rows.first().filter({ hasText: 'Lecture 18' }).waitFor();
  await rows.filter({ hasText: 'Lecture 15' }).click({ position: { x: 200, y: 20 } });
  await page.getByRole('button', { name: 'Priority' }).click();
  await page.getByRole('menuitem', { name: 'Low' }).click();
  await rows.filter({ hasText: 'Lecture 15' }).getByText('Low').waitFor();
  await page.getByTestId('strip-limit').waitFor();
  await studio.take('uploads-order');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').fill('until tomorrow');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Resume now' }).first().waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await studio.take('uploads-paused');
}

async function pictureProof(studio: Studio, page: Page): Promise<void> {
  await openView(page, 'Receipts');
  await page.locator('[data-batch-id]').nth(2).click();
  await page.getByTestId('receipt-totals').waitFor();
  await page.getByRole('grid', { name: 'Files of the receipt' }).getByRole('row').nth(3).waitFor();
  await page.mouse.move(640, 780);
  await studio.take('receipts');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').fill('check my uploads');
  await page.keyboard.press('Enter');
  await page.locator('[data-code]').first().waitFor({ timeout: TIMEOUT_MS });
  await studio.take('settings-check');
}

async function pictureSettings(studio: Studio, page: Page): Promise<void> {
  await ask(page, 'settings.set', { patch: { timetable: TIMETABLE, parallelTransfers: 4 } });
  await openView(page, 'Settings');
  await page.getByRole('tab', { name: 'Uploads', exact: true }).click();
  await page.getByRole('listitem', { name: /^Mon–Fri/ }).waitFor();
  await page.mouse.move(640, 780);
  await studio.take('settings-uploads');
  await studio.takeWide('settings-uploads');
  await page.getByRole('tab', { name: 'Accounts' }).click();
  await page.getByRole('button', { name: 'Sign in to another account…' }).waitFor();
  await studio.take('settings-accounts');
  await page.getByRole('tab', { name: 'Desktop' }).click();
  await page.getByRole('switch', { name: 'Start at login' }).waitFor();
  await studio.take('settings-desktop');
  await page.getByRole('tab', { name: 'Network' }).click();
  await page.getByRole('button', { name: 'Test connection' }).waitFor();
  await studio.take('settings-network');
}
