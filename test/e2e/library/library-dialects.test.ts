// Actions of a user in a library whose answers differ from the reference: the real app, the real service in its two other
// dialects. They differ in the bodies of answers, the size of pages, the first state of items, errors and completions.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { announced } from '../../helpers/desktop/window-actions.ts';
import { png, srt, wav } from '../../helpers/service/service-samples.ts';

/** More items than a page contains in the dialect with the smallest pages. */
const TALKS = 23;

interface Item {
  id: string;
  title: string;
  byline: string | null;
  tags: string[];
  status: string;
}

let opened: SignedInApp;
let page: Page;
/** Ids of collections, and paths of items. */
let ids: Record<string, string>;

async function openLibrary(dialect: 'lean' | 'strict'): Promise<void> {
  ids = {};
  opened = await openSignedInApp({
    // Without tools for media the service makes no encodings.
    service: { dialect, env: { PATH: '' } },
    prepare: async ({ direct, folder }) => {
      const make = async (display_name: string, parent_id: string, fields: object = {}) => {
        const answer = await direct.post('/api2/collections', { display_name, parent_id, ...fields });
        expect(answer.status).toBe(201);
        ids[display_name] = answer.location.split('/').at(-1) ?? '';
      };
      await make('Season', '1');
      await make('Archive', '1', { slug: 'taken' });
      await make('Old', ids.Season ?? '');
      for (let index = 1; index <= TALKS; index += 1) {
        const title = `Talk ${String(index).padStart(2, '0')}`;
        ids[title] = await direct.createItem(title, { collection_id: ids.Season, tags: ['raw'] });
      }
      const talk = ids['Talk 01'] ?? '';
      await direct.processed(await direct.upload(talk, 'talk.wav', wav()));
      writeFileSync(join(folder, 'slides.png'), png());
      writeFileSync(join(folder, 'talk.de.srt'), srt);
    },
  });
  ({ page } = opened);
}

const line = (name: string): Locator =>
  page.getByRole('tree', { name: 'Collections' }).locator('[data-collection-id]').filter({ hasText: name });
const list = (): Locator => page.getByRole('grid', { name: 'Items' });
const row = (title: string): Locator => list().getByRole('row').filter({ hasText: title });
const bar = (): Locator => page.getByRole('region', { name: 'Selected items' });
const said = (text: string | RegExp) => announced(page, text, 45_000);
const undo = () => page.getByRole('button', { name: 'Undo', exact: true }).last().click();
const collection = (name: string) => opened.direct.get(`/api2/collections/${ids[name]}`).then(({ body }) => body);

async function choose(name: string, entry: string): Promise<void> {
  await line(name).click({ button: 'right' });
  await page.getByRole('menuitem', { name: entry }).click();
}

/** Returns all items of the collection Season from the library. */
async function items(): Promise<Item[]> {
  const found: Item[] = [];
  for (let path: string | null = `/api2/media?collection_id=${ids.Season}`; path !== null; ) {
    const { body } = await opened.direct.get(path);
    found.push(...body.items);
    path = body.links.next;
  }
  return found.sort((a, b) => (a.title < b.title ? -1 : 1));
}
const countOf = (holds: (item: Item) => boolean) => async () => (await items()).filter(holds).length;

async function selectSeason(): Promise<void> {
  await line('Season').click();
  await page.getByRole('heading', { name: 'Season', exact: true, level: 1 }).waitFor();
  const head = page.getByRole('columnheader', { name: 'Title' });
  if ((await head.getAttribute('aria-sort')) !== 'ascending') await head.getByRole('button').click();
  await row('Talk 01').click();
}

async function changesCollections(): Promise<void> {
  await choose('Season', 'New subcollection…');
  const create = page.getByRole('dialog', { name: 'New collection' });
  await create.getByLabel('Name').fill('Extras');
  await create.getByRole('button', { name: 'Create' }).click();
  await line('Extras').waitFor();
  const made = (await opened.direct.get(`/api2/collections?parent_id=${ids.Season}`)).body.items;
  ids.Extras = made.find(({ display_name }: { display_name: string }) => display_name === 'Extras')?.id ?? '';

  await choose('Extras', 'Edit…');
  const edit = page.getByRole('dialog', { name: 'Edit “Extras”' });
  await edit.getByLabel('Slug').fill('taken');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.getByText('Another collection already uses this slug', { exact: false }).waitFor();
  // The window accepts two hyphens, this library refuses them.
  await edit.getByLabel('Slug').fill('extras--1');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => edit.getByLabel('Slug').getAttribute('aria-invalid')).toBe('true');
  await edit.getByLabel('Slug').fill('extras-1');
  await edit.getByRole('button', { name: 'Edit as HTML source' }).click();
  const description = edit.getByLabel('Description (HTML source)');
  await description.fill('<p>Short</p>');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.waitFor({ state: 'detached' });
  expect(await collection('Extras')).toMatchObject({ slug: 'extras-1', description: '<p>Short</p>' });

  await choose('Extras', 'Move to…');
  const move = page.getByRole('dialog', { name: 'Move “Extras”' });
  await move.getByRole('combobox').fill('Archive');
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual([expect.stringMatching(/^Archive/)]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await move.getByRole('button', { name: 'Move', exact: true }).click();
  await move.waitFor({ state: 'detached' });
  expect((await collection('Extras')).parent_id).toBe(ids.Archive);
  await undo();
  await expect.poll(async () => (await collection('Extras')).parent_id).toBe(ids.Season);

  await choose('Old', 'Delete…');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await line('Old').waitFor({ state: 'detached' });
  expect((await opened.direct.get(`/api2/collections/${ids.Old}`)).status).toBe(404);
}

async function editsAll(): Promise<void> {
  await selectSeason();
  await page.keyboard.press('Control+a');
  await bar().getByText(`All ${TALKS} items selected`).waitFor();
  const form = page.getByRole('form', { name: 'Edit selected items' });
  await form.getByRole('checkbox', { name: 'Byline' }).click({ force: true });
  await form.getByRole('textbox', { name: 'New text' }).fill('Physics');
  await form.getByRole('button', { name: 'Review changes…' }).click();
  await page.getByRole('button', { name: `Change ${TALKS} items` }).click();
  await said(`Changed ${TALKS} items.`);
  const isChanged = ({ byline, tags }: Item) => byline === 'Physics' && tags.join() === 'raw';
  expect(await countOf(isChanged)()).toBe(TALKS);
  await undo();
  await said(`Restored ${TALKS} items.`);
  expect(await countOf(({ byline }) => (byline ?? '') === '')()).toBe(TALKS);
}

async function publishes(first: 'draft' | 'published'): Promise<void> {
  await selectSeason();
  await row('Talk 03').click({ modifiers: ['Shift'] });
  await bar().getByText('3 items selected').waitFor();
  const count = countOf(({ status }) => status !== first);
  expect(await count()).toBe(0);
  const steps = first === 'draft' ? ['Publish now', 'Unpublish'] : ['Unpublish', 'Publish now'];
  for (const [index, step] of steps.entries()) {
    await bar().getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('menuitem', { name: step }).click();
    await page.getByRole('button', { name: 'Change 3 items' }).click();
    await expect.poll(count).toBe(index === 0 ? 3 : 0);
    await page.getByRole('button', { name: 'Change 3 items' }).waitFor({ state: 'detached' });
  }
}

async function changesFiles(): Promise<void> {
  await selectSeason();
  await page.getByRole('tab', { name: /^Files/ }).click();
  const choosing = async (name: string, open: () => Promise<void>) => {
    const picker = page.waitForEvent('filechooser');
    await open();
    await (await picker).setFiles(join(opened.folder, name));
  };
  const add = async (entry: string) => {
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('menuitem', { name: entry }).click();
  };
  await choosing('slides.png', () => add('Add files…'));
  await page.getByRole('list', { name: 'Files' }).getByText('slides.png').waitFor();
  await add('Add captions…');
  const dialog = page.getByRole('dialog', { name: 'Add captions' });
  await choosing('talk.de.srt', () => dialog.getByRole('button', { name: 'Choose…' }).click());
  await dialog.getByText('talk.de.srt').waitFor();
  await dialog.getByRole('textbox', { name: 'Label' }).fill('Simple');
  await dialog.getByRole('button', { name: 'Add captions' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('list', { name: 'Captions', exact: true }).getByText('Simple (German)').waitFor();
  const files = async () => {
    const { body } = await opened.direct.get(`${ids['Talk 01']}/files`);
    return body.items.map(({ display_name, status }: Record<string, string>) => `${display_name} ${status}`).sort();
  };
  const all = ['Simple.de.srt complete', 'slides.png complete', 'talk.wav complete'];
  await expect.poll(files, { timeout: 60_000 }).toEqual(all);
  await page.getByRole('list', { name: 'Being added' }).waitFor({ state: 'detached' });
}

describe.each([
  { dialect: 'lean', first: 'draft' },
  { dialect: 'strict', first: 'published' },
] as const)('a library with the dialect $dialect', ({ dialect, first }) => {
  beforeAll(() => openLibrary(dialect));
  afterAll(() => opened?.close());
  // A test that fails with an open dialog or menu must not fail the others.
  afterEach(async () => {
    const open = page.locator('[role="dialog"], [role="alertdialog"], [role="menu"]');
    for (let tries = 3; tries > 0 && (await open.count()) > 0; tries -= 1) await page.keyboard.press('Escape');
  });

  it('lets a user create, edit, move and delete collections', changesCollections);
  it('lets a user edit all items of a collection, and undo the edit', editsAll);
  it('lets a user publish and unpublish items', () => publishes(first));
  it('lets a user add files and captions to an item', changesFiles);
});
