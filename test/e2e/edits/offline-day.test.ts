// A day without a connection: the real app and the real service, which is stopped while the user edits, and started again.
import type { Locator, Page } from 'playwright';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ask, chooseCollection, dropFiles, openView } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import { addSheetSteps } from '../../helpers/desktop/add-sheet-steps.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { runInPalette } from '../../helpers/desktop/window-actions.ts';
import { requestsOf } from '../../helpers/service/journal.ts';
import { clientFor } from '../../helpers/service/service-client.ts';

let opened: SignedInApp;
let page: Page;
let season: string;
let show: string;
let siteId: string;
/** Item ids by the titles with which the items were created. */
let items: Map<string, string>;
/** The status of a new item, which depends on the dialect. */
let status: string;

/** Creates a library with a collection of talks and a podcast, and an app that has read both. */
async function openLibrary(dialect: 'reference' | 'lean' | 'strict', talks: number): Promise<void> {
  items = new Map();
  opened = await openSignedInApp({
    service: { dialect },
    prepare: async ({ direct }) => {
      const make = async (display_name: string, is_podcast: boolean) => {
        const answer = await direct.post('/api2/collections', { display_name, is_podcast, parent_id: '1' });
        expect(answer.status).toBe(201);
        return answer.location.split('/').at(-1) ?? '';
      };
      season = await make('Season', false);
      show = await make('Show', true);
      const titles = Array.from({ length: talks }, (_, index) => `Talk ${String(index + 1).padStart(2, '0')}`);
      for (const title of titles) {
        const path = await direct.createItem(title, { collection_id: season, tags: ['raw'] });
        items.set(title, path.split('/').at(-1) ?? '');
      }
      status = (await direct.get(`/api2/media/${items.get('Talk 01')}`)).body.status;
    },
  });
  onTestFinished(() => opened.close());
  page = opened.page;
  const [site] = await ask<CallOutput<'sites.list'>>(page, 'sites.list', null);
  siteId = site?.id ?? '';
  await ask(page, 'library.syncNow', { siteId });
  // The user can edit podcast details offline when they were opened before.
  await ask(page, 'library.podcast', { siteId, collectionId: show });
}

const { sheet, addButton, makeFiles } = addSheetSteps(() => opened);
const list = (): Locator => page.getByRole('grid', { name: 'Items' });
const row = (title: string): Locator => list().getByRole('row').filter({ hasText: title });
const tree = (): Locator => page.getByRole('tree', { name: 'Collections' });
const line = (name: string): Locator => tree().locator('[data-collection-id]').filter({ hasText: name });
const inspector = (): Locator => page.locator('[data-inspector]');
const said = (text: string | RegExp) =>
  page.getByTestId('announcements').filter({ hasText: text }).waitFor({ state: 'attached', timeout: 60_000 });

async function openSeason(): Promise<void> {
  await openView(page, 'All items');
  await line('Season').click();
  await page.getByRole('heading', { name: 'Season', exact: true, level: 1 }).waitFor();
  const head = page.getByRole('columnheader', { name: 'Title' });
  if ((await head.getAttribute('aria-sort')) !== 'ascending') await head.getByRole('button').click();
  await row('Talk 02').waitFor();
}

/** The items whose byline is edited in the table. */
const IN_TABLE = ['Talk 02', 'Talk 03', 'Talk 04', 'Talk 05'];

/** Edits one field of four items in the table: typed once, and filled down. */
async function editAsTable(): Promise<void> {
  await list().focus();
  await page.keyboard.press('Home');
  for (let step = 1; step < 5; step += 1) await page.keyboard.press('Shift+ArrowDown');
  await runInPalette(page, 'Selected items: Edit as a table');
  const table = page.getByRole('dialog', { name: /as a table$/ });
  await table.locator('[data-cell-input]').waitFor({ state: 'attached' });
  for (const key of ['ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
  await page.keyboard.type('Grace');
  for (const key of ['Enter', 'ArrowUp', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Control+d']) {
    await page.keyboard.press(key);
  }
  await table.getByRole('button', { name: 'Review 4 changes' }).click();
  await page.getByRole('dialog', { name: 'Review 4 changes' }).getByRole('button', { name: 'Change 4 items' }).click();
  await table.waitFor({ state: 'detached' });
}

/** Edits the fields of one item in the inspector. */
async function editOne(): Promise<void> {
  await row('Talk 01').click();
  await expect.poll(() => inspector().getByLabel('Title', { exact: true }).inputValue()).toBe('Talk 01');
  await inspector().getByLabel('Title', { exact: true }).fill('Opening');
  await inspector().getByLabel('Byline', { exact: true }).fill('Ada');
  await inspector().getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => inspector().getByRole('status').textContent()).toMatch(/^Saved on this computer/);
}

/** Edits one field of all items of the collection in one step. */
async function editAll(): Promise<void> {
  await list().focus();
  await page.keyboard.press('Control+a');
  await page.getByRole('region', { name: 'Selected items' }).getByText(`${items.size} items selected`).waitFor();
  const form = page.getByRole('form', { name: 'Edit selected items' });
  await form.getByRole('checkbox', { name: 'Description' }).click({ force: true });
  await form.getByRole('textbox', { name: 'New text' }).fill('Recorded in 2026');
  await form.getByRole('button', { name: 'Review changes…' }).click();
  await page.getByRole('button', { name: `Change ${items.size} items` }).click();
  await said(new RegExp(`Changes of ${items.size} items are saved on this computer`));
  await page.keyboard.press('Escape');
}

async function editPodcast(): Promise<void> {
  await line('Show').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Podcast details…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Podcast details of “Show”' });
  await dialog.getByLabel('Author').fill('Campus Radio');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Creates a collection; returns its local id. */
async function createCollection(): Promise<string> {
  await line('Season').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'New subcollection…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New collection' });
  await dialog.getByLabel('Name').fill('Extras');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const id = await line('Extras').getAttribute('data-collection-id');
  expect(id).toMatch(/^local:/);
  return id ?? '';
}

/** Adds three files to the new collection, which exists only on this computer. */
async function addUploads(): Promise<void> {
  const files = await makeFiles('extras', { 'a.txt': 'contents of a', 'b.txt': 'b', 'c.txt': 'contents of c' });
  await chooseCollection(page, 'Extras');
  await dropFiles(page, [files]);
  await sheet().getByText('Library › Season › Extras').waitFor();
  await sheet().getByRole('heading', { name: 'Add 3 files' }).waitFor();
  await addButton().click();
  await sheet().waitFor({ state: 'detached' });
}

/** Checks that unsent work is visible: in the tree, in the list, in the view of edits, in the queue. */
async function showsEverythingAsPending(): Promise<void> {
  await openSeason();
  await line('Show').getByText('Not sent').waitFor();
  await line('Season').click();
  await page.keyboard.press('ArrowRight');
  await line('Extras').getByText('New').waitFor();
  await row('Opening').locator('[data-pending="edited"]').waitFor();
  await row('Talk 02').locator('[data-pending="edited"]').waitFor();
  const query = { siteId, collectionId: season, search: 'is:pending', type: null, status: null };
  const found = await ask<CallOutput<'library.mediaIds'>>(page, 'library.mediaIds', {
    query: { ...query, sort: 'title', order: 'asc' },
  });
  expect(found.ids).toHaveLength(items.size);
  await openView(page, 'Edits');
  await page.getByRole('radio', { name: /^Not sent/ }).click();
  await page.getByRole('grid').getByText('Opening').first().waitFor();
  await openView(page, 'Uploads');
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await page.getByRole('row').filter({ hasText: name }).waitFor();
}

async function whenEverythingIsSent(): Promise<void> {
  const open = async () => {
    const { totals } = await ask<CallOutput<'edits.groups'>>(page, 'edits.groups', {
      siteId: null,
      isOpen: true,
      offset: 0,
      limit: 1,
    });
    const { rows } = await ask<CallOutput<'uploads.list'>>(page, 'uploads.list', {
      filter: 'all',
      batchId: null,
      offset: 0,
      limit: 10,
    });
    return { ...totals, uploads: rows.map(({ state }) => state) };
  };
  const nothing = { pending: 0, held: 0, conflict: 0, refused: 0, uploads: ['complete', 'complete', 'complete'] };
  await expect.poll(open, { timeout: 300_000 }).toEqual(nothing);
}

describe.each([
  { dialect: 'reference', talks: 50 },
  { dialect: 'lean', talks: 8 },
  { dialect: 'strict', talks: 8 },
] as const)('a library with the dialect $dialect', ({ dialect, talks }) => {
  it('receives each offline edit once with its exact fields, also after a restart offline; a new collection stays open', async () => {
    await openLibrary(dialect, talks);
    await openSeason();
    await opened.service.kill9();
    await editAsTable();
    await editOne();
    await editAll();
    await editPodcast();
    const localId = await createCollection();
    await addUploads();
    await showsEverythingAsPending();

    ({ page } = await opened.reopen());
    await showsEverythingAsPending();
    await chooseCollection(page, 'Extras');

    await opened.service.restart();
    await whenEverythingIsSent();
    const madeId = await hasEverythingOnce();
    // The open collection stays open, with the id and the items of the library.
    await line('Extras')
      .and(page.locator(`[data-collection-id="${madeId}"][aria-selected="true"]`))
      .waitFor();
    for (const title of ['a', 'b', 'c']) await list().getByText(title, { exact: true }).waitFor();
    const { collection } = await ask<CallOutput<'library.collection'>>(page, 'library.collection', {
      siteId,
      collectionId: localId,
    });
    expect(collection).toMatchObject({ id: madeId, displayName: 'Extras' });
    // The marks of unsent edits have disappeared.
    await openSeason();
    await row('Opening').locator('[data-pending]').waitFor({ state: 'detached' });
    await line('Show').getByText('Not sent').waitFor({ state: 'detached' });
  });
});

/**
 * Checks the contents of the service, and that each edit and each upload was sent with one request. Returns the id of the new
 * collection.
 */
async function hasEverythingOnce(): Promise<string> {
  const { service } = opened;
  const direct = await clientFor(service);
  for (const [title, id] of items) {
    const { body } = await direct.get(`/api2/media/${id}`);
    expect(body).toMatchObject({
      title: title === 'Talk 01' ? 'Opening' : title,
      description: '<p>Recorded in 2026</p>',
      collection_id: season,
      tags: ['raw'],
      status,
    });
    expect(body.byline ?? '').toBe(title === 'Talk 01' ? 'Ada' : IN_TABLE.includes(title) ? 'Grace' : '');
    expect(await requestsOf(service, 'POST', new RegExp(`^/api2/media/${id}$`)), title).toHaveLength(1);
  }
  const { body: podcast } = await direct.get(`/api2/collections/${show}/podcast-details`);
  expect(podcast).toMatchObject({ directory_author_name: 'Campus Radio', copyright: null });
  const { body: made } = await direct.get(`/api2/collections?parent_id=${season}`);
  expect(made.items).toMatchObject([{ display_name: 'Extras', is_podcast: false }]);
  const { body: uploaded } = await direct.get(`/api2/media?collection_id=${made.items[0].id}`);
  expect(uploaded.items.map(({ title }: { title: string }) => title).sort()).toEqual(['a', 'b', 'c']);
  for (const path of [/^\/api2\/collections$/, new RegExp(`^/api2/collections/${show}/podcast-details$`)]) {
    expect(await requestsOf(service, 'POST', path)).toHaveLength(1);
  }
  expect(await requestsOf(service, 'POST', /^\/api2\/media$/)).toHaveLength(3);
  return made.items[0].id;
}
