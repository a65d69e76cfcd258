// Two users of one library, and batches that failed in part, in the real app against the real service.
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  ask,
  chooseCollection,
  decide,
  dropFiles,
  expandBatches,
  openSignIn,
  openView,
  typeCredentials,
  whenSignedIn,
} from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import type { UploadRow } from '../../../shared/contract/uploads.ts';
import type { DesktopApp } from '../../helpers/desktop/desktop-app.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import type { ServiceProcess } from '../../helpers/service/service-process.ts';

let opened: SignedInApp;
let folder: string;
let service: ServiceProcess;
let desktop: DesktopApp;
let page: Page;

beforeAll(async () => {
  opened = await openSignedInApp({ service: { seed: 'demo' } });
  ({ folder, service, desktop, page } = opened);
});
afterAll(() => opened?.close());

const sites = () => ask<Site[]>(page, 'sites.list', null);

/** Adds files of these names and contents to a collection; resolves when all of them are in the list. */
async function add(files: Readonly<Record<string, string>>): Promise<void> {
  const paths = Object.keys(files).map((name) => join(folder, name));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await openView(page, 'All items');
  await chooseCollection(page, 'Optics');
  await dropFiles(page, paths);
  await page.getByRole('button', { name: 'Add to the queue' }).click();
  for (const name of Object.keys(files)) await rowOf(name).waitFor();
}

const rowOf = (name: string) => page.locator('[data-upload-id]').filter({ hasText: name });
const rows = async () => (await ask<CallOutput<'uploads.list'>>(page, 'uploads.list', { limit: 500 })).rows;
const statesOf = async (names: readonly string[]) => {
  const known = await rows();
  return names.map((name) => {
    const row = known.find(({ fileName }) => fileName === name) as UploadRow;
    return row.error?.code ?? row.state;
  });
};

it('“Retry failed” retries the failed uploads of a batch, not its cancelled uploads and not its duplicates', async () => {
  await add({ 'known.txt': 'known' });
  await expect.poll(() => statesOf(['known.txt'])).toEqual(['complete']);
  await ask(page, 'uploads.pause', { kind: 'all' });
  const names = ['same.txt', 'lost.txt', 'given-up.txt'];
  await add({ 'same.txt': 'known', 'lost.txt': 'lost', 'given-up.txt': 'given up' });
  const givenUp = (await rows()).find(({ fileName }) => fileName === 'given-up.txt');
  await ask(page, 'uploads.cancel', { kind: 'ids', ids: [givenUp?.id] });
  await rm(join(folder, 'lost.txt'));
  await ask(page, 'uploads.resume', { kind: 'all' });
  const before = ['upload.duplicate', 'file.missing', 'cancelled'];
  await expect.poll(() => statesOf(names), { timeout: 60_000 }).toEqual(before);

  const batch = page.getByRole('row', { name: /^Batch .* 1 failed/ });
  await writeFile(join(folder, 'lost.txt'), 'lost');
  await batch.getByRole('button', { name: /^Retry failed/ }).click();
  await expect.poll(() => statesOf(names), { timeout: 60_000 }).toEqual(['upload.duplicate', 'complete', 'cancelled']);
  // Only a decision remains open: no upload can be retried.
  await page.getByRole('button', { name: /^Retry failed/ }).waitFor({ state: 'detached' });
});

it('“Send this file instead” sends the file that replaced the one that was added', async () => {
  await ask(page, 'uploads.pause', { kind: 'all' });
  await add({ 'cut.txt': 'first cut' });
  await writeFile(join(folder, 'cut.tmp'), 'second, longer cut');
  await rename(join(folder, 'cut.tmp'), join(folder, 'cut.txt'));
  await ask(page, 'uploads.resume', { kind: 'all' });
  await expect.poll(() => statesOf(['cut.txt']), { timeout: 30_000 }).toEqual(['file.replaced']);
  await rowOf('cut.txt').getByText('Another file is at this path now').waitFor();
  await rowOf('cut.txt').getByRole('button', { name: 'More for cut.txt' }).click();
  await page.getByRole('menuitem', { name: 'Send this file instead' }).waitFor();
  await page.keyboard.press('Escape');
  await rowOf('cut.txt')
    .getByRole('button', { name: /^Send this file instead/ })
    .click();
  await expect.poll(() => statesOf(['cut.txt']), { timeout: 30_000 }).toEqual(['complete']);
  const sent = (await rows()).find(({ fileName }) => fileName === 'cut.txt');
  expect(sent?.sizeBytes).toBe('second, longer cut'.length);
});

it('a command on an upload of a signed-out account opens the sign-in to that account; the current account stays selected', async () => {
  const [admin] = await sites();
  await ask(page, 'uploads.pause', { kind: 'all' });
  await add({ 'waits.txt': 'waits for its own person' });
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign in to another account…' }).click();
  const sheet = await openSignIn(desktop.app, page, service);
  await typeCredentials(sheet, { email_address: 'editor@library.example', password: service.admin.password });
  await decide(sheet, 'approve');
  await expect.poll(async () => (await sites()).length).toBe(2);
  await ask(page, 'sites.signOut', { siteId: admin?.id });
  await page
    .getByRole('button', { name: /^Account/ })
    .filter({ hasText: 'Unnamed account 2' })
    .waitFor();

  await openView(page, 'Uploads');
  await expandBatches(page);
  await rowOf('known.txt').getByRole('button', { name: 'More for known.txt' }).click();
  await page.getByRole('menuitem', { name: 'Open item in the library' }).click();
  const wanted = page
    .getByRole('dialog', { name: /Sign in to .* again/ })
    .getByText(/You’re signed out of this account\. Sign in as Ada/);
  await wanted.waitFor();
  await page.keyboard.press('Escape');
  await wanted.waitFor({ state: 'detached' });

  // The strip names the account whose uploads wait, and its button is for that account.
  await ask(page, 'uploads.resume', { kind: 'all' });
  const status = page.getByRole('region', { name: 'Upload status' });
  await status.getByText(/^Ada Admin, .*: You’re not signed in/).waitFor();
  await status.getByRole('button', { name: 'Sign in again' }).click();
  await wanted.waitFor();
  await page
    .getByRole('button', { name: /^Account/, includeHidden: true })
    .filter({ hasText: 'Unnamed account 2' })
    .waitFor();
  const again = await openSignIn(desktop.app, page, service);
  await typeCredentials(again, service.admin);
  await decide(again, 'approve');
  await page
    .getByRole('button', { name: /^Account/ })
    .filter({ hasText: 'Ada' })
    .waitFor();
  await whenSignedIn(page);
  await expect.poll(() => statesOf(['waits.txt']), { timeout: 60_000 }).toEqual(['complete']);
});
