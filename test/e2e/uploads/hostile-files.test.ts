// Hostile texts as names of files, labels of captions and names of web videos, in the real window with the real service.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ask } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import { HOSTILE_TEXTS, LONG_TEXT, PASTED_TEXTS, SAVED_TEXTS } from '../../helpers/data/hostile-texts.ts';
import { addSheetSteps } from '../../helpers/desktop/add-sheet-steps.ts';
import { pasteInto } from '../../helpers/desktop/exact-texts.ts';
import { refusals, showsEach } from '../../helpers/desktop/hostile-forms.ts';
import { NO_REPORTS, policyReports, watchPolicy } from '../../helpers/desktop/policy-reports.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { srt, wav } from '../../helpers/service/service-samples.ts';

let opened: SignedInApp;
let page: Page;
let talk: string;

beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async ({ direct, folder }) => {
      await direct.post('/api2/collections', { display_name: 'Optics', parent_id: '1' });
      talk = await direct.createItem('Talk');
      await direct.processed(await direct.upload(talk, 'talk.wav', wav()));
      writeFileSync(join(folder, 'captions.srt'), srt);
    },
    beforeSignIn: (window) => watchPolicy(window.page),
  });
  ({ page } = opened);
});
afterAll(() => opened?.close());

afterEach(async () => {
  expect(await policyReports(page)).toEqual(NO_REPORTS);
  expect(opened.desktop.output()).not.toMatch(/Refused to|violates the following/);
});

const { openWith, addButton, sheet } = addSheetSteps(() => opened);
const namesOf = async (path: string): Promise<string[]> =>
  (await opened.direct.get(path)).body.items.map((file: { display_name: string }) => file.display_name);

/** Shows the files of the item. */
async function openTalk(): Promise<void> {
  await page.getByRole('tree', { name: 'Collections' }).getByRole('treeitem').first().click();
  await page.getByRole('grid', { name: 'Items' }).getByRole('row').filter({ hasText: 'Talk' }).first().click();
  await page.getByRole('tab', { name: /^Files/ }).click();
}

/** Opens a dialog about the files of the item. */
async function add(entry: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: entry }).click();
  return page.getByRole('dialog');
}

/** A text as one line without control characters and marks of direction, which titles don't have. */
const asTitle = (text: string) =>
  text
    .normalize('NFC')
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();

it('the app uploads files with hostile names; titles are these names without control characters and marks of direction', {
  timeout: 300_000,
}, async () => {
  const names = HOSTILE_TEXTS.filter(({ text }) => !/[/.\p{Cc}]/u.test(text) && text.isWellFormed())
    .filter((_, index) => index % 2 === 0)
    .map(({ text }) => text)
    .filter((text) => Buffer.byteLength(text) < 240 && asTitle(text) !== '');
  expect(names.length).toBeGreaterThan(60);
  await openWith('names', Object.fromEntries(names.map((name, index) => [`${name}.txt`, `contents ${index}`])));
  await sheet()
    .getByRole('heading', { name: `Add ${names.length} files` })
    .waitFor();
  await addButton().click();
  await sheet().waitFor({ state: 'detached' });
  const list = { filter: 'all', batchId: null, offset: 0, limit: 500 };
  const states = async () =>
    (await ask<CallOutput<'uploads.list'>>(page, 'uploads.list', list)).rows.map((row) => row.state);
  await expect.poll(states, { timeout: 300_000 }).toEqual(names.map(() => 'complete'));
  const { body } = await opened.direct.get('/api2/media?per_page=200');
  const titles = body.items.map(({ title }: { title: string }) => title).filter((title: string) => title !== 'Talk');
  expect(titles.sort()).toEqual(names.map(asTitle).sort());
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'All items' }).click();
});

it('the form for web videos keeps each text as a name, or says at the field why not', {
  timeout: 300_000,
}, async () => {
  await openTalk();
  const address = 'https://video.example.org/watch?v=1';
  const kept: string[] = [];
  for (const [index, text] of SAVED_TEXTS.entries()) {
    // Each text is shown; every second one is saved.
    if (index % 2 === 1 && text !== LONG_TEXT) continue;
    const dialog = await add('Add web video…');
    if (index === 0) {
      await showsEach(dialog.getByLabel('Name', { exact: true }), PASTED_TEXTS);
      await showsEach(dialog.getByLabel('Web address'), PASTED_TEXTS);
      await dialog.getByLabel('Web address').fill(text);
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await expect.poll(async () => Object.keys(await refusals(dialog))).toEqual(['Web address']);
    }
    await dialog.getByLabel('Web address').fill(address);
    const name = await pasteInto(dialog.getByLabel('Name', { exact: true }), text);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect
      .poll(async () => (await dialog.count()) === 0 || Object.keys(await refusals(dialog)).length > 0)
      .toBe(true);
    if ((await dialog.count()) === 0) {
      kept.push(name.trim() || address);
      continue;
    }
    expect(Object.keys(await refusals(dialog)), JSON.stringify(text)).toEqual(['Name']);
    expect(/\p{Cc}/u.test(text) || !text.isWellFormed(), JSON.stringify(text)).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
  expect(kept.length).toBeGreaterThan(SAVED_TEXTS.length / 3);
  const names = async () => (await namesOf(`${talk}/files?per_page=200`)).filter((name) => name !== 'talk.wav').sort();
  await expect.poll(names).toEqual(kept.sort());
});

it('the form for captions keeps each text as a label', { timeout: 300_000 }, async () => {
  await openTalk();
  const labels: string[] = [];
  const dialog = page.getByRole('dialog', { name: 'Add captions' });
  await add('Add captions…');
  await showsEach(dialog.getByRole('textbox', { name: 'Label' }), PASTED_TEXTS);
  await page.keyboard.press('Escape');
  // Each captions file is uploaded, so only some of them are added.
  for (const text of PASTED_TEXTS.filter((_, index) => index % 7 === 0)) {
    await add('Add captions…');
    const picker = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'Choose…' }).click();
    await (await picker).setFiles(join(opened.folder, 'captions.srt'));
    await dialog.getByText('captions.srt').waitFor();
    const label = await pasteInto(dialog.getByRole('textbox', { name: 'Label' }), text);
    await dialog.getByRole('button', { name: 'Add captions' }).click();
    await dialog.waitFor({ state: 'detached' });
    labels.push(label);
  }
  const names = async () =>
    (await namesOf(`${talk}/files?per_page=200`)).filter((name) => name.endsWith('.srt')).sort();
  // The label is a part of the name of a file, which has no slashes and no control characters.
  const expected = labels.map((label) => `${label.replace(/[\p{Cc}/\\]+/gu, ' ').trim() || 'captions'}.srt`);
  await expect.poll(names, { timeout: 300_000 }).toEqual(expected.sort());
});
