// Edits of many items, by mouse and by keyboard: the real app, the real service.
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { announced, setWindow, whenOverlayFocused } from '../../helpers/desktop/window-actions.ts';
import type { ServiceClient } from '../../helpers/service/service-client.ts';
import type { ServiceProcess } from '../../helpers/service/service-process.ts';

/** More items than one page of the API contains, and more than the list loads at a time. */
const TALKS = 230;

interface Item {
  id: string;
  title: string;
  byline: string | null;
  tags: string[];
  status: string;
  collection_id: string;
}

let opened: SignedInApp;
let service: ServiceProcess;
let direct: ServiceClient;
let page: Page;
let season: string;
let archive: string;

beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async (library) => {
      ({ direct } = library);
      season = await make('Season');
      archive = await make('Archive');
      const numbers = Array.from({ length: TALKS }, (_, index) => String(index + 1).padStart(3, '0'));
      for (let at = 0; at < TALKS; at += 10) {
        await Promise.all(
          numbers
            .slice(at, at + 10)
            .map((number) => direct.createItem(`Talk ${number}`, { collection_id: season, tags: ['draft-cut'] })),
        );
      }
    },
  });
  ({ service, page } = opened);
});
afterAll(() => opened?.close());

async function make(displayName: string): Promise<string> {
  const answer = await direct.post('/api2/collections', { display_name: displayName, parent_id: '1' });
  expect(answer.status).toBe(201);
  return answer.location.split('/').at(-1) ?? '';
}

/** Returns all items of a collection from the library. */
async function itemsIn(collectionId: string): Promise<Item[]> {
  const items: Item[] = [];
  let path: string | null = `/api2/media?collection_id=${collectionId}`;
  while (path !== null) {
    const { body } = await direct.get(path);
    items.push(...body.items);
    path = body.links.next;
  }
  return items;
}

/** Returns the number of items of a collection for which a condition is true. */
const countIn = (collectionId: string, holds: (item: Item) => boolean) => async () =>
  (await itemsIn(collectionId)).filter(holds).length;

const list = (): Locator => page.getByRole('grid', { name: 'Items' });
const row = (title: string): Locator => list().getByRole('row').filter({ hasText: title });
const line = (name: string): Locator =>
  page.getByRole('tree', { name: 'Collections' }).locator('[data-collection-id]').filter({ hasText: name });
const bar = (): Locator => page.getByRole('region', { name: 'Selected items' });
const review = (): Locator => page.getByRole('dialog', { name: /^Review \d+ changes$/ });
const said = (text: string | RegExp) => announced(page, text, 45_000);

/** Reports the findings of axe in the window, in light and dark, without ending the test. */
async function scan(name: string): Promise<void> {
  expect.soft(await axeFindingsInThemes(page), name).toEqual([]);
}

/** Opens a collection, and waits for its heading. */
async function open(name: string): Promise<void> {
  await line(name).click();
  await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
}

async function sortByTitle(): Promise<void> {
  await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click();
  await row('Talk 001').waitFor();
}

describe('a user with many items', () => {
  it('selects all results, also those that are not loaded, and deselects single ones', async () => {
    await open('Season');
    await sortByTitle();
    await row('Talk 001').click();
    await page.keyboard.press('Control+a');
    await bar().getByText('All 230 items selected').waitFor();
    await row('Talk 003').click({ modifiers: ['Control'] });
    await bar().getByText('229 items selected').waitFor();
    expect(await row('Talk 003').getAttribute('aria-selected')).toBe('false');
    // The end of the list was not loaded when everything was selected.
    await page.keyboard.press('Control+End');
    await row('Talk 230').waitFor();
    expect(await row('Talk 230').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Escape');
    await bar().waitFor({ state: 'detached' });
    await page.keyboard.press('Home');
    // The box of a row adds to the selection without a key.
    for (const title of ['Talk 002', 'Talk 004']) {
      await row(title).hover();
      await row(title).locator('[data-check]').click();
    }
    await bar().getByText('3 items selected').waitFor();
    await bar().getByRole('button', { name: 'Deselect' }).click();
    await bar().waitFor({ state: 'detached' });
  });

  it('edits all results by mouse: mixed values, only ticked fields, a review with exclusions, and an undo', async () => {
    await row('Talk 001').click();
    await page.keyboard.press('Control+a');
    const form = page.getByRole('form', { name: 'Edit selected items' });
    await form.getByRole('group', { name: 'Title' }).getByText('Mixed').waitFor();
    await form.getByRole('checkbox', { name: 'Byline' }).click({ force: true });
    await scan('selection');
    await form.getByRole('textbox', { name: 'New text' }).fill('Physics department');
    // In a narrow window the inspector is a drawer, which is closed. The form that opens afterwards contains the typed text.
    await setWindow(opened.desktop, 720, 500);
    await form.waitFor({ state: 'detached' });
    await setWindow(opened.desktop, 1280, 800);
    expect(await form.getByRole('textbox', { name: 'New text' }).inputValue()).toBe('Physics department');
    await form.getByRole('button', { name: 'Review changes…' }).click();
    await review().waitFor();
    await review().getByText('Byline 230').waitFor();
    await scan('review');
    await review().getByRole('grid', { name: 'Changes by item' }).focus();
    await page.keyboard.press('Home');
    await review().getByRole('button', { name: 'Include Talk 001' }).click();
    await review().getByText('1 item left out.').waitFor();
    await review().getByRole('button', { name: 'Change 229 items' }).click();
    await said('Changed 229 items.');
    const messages = await page.locator('[data-message]').last().boundingBox();
    const bar = await page.getByRole('region', { name: 'Selected items' }).boundingBox();
    expect((messages?.y ?? 0) + (messages?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
    const hasByline = ({ byline }: Item) => byline === 'Physics department';
    expect(await countIn(season, hasByline)()).toBe(229);
    expect((await itemsIn(season)).find(({ title }) => title === 'Talk 001')?.byline ?? '').toBe('');
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
    await said('Restored 229 items.');
    expect(await countIn(season, hasByline)()).toBe(0);
  });

  it('changes tags by keyboard alone', async () => {
    await row('Talk 001').click();
    await list().focus();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await bar().getByText('3 items selected').waitFor();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Tags…' }).waitFor();
    await whenOverlayFocused(page);
    await page.keyboard.type('Tags');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Tags of 3 items' });
    await dialog.waitFor();
    await scan('tags');
    // The dialog opens with the focus in its field.
    await expect
      .poll(() => dialog.getByLabel('Add tags').evaluate((field) => field === document.activeElement))
      .toBe(true);
    await page.keyboard.type('keynote,');
    await dialog.getByRole('button', { name: 'Remove draft-cut 3' }).focus();
    await page.keyboard.press('Space');
    await dialog.getByLabel('Add tags').focus();
    await page.keyboard.press('Enter');
    await review().waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Change 3 items');
    await page.keyboard.press('Enter');
    await said('Changed the tags of 3 items.');
    const tags = (await itemsIn(season)).filter(({ tags: [only] }) => only === 'keynote');
    expect(tags.map(({ title }) => title).sort()).toEqual(['Talk 001', 'Talk 002', 'Talk 003']);
    await list().focus();
    await page.keyboard.press('Control+z');
    await said('Restored 3 items.');
    expect(await countIn(season, ({ tags: all }) => all.includes('draft-cut'))()).toBe(TALKS);
  });

  it('fills fields from a pattern, shows what it would do while it is typed, and undoes it, by keyboard', async () => {
    await row('Talk 001').click();
    await list().focus();
    await page.keyboard.press('Shift+ArrowDown');
    await bar().getByText('2 items selected').waitFor();
    const form = page.getByRole('form', { name: 'Edit selected items' });
    await form.getByRole('checkbox', { name: 'Fill from a pattern' }).focus();
    await page.keyboard.press('Space');
    const type = async (label: string, text: string) => {
      await form.getByLabel(label, { exact: true }).focus();
      await page.keyboard.type(text);
    };
    await type('Pattern', '{kind} {nnn}');
    await type('Build title', '{kind} no. {n} of 2026');
    const examples = form.getByRole('region', { name: 'Preview of the first items' });
    await examples.getByText('Talk no. 001 of 2026').waitFor();
    await examples.getByText('2 items would change.').waitFor();
    // A token that the pattern doesn't read: the field shows the problem, and no change is sent.
    await type('Build tags', '{now}, {speaker}');
    await page.keyboard.press('Enter');
    await form.getByText(/“\{speaker\}” isn’t a token/).waitFor();
    await form.getByLabel('Build tags', { exact: true }).fill('{now}, {kind}');
    await examples.locator('ins').filter({ hasText: /Talk$/ }).first().waitFor();
    await scan('pattern');
    await form.getByLabel('Build tags', { exact: true }).focus();
    await page.keyboard.press('Enter');
    await review().waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Change 2 items');
    await page.keyboard.press('Enter');
    await said('Changed 2 items.');
    const changed = (await itemsIn(season)).filter(({ title }) => title.endsWith('of 2026'));
    expect(
      changed
        .map(({ title, tags }) => ({ title, tags: [...tags].sort() }))
        .sort((a, b) => (a.title < b.title ? -1 : 1)),
    ).toEqual([
      { title: 'Talk no. 001 of 2026', tags: ['Talk', 'draft-cut'] },
      { title: 'Talk no. 002 of 2026', tags: ['Talk', 'draft-cut'] },
    ]);
    await list().focus();
    await page.keyboard.press('Control+z');
    await said('Restored 2 items.');
    await row('Talk 001').waitFor();
  });

  it('moves dragged items into a collection of the tree, and back with an undo', async () => {
    await row('Talk 001').click();
    await row('Talk 004').click({ modifiers: ['Shift'] });
    await row('Talk 002').hover();
    await page.mouse.down();
    const target = await line('Archive').boundingBox();
    if (target === null) throw new Error('The collection is not visible.');
    await page.mouse.move(target.x + 60, target.y + target.height / 2, { steps: 6 });
    await page.getByText('Move 4 items to “Archive”').waitFor();
    await page.mouse.up();
    await said('Moved 4 items.');
    expect(await countIn(archive, () => true)()).toBe(4);
    await row('Talk 001').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
    await said('Restored 4 items.');
    expect(await countIn(season, () => true)()).toBe(TALKS);
    await row('Talk 001').waitFor();
    // Escape ends a drag without a move.
    await row('Talk 001').hover();
    await page.mouse.down();
    await page.mouse.move(target.x + 60, target.y + target.height / 2, { steps: 6 });
    await page.getByText('Move Talk 001 to “Archive”').waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.up();
    expect(await countIn(archive, () => true)()).toBe(0);
  });

  it('publishes and unpublishes from the bar', async () => {
    await row('Talk 005').click();
    await row('Talk 006').click({ modifiers: ['Shift'] });
    await bar().getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('menuitem', { name: 'Publish now' }).click();
    await page.getByRole('button', { name: 'Change 2 items' }).click();
    await said('Published 2 items.');
    expect(await countIn(season, ({ status }) => status === 'published')()).toBe(2);
    await bar().getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('menuitem', { name: 'Unpublish' }).click();
    await page.getByRole('button', { name: 'Change 2 items' }).click();
    await expect.poll(countIn(season, ({ status }) => status === 'published')).toBe(0);
  });

  it('deletes selected items with the Delete key, after a question that names their number', async () => {
    await row('Talk 007').click();
    await row('Talk 008').click({ modifiers: ['Shift'] });
    await page.keyboard.press('Delete');
    const dialog = page.getByRole('alertdialog', { name: 'Delete 2 items?' });
    await dialog.waitFor();
    // Enter keeps the items: the button that closes the dialog has the focus.
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await list().focus();
    await page.keyboard.press('Delete');
    await dialog.getByRole('button', { name: 'Delete 2 items' }).click();
    await said('Deleted 2 items.');
    expect(await countIn(season, () => true)()).toBe(TALKS - 2);
    await row('Talk 007').waitFor({ state: 'detached' });
  });

  it('sees the value of another user in a conflict, and takes it', async () => {
    const [conflicting] = (await itemsIn(season)).filter(({ title }) => title === 'Talk 010');
    const id = conflicting?.id ?? '';
    await service.control('PATCH', '/settings', { read_only: true });
    await row('Talk 010').click();
    await row('Talk 011').click({ modifiers: ['Shift'] });
    const form = page.getByRole('form', { name: 'Edit selected items' });
    await form.getByRole('checkbox', { name: 'Byline' }).click({ force: true });
    await form.getByRole('textbox', { name: 'New text' }).fill('Mine');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Change 2 items' }).click();
    await said(/Changes of 2 items are saved on this computer/);
    await service.control('PATCH', '/settings', { read_only: false });
    await direct.post(`/api2/media/${id}`, { byline: 'Theirs' });
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: /^Edits/ })
      .click();
    await page.getByRole('radio', { name: /^Not sent/ }).click();
    const send = page.getByRole('button', { name: 'Send now' });
    if ((await send.count()) > 0) await send.click();
    await page.getByRole('radio', { name: /^Needs attention/ }).click();
    const edits = page.getByRole('grid', { name: 'Edited items' });
    const conflict = edits.getByRole('row').filter({ hasText: 'Talk 010' });
    await conflict.waitFor({ timeout: 300_000 });
    await conflict.dblclick();
    const dialog = page.getByRole('dialog', { name: 'Decide about “Talk 010”' });
    await dialog.getByText('Theirs', { exact: true }).waitFor();
    await scan('decision');
    await dialog.getByText('Take theirs', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Save decision' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Nothing needs your attention').waitFor();
    await page.getByRole('radio', { name: 'History' }).click();
    await page.getByRole('grid', { name: 'History of edits' }).getByText('Edit fields').first().waitFor();
    await scan('history');
    const items = await itemsIn(season);
    expect(items.find((item) => item.id === id)?.byline).toBe('Theirs');
    expect(items.find(({ title }) => title === 'Talk 011')?.byline).toBe('Mine');
  });
});
