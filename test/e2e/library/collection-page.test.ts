// The page of a collection: its thumbnail, and the roles of its members, by mouse and by keyboard in the real app.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { runInPalette, whenOverlayFocused } from '../../helpers/desktop/window-actions.ts';
import { effectsOf, requestsOf } from '../../helpers/service/journal.ts';
import type { ServiceClient } from '../../helpers/service/service-client.ts';
import { make } from '../../helpers/service/service-people.ts';
import type { ServiceProcess } from '../../helpers/service/service-process.ts';
import { png } from '../../helpers/service/service-samples.ts';

let opened: SignedInApp;
let folder: string;
let service: ServiceProcess;
let direct: ServiceClient;
let page: Page;
/** The id of a collection without a thumbnail. */
let workshops: string;

async function create(parentId: string, displayName: string): Promise<string> {
  const fields = { display_name: displayName, parent_id: parentId, inherit_memberships: true };
  const answer = await direct.post('/api2/collections', fields);
  return answer.location.split('/').at(-1) ?? '';
}

beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async (library) => {
      ({ folder, direct } = library);
      mkdirSync(join(folder, 'local'));
      const home = await create('1', 'Home');
      await create(home, 'Talks');
      workshops = await create(home, 'Workshops');
      await direct.createItem('Paper on lenses');
      const role = await make(direct, 'roles', { display_name: 'Teacher', permissions: ['collection-read'] });
      const group = await make(direct, 'groups', { display_name: 'Staff' });
      await make(direct, 'memberships', { role_id: role.id, collection_id: home, group_id: group.id });
    },
  });
  ({ service, page } = opened);
  await openHome();
});
afterAll(() => opened?.close());

afterEach(async () => {
  for (let tries = 5; tries > 0 && (await page.getByRole('dialog').count()) > 0; tries -= 1) {
    await page.keyboard.press('Escape');
  }
});

const line = (name: string): Locator =>
  page.getByRole('tree', { name: 'Collections' }).locator('[data-collection-id]').filter({ hasText: name });
/** Opens Home, and expands its line in the tree. */
async function openHome(): Promise<void> {
  await line('Home').click();
  await page.keyboard.press('ArrowRight');
  await line('Talks').waitFor();
  await card(/Talks/).waitFor();
}

const cards = () => page.getByRole('region', { name: 'Subcollections' });
const card = (name: RegExp) => cards().getByRole('button', { name });
const shownIn = (place: Locator) => place.locator('img[data-shown="true"]').first();
const soon = <T>(read: () => Promise<T> | T) => expect.poll(read, { timeout: 60_000 });

function put(name: string, contents: Buffer): string {
  const path = join(folder, 'local', name);
  writeFileSync(path, contents);
  return path;
}

async function choosing(path: string, open: () => Promise<void>): Promise<void> {
  const picker = page.waitForEvent('filechooser');
  await open();
  await (await picker).setFiles(path);
}

const widthOf = (image: Locator) => image.evaluate((element: HTMLImageElement) => element.naturalWidth);

describe('the inspector without a selected item', () => {
  const inspector = () => page.getByRole('region', { name: 'Inspector' });

  it('shows the open collection, and opens its dialogs by mouse and by keyboard', async () => {
    await inspector().getByRole('heading', { name: 'Home', exact: true }).waitFor();
    expect(await inspector().locator('dd').allTextContents()).toEqual(['0', '2', '0', 'Collection', 'home']);
    expect(await axeFindings(page, 'all')).toEqual([]);
    await inspector().getByRole('button', { name: 'Edit…' }).click();
    await page.getByRole('dialog', { name: /Home/ }).waitFor();
    await whenOverlayFocused(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await inspector().getByRole('button', { name: 'Users and groups…' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: /Home/ }).waitFor();
    await whenOverlayFocused(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // Only a podcast has this command.
    expect(await inspector().getByRole('button', { name: 'Podcast details…' }).count()).toBe(0);
  });
});

describe('the thumbnail of a collection', () => {
  it('is set by mouse from the menu of a card, and shown in the card, in the tree and on the page', async () => {
    await card(/Talks/).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Set thumbnail…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set thumbnail of “Talks”' });
    await dialog.getByText('You can replace a thumbnail later', { exact: false }).waitFor();
    const choose = dialog.getByRole('button', { name: 'Choose…' });
    await choosing(put('notes.png', Buffer.from('no picture')), () => choose.click());
    await dialog.getByText('A thumbnail must be a PNG or JPEG picture.').waitFor();
    await choosing(put('talks.png', png(120, 120)), () => choose.click());
    await dialog.getByText('120 × 120 pixels').waitFor();
    expect(await axeFindings(page, 'all')).toEqual([]);
    await dialog.getByRole('button', { name: 'Set thumbnail' }).click();
    await dialog.waitFor({ state: 'detached' });
    await shownIn(card(/Talks/)).waitFor();
    await shownIn(line('Talks')).waitFor();
    expect(await effectsOf(service, 'thumb-stored')).toMatchObject([{ resource: 'collections' }]);
    expect(await axeFindings(page, 'all')).toEqual([]);
    await card(/Talks/).click();
    const picture = page.getByRole('main').locator('img[data-shown="true"]').first();
    expect(await widthOf(picture)).toBe(120);
    // The tree requests no thumbnail from the library: its other lines caused no request.
    expect(await requestsOf(service, 'GET', /collections\/1\/thumbs/)).toEqual([]);
  });

  it('is replaced by keyboard from the palette, and reduced to 3000 × 3000 pixels', async () => {
    await line('Talks').click();
    await runInPalette(page, 'Talks: Set thumbnail');
    const dialog = page.getByRole('dialog', { name: 'Set thumbnail of “Talks”' });
    await choosing(put('square.png', png(3200, 3200)), () =>
      dialog.getByRole('button', { name: 'Choose…' }).press('Enter'),
    );
    await dialog.getByText('3000 × 3000 pixels').waitFor();
    await dialog.getByRole('button', { name: 'Set thumbnail' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const picture = page.getByRole('main').locator('img[data-shown="true"]').first();
    await soon(() => widthOf(picture)).toBe(3000);
  });

  it('is shown without the library after a restart', async () => {
    await service.control('POST', '/faults', {
      method: 'GET',
      path: '/thumbs$',
      times: 100,
      action: { kind: 'reset', afterBytes: 0 },
    });
    ({ page } = await opened.reopen());
    page.setDefaultTimeout(10_000);
    await openHome();
    await shownIn(card(/Talks/)).waitFor();
    await shownIn(line('Talks')).waitFor();
    await service.control('DELETE', '/faults');
  });
});

describe('the users and groups of a collection', () => {
  it('are listed with their roles, by mouse and by keyboard', async () => {
    await card(/Talks/).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Users and groups…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Users and groups of “Talks”' });
    await dialog.getByText('No user or group has a role here.').waitFor();
    await dialog.getByRole('heading', { name: 'Inherited from “Home”' }).waitFor();
    const member = dialog.getByRole('listitem').filter({ hasText: 'Staff' });
    expect(await member.innerText()).toContain('Teacher');
    expect(await axeFindings(page, 'all')).toEqual([]);
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await dialog.waitFor({ state: 'detached' });

    await line('Home').click();
    await runInPalette(page, 'Home: Users and groups');
    const home = page.getByRole('dialog', { name: 'Users and groups of “Home”' });
    await home.getByRole('heading', { name: 'Roles in this collection' }).waitFor();
    await home.getByRole('listitem').filter({ hasText: 'Teacher' }).waitFor();
    await page.keyboard.press('Escape');
    await home.waitFor({ state: 'detached' });
  });

  it('can be requested again after an error', async () => {
    const fault = { method: 'GET', path: '^/api2/memberships', times: 10, action: { kind: 'status', status: 500 } };
    await service.control('POST', '/faults', fault);
    await runInPalette(page, 'Home: Users and groups');
    const home = page.getByRole('dialog', { name: 'Users and groups of “Home”' });
    const retry = home.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    expect(await axeFindings(page, 'all')).toEqual([]);
    await service.control('DELETE', '/faults');
    await retry.press('Enter');
    await home.getByRole('listitem').filter({ hasText: 'Teacher' }).waitFor();
  });
});

describe('the slug of a collection', () => {
  it('is generated again from its name, by mouse and by keyboard', async () => {
    const slug = async () => (await direct.get(`/api2/collections/${workshops}`)).body.slug;
    const edit = { name: 'Workshops', title: 'Edit “Workshops”' };
    for (const by of ['mouse', 'keyboard'] as const) {
      await direct.post(`/api2/collections/${workshops}`, { slug: `odd-${by}` });
      await line(edit.name).click();
      await runInPalette(page, 'Workshops: Edit');
      const dialog = page.getByRole('dialog', { name: edit.title });
      await soon(() => dialog.getByRole('textbox', { name: 'Slug' }).inputValue()).toBe(`odd-${by}`);
      const button = dialog.getByRole('button', { name: 'Make from name' });
      await (by === 'mouse' ? button.click() : button.press('Enter'));
      await soon(slug).not.toContain('odd');
      await soon(() => dialog.getByRole('textbox', { name: 'Slug' }).inputValue()).toContain('workshops');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
  });
});

describe('an item without a recording', () => {
  it('shows in its menu why it can’t have captions, and in a message what to do', async () => {
    await line('Library').first().click();
    await page.getByRole('row').filter({ hasText: 'Paper on lenses' }).first().click({ button: 'right' });
    const entry = page.getByRole('menuitem', { name: 'Add captions…' });
    await entry.getByText('Captions belong to a recording, and this item has none.').waitFor();
    expect(await axeFindings(page, 'all')).toEqual([]);
    await entry.click();
    await page.getByText('Add the recording first.', { exact: true }).waitFor();
  });
});
