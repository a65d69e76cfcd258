// Work with collections, by mouse and by keyboard: the real app, the real service.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ask } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import type { DesktopApp } from '../../helpers/desktop/desktop-app.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { announced, runInPalette, whenOverlayFocused } from '../../helpers/desktop/window-actions.ts';
import type { ServiceClient } from '../../helpers/service/service-client.ts';
import type { ServiceProcess } from '../../helpers/service/service-process.ts';
import { png } from '../../helpers/service/service-samples.ts';

let opened: SignedInApp;
let service: ServiceProcess;
let desktop: DesktopApp;
let direct: ServiceClient;
let page: Page;
/** A collection at the second level whose contents the tests change. */
let home: string;

beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async (library) => {
      ({ direct } = library);
      home = await make('1', 'Home');
    },
  });
  ({ service, desktop, page } = opened);
});
afterAll(() => opened?.close());

afterEach(async () => void (await service.control('PATCH', '/settings', { read_only: false })));

async function make(parentId: string, displayName: string, fields: object = {}): Promise<string> {
  const answer = await direct.post('/api2/collections', { display_name: displayName, parent_id: parentId, ...fields });
  expect(answer.status).toBe(201);
  return answer.location.split('/').at(-1) ?? '';
}

const tree = () => page.getByRole('tree', { name: 'Collections' });
const line = (name: string): Locator => tree().locator('[data-collection-id]').filter({ hasText: name });
const menu = (name: string) => page.getByRole('menu', { name });
const said = (text: string | RegExp) => announced(page, text);
const choose = (label: string) => page.getByRole('menuitem', { name: label }).click();

/** Refreshes and expands the tree, so that collections that were created through the API are visible. */
async function show(...names: string[]): Promise<void> {
  await page.keyboard.press('F5');
  // A list that is scrolled down renders no line for Home.
  await tree().focus();
  await page.keyboard.press('Home');
  await tree().locator('[data-collection-id][aria-expanded]').filter({ hasText: 'Home' }).click();
  await page.keyboard.press('*');
  for (const name of names.toReversed()) await reveal(name);
}

/** Scrolls the tree until it renders a line: it renders only those near its visible part. */
async function reveal(name: string): Promise<void> {
  const scrollOn = () =>
    tree().evaluate((element) => {
      const { scrollTop, clientHeight, scrollHeight } = element;
      const isAtEnd = scrollTop + clientHeight >= scrollHeight - 1;
      element.scrollTop = isAtEnd ? 0 : scrollTop + clientHeight / 2;
    });
  await expect
    .poll(async () => {
      if ((await line(name).count()) > 0) return true;
      await scrollOn();
      return false;
    })
    .toBe(true);
}

const collection = async (id: string) => (await direct.get(`/api2/collections/${id}`)).body;

describe('a user with collections', () => {
  it('creates a subcollection from the context menu, by mouse and by keyboard', async () => {
    await line('Home').click({ button: 'right' });
    await choose('New subcollection…');
    const dialog = page.getByRole('dialog', { name: 'New collection' });
    await dialog.getByLabel('Name').fill('By mouse');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await line('By mouse').waitFor();
    await line('Home').click();
    await page.keyboard.press('Shift+F10');
    await menu('Commands for Home').waitFor();
    await whenOverlayFocused(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Name').fill('By keyboard');
    await page.keyboard.press('Enter');
    await line('By keyboard').waitFor();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await direct.get(`/api2/collections?parent_id=${home}`);
    const names = body.items.map((item: { display_name: string }) => item.display_name);
    expect(names.sort()).toEqual(['By keyboard', 'By mouse']);
  });

  it('renames a collection in the tree with F2, can correct a name that is too long, and undoes the change', async () => {
    const id = await make(home, 'Drafty');
    await show('Drafty');
    await line('Drafty').click();
    await page.keyboard.press('F2');
    const field = page.getByLabel('New name for Drafty');
    await field.fill('x'.repeat(256));
    await page.keyboard.press('Enter');
    await page.getByText('Use 255 characters or fewer.').first().waitFor();
    expect(await field.inputValue()).toHaveLength(256);
    await field.fill('Drafts');
    await page.keyboard.press('Enter');
    await said('Renamed “Drafty” to “Drafts”.');
    expect(await collection(id)).toMatchObject({ display_name: 'Drafts' });
    await tree().focus();
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await collection(id)).display_name).toBe('Drafty');
    await line('Drafty').waitFor();
    // Escape leaves the name as it is.
    await line('Drafty').click({ button: 'right' });
    await choose('Rename');
    await page.getByLabel('New name for Drafty').fill('Never');
    await page.keyboard.press('Escape');
    await line('Drafty').waitFor();
    expect(await collection(id)).toMatchObject({ display_name: 'Drafty' });
  });

  it('sees why the library refuses a new name, can change the typed text, and gets the old name back with Escape', async () => {
    const id = await make(home, 'Guarded');
    await show('Guarded');
    const path = `^/api2/collections/${id}$`;
    await service.control('POST', '/faults', { method: 'POST', path, action: { kind: 'status', status: 403 } });
    onTestFinished(async () => void (await service.control('DELETE', '/faults')));
    await line('Guarded').click();
    await page.keyboard.press('F2');
    const field = page.getByLabel('New name for Guarded');
    await field.fill('Refused');
    await page.keyboard.press('Enter');
    await said('You don’t have permission');
    expect(await field.inputValue()).toBe('Refused');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
    await line('Guarded').waitFor();
    expect(await line('Refused').count()).toBe(0);
    expect(await collection(id)).toMatchObject({ display_name: 'Guarded' });
    // No edit remains that would be sent later.
    const { totals } = await ask<CallOutput<'edits.groups'>>(page, 'edits.groups', {
      siteId: null,
      isOpen: true,
      offset: 0,
      limit: 1,
    });
    expect(totals).toMatchObject({ pending: 0, refused: 0, conflict: 0 });
  });

  it('undoes a change without overwriting a value that someone else changed later', async () => {
    const id = await make(home, 'Shared');
    await show('Shared');
    await line('Shared').click();
    await page.keyboard.press('F2');
    await page.getByLabel('New name for Shared').fill('Mine');
    await page.keyboard.press('Enter');
    await said('Renamed “Shared” to “Mine”.');
    await direct.post(`/api2/collections/${id}`, { display_name: 'Theirs' });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await said(/was changed again since, so it stays/);
    expect(await collection(id)).toMatchObject({ display_name: 'Theirs' });
  });

  it('edits all fields, sees a taken slug at its field, and is asked before edits are lost', async () => {
    await make(home, 'Other', { slug: 'taken' });
    const id = await make(home, 'Editable');
    await show('Editable');
    await line('Editable').hover();
    await line('Editable').getByRole('button', { name: 'More for Editable' }).click();
    await choose('Edit…');
    const dialog = page.getByRole('dialog', { name: 'Edit “Editable”' });
    await dialog.getByLabel('Slug').fill('taken');
    await dialog.getByRole('textbox', { name: 'Description', exact: true }).focus();
    await page.keyboard.type('First line');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Second <b>paragraph</b>');
    await dialog.getByText('Transcribe new items automatically').click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.locator('[aria-invalid="true"]').waitFor();
    expect(await dialog.textContent()).toContain('Another collection already uses this slug');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog', { name: 'Discard your changes?' }).waitFor();
    await whenOverlayFocused(page);
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Slug').fill('editable-2');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await collection(id)).toMatchObject({
      slug: 'editable-2',
      description: '<p>First line</p>\n<p>Second &lt;b&gt;paragraph&lt;/b&gt;</p>',
      autotranscribe_enabled: true,
    });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(async () => (await collection(id)).autotranscribe_enabled).toBe(false);
    expect((await collection(id)).description).toBe('');
  });

  it('moves collections by dragging and by the dialog, and undoes a move', async () => {
    const [from, to] = [await make(home, 'From'), await make(home, 'Target')];
    const [one, two] = [await make(from, 'Cargo one'), await make(from, 'Cargo two')];
    await show('From', 'Target');
    await line('From').click();
    await page.keyboard.press('ArrowRight');
    await line('Cargo one').click();
    await page.keyboard.press('Shift+ArrowDown');
    expect(await tree().locator('[data-marked]').count()).toBe(2);
    await reveal('Target');
    await line('Cargo two').hover({ position: { x: 60, y: 10 } });
    await page.mouse.down();
    // Messages below the tree disappear meanwhile, which moves the last lines of the tree: the pointer follows the line.
    await expect
      .poll(async () => {
        await line('Target').hover({ position: { x: 60, y: 12 } });
        return page.getByText('Move 2 collections to “Target”').count();
      })
      .toBe(1);
    await page.mouse.up();
    await said('Moved 2 collections to “Target”.');
    expect([(await collection(one)).parent_id, (await collection(two)).parent_id]).toEqual([to, to]);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(async () => (await collection(two)).parent_id).toBe(from);
    await line('Cargo one').first().click();
    await page.keyboard.press('Shift+F10');
    await menu('Commands for Cargo one').waitFor();
    await whenOverlayFocused(page);
    await page.keyboard.type('Move');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Move “Cargo one”' });
    await dialog.getByRole('combobox').fill('Target');
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual([expect.stringMatching(/^Target/)]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await collection(one)).parent_id).toBe(to);
  });

  it('sees exactly what a deletion removes, and must type the name of a large collection', async () => {
    const big = await make(home, 'Big one');
    const inner = await make(big, 'Inner');
    for (let n = 0; n < 11; n += 1) await direct.createItem(`item ${n}`, { collection_id: n % 2 ? big : inner });
    const small = await make(home, 'Small one');
    await show('Big one', 'Small one');
    await line('Big one').click();
    await page.keyboard.press('Delete');
    const dialog = page.getByRole('alertdialog', { name: 'Delete “Big one”?' });
    await dialog.getByText('1 subcollection', { exact: true }).waitFor();
    await dialog.getByText('11 items', { exact: true }).waitFor();
    // The button that closes the dialog without a deletion has the focus.
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await tree().focus();
    await page.keyboard.press('Delete');
    const remove = dialog.getByRole('button', { name: 'Delete', exact: true });
    await dialog.getByLabel('Type Big one to confirm').fill('Big');
    expect(await remove.isDisabled()).toBe(true);
    await dialog.getByLabel('Type Big one to confirm').fill('Big one');
    await direct.createItem('one more', { collection_id: inner });
    await remove.click();
    await dialog.getByText(/contain more than you confirmed/).waitFor();
    await dialog.getByText('12 items', { exact: true }).waitFor();
    await dialog.getByLabel('Type Big one to confirm').fill('Big one');
    await remove.click();
    await said('Deleted “Big one” with 12 items.');
    expect((await direct.get(`/api2/collections/${inner}`)).status).toBe(404);
    await line('Small one').click({ button: 'right' });
    await choose('Delete…');
    await page.getByRole('alertdialog').getByText('The collection is empty.').waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(async () => (await direct.get(`/api2/collections/${small}`)).status).toBe(404);
    await line('Small one').waitFor({ state: 'detached' });
  });

  it('sees subcollections above the items, and their items on request', async () => {
    const parent = await make(home, 'Parent');
    const child = await make(parent, 'Child');
    await direct.createItem('At the parent', { collection_id: parent });
    await direct.createItem('At the child', { collection_id: child });
    await show('Parent');
    await line('Parent').click();
    const section = page.getByRole('region', { name: 'Subcollections' });
    await section.getByRole('button', { name: /^Child/ }).waitFor();
    const items = page.getByRole('grid', { name: 'Items' });
    await items.getByText('At the parent').waitFor();
    expect(await items.getByText('At the child').count()).toBe(0);
    await section.getByText('Include items of subcollections').click();
    await items.getByText('At the child').waitFor();
    await section.getByRole('button', { name: /^Child/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Child', exact: true, level: 1 }).waitFor();
  });

  it('edits podcast details: keeps unknown values, unsaved edits and a category typed again, and shows what is required', async () => {
    const id = await make(home, 'Radio', { is_podcast: true });
    const details = () => direct.get(`/api2/collections/${id}/podcast-details`).then(({ body }) => body);
    const unknown = { directory_category: 'Kultur » Hörspiel', directory_edu_category: 'K-12 (old)' };
    await direct.post(`/api2/collections/${id}/podcast-details`, unknown);
    await show('Radio');
    await line('Radio').click({ button: 'right' });
    await choose('Podcast details…');
    const dialog = page.getByRole('dialog', { name: 'Podcast details of “Radio”' });
    await dialog.getByRole('heading', { name: '1 of 8 ready for directories' }).waitFor();
    expect(await dialog.getByRole('combobox', { name: 'Category', exact: true }).inputValue()).toBe(
      'Kultur » Hörspiel (other)',
    );
    await dialog.getByLabel('Education category').waitFor();
    await dialog.getByLabel('Author').fill('Campus Radio');
    await dialog.getByLabel('Contact e-mail').fill('not an address');
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await dialog.getByText(/^Enter an e-mail address/).waitFor();
    // The dialog closes without a question, because it keeps unsaved edits.
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await line('Radio').click();
    await page.getByRole('button', { name: 'Commands for this collection' }).click();
    await choose('Podcast details…');
    await dialog.getByText(/^Unsaved changes/).waitFor();
    // The edits also stay while the thumbnail is set in a dialog above this one.
    const artwork = join(opened.folder, 'radio.png');
    writeFileSync(artwork, png(1400, 1400));
    await dialog.getByRole('button', { name: 'Set thumbnail…' }).click();
    const thumbnail = page.getByRole('dialog', { name: 'Set thumbnail of “Radio”' });
    const small = join(opened.folder, 'small.png');
    writeFileSync(small, png(1400, 1000));
    const chooseArtwork = async (path: string) => {
      const picker = page.waitForEvent('filechooser');
      await thumbnail.getByRole('button', { name: 'Choose…' }).click();
      await (await picker).setFiles(path);
    };
    await chooseArtwork(small);
    // Measured before it is sent.
    await thumbnail.getByText('1400 × 1000 pixels. It isn’t square. It has fewer than 1,400 pixels. Podcast').waitFor();
    await chooseArtwork(artwork);
    await thumbnail.getByText('1400 × 1400 pixels', { exact: true }).waitFor();
    await thumbnail.getByRole('button', { name: 'Set thumbnail' }).click();
    await thumbnail.waitFor({ state: 'detached' });
    await dialog.getByRole('heading', { name: '3 of 8 ready for directories' }).waitFor();
    expect(await dialog.getByLabel('Author').inputValue()).toBe('Campus Radio');
    await dialog.getByLabel('Contact e-mail').fill('radio@campus.example');
    await dialog.getByText('Everyone can read it', { exact: false }).waitFor({ state: 'detached' });
    await dialog.getByText('For everyone. Directories show no mark.').click();
    await dialog.getByRole('button', { name: /^Use “© \d{4} Campus Radio”$/ }).click();
    await dialog.getByRole('heading', { name: '5 of 8 ready for directories' }).waitFor();
    await dialog.getByRole('textbox', { name: 'Feed proxy' }).fill('https://feeds.example.org/radio');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await details()).toMatchObject({
      ...unknown,
      directory_author_name: 'Campus Radio',
      directory_author_email: 'radio@campus.example',
      directory_explicit: 'no',
      copyright: `© ${new Date().getFullYear()} Campus Radio`,
      feed_proxy_url: 'https://feeds.example.org/radio',
    });
    await tree().focus();
    await page.keyboard.press('Shift+F10');
    await page.keyboard.type('Podcast');
    await page.keyboard.press('Enter');
    const category = dialog.getByRole('combobox', { name: 'Category', exact: true });
    // The last one is the category that is chosen already.
    for (const typed of ['language lear', 'Education: Language Learning']) {
      await category.fill('');
      await category.pressSequentially(typed);
      await expect.poll(() => page.getByRole('option').count()).toBe(1);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      expect(await category.inputValue()).toBe('Education: Language Learning');
    }
    await dialog.getByRole('textbox', { name: 'Feed proxy' }).fill('https://feeds.example.org/other');
    await dialog.getByText(/^Subscribers follow the old address/).waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await details()).directory_category).toBe('Education: Language Learning');
  });

  it('gets a page, a menu and dialogs without accessibility findings, in both themes', async () => {
    const parent = await make(home, 'Scanned', { is_podcast: true });
    await make(parent, 'Below');
    for (let n = 0; n < 10; n += 1) await direct.createItem(`scanned ${n}`, { collection_id: parent });
    await show('Scanned');
    await line('Scanned').click();
    await page.getByRole('region', { name: 'Subcollections' }).waitFor();
    const findings: string[] = [];
    const scan = async (name: string) => {
      findings.push(...(await axeFindingsInThemes(page)).map((finding) => `${name}, ${finding}`));
    };
    const open = async (label: string) => {
      await line('Scanned').click({ button: 'right' });
      await choose(label);
    };
    const close = async () => {
      await page.keyboard.press('Escape');
      await page.locator('[role="dialog"], [role="alertdialog"], [role="menu"]').first().waitFor({ state: 'detached' });
    };
    await scan('page');
    await line('Scanned').click({ button: 'right' });
    await page.getByRole('menu').waitFor();
    await scan('menu');
    await close();
    await open('Rename');
    await scan('rename');
    await page.keyboard.press('Escape');
    await open('Edit…');
    await page.getByLabel('Slug').waitFor();
    await scan('edit');
    await close();
    await open('Delete…');
    await page.getByLabel('Type Scanned to confirm').waitFor();
    await scan('delete');
    await close();
    await open('Podcast details…');
    await page.getByRole('heading', { name: /for directories$/ }).waitFor();
    await scan('podcast');
    await close();
    expect(findings).toEqual([]);
  });

  it('sees at least 13 lines of the tree in a window of 1280 × 800, with saved searches in the sidebar', async () => {
    await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1280, 800));
    await page.waitForFunction(() => innerWidth === 1280 && innerHeight === 800);
    await page.getByRole('grid', { name: 'Saved searches' }).waitFor();
    await page.getByRole('searchbox', { name: 'Find a collection' }).waitFor();
    const lines = () => tree().evaluate((element) => Math.floor((element.clientHeight - 8) / 28));
    // A message reduces the height of the sidebar until it disappears.
    await expect.poll(lines, { timeout: 60_000 }).toBeGreaterThanOrEqual(13);
  });

  it('runs the commands of the open collection from the palette', async () => {
    await line('Home').click();
    await page.getByRole('heading', { name: 'Home', exact: true, level: 1 }).waitFor();
    await runInPalette(page, 'Home: Edit…');
    const dialog = page.getByRole('dialog', { name: 'Edit “Home”' });
    await dialog.getByRole('textbox', { name: 'Name' }).waitFor();
    await whenOverlayFocused(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await runInPalette(page, 'Home: Copy link');
    await said('Link copied.');
  });

  it('copies the link of a collection', async () => {
    await line('Home').click({ button: 'right' });
    await choose('Copy link');
    await said('Link copied.');
    const copied = await desktop.app.evaluate(({ clipboard }) => clipboard.readText());
    expect(copied).toBe(`${service.baseUrl}/browse/home`);
  });
});

describe('the search for collections', () => {
  it('shows different messages for a failure and for no results', async () => {
    for (const name of ['Optics', 'Chemistry']) await make(home, name);
    const search = page.getByRole('searchbox', { name: 'Find a collection' });
    const refresh = async () => {
      for (const { id } of await ask<Site[]>(page, 'sites.list', null))
        await ask(page, 'library.refresh', { siteId: id });
    };
    await refresh();
    await search.fill('chemistry');
    await page.getByRole('treeitem').filter({ hasText: 'Chemistry' }).first().waitFor({ timeout: 300_000 });
    await search.fill('no such thing');
    await page.getByText('No collection name contains this text.').waitFor();
    await service.control('POST', '/faults', {
      method: 'GET',
      path: '^/api2/collections',
      times: null,
      action: { kind: 'status', status: 403 },
    });
    await refresh();
    await search.fill('optics');
    const retry = page.getByRole('complementary', { name: 'Sidebar' }).getByRole('button', { name: 'Try again' });
    await retry.waitFor({ timeout: 300_000 });
    expect(await page.getByText('No collection name contains this text.').count()).toBe(0);
    // The list can load again automatically, which removes the button. The test presses a key, because a click would need it.
    await retry.focus();
    await service.control('DELETE', '/faults');
    await page.keyboard.press('Enter');
    await page.getByRole('treeitem').filter({ hasText: 'Optics' }).first().waitFor({ timeout: 300_000 });
    await retry.waitFor({ state: 'detached' });
    // Without a connection, the copy on this computer is searched.
    await service.kill9();
    await refresh();
    await search.fill('chemistry');
    await page.getByRole('treeitem').filter({ hasText: 'Chemistry' }).first().waitFor({ timeout: 300_000 });
    expect(await retry.count()).toBe(0);
    await service.restart();
  });
});
