// The inspector in the real app with the real service: saving, moving between items, other people's changes.
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openView } from '../../../build/demo/window-steps.ts';
import { axeFindings } from '../../helpers/desktop/axe.ts';
import type { DesktopApp } from '../../helpers/desktop/desktop-app.ts';
import { call } from '../../helpers/desktop/desktop-sign-in.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { keepPicture, setWindow } from '../../helpers/desktop/window-actions.ts';
import type { ServiceClient } from '../../helpers/service/service-client.ts';
import type { ServiceProcess } from '../../helpers/service/service-process.ts';

let opened: SignedInApp;
let service: ServiceProcess;
let desktop: DesktopApp;
let page: Page;
let direct: ServiceClient;

beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async (library) => {
      for (const name of ['Alpha', 'Beta', 'Gamma', 'Delta']) await library.direct.createItem(name);
    },
  });
  ({ service, direct, desktop, page } = opened);
  await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click();
  await rowOf('Gamma').waitFor();
});
afterAll(() => opened?.close());

const inspector = (): Locator => page.locator('[data-inspector]');
const field = (name: string): Locator => inspector().getByLabel(name, { exact: true });
const button = (name: string): Locator => inspector().getByRole('button', { name, exact: true });
const foot = (): Locator => inspector().getByRole('status');
const rowOf = (title: string): Locator =>
  page.getByRole('grid', { name: 'Items' }).getByRole('row').filter({ hasText: title });

async function open(title: string): Promise<void> {
  await rowOf(title).click();
  await expect.poll(() => field('Title').inputValue()).toBe(title);
}

/** Creates an item and opens it in the inspector. Returns its path in the API. */
async function openNew(title: string, fields: Record<string, unknown> = {}): Promise<string> {
  const path = await direct.createItem(title, fields);
  await page.keyboard.press('F5');
  await rowOf(title).waitFor();
  await open(title);
  return path;
}

const copied = () => desktop.app.evaluate(({ clipboard }) => clipboard.readText());
const read = async (path: string) => (await direct.get(path)).body;

describe('a save in the inspector', () => {
  it('shows Not saved yet, then Saved, by mouse and by keyboard', async () => {
    const path = await openNew('Mouse and keys');
    await field('Byline').fill('Ada');
    await expect.poll(() => foot().textContent()).toBe('Not saved yet');
    await button('Save').click();
    await expect.poll(() => foot().textContent()).toBe('Saved');
    expect((await read(path)).byline).toBe('Ada');
    await field('Byline').focus();
    await page.keyboard.press('End');
    await page.keyboard.type(' Lovelace');
    await page.keyboard.press('Control+s');
    await expect.poll(() => foot().textContent()).toBe('Saved');
    expect((await read(path)).byline).toBe('Ada Lovelace');
    await keepPicture(desktop, 'saved');
  });

  it('says that an edit is stored on this computer during maintenance, and sends it afterwards', async () => {
    const path = await openNew('During maintenance');
    await service.control('PATCH', '/settings', { read_only: true });
    try {
      await field('Byline').fill('Later');
      await button('Save').click();
      await expect
        .poll(() => foot().textContent())
        .toBe('Saved on this computer. Sent after the library’s maintenance.');
      await keepPicture(desktop, 'stored');
    } finally {
      await service.control('PATCH', '/settings', { read_only: false });
    }
    await expect.poll(async () => (await read(path)).byline, { timeout: 300_000 }).toBe('Later');
    await expect.poll(() => foot().textContent(), { timeout: 60_000 }).toBe('Saved');
  });

  it('shows the library’s refusal at the refused field, and keeps the text', async () => {
    const path = await openNew('Refused');
    const refused = 'Bell \u0007';
    await field('Title').fill(refused);
    await button('Save').click();
    await inspector().getByText('Must not contain control characters').waitFor();
    await expect.poll(() => foot().textContent()).toBe('Not saved: check the marked fields.');
    expect(await field('Title').inputValue()).toBe(refused);
    expect((await read(path)).title).toBe('Refused');
    await keepPicture(desktop, 'refused');
    await button('Revert').click();
    expect(await field('Title').inputValue()).toBe('Refused');
  });
});

describe('a step to the next or previous item', () => {
  beforeEach(() => open('Alpha'));

  it('shows the next and the previous item by the buttons, and keeps the focus on the button', async () => {
    await button('Next item').click();
    await expect.poll(() => field('Title').inputValue()).toBe('Beta');
    expect(await button('Next item').evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await expect.poll(() => field('Title').inputValue()).toBe('Delta');
    await button('Previous item').click();
    await expect.poll(() => field('Title').inputValue()).toBe('Beta');
  });

  it('saves the typed text to the item that the user leaves, and keeps the focus in the same field, by keyboard', async () => {
    await field('Byline').focus();
    await page.keyboard.type('of Alpha');
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => field('Title').inputValue()).toBe('Beta');
    await expect.poll(() => field('Byline').evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.type('of Beta');
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(() => field('Title').inputValue()).toBe('Alpha');
    await expect.poll(() => field('Byline').inputValue()).toBe('of Alpha');
    const { body } = await direct.get('/api2/media?sort=title');
    const bylines = async () => {
      const items = (await direct.get(`${body.links.self.split('?')[0]}?sort=title`)).body.items;
      return items.map((item: { title: string; byline: string }) => `${item.title}: ${item.byline}`);
    };
    await expect.poll(bylines).toEqual(expect.arrayContaining(['Alpha: of Alpha', 'Beta: of Beta']));
  });
});

describe('the inspector of an item that someone else changes', () => {
  it('asks at the field and overwrites nothing without an answer', async () => {
    const path = await openNew('Two editors');
    await field('Title').fill('Mine');
    await direct.post(path, { title: 'Theirs', byline: 'Also theirs' });
    await button('Save').click();
    const note = inspector().getByRole('alert').filter({ hasText: 'This changed in the library' });
    await note.waitFor();
    expect(await note.textContent()).toContain('Theirs');
    expect((await read(path)).title).toBe('Theirs');
    expect(await field('Title').inputValue()).toBe('Mine');
    expect(await field('Byline').inputValue()).toBe('Also theirs');
    await keepPicture(desktop, 'conflict');
    expect(await axeFindings(page, 'all')).toEqual([]);
    await note.getByRole('button', { name: 'Keep mine' }).click();
    await button('Save').click();
    await expect.poll(() => foot().textContent()).toBe('Saved');
    expect(await read(path)).toMatchObject({ title: 'Mine', byline: 'Also theirs' });
  });

  it('takes the value of the other user by keyboard', async () => {
    const path = await openNew('Two more editors');
    await field('Title').fill('Mine');
    await direct.post(path, { title: 'Theirs again' });
    await page.keyboard.press('Control+s');
    await inspector().getByRole('button', { name: 'Take theirs' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => field('Title').inputValue()).toBe('Theirs again');
    await expect.poll(() => foot().textContent()).toBe('');
  });

  it('keeps the typed text for copying when the item was deleted', async () => {
    const path = await openNew('Deleted by someone else');
    await field('Byline').fill('Nearly lost');
    await direct.delete(path);
    await button('Save').click();
    await inspector().getByText('This item is no longer in the library').waitFor();
    expect(await field('Byline').inputValue()).toBe('Nearly lost');
    expect(await field('Byline').evaluate((one) => (one as HTMLInputElement).readOnly)).toBe(true);
    await keepPicture(desktop, 'gone');
    expect(await axeFindings(page, 'all')).toEqual([]);
    await inspector().getByRole('button', { name: 'Copy my changes' }).click();
    await expect.poll(copied).toBe('Byline: Nearly lost');
    await inspector().getByRole('button', { name: 'Discard changes' }).click();
    await inspector().getByText('Nothing selected').waitFor();
    expect(await call(page, 'edits.groups', { isOpen: true })).toMatchObject({ value: { groups: [] } });
  });
});

describe('tags', () => {
  const tags = () => inspector().locator('[data-field="tags"]');
  const offered = () => inspector().getByRole('listbox', { name: 'Known tags' }).getByRole('option');

  it('are offered from those of the library: one is chosen by mouse, one by keyboard', async () => {
    await direct.createItem('Tagged', { tags: ['geology', 'geometry', 'history'] });
    const path = await openNew('To be tagged');
    await expect
      .poll(async () => JSON.stringify(await call(page, 'library.values', await tagQuery())), { timeout: 60_000 })
      .toContain('geometry');
    const field = tags().getByRole('combobox');
    await field.focus();
    await page.keyboard.type('geo');
    await expect.poll(() => offered().allTextContents()).toEqual(['geology', 'geometry']);
    await keepPicture(desktop, 'tags');
    expect(await axeFindings(page, 'all')).toEqual([]);
    await offered().getByText('geometry').click();
    await page.keyboard.type('hist');
    await expect.poll(() => offered().allTextContents()).toEqual(['history']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.type('brand new');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await expect.poll(() => foot().textContent()).toBe('Saved');
    expect((await read(path)).tags.sort()).toEqual(['brand new', 'geometry', 'history']);
  });

  async function tagQuery() {
    const reply = await call(page, 'sites.list', null);
    const [site] = (reply as unknown as { value: { id: string }[] }).value;
    return { siteId: site?.id, field: 'tag', text: 'geo', limit: 8 };
  }
});

describe('the section “Links and embedding”', () => {
  const section = () => inspector().getByRole('region', { name: 'Links and embedding' });

  it('copies the embed code of a chosen size by mouse, and of a size that the user enters by keyboard', async () => {
    await openNew('Embedded');
    await section().getByRole('button', { name: 'Get embed code' }).click();
    await section().getByRole('button', { name: 'Copy embed code' }).click();
    await expect.poll(copied).toMatch(/^<iframe src="http[^"]+" width="400" height="225"/);
    await section().getByRole('button', { name: 'Copy link to web page' }).click();
    await expect.poll(copied).toMatch(/^http:\/\/127/);
    await section().getByRole('button', { name: 'Copy link for Mediadesk' }).click();
    await expect.poll(copied).toMatch(/^mediadesk:\/\/open\?library=http%3A%2F%2F127[^&]+&item=\w+$/);
    await section()
      .getByRole('button', { name: /Player size/ })
      .focus();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'Other size…' }).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await section().getByLabel('Width in pixels').focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('10001');
    await section().getByRole('button', { name: 'Get embed code' }).focus();
    await page.keyboard.press('Enter');
    await section().getByText('Enter a whole number from 1 to 10,000.').waitFor();
    await section().getByLabel('Width in pixels').focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('1000');
    await section().getByRole('button', { name: 'Get embed code' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => section().getByLabel('Embed code').inputValue()).toContain('width="1000" height="450"');
    await section().getByLabel('Embed code').scrollIntoViewIfNeeded();
    await keepPicture(desktop, 'embed');
    expect(await axeFindings(page, 'all')).toEqual([]);
  });
});

describe('messages', () => {
  /** Returns the names of the parts of the window that a message covers, apart from the list. */
  const covered = () =>
    page.evaluate(() => {
      const cards = [...document.querySelectorAll('section[aria-label="Messages"] > div > div')];
      const parts = document.querySelectorAll('[aria-label="Upload status"], [data-inspector], [aria-label="Sidebar"]');
      return [...parts].flatMap((part) => {
        const box = part.getBoundingClientRect();
        const isCovered = cards.some((card) => {
          const { left, right, top, bottom } = card.getBoundingClientRect();
          return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
        });
        return isCovered ? [part.getAttribute('aria-label') ?? 'Inspector'] : [];
      });
    });
  const listSize = () => page.getByRole('grid', { name: 'Items' }).boundingBox();

  it.each([
    [1280, 800, 1],
    [960, 600, 1],
    [960, 800, 2],
  ])(
    'float over the list, and cover no other part of the window at %i x %i and zoom %i',
    async (width, height, zoom) => {
      await setWindow(desktop, width, height, zoom);
      try {
        await openView(page, 'All items');
        await rowOf('Alpha').click();
        if ((await inspector().count()) === 0) await page.keyboard.press('Control+i');
        await field('Byline').fill(`${width} ${zoom}`);
        const messages = page.getByRole('region', { name: 'Messages' });
        await messages.locator('> div > div').first().waitFor({ state: 'detached' });
        const before = await listSize();
        await button('Copy link to web page').click();
        await messages.getByText('Link copied.').last().waitFor();
        await keepPicture(desktop, `messages-${width}-${zoom}`);
        expect(await covered()).toEqual([]);
        expect(await listSize()).toEqual(before);
        await button('Revert').click();
      } finally {
        await setWindow(desktop, 1280, 800);
        if (await page.locator('[data-drawer]').count()) await page.keyboard.press('Escape');
      }
    },
  );
});
