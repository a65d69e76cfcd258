// Scenes in which the network, a drive or the library does not work.
import type { Page } from 'playwright';
import { chooseCollection, dropFiles, openView, sendDuplicates } from '../demo/window-steps.ts';
import type { PictureRecordings } from './picture-recordings.ts';
import { signInQuietly } from './scenes-signed-out.ts';
import type { Studio } from './studio.ts';

const QUARTER_MS = 91 * 86_400_000;

/** The library is read-only, then the sign-in has expired, both with uploads that wait. */
export async function pictureWaiting(studio: Studio, recordings: PictureRecordings): Promise<void> {
  const page = await signInQuietly(studio);
  await studio.control('PATCH', '/settings', { read_only: true });
  await addAll(page, recordings.samples);
  await blockedBy(page, 'api.read-only');
  await studio.take('trouble-read-only');
  await studio.control('PATCH', '/settings', { read_only: false, clock_offset_ms: QUARTER_MS });
  await page.getByRole('button', { name: 'Sign in again' }).waitFor({ timeout: 90_000 });
  // The rows follow the sign-in, each when its turn comes.
  await page.getByText('Waiting for you to sign in').nth(2).waitFor({ timeout: 90_000 });
  await studio.take('trouble-sign-in-again');
  await studio.control('PATCH', '/settings', { clock_offset_ms: 0 });
}

/** A computer without a keychain. */
export async function pictureNoKeychain(studio: Studio): Promise<void> {
  const page = await signInQuietly(studio, { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' });
  await page.getByRole('note').waitFor();
  await page.getByRole('row').nth(2).waitFor();
  await studio.take('trouble-no-keychain');
}

/** The service has ended. Ends the studio's service. */
export async function pictureUnreachable(studio: Studio, recordings: PictureRecordings): Promise<void> {
  const page = await signInQuietly(studio);
  await chooseCollection(page, 'Optics');
  studio.relay.setSpeed(2_000_000);
  await addAll(page, recordings.course);
  await page.locator('[data-upload-id][data-state="sending"]').first().waitFor();
  await studio.service.stop();
  await blockedBy(page, 'network');
  await studio.take('trouble-uploads-wait');
  await openView(page, 'All items');
  // The list comes from the copy on this computer.
  await page.getByRole('grid', { name: 'Items' }).getByRole('row').nth(2).waitFor();
  await studio.take('trouble-unreachable');
}

async function addAll(page: Page, folder: string): Promise<void> {
  await chooseCollection(page, 'Optics');
  await dropFiles(page, [folder]);
  await page.getByRole('heading', { name: /Add \d+ files/ }).waitFor();
  // Earlier scenes sent the same recordings.
  await sendDuplicates(page);
  await page.getByRole('button', { name: 'Add to the queue' }).click();
  const ok = page.getByRole('button', { name: 'Close' });
  const rows = page.locator('[data-upload-id]').first();
  await ok.or(rows).first().waitFor();
  if (await ok.isVisible()) await ok.click();
  await rows.waitFor();
}

/** Waits until the strip shows the reason why the queue is idle. */
async function blockedBy(page: Page, code: string): Promise<void> {
  await page.locator(`[data-blocked-by^="${code}"]`).waitFor({ timeout: 90_000 });
}
