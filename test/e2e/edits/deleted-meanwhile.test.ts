// Items and collections that someone else deletes while edits are pending, and their history, in the real app.
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, openView } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import type { BulkChange } from '../../../shared/contract/edits.ts';
import { axeFindings, axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import type { ServiceClient } from '../../helpers/service/service-client.ts';

let opened: SignedInApp;
let page: Page;
let direct: ServiceClient;
let siteId: string;

beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: (library) => library.direct.post('/api2/collections', { display_name: 'Season', parent_id: '1' }),
  });
  ({ page, direct } = opened);
  const [site] = await ask<CallOutput<'sites.list'>>(page, 'sites.list', null);
  siteId = site?.id ?? '';
}, 600_000);
afterAll(() => opened?.close());

const NEARLY_LOST: BulkChange = { byline: { kind: 'set', value: 'Nearly lost' } };

/** Edits an item that is deleted before the edit is sent. */
async function editDeleted(title: string, change: BulkChange = NEARLY_LOST): Promise<void> {
  const path = await direct.createItem(title);
  const id = path.split('/').at(-1) ?? '';
  const plan = await ask<{ planId: string }>(page, 'edits.plan', { selection: { siteId, ids: [id] }, change });
  await direct.delete(path);
  await ask(page, 'edits.apply', { planId: plan.planId });
  const refused = async () =>
    (await ask<{ totals: { refused: number } }>(page, 'edits.groups', { isOpen: true })).totals.refused;
  await expect.poll(refused, { timeout: 60_000 }).toBe(1);
}

/** Chooses the collection in the field with the focus. */
async function chooseSeason(): Promise<void> {
  await page.keyboard.type('seas');
  // Until then, the list has other collections as well, and a key would go to one that is about to disappear.
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual([expect.stringMatching(/^Season/)]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}

/** Opens the list of edits that need a decision; the view itself may open before the window knows of them. */
async function openAttention(): Promise<void> {
  await openView(page, 'All items');
  await page.keyboard.press('Control+5');
  await page.getByRole('radio', { name: /^Needs attention/ }).click();
}

describe('an edit of an item that someone else deleted', () => {
  it('is restored as a new item in a collection that the user chooses, with keys only', async () => {
    await editDeleted('Gone talk');
    await openAttention();
    const row = page.getByRole('row').filter({ hasText: 'Gone talk' });
    await row.getByText(/This item was deleted in the library/).waitFor();
    await row.click();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Restore “Gone talk” as new?' });
    await dialog.getByText(/Its files don’t come back/).waitFor();
    // The list of collections opens with the focus.
    await page.getByRole('listbox').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await chooseSeason();
    await page.keyboard.press('Enter');
    await page.getByText('Restored “Gone talk” as new.').first().waitFor();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await direct.get('/api2/media?sort=title');
    expect(body.items.filter((item: { title: string }) => item.title === 'Gone talk')).toMatchObject([
      { byline: 'Nearly lost', status: 'draft' },
    ]);
  });

  it('needs a decision when the reply to the restoration is lost and only a title identifies the created item', async () => {
    await editDeleted('Lost talk', { title: { kind: 'set', value: 'Found talk' } });
    await openAttention();
    // The row has the new title when the mirror had read the item before it was deleted.
    const row = page.getByRole('row').filter({ hasText: /(Lost|Found) talk/ });
    await row.getByRole('button', { name: 'Restore as new…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Restore “(Lost|Found) talk” as new\?$/ });
    // The list of collections opens with the focus; what is typed before goes to the list of edits.
    await page.getByRole('listbox').waitFor();
    await chooseSeason();
    const lost = { method: 'POST', path: '^/api2/media$', times: 1, action: { kind: 'lose-reply' } };
    await opened.service.control('POST', '/faults', lost);
    await page.keyboard.press('Enter');
    await dialog.getByText(/can’t tell whether it created one of these/).waitFor();
    expect(await dialog.getByRole('button', { name: 'Restore as new' }).isDisabled()).toBe(true);
    await dialog.getByRole('radio', { name: /^Found talk/ }).check({ force: true });
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Use this item' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await direct.get('/api2/media?sort=title');
    expect(body.items.filter((item: { title: string }) => item.title === 'Found talk')).toHaveLength(1);
  });

  it('can be dropped instead of restored', async () => {
    await editDeleted('Dropped talk');
    await openAttention();
    const row = page.getByRole('row').filter({ hasText: 'Dropped talk' });
    await row.getByRole('button', { name: 'Restore as new…' }).waitFor();
    await row.getByRole('button', { name: 'Drop' }).click();
    await row.waitFor({ state: 'detached' });
  });
});

describe('the changes of one collection or item', () => {
  it('are shown from its menu, without the changes of others', async () => {
    await openView(page, 'All items');
    const line = page.getByRole('treeitem').filter({ hasText: 'Season' });
    await line.click();
    await page.keyboard.press('F2');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Season 2');
    await page.keyboard.press('Enter');
    const renamed = page.getByRole('treeitem').filter({ hasText: 'Season 2' });
    await renamed.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Show changes…' }).click();
    await page.getByRole('heading', { name: /Changes of “Season 2”/ }).waitFor();
    const change = page.getByRole('row').filter({ hasText: 'Season 2' });
    await change.getByText('Name').first().waitFor();
    expect(await change.count()).toBe(1);
    expect(await page.getByRole('row').filter({ hasText: 'talk' }).count()).toBe(0);
    expect(await axeFindings(page, 'all')).toEqual([]);
    await page.getByRole('button', { name: 'All edits' }).click();
    await page.getByRole('heading', { name: 'Edits', exact: true }).waitFor();
  });

  it('are replaced by all edits when the user returns to the view; a heading says when there are none', async () => {
    await direct.createItem('Never changed');
    await openView(page, 'All items');
    await page.keyboard.press('F5');
    await page.getByRole('row').filter({ hasText: 'Never changed' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Show changes…' }).click();
    await page.getByRole('heading', { name: 'No changes made here' }).waitFor();
    await openView(page, 'All items');
    await page.keyboard.press('Control+5');
    await page.getByRole('heading', { name: 'Edits', exact: true }).waitFor();
  });
});
