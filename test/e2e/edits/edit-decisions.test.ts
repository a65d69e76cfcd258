// Conflicts, refusals and past publish times in the real app: their display, the decisions of the user, and the values in the
// history.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renameTable } from '../../../build/demo/rename-table.ts';
import { ask, openView, whenSignedIn } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import type { BulkChange } from '../../../shared/contract/edits.ts';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { type DesktopApp, launchApp } from '../../helpers/desktop/desktop-app.ts';
import { signIn } from '../../helpers/desktop/desktop-sign-in.ts';
import { clientFor, type ServiceClient } from '../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';

let folder: string;
let service: ServiceProcess;
let desktop: DesktopApp;
let page: Page;
let direct: ServiceClient;
let siteId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mediadesk-decisions-'));
  service = await startService();
  direct = await clientFor(service);
  desktop = await launchApp({ profileDir: join(folder, 'profile'), size: { width: 1280, height: 800 } });
  page = desktop.window;
  page.setDefaultTimeout(20_000);
  siteId = (await signIn(desktop, service)).id;
  await whenSignedIn(page);
}, 600_000);
afterAll(async () => {
  await desktop?.close();
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

const set = (value: string) => ({ kind: 'set' as const, value });
const item = async (id: string) => (await direct.get(`/api2/media/${id}`)).body;
const row = (text: string): Locator => page.getByRole('row').filter({ hasText: text });
const dialog = (name: string): Locator => page.getByRole('dialog', { name: `Decide about “${name}”` });
const copied = () => desktop.app.evaluate(({ clipboard }) => clipboard.readText());

type Totals = CallOutput<'edits.groups'>['totals'];
async function totals(): Promise<Totals> {
  return (await ask<CallOutput<'edits.groups'>>(page, 'edits.groups', { isOpen: true })).totals;
}

/** Edits items that someone else changes before the edits are sent. Returns the ids. */
async function makeConflict(
  names: readonly string[],
  before: Record<string, unknown>,
  change: BulkChange,
  theirs: Record<string, unknown>,
): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push((await direct.createItem(name, before)).split('/').at(-1) ?? '');
  const plan = await ask<{ planId: string }>(page, 'edits.plan', { selection: { siteId, ids }, change });
  for (const id of ids) await direct.post(`/api2/media/${id}`, theirs);
  const { conflict } = await totals();
  await ask(page, 'edits.apply', { planId: plan.planId });
  await expect.poll(async () => (await totals()).conflict, { timeout: 60_000 }).toBe(conflict + ids.length);
  return ids;
}

async function openTab(name: RegExp): Promise<void> {
  // A change of the view closes an open group of edits, so the view opens with its lists.
  await openView(page, 'All items');
  await openView(page, 'Edits');
  await page.getByRole('radio', { name }).click();
}

/** Chooses an answer. The click goes to its text: the radio button below it can't be clicked while the dialog still moves. */
async function choose(name: string, label: string): Promise<void> {
  await dialog(name).getByText(label, { exact: true }).click();
  await dialog(name).getByRole('radio', { name: label, checked: true }).waitFor();
}

async function answer(name: string, label: string): Promise<void> {
  await choose(name, label);
  await dialog(name).getByRole('button', { name: 'Save decision' }).click();
}

/**
 * Waits until decided edits have left the list: the rows below them move at that moment, and a click on such a row could miss it.
 */
async function whenListed(...rest: string[]): Promise<void> {
  const names = page
    .getByRole('grid', { name: 'Edited items' })
    .getByRole('row')
    .locator('[role="gridcell"]:first-child');
  await expect.poll(async () => (await names.allInnerTexts()).sort(), { timeout: 60_000 }).toEqual([...rest].sort());
}

describe('a conflict', () => {
  it('is shown above the library until the user decides it; “Keep mine” sends the user’s value', async () => {
    const [id = ''] = await makeConflict(
      ['Banner talk'],
      { byline: 'Ada' },
      { byline: set('Mine') },
      { byline: 'Theirs' },
    );
    await openView(page, 'All items');
    const banner = page.getByRole('region', { name: 'Edits that need you' });
    await banner.getByText('1 edit needs attention.').waitFor();
    await row('Banner talk').locator('[data-pending="decision"]').getByText('Decide').waitFor();
    await banner.getByRole('button', { name: 'Decide…' }).click();
    await dialog('Banner talk').getByText('In the library now').waitFor();
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await answer('Banner talk', 'Keep mine');
    await expect.poll(async () => (await item(id)).byline).toBe('Mine');
    await openView(page, 'All items');
    await banner.waitFor({ state: 'detached' });
    await row('Banner talk').locator('[data-pending]').waitFor({ state: 'detached' });
  });

  it('in several fields is decided field by field: a new value for one, the library’s value for another', async () => {
    const change = { title: set('My title'), byline: set('My byline') };
    const [id = ''] = await makeConflict(['Two fields'], {}, change, { title: 'Their title', byline: 'Their byline' });
    await openTab(/^Conflicts/);
    await row('Two fields').getByRole('button', { name: 'Decide…' }).click();
    await dialog('Two fields').getByText('Field 1 of 2').waitFor();
    await dialog('Two fields').getByRole('heading', { name: 'Title' }).waitFor();
    await choose('Two fields', 'Enter another value');
    await dialog('Two fields').getByLabel('New value').fill('Our title');
    await dialog('Two fields').getByRole('button', { name: 'Save decision' }).click();
    await dialog('Two fields').getByText('Field 2 of 2').waitFor();
    await dialog('Two fields').getByRole('heading', { name: 'Byline' }).waitFor();
    await answer('Two fields', 'Take theirs');
    await dialog('Two fields').waitFor({ state: 'detached' });
    await expect.poll(async () => (await item(id)).title).toBe('Our title');
    expect((await item(id)).byline).toBe('Their byline');
  });

  it('of a one-line text can be merged when both changed different words', async () => {
    const before = { byline: 'Ada Lovelace, recorded in London' };
    const mine = { byline: set('Ada Lovelace and guests, recorded in London') };
    const [id = ''] = await makeConflict(['Merged talk'], before, mine, { byline: 'Ada Lovelace, recorded in Turin' });
    await openTab(/^Conflicts/);
    await row('Merged talk').getByRole('button', { name: 'Decide…' }).click();
    await choose('Merged talk', 'Merge both');
    await dialog('Merged talk').getByText('Your changes and theirs are in different places').waitFor();
    await dialog('Merged talk').getByRole('button', { name: 'Save decision' }).click();
    await expect.poll(async () => (await item(id)).byline).toBe('Ada Lovelace and guests, recorded in Turin');
  });

  it('is decided together with all conflicts in the same field when the user ticks a box that names their number', async () => {
    const names = ['Same 1', 'Same 2', 'Same 3'];
    const ids = await makeConflict(names, { byline: 'Was' }, { byline: set('Mine') }, { byline: 'Theirs' });
    await makeConflict(['Other field'], {}, { title: set('Mine') }, { title: 'Theirs' });
    await openTab(/^Conflicts/);
    await row('Same 1').getByRole('button', { name: 'Decide…' }).click();
    const all = 'Do the same for all 3 conflicts in “Byline”';
    await dialog('Same 1').getByText(all).click();
    await dialog('Same 1').getByRole('checkbox', { name: all, checked: true }).waitFor();
    await answer('Same 1', 'Take theirs');
    await dialog('Same 1').waitFor({ state: 'detached' });
    for (const id of ids) expect((await item(id)).byline).toBe('Theirs');
    expect(await totals()).toMatchObject({ conflict: 1 });
    await whenListed('Other field');
    // This is the only conflict in a title, so no answer for all is offered.
    await row('Other field').getByRole('button', { name: 'Decide…' }).click();
    await dialog('Other field').waitFor();
    expect(await dialog('Other field').getByRole('checkbox').count()).toBe(0);
    await answer('Other field', 'Take theirs');
    await dialog('Other field').waitFor({ state: 'detached' });
  });

  it('about a deletion shows what someone else changed; the item is kept unless the user chooses to delete it', async () => {
    const before = { byline: 'Ada', description: '<p>Recorded in London.</p>' };
    const theirs = { byline: 'Ada and guests', description: '<p>Recorded in Turin.</p>' };
    const [kept = '', deleted = ''] = await makeConflict(
      ['Kept talk', 'Unwanted talk'],
      before,
      { delete: true },
      theirs,
    );
    const question = (name: string) => page.getByRole('dialog', { name: `Delete “${name}” anyway?` });
    const send = (name: string, button: string) => question(name).getByRole('button', { name: button }).click();
    await openTab(/^Conflicts/);
    await row('Kept talk').getByRole('button', { name: 'Decide…' }).click();
    const shown = question('Kept talk').getByRole('region');
    expect(await shown.evaluateAll((regions) => regions.map((each) => each.getAttribute('aria-label')))).toEqual([
      ...['Byline', 'Description'],
    ]);
    expect(await shown.first().innerText()).toMatch(/When you last saw it\s+Ada\s+In the library now\s+Ada and guests/);
    await question('Kept talk').getByText('Do the same for all 2 deletions of items that ask').waitFor();
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await send('Kept talk', 'Save decision');
    await whenListed('Unwanted talk');
    await row('Unwanted talk').getByRole('button', { name: 'Decide…' }).click();
    await question('Unwanted talk').getByText('Delete the item with its files', { exact: true }).click();
    await send('Unwanted talk', 'Delete');
    await expect.poll(async () => (await direct.get(`/api2/media/${deleted}`)).status, { timeout: 60_000 }).toBe(404);
    expect((await item(kept)).byline).toBe('Ada and guests');
  });

  it('keeps the replaced value in the history, where it can be copied', async () => {
    await openTab(/^History/);
    await row('“Other field”').first().dblclick();
    await row('Other field').getByRole('button', { name: 'Show and copy values…' }).click();
    const values = page.getByRole('dialog', { name: 'Values of “Other field”' });
    await values.getByRole('button', { name: 'Copy Title: Yours' }).click();
    await expect.poll(copied).toBe('Mine');
    await values.getByRole('button', { name: 'Copy Title: In the library' }).click();
    await expect.poll(copied).toBe('Theirs');
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await values.getByRole('button', { name: 'Close' }).click();
    await openTab(/^Sent \d/);
    await row('Two fields').getByRole('button', { name: 'Show and copy values…' }).click();
    const both = page.getByRole('dialog', { name: 'Values of “Two fields”' });
    await both.getByRole('button', { name: 'Copy Title: Not used' }).first().click();
    await expect.poll(copied).toBe('My title');
    await both.getByRole('button', { name: 'Close' }).click();
  });
});

describe('an edit whose publish time passed', () => {
  async function hold(names: readonly string[]): Promise<string[]> {
    const ids: string[] = [];
    for (const name of names) ids.push((await direct.createItem(name)).split('/').at(-1) ?? '');
    const change = { publication: { kind: 'at', at: '2020-01-01T00:00:00Z' } };
    await ask(page, 'edits.apply', { selection: { siteId, ids }, change });
    await expect.poll(async () => (await totals()).held, { timeout: 60_000 }).toBe(ids.length);
    return ids;
  }

  it('publishes the item now or at another time, or is dropped, as the user decides', async () => {
    const [now = '', later = '', never = ''] = await hold(['Held now', 'Held later', 'Held never']);
    await openTab(/^On hold 3/);
    await row('Held now').getByRole('button', { name: 'Decide…' }).click();
    await dialog('Held now').getByText('Do the same for all 3 edits whose publish time passed').waitFor();
    await answer('Held now', 'Publish now');
    await dialog('Held now').waitFor({ state: 'detached' });
    await whenListed('Held later', 'Held never');
    await row('Held later').getByRole('button', { name: 'Decide…' }).click();
    await answer('Held later', 'Publish at another time');
    await dialog('Held later').waitFor({ state: 'detached' });
    await whenListed('Held never');
    await row('Held never').getByRole('button', { name: 'Decide…' }).click();
    await answer('Held never', 'Drop this edit');
    await dialog('Held never').waitFor({ state: 'detached' });
    await expect.poll(async () => (await item(now)).status).toBe('published');
    await expect.poll(async () => (await item(later)).status).toBe('scheduled');
    expect((await item(never)).status).toBe('draft');
    await page.getByRole('heading', { name: 'No edits are on hold' }).waitFor();
  });
});

describe('a refused edit', () => {
  /** Edits the bylines of new items; the library refuses each edit once. Returns the ids. */
  async function refuse(names: readonly string[]): Promise<string[]> {
    const ids: string[] = [];
    for (const name of names) ids.push((await direct.createItem(name)).split('/').at(-1) ?? '');
    for (const id of ids) {
      const action = {
        kind: 'status',
        status: 422,
        body: { message: 'Too shiny.', errors: { byline: ['Byline must be shorter.'] } },
      };
      await service.control('POST', '/faults', { method: 'POST', path: `/api2/media/${id}`, times: 1, action });
    }
    await ask(page, 'edits.apply', { selection: { siteId, ids }, change: { byline: set('Refused') } });
    await expect.poll(async () => (await totals()).refused, { timeout: 60_000 }).toBe(ids.length);
    return ids;
  }

  it('is marked in the list, retried, sent with another text, or dropped', async () => {
    const [again = '', changed = '', dropped = ''] = await refuse(['Retry me', 'Change me', 'Drop me']);
    await openView(page, 'All items');
    await row('Retry me').locator('[data-pending="retry"]').getByText('Refused').waitFor();
    await openTab(/^Refused 3/);
    await row('Retry me').getByText('Too shiny.').waitFor();
    await row('Retry me').getByRole('button', { name: 'Retry', exact: true }).click();
    await expect.poll(async () => (await item(again)).byline).toBe('Refused');
    await whenListed('Change me', 'Drop me');
    await row('Change me').getByRole('button', { name: 'Edit…' }).click();
    const form = page.getByRole('dialog', { name: 'Edit “Change me” and send it again' });
    await form.getByRole('note').getByText('The library wrote: Too shiny.').waitFor();
    await form.getByText('Byline must be shorter.').waitFor();
    await form.getByLabel('Byline').fill('Matt');
    await form.getByText('Byline must be shorter.').waitFor({ state: 'detached' });
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await form.getByRole('button', { name: 'Send again' }).click();
    await form.waitFor({ state: 'detached' });
    await expect.poll(async () => (await item(changed)).byline).toBe('Matt');
    await whenListed('Drop me');
    await row('Drop me').getByRole('button', { name: 'Drop', exact: true }).click();
    await page.getByRole('heading', { name: 'No edits were refused' }).waitFor();
    expect((await item(dropped)).byline).toBeNull();
  });
});

describe('an edit of a description', () => {
  const before = '<p>One <b>two</b> three</p>';
  const mine = '<p>Uno <b>two</b> three</p>';

  it('in conflict is shown as formatted text, and merged in the editor of the inspector', async () => {
    const theirs = '<p>One <b>two</b> tres</p>';
    const change = { description: set(mine) };
    const [id = ''] = await makeConflict(['Described'], { description: before }, change, { description: theirs });
    await openTab(/^Conflicts/);
    await row('Described').getByRole('button', { name: 'Decide…' }).click();
    const values = dialog('Described').getByRole('region', { name: 'Description' });
    await values.locator('dd', { hasText: 'One two tres' }).waitFor();
    expect(await values.locator('strong').allInnerTexts()).toEqual(['two', 'two', 'two']);
    expect(await values.locator('mark').allInnerTexts()).toEqual(['One', 'three', 'Uno', 'tres']);
    await choose('Described', 'Merge both');
    const editor = dialog('Described').getByRole('textbox', { name: 'New value', exact: true });
    await editor.getByText('Uno two tres').waitFor();
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await editor.press('Control+End');
    await page.keyboard.type(', quatro');
    await dialog('Described').getByRole('button', { name: 'Save decision' }).click();
    await expect.poll(async () => (await item(id)).description).toBe('<p>Uno <strong>two</strong> tres, quatro</p>');
  });

  it('in conflict is shown as HTML source when the editor can’t show a part of it', async () => {
    const table = '<table><tr><td>1</td></tr></table>';
    const theirs = { description: `${before}${table}` };
    await makeConflict(['Table'], { description: before }, { description: set(mine) }, theirs);
    await openTab(/^Conflicts/);
    await row('Table').getByRole('button', { name: 'Decide…' }).click();
    await dialog('Table').getByText(theirs.description).waitFor();
    await dialog('Table').getByText(mine).waitFor();
    await choose('Table', 'Merge both');
    const source = dialog('Table').getByLabel('New value (HTML source)');
    expect(await source.inputValue()).toBe(`${mine}${table}`);
    await dialog('Table').getByText('Shown as HTML source, because the editor can’t show <table>').waitFor();
    await answer('Table', 'Take theirs');
    await dialog('Table').waitFor({ state: 'detached' });
  });

  it('that was refused is changed in the editor and sent again', async () => {
    const id = (await direct.createItem('Long', { description: before })).split('/').at(-1) ?? '';
    const body = { message: 'Not saved.', errors: { description: ['Description is too long.'] } };
    const action = { kind: 'status', status: 422, body };
    await service.control('POST', '/faults', { method: 'POST', path: `/api2/media/${id}`, times: 1, action });
    await ask(page, 'edits.apply', { selection: { siteId, ids: [id] }, change: { description: set(mine) } });
    await openTab(/^Refused 1/);
    await row('Long').getByRole('button', { name: 'Edit…' }).click();
    const form = page.getByRole('dialog', { name: 'Edit “Long” and send it again' });
    await form.getByText('Description is too long.').waitFor();
    const editor = form.getByRole('textbox', { name: 'Description', exact: true });
    await expect.poll(() => editor.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await editor.getAttribute('aria-invalid')).toBe('true');
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Short');
    await form.getByText('Description is too long.').waitFor({ state: 'detached' });
    await form.getByRole('button', { name: 'Send again' }).click();
    await expect.poll(async () => (await item(id)).description).toBe('<p>Short</p>');
  });
});

describe('a database that can’t be read', () => {
  it('is reported with its cause and the next step; “Try again” lists the edits when it can be read again', async () => {
    await openView(page, 'All items');
    const restore = renameTable(join(folder, 'profile', 'queue.db'), 'edit_groups');
    try {
      await openView(page, 'Edits');
      await page.getByRole('radio', { name: /^History/ }).click();
      const problem = page.getByRole('alert').filter({ hasText: 'The edits couldn’t be loaded' });
      await problem.getByText('Mediadesk can’t read or save its data right now.').waitFor();
      await problem.getByText('Check that the drive is connected and has free space.').waitFor();
      expect(await axeFindingsInThemes(page)).toEqual([]);
      await problem.getByText('Details').click();
      await problem.getByText('profile.store-failing').waitFor();
      expect(await axeFindingsInThemes(page)).toEqual([]);
    } finally {
      restore();
    }
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('grid', { name: 'History of edits' }).getByRole('row').first().waitFor();
  });
});

describe('a sign-out', () => {
  async function chooseSignOut(): Promise<void> {
    await page.getByRole('button', { name: /^Account: / }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  }

  it('needs a confirmation that names the unsent edits; they are sent after the next sign-in', async () => {
    const id = (await direct.createItem('Left here')).split('/').at(-1) ?? '';
    await service.control('PATCH', '/settings', { read_only: true });
    await ask(page, 'edits.apply', { selection: { siteId, ids: [id] }, change: { byline: set('Kept') } });
    await chooseSignOut();
    const question = page.getByRole('alertdialog');
    await question.getByText('1 edit isn’t in the library yet: 1 not sent.').waitFor();
    await question.getByText('They stay on this computer.').waitFor();
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await question.getByRole('button', { name: 'Stay signed in' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await ask(page, 'sites.list', null)).toMatchObject([{ state: 'signed-in' }]);
    await chooseSignOut();
    await question.getByRole('button', { name: 'Sign out' }).click();
    await expect.poll(() => ask(page, 'sites.list', null)).toMatchObject([{ state: 'signed-out' }]);
    await service.control('PATCH', '/settings', { read_only: false });
    expect((await signIn(desktop, service)).id).toBe(siteId);
    await expect.poll(async () => (await item(id)).byline, { timeout: 60_000 }).toBe('Kept');
  });
});
