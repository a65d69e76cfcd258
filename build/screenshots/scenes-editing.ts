// Edits of many items: the review, the table, a spreadsheet, and the edits that need the user.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { renameTable } from '../demo/rename-table.ts';
import { ask, chooseCollection, openView, whenSignedIn } from '../demo/window-steps.ts';
import { signInQuietly } from './scenes-signed-out.ts';
import type { Studio } from './studio.ts';

const SENT_MS = 60_000;

interface Item {
  id: string;
  title: string;
}

const list = (page: Page) => page.getByRole('grid', { name: 'Items', exact: true }).first();
const row = (page: Page, title: string) => list(page).getByRole('row').filter({ hasText: title });

/** The review of a change of several items, the same items as a table, and the preview of a spreadsheet. */
export async function pictureBulkEdits(studio: Studio, page: Page): Promise<void> {
  await chooseCollection(page, 'Quantum Mechanics');
  await list(page)
    .getByRole('button', { name: /^Title/ })
    .click();
  await row(page, 'Lecture 01').click();
  await row(page, 'Lecture 08').click({ modifiers: ['Shift'] });
  const form = page.getByRole('form', { name: 'Edit selected items' });
  await form.getByRole('checkbox', { name: 'Byline' }).click({ force: true });
  await form.getByRole('textbox', { name: 'New text' }).fill('Institute of Physics');
  await form.getByRole('button', { name: 'Review changes…' }).click();
  const review = page.getByRole('dialog', { name: /^Review \d+ changes$/ });
  await review.getByText('Lecture 08').waitFor();
  await studio.take('library-review');
  await page.keyboard.press('Escape');
  await review.waitFor({ state: 'detached' });

  await pictureTable(studio, page);
  await pictureImport(studio, page);
}

async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search commands, settings, collections and items' }).fill(name);
  await page.getByRole('option', { name }).first().waitFor();
  await page.keyboard.press('Enter');
}

async function pictureTable(studio: Studio, page: Page): Promise<void> {
  await list(page).focus();
  await command(page, 'Selected items: Edit as a table');
  const table = page.getByRole('dialog', { name: /as a table$/ });
  await table.locator('[data-cell-input]').waitFor({ state: 'attached' });
  for (const title of ['The Photoelectric Effect', 'Wave Functions', 'The Schrödinger Equation']) {
    await page.keyboard.type(title);
    await page.keyboard.press('Enter');
  }
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('Institute of Physics');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Control+d');
  await table.getByText('7 cells changed').waitFor();
  await studio.take('library-table');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await table.waitFor({ state: 'detached' });
}

async function pictureImport(studio: Studio, page: Page): Promise<void> {
  const items = await itemsFound(page, 'Lecture Quantum');
  const path = join(studio.folder, 'Quantum Mechanics.csv');
  const lines = items.map(
    ({ id, title }, index) => `m:${id};${title};${index % 2 === 0 ? 'Dr. Jonas Weber, Berlin' : ''};ok`,
  );
  await writeFile(path, `id;title;Speaker;Checked\r\n${lines.join('\r\n')}\r\n`);
  await studio.answerDialogs(path);
  await command(page, 'Import a spreadsheet');
  const dialog = page.getByRole('dialog', { name: 'Import a spreadsheet' });
  await dialog.getByRole('button', { name: /Import “Speaker” as/ }).click();
  await page.getByRole('option', { name: 'Byline' }).click();
  await dialog.getByText(/rows change an item/).waitFor();
  await studio.take('library-import');
  await page.keyboard.press('Escape');
}

/** Edits that need the user: someone else changed the same field, the library refused the edit, or its publish time passed. */
export async function pictureEdits(studio: Studio): Promise<void> {
  const own = await signInQuietly(studio, {}, 'own');
  const [wave, hydrogen, spin] = await itemsFound(own, 'Quantum');
  const before = 'Dr. Jonas Weber, recorded in Berlin';
  await edit(own, wave, { byline: before });
  await ask(own, 'edits.apply', {
    selection: { siteId: await siteOf(own), ids: [spin?.id] },
    change: { publication: { kind: 'at', at: '2020-01-01T00:00:00Z' } },
  });
  await studio.control('POST', '/faults', {
    method: 'POST',
    path: `/api2/media/${hydrogen?.id}`,
    times: 1,
    action: { kind: 'status', status: 422, body: { message: 'Titles need a course number.' } },
  });
  await edit(own, hydrogen, { title: 'The Hydrogen Atom' });
  await whenOpen(own, { pending: 0, refused: 1, held: 1 });

  // Someone else edits the same item while this edit can't be sent.
  await studio.control('PATCH', '/settings', { read_only: true });
  await edit(own, wave, { byline: 'Dr. Jonas Weber and guests, recorded in Berlin' }, false);
  await studio.close();
  await studio.control('PATCH', '/settings', { read_only: false });
  const other = await signInQuietly(studio);
  await edit(other, wave, { byline: 'Dr. Jonas Weber, recorded in Vienna' });

  const { page } = await studio.open({}, 'own');
  await whenSignedIn(page);
  await whenOpen(page, { conflict: 1 });
  await openView(page, 'Edits');
  await page.getByRole('radio', { name: /^Needs attention/ }).click();
  const edits = page.getByRole('grid', { name: 'Edited items' });
  await edits.getByRole('row').nth(2).waitFor();
  await page.mouse.move(640, 780);
  await studio.take('edits-attention');
  await edits.getByRole('row').filter({ hasText: 'Conflict' }).getByRole('button', { name: 'Decide…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Decide about/ });
  await dialog.getByRole('radio', { name: 'Merge both' }).click({ force: true });
  await dialog.getByText('so both are kept').waitFor();
  await studio.take('edits-decision');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('radio', { name: /^History/ }).click();
  await page.getByRole('grid', { name: 'History of edits' }).getByRole('row').first().waitFor();
  await studio.take('edits-history');
  await pictureUnreadEdits(studio, page);
}

/** A database that can't be read. */
async function pictureUnreadEdits(studio: Studio, page: Page): Promise<void> {
  await openView(page, 'All items');
  const restore = renameTable(studio.queueOf('own'), 'edit_groups');
  try {
    await openView(page, 'Edits');
    await page.getByRole('radio', { name: /^History/ }).click();
    await page.getByText('The edits couldn’t be loaded').waitFor();
    await studio.take('edits-not-loaded');
  } finally {
    restore();
  }
}

async function siteOf(page: Page): Promise<string> {
  const [site] = await ask<{ id: string }[]>(page, 'sites.list', null);
  return site?.id ?? '';
}

async function itemsFound(page: Page, search: string): Promise<Item[]> {
  const query = { siteId: await siteOf(page), collectionId: null, search };
  return (await ask<{ rows: Item[] }>(page, 'library.mediaWindow', { query, offset: 0, limit: 12 })).rows;
}

/** Edits texts of an item; by default, waits until the library has them. */
async function edit(
  page: Page,
  item: Item | undefined,
  values: Record<string, string>,
  isAwaited = true,
): Promise<void> {
  const change = Object.fromEntries(Object.entries(values).map(([field, value]) => [field, { kind: 'set', value }]));
  await ask(page, 'edits.apply', { selection: { siteId: await siteOf(page), ids: [item?.id] }, change });
  if (isAwaited) await whenOpen(page, { pending: 0 });
}

/** Waits until this number of edits has each of these states. */
async function whenOpen(page: Page, wanted: Record<string, number>): Promise<void> {
  const until = Date.now() + SENT_MS;
  for (;;) {
    const query = { siteId: null, isOpen: true, offset: 0, limit: 1 };
    const { totals } = await ask<{ totals: Record<string, number> }>(page, 'edits.groups', query);
    if (Object.entries(wanted).every(([state, count]) => totals[state] === count)) return;
    if (Date.now() > until) throw new Error(`The edits stayed ${JSON.stringify(totals)}.`);
    await page.waitForTimeout(100);
  }
}
