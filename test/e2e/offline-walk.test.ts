// A day without a connection: the real app and the real service, which is stopped, edited against, and started again.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, openView, whenSignedIn } from '../../build/demo/window-steps.ts';
import type { CallOutput } from '../../shared/contract/contract.ts';
import { type DesktopApp, launchApp } from '../helpers/desktop/desktop-app.ts';
import { signIn } from '../helpers/desktop/desktop-sign-in.ts';
import { requestsOf } from '../helpers/service/journal.ts';
import { clientFor } from '../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../helpers/service/service-process.ts';

const TALKS = 50;

let folder: string;
let service: ServiceProcess;
let desktop: DesktopApp;
let page: Page;
let season: string;
let show: string;
let siteId: string;
/** Item ids by their first titles. */
const items = new Map<string, string>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mediadesk-offline-'));
  service = await startService();
  const direct = await clientFor(service);
  const make = async (display_name: string, is_podcast: boolean) => {
    const answer = await direct.post('/api2/collections', { display_name, is_podcast, parent_id: '1' });
    expect(answer.status).toBe(201);
    return answer.location.split('/').at(-1) ?? '';
  };
  season = await make('Season', false);
  show = await make('Show', true);
  const titles = Array.from({ length: TALKS }, (_, index) => `Talk ${String(index + 1).padStart(2, '0')}`);
  for (const title of titles) {
    const path = await direct.createItem(title, { collection_id: season, tags: ['raw'] });
    items.set(title, path.split('/').at(-1) ?? '');
  }
  await open();
  await signIn(desktop, service);
  await whenSignedIn(page);
  const [site] = await ask<CallOutput<'sites.list'>>(page, 'sites.list', null);
  siteId = site?.id ?? '';
  await ask(page, 'library.syncNow', { siteId });
  // A collection that was opened can be edited offline.
  await ask(page, 'library.podcast', { siteId, collectionId: show });
});
afterAll(async () => {
  await desktop?.close();
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function open(): Promise<void> {
  desktop = await launchApp({
    profileDir: join(folder, 'profile'),
    env: { MEDIADESK_SITE: service.baseUrl, MEDIADESK_CLIENT_ID: service.clientId },
    size: { width: 1280, height: 800 },
  });
  page = desktop.window;
  page.setDefaultTimeout(15_000);
}

const list = (): Locator => page.getByRole('grid', { name: 'Items' });
const row = (title: string): Locator => list().getByRole('row').filter({ hasText: title });
const tree = (): Locator => page.getByRole('tree', { name: 'Collections' });
const line = (name: string): Locator => tree().locator('[data-collection-id]').filter({ hasText: name });
const inspector = (): Locator => page.locator('[data-inspector]');
const said = (text: string | RegExp) =>
  page.getByTestId('announcements').filter({ hasText: text }).waitFor({ state: 'attached', timeout: 30_000 });

async function openSeason(): Promise<void> {
  await openView(page, 'Library');
  await line('Season').click();
  await page.getByRole('heading', { name: 'Season', exact: true }).waitFor();
  const head = page.getByRole('columnheader', { name: 'Title' });
  if ((await head.getAttribute('aria-sort')) !== 'ascending') await head.getByRole('button').click();
  await row('Talk 02').waitFor();
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

/** Edits one field of all items of the collection at once. */
async function editAll(): Promise<void> {
  await list().focus();
  await page.keyboard.press('Control+a');
  await page.getByRole('region', { name: 'Selected items' }).getByText(`${TALKS} items selected`).waitFor();
  const form = page.getByRole('form', { name: 'Edit selected items' });
  await form.getByRole('checkbox', { name: 'Description' }).click({ force: true });
  await form.getByRole('textbox', { name: 'New text' }).fill('Recorded in 2026');
  await form.getByRole('button', { name: 'Review changes…' }).click();
  await page.getByRole('button', { name: `Change ${TALKS} items` }).click();
  await said(new RegExp(`^Changes of ${TALKS} items are saved on this computer`));
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

async function createCollection(): Promise<void> {
  await line('Season').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'New subcollection…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New collection' });
  await dialog.getByLabel('Name').fill('Extras');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await line('Extras').waitFor();
}

/** Adds three files to the new collection. */
async function addUploads(): Promise<void> {
  const files = join(folder, 'extras');
  await mkdir(files);
  for (const name of ['a', 'b', 'c']) await writeFile(join(files, `${name}.txt`), `contents of ${name}`);
  const collectionId = await line('Extras').getAttribute('data-collection-id');
  await ask(page, 'uploads.add', { siteId, collectionId, paths: [files], defaults: {} });
}

/** What the user sees of the work that is not sent: in the tree, in the list, in the view of edits, in the queue. */
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
  expect(found.ids).toHaveLength(TALKS);
  await openView(page, 'Edits');
  await page.getByRole('radio', { name: /^Not sent/ }).click();
  await page.getByRole('grid').getByText('Opening').first().waitFor();
  await openView(page, 'Uploads');
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await page.getByRole('row').filter({ hasText: name }).waitFor();
}

async function whenEverythingIsSent(): Promise<void> {
  const open = async () => {
    const { totals } = await ask<CallOutput<'edits.groups'>>(page, 'edits.groups', {
      ...{ siteId: null, isOpen: true, offset: 0, limit: 1 },
    });
    const { rows } = await ask<CallOutput<'uploads.list'>>(page, 'uploads.list', {
      ...{ filter: 'all', batchId: null, offset: 0, limit: 10 },
    });
    return { ...totals, uploads: rows.map(({ state }) => state) };
  };
  const nothing = { pending: 0, held: 0, conflict: 0, refused: 0, uploads: ['complete', 'complete', 'complete'] };
  await expect.poll(open, { timeout: 60_000 }).toEqual(nothing);
}

it('sends everything that was done offline once, with the exact fields, after a restart without a connection', async () => {
  await openSeason();
  await service.kill9();
  await editOne();
  await editAll();
  await editPodcast();
  await createCollection();
  await addUploads();
  await showsEverythingAsPending();

  await desktop.close();
  await open();
  await whenSignedIn(page);
  await showsEverythingAsPending();

  await service.restart();
  await whenEverythingIsSent();
  const direct = await clientFor(service);
  for (const [title, id] of items) {
    const isFirst = title === 'Talk 01';
    const { body } = await direct.get(`/api2/media/${id}`);
    expect(body).toMatchObject({
      title: isFirst ? 'Opening' : title,
      description: '<p>Recorded in 2026</p>',
      collection_id: season,
      tags: ['raw'],
      status: 'draft',
    });
    expect(body.byline ?? '').toBe(isFirst ? 'Ada' : '');
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
  // The marks are gone, and the local id leads to the collection.
  await openSeason();
  await row('Opening').locator('[data-pending]').waitFor({ state: 'detached' });
  await line('Show').getByText('Not sent').waitFor({ state: 'detached' });
});
