// Every pair of an offline action of the user and a change of the same item by someone else, in the real window, all in one
// library.
import type { Locator, Page } from 'playwright';
import { afterEach, expect, it } from 'vitest';
import { ask, chooseCollection, openView } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { type Exit, MATRIX, type State, withoutItems } from '../../helpers/library/two-sides.ts';
import type { ServiceClient } from '../../helpers/service/service-client.ts';
import { type ChangingProxy, startChangingProxy } from '../../helpers/wire/changing-proxy.ts';

/** One cell of the matrix: a separate item, whose byline both sides can change. */
interface Case {
  title: string;
  here: State;
  there: State;
  exit: Exit;
  id: string;
}

const newCases = (): Case[] =>
  MATRIX.map(([here, there, exit], index) => ({
    title: `${String(index + 1).padStart(2, '0')} here ${here} there ${there}`,
    here,
    there,
    exit,
    id: '',
  }));
let cases: Case[];
let hidden: Set<string>;

let opened: SignedInApp;
let proxy: ChangingProxy;
let direct: ServiceClient;
let page: Page;
let siteId: string;
let collectionId: string;

/** Creates the item of a case in the library, without the app. */
async function create(each: Case): Promise<void> {
  const path = await direct.createItem(each.title, { collection_id: collectionId, byline: 'Talk' });
  each.id = path.split('/').at(-1) ?? '';
}

const isCreated = ({ here, there }: Case) => here === 'created' || there === 'created';

async function openLibrary(dialect: 'reference' | 'lean' | 'strict'): Promise<void> {
  cases = newCases();
  hidden = new Set();
  opened = await openSignedInApp({
    service: { dialect },
    prepare: async (library) => {
      direct = library.direct;
      const made = await direct.post('/api2/collections', { display_name: 'Season', parent_id: '1' });
      collectionId = made.location.split('/').at(-1) ?? '';
      for (const each of cases.filter((some) => !isCreated(some))) {
        await create(each);
        if (each.here === 'hidden') hidden.add(each.id);
      }
    },
    site: async ({ service }) => {
      proxy = await startChangingProxy(service.baseUrl);
      proxy.change({ reply: withoutItems(hidden) });
      return proxy.baseUrl;
    },
  });
  page = opened.page;
  const [site] = await ask<CallOutput<'sites.list'>>(page, 'sites.list', null);
  siteId = site?.id ?? '';
  await ask(page, 'library.syncNow', { siteId });
}
afterEach(async () => {
  await opened?.close();
  await proxy?.close();
});

const list = (): Locator => page.getByRole('grid', { name: 'Items' });
const edits = (): Locator => page.getByRole('grid', { name: 'Edited items' });
const search = (): Locator => page.getByRole('combobox', { name: 'Search items' });
const row = (within: Locator, title: string): Locator => within.getByRole('row').filter({ hasText: title });

/** Selects all items with this action of the user. Returns their number. */
async function selectAll(here: State): Promise<number> {
  const wanted = cases.filter((each) => each.here === here);
  await search().fill(`"here ${here}"`);
  for (const { title } of wanted) await row(list(), title).waitFor();
  await list().focus();
  await page.keyboard.press('Control+a');
  await page.getByRole('region', { name: 'Selected items' }).getByText(`${wanted.length} items selected`).waitFor();
  return wanted.length;
}

/** Makes the changes of the user without a connection. */
async function editHere(): Promise<void> {
  const changed = await selectAll('changed');
  const form = page.getByRole('form', { name: 'Edit selected items' });
  await form.getByRole('checkbox', { name: 'Byline' }).click({ force: true });
  await form.getByRole('textbox', { name: 'New text' }).fill('Mine');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: `Change ${changed} items` }).click();
  await page.getByRole('button', { name: `Change ${changed} items` }).waitFor({ state: 'detached' });
  const deleted = await selectAll('deleted');
  await page.keyboard.press('Delete');
  const dialog = page.getByRole('alertdialog', { name: `Delete ${deleted} items?` });
  await dialog.getByRole('button', { name: `Delete ${deleted} items` }).click();
  await dialog.waitFor({ state: 'detached' });
  await search().fill('');
}

/** Makes the changes of other people in the meantime. */
async function editThere(): Promise<void> {
  for (const { id, here, there } of cases) {
    if (here === 'hidden' && there !== 'hidden') hidden.delete(id);
    if (there === 'changed')
      expect((await direct.post(`/api2/media/${id}`, { byline: 'Theirs' })).status).toBeLessThan(300);
    if (there === 'deleted') expect((await direct.delete(`/api2/media/${id}`)).status).toBe(204);
    if (there === 'hidden') hidden.add(id);
  }
}

async function whenSent(): Promise<void> {
  const page1 = { siteId: null, isOpen: true, offset: 0, limit: 1 };
  const pending = async () => (await ask<CallOutput<'edits.groups'>>(page, 'edits.groups', page1)).totals.pending;
  await expect.poll(pending, { timeout: 300_000 }).toBe(0);
}

/** Answers the question about an item in the view of edits. */
async function answer({ id, title, exit }: Case): Promise<void> {
  const line = row(edits(), title);
  if (exit.answer === 'mine' || exit.answer === 'theirs') {
    await line.getByRole('button', { name: 'Decide…' }).click();
    const isDeletion = exit.asks === 'edit.deletion-asks';
    const name = isDeletion ? `Delete “${title}” anyway?` : `Decide about “${title}”`;
    const dialog = page.getByRole('dialog', { name });
    const [mine, theirs] = isDeletion
      ? ['Delete the item with its files', 'Keep the item']
      : ['Keep mine', 'Take theirs'];
    await dialog.getByText(exit.answer === 'mine' ? mine : theirs, { exact: true }).click();
    const isDeleted = isDeletion && exit.answer === 'mine';
    await dialog.getByRole('button', { name: isDeleted ? 'Delete' : 'Save decision', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  } else if (exit.answer === 'drop') {
    await line.getByRole('button', { name: 'Drop', exact: true }).click();
  } else {
    hidden.delete(id);
    await line.getByRole('button', { name: 'Retry', exact: true }).click();
  }
  await line.waitFor({ state: 'detached' });
}

/** Returns the bylines in the library and in the list of the window; null: the item does not exist. */
async function ends(): Promise<Record<string, [string | null, string | null]>> {
  const query = { siteId, collectionId, search: '', type: null, status: null, sort: 'title', order: 'asc' };
  const { rows } = await ask<CallOutput<'library.mediaWindow'>>(page, 'library.mediaWindow', {
    query,
    offset: 0,
    limit: 100,
  });
  const found: Record<string, [string | null, string | null]> = {};
  for (const { id, title } of cases) {
    const { status, body } = await direct.get(`/api2/media/${id}`);
    const listed = rows.find((each) => each.id === id);
    found[title] = [status === 200 ? body.byline : null, listed === undefined ? null : (listed.byline ?? '')];
  }
  return found;
}

it.each(['reference', 'lean', 'strict'] as const)(
  'each of the 25 pairs ends as the matrix says in a library with the dialect %s',
  {
    timeout: 300_000,
  },
  async (dialect) => {
    await openLibrary(dialect);
    await openView(page, 'All items');
    await chooseCollection(page, 'Season');
    for (const each of cases.filter(isCreated)) {
      await create(each);
      // This computer has read the item, but no pass has listed it.
      if (each.here !== 'unchanged' && each.here !== 'hidden') {
        await ask(page, 'library.media', { siteId, mediaId: each.id });
      }
    }
    proxy.change({ reply: () => null });
    await editHere();
    await editThere();
    proxy.change({ reply: withoutItems(hidden) });

    await openView(page, 'Edits');
    await page.getByRole('radio', { name: /^Not sent/ }).click();
    // The button exists until the app sends the edits automatically.
    await Promise.any([page.getByRole('button', { name: 'Send now' }).click(), whenSent()]);
    await whenSent();
    await page.getByRole('radio', { name: /^Needs attention/ }).click();
    const asking = cases.filter(({ exit }) => exit.asks !== undefined);
    for (const { title } of asking) await row(edits(), title).waitFor();
    expect(await edits().getByRole('row').count()).toBe(asking.length);
    for (const each of asking) await answer(each);
    await page.getByText('Nothing needs your attention').waitFor();
    await whenSent();
    await ask(page, 'library.syncNow', { siteId });

    const wanted = cases.map(({ title, exit }) => [title, [exit.library, exit.listed]]);
    await expect.poll(ends, { timeout: 60_000 }).toEqual(Object.fromEntries(wanted));
  },
);
